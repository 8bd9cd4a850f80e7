/** Mapping of `Link`: a program that turns pages by it stays on the proxy, and no browser is led elsewhere. */
import { describe, expect, it } from "vitest";
import { mapLinks } from "../../../src/core/address/link-field.ts";
import { rowsOf } from "../../support/rows.ts";
import { ARGUMENT, BASED, HEADER, HOST_SELECTORS, PROXY, URL_LINK } from "../../support/location-contexts.ts";

/** The link of the proxy to an address. */
function linkTo(address: string): string {
  return `${PROXY}/__proxy__/?url=${encodeURIComponent(address)}`;
}

describe.each(HOST_SELECTORS)("$context.selector", ({ context }) => {
  const { proxyOrigin } = context;
  it.each(rowsOf(["about", "value", "mapped"], [
    [
      "pages",
      '<https://a.test/r?page=2>; rel="next", <https://a.test/r?page=9>; rel="last"',
      '</r?page=2>; rel="next", </r?page=9>; rel="last"',
    ],
    [
      "some among others",
      "<https://b.test/>; rel=me, <//a.test/x>;rel=up",
      "<https://b.test/>; rel=me, </x>;rel=up",
    ],
    ["without parameters", "<https://a.test>", "</>"],
    ["a comma in the reference", "<https://a.test/a,b>; rel=x", "</a,b>; rel=x"],
    [
      "commas, quotes and brackets in a quoted parameter",
      '<https://a.test/x>; title="a, \\"<https://a.test/no>\\", \\\\", <https://a.test/y>',
      '</x>; title="a, \\"<https://a.test/no>\\", \\\\", </y>',
    ],
    [
      "an anchor, which stays",
      '<https://a.test/x>; anchor="https://a.test/y"; rel=up',
      '</x>; anchor="https://a.test/y"; rel=up',
    ],
    [
      "blanks and empty members, which stay",
      ' ,\t<https://a.test/x> ;rel = "a" ,, <https://a.test/y>\t; rel=b , ,',
      ' ,\t</x> ;rel = "a" ,, </y>\t; rel=b , ,',
    ],
    ["a path that looks like a host", "<https://a.test//b.test/x>", `<${proxyOrigin}//b.test/x>`],
    [
      "the target's own /__proxy__",
      "</__proxy__/?host=b.test>; rel=preload",
      `<${proxyOrigin}/__proxy__/?url=https%3A%2F%2Fa.test%2F__proxy__%2F%3Fhost%3Db.test>; rel=preload`,
    ],
  ]))("maps $about: $value", ({ value, mapped }) => expect(mapLinks(value, context)).toBe(mapped));

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
  ])("keeps $about: $value", ({ value }) => expect(mapLinks(value, context)).toBe(value));

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
  it.each(rowsOf(["about", "value", "mapped"], [
    [
      "pages",
      '<https://a.test/r?page=2>; rel="next", <https://a.test/r?page=9>; rel="last"',
      `<${linkTo("https://a.test/r?page=2")}>; rel="next", <${
        linkTo("https://a.test/r?page=9")
      }>; rel="last"`,
    ],
    ["a path", "</x>; rel=preload", `<${linkTo("https://a.test/x")}>; rel=preload`],
    ["a sibling", "<next>", `<${linkTo("https://a.test/dir/next")}>`],
    ["a query", "<?page=2>", `<${linkTo("https://a.test/dir/page?page=2")}>`],
    ["a fragment, outside the parameter", "</x#f>", `<${linkTo("https://a.test/x")}#f>`],
    ["the page itself, right already", "<>; rel=self", "<>; rel=self"],
    ["a fragment alone, right already", "<#f>", "<#f>"],
    ["another origin, which stays", "<https://b.test/x>", "<https://b.test/x>"],
    ["another one without its scheme, which stays", "<//b.test/x>", "<//b.test/x>"],
    ["no http, which stays", "<mailto:a@a.test>", "<mailto:a@a.test>"],
  ]))("$about: $value → $mapped", ({ value, mapped }) => expect(mapLinks(value, URL_LINK)).toBe(mapped));

  it("does not pass on the credentials of the address that was asked", () => {
    const context = { ...URL_LINK, requestUrl: "https://u:p@a.test/x" };
    expect(mapLinks("</y>", context)).toBe(`<${linkTo("https://a.test/y")}>`);
  });
});

it.each(["<https://a.test/x>; rel=next", "</x>; rel=next", "<https://b.test/x>; rel=next"])(
  "arg keeps %s",
  (value) => expect(mapLinks(value, ARGUMENT)).toBe(value),
);

it.each([
  { context: HEADER, mapped: "</x>" },
  { context: URL_LINK, mapped: "</__proxy__/?url=https%3A%2F%2Fa.test%2Fx>" },
])("is relative where the proxy's origin is not known: $context.selector", ({ context, mapped }) => {
  expect(mapLinks("<https://a.test/x>", { ...context, proxyOrigin: "http://" })).toBe(mapped);
});
