/**
 * Mapping of `Link`: a program that turns pages by it stays on the proxy, and no browser is led elsewhere.
 * @module
 */
import { describe, expect, it } from "vitest";
import { mapLinks } from "../../src/address/link-field.ts";
import { ARGUMENT, BASED, HEADER, HOST_SELECTORS, PROXY, URL_LINK } from "../support/location-contexts.ts";

/** The link of the proxy to an address. */
function linkTo(address: string): string {
  return `${PROXY}/__proxy__/?url=${encodeURIComponent(address)}`;
}

describe.each(HOST_SELECTORS)("$context.selector", ({ context }) => {
  const { proxyOrigin } = context;
  it.each([
    {
      about: "pages",
      value: '<https://a.test/r?page=2>; rel="next", <https://a.test/r?page=9>; rel="last"',
      mapped: '</r?page=2>; rel="next", </r?page=9>; rel="last"',
    },
    {
      about: "some among others",
      value: "<https://b.test/>; rel=me, <//a.test/x>;rel=up",
      mapped: "<https://b.test/>; rel=me, </x>;rel=up",
    },
    { about: "without parameters", value: "<https://a.test>", mapped: "</>" },
    { about: "a comma in the reference", value: "<https://a.test/a,b>; rel=x", mapped: "</a,b>; rel=x" },
    {
      about: "commas, quotes and brackets in a quoted parameter",
      value: '<https://a.test/x>; title="a, \\"<https://a.test/no>\\", \\\\", <https://a.test/y>',
      mapped: '</x>; title="a, \\"<https://a.test/no>\\", \\\\", </y>',
    },
    {
      about: "an anchor, which stays",
      value: '<https://a.test/x>; anchor="https://a.test/y"; rel=up',
      mapped: '</x>; anchor="https://a.test/y"; rel=up',
    },
    {
      about: "blanks and empty members, which stay",
      value: ' ,\t<https://a.test/x> ;rel = "a" ,, <https://a.test/y>\t; rel=b , ,',
      mapped: ' ,\t</x> ;rel = "a" ,, </y>\t; rel=b , ,',
    },
    {
      about: "a path that looks like a host",
      value: "<https://a.test//b.test/x>",
      mapped: `<${proxyOrigin}//b.test/x>`,
    },
    {
      about: "the target's own /__proxy__",
      value: "</__proxy__/?host=b.test>; rel=preload",
      mapped:
        `<${proxyOrigin}/__proxy__/?url=https%3A%2F%2Fa.test%2F__proxy__%2F%3Fhost%3Db.test>; rel=preload`,
    },
  ])("maps $about: $value", ({ value, mapped }) => {
    expect(mapLinks(value, context)).toBe(mapped);
  });

  it.each([
    { about: "nothing", value: "" },
    { about: "a path", value: "</style.css>; rel=preload; as=style" },
    { about: "a path as odd as it came", value: "</a/../b%7e|'\u00c3\u00a9>; rel=preload" },
    { about: "a sibling", value: "<next>; rel=next" },
    { about: "a query", value: "<?page=2>; rel=next" },
    { about: "the page itself", value: "<>; rel=self" },
    { about: "another origin", value: "<https://b.test/x>; rel=preconnect" },
    { about: "another origin without its scheme", value: "<//b.test/x>; rel=preconnect" },
    { about: "another scheme of the same host", value: "<http://a.test/x>; rel=alternate" },
    { about: "credentials for another origin", value: "<https://u:p@b.test/x>" },
    { about: "no http", value: "<mailto:a@a.test>; rel=author, <urn:x:y>; rel=profile" },
    { about: "no address", value: "<https://[x>; rel=up" },
    { about: "no brackets", value: "https://a.test/x; rel=next" },
    { about: "an open bracket", value: "<https://a.test/x>, <https://a.test/y; rel=next" },
    { about: "an open quote", value: '<https://a.test/x>; rel="next, <https://a.test/y>' },
    { about: "an open escape", value: '<https://a.test/x>; rel="next\\"' },
    { about: "text before a link", value: "x <https://a.test/x>" },
    { about: "text behind a link", value: "<https://a.test/x> x; rel=next" },
    { about: "no comma between", value: "<https://a.test/x>; rel=next <https://a.test/y>" },
    { about: "a bracket in the reference", value: "<https://a.test/a,<b>" },
    { about: "a stray bracket", value: "<https://a.test/x>; title=a>b" },
  ])("keeps $about: $value", ({ value }) => {
    expect(mapLinks(value, context)).toBe(value);
  });

  it.each([
    { about: "an address", value: "<https://a.test/v1/x?page=2>", mapped: "</x?page=2>" },
    { about: "a path", value: "</v1/x>", mapped: "</x>" },
    { about: "the base", value: "</v1>", mapped: "</>" },
    { about: "a way round", value: "<../../v1/x>", mapped: "</x>" },
    { about: "a sibling, right already", value: "<next>", mapped: "<next>" },
    { about: "a parent, right already", value: "<../x>", mapped: "<../x>" },
    { about: "a query, right already", value: "<?page=2>", mapped: "<?page=2>" },
    { about: "a fragment, right already", value: "<#f>", mapped: "<#f>" },
    { about: "a path outside", value: "</style.css>", mapped: "</style.css>" },
    { about: "an address outside", value: "<https://a.test/v10/x>", mapped: "<https://a.test/v10/x>" },
    { about: "a parent outside", value: "<../../x>", mapped: "<../../x>" },
  ])("behind /v1, $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLinks(value, { ...context, ...BASED })).toBe(mapped);
  });

  it.each([
    { about: "an address", value: "<https://a.test/x>", mapped: "</front/x>" },
    { about: "a path", value: "</x>", mapped: "</front/x>" },
    { about: "a sibling, right already", value: "<next>", mapped: "<next>" },
  ])("mounted at /front, $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLinks(value, { ...context, mountPath: "/front" })).toBe(mapped);
  });
});

describe("url", () => {
  it.each([
    {
      about: "pages",
      value: '<https://a.test/r?page=2>; rel="next", <https://a.test/r?page=9>; rel="last"',
      mapped: `<${linkTo("https://a.test/r?page=2")}>; rel="next", <${
        linkTo("https://a.test/r?page=9")
      }>; rel="last"`,
    },
    { about: "a path", value: "</x>; rel=preload", mapped: `<${linkTo("https://a.test/x")}>; rel=preload` },
    { about: "a sibling", value: "<next>", mapped: `<${linkTo("https://a.test/dir/next")}>` },
    { about: "a query", value: "<?page=2>", mapped: `<${linkTo("https://a.test/dir/page?page=2")}>` },
    {
      about: "a fragment, outside the parameter",
      value: "</x#f>",
      mapped: `<${linkTo("https://a.test/x")}#f>`,
    },
    { about: "the page itself, right already", value: "<>; rel=self", mapped: "<>; rel=self" },
    { about: "a fragment alone, right already", value: "<#f>", mapped: "<#f>" },
    { about: "another origin, which stays", value: "<https://b.test/x>", mapped: "<https://b.test/x>" },
    { about: "another one without its scheme, which stays", value: "<//b.test/x>", mapped: "<//b.test/x>" },
    { about: "no http, which stays", value: "<mailto:a@a.test>", mapped: "<mailto:a@a.test>" },
  ])("$about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLinks(value, URL_LINK)).toBe(mapped);
  });

  it("does not pass on the credentials of the address that was asked", () => {
    const context = { ...URL_LINK, requestUrl: "https://u:p@a.test/x" };
    expect(mapLinks("</y>", context)).toBe(`<${linkTo("https://a.test/y")}>`);
  });
});

it.each([
  { value: "<https://a.test/x>; rel=next" },
  { value: "</x>; rel=next" },
  { value: "<https://b.test/x>; rel=next" },
])("arg keeps $value", ({ value }) => {
  expect(mapLinks(value, ARGUMENT)).toBe(value);
});

it.each([
  { context: HEADER, mapped: "</x>" },
  { context: URL_LINK, mapped: "</__proxy__/?url=https%3A%2F%2Fa.test%2Fx>" },
])("is relative where the proxy's origin is not known: $context.selector", ({ context, mapped }) => {
  expect(mapLinks("<https://a.test/x>", { ...context, proxyOrigin: "http://" })).toBe(mapped);
});

it.each([
  { about: "open quotes", value: '<https://a.test/x>; a="'.padEnd(60_000, '\\"') },
  { about: "blanks", value: `<https://a.test/x>${" \t".repeat(30_000)}x` },
  { about: "commas", value: `${",".repeat(60_000)}x` },
  { about: "open brackets", value: "<".repeat(60_000) },
  { about: "closed quotes", value: `<https://a.test/x>; ${'"",'.repeat(20_000)}` },
])("takes time in line with the length: $about", ({ value }) => {
  const start = performance.now();
  mapLinks(value, HEADER);
  expect(performance.now() - start).toBeLessThan(200);
});
