/** Mapping of `Location` and `Refresh`: whoever follows an answer stays in the same selector, and on the proxy. */
import { describe, expect, it } from "vitest";
import { decodeAddress, decodeBase } from "../../../src/core/address/address.ts";
import { hostLink, mapLocation, mapRefresh, THEN_PARAMETER } from "../../../src/core/address/location.ts";
import { rowsOf, textRows } from "../../support/rows.ts";
import { ARGUMENT, BASED, COOKIE, HEADER } from "../../support/location-contexts.ts";
import { HOST_SELECTORS, LABEL, PROXY, URL_LINK } from "../../support/location-contexts.ts";

describe.each(HOST_SELECTORS)("$context.selector, same origin, no base path", ({ context }) => {
  it.each([
    { about: "a path as odd as it came", value: "/a//b/%7e|'\"<>/../c?x=%26&y=|#%20" },
    { about: "an empty query", value: "?" },
    { about: "a fragment", value: "#top" },
    { about: "more parents than there are", value: "../../../../x" },
    { about: "a scheme's name as a path", value: "./https:x" },
    { about: "UTF-8 bytes", value: "/caf\u00c3\u00a9" },
    { about: "dots before two slashes", value: "/.//evil.test" },
  ])("keeps $about: $value", ({ value }) => expect(mapLocation(value, context)).toBe(value));

  it.each(rowsOf(["about", "value", "mapped"], [
    ["an empty query and fragment", "https://a.test/x?#", "/x?#"],
    ["another spelling", "HTTPS://A.test:443/x", "/x"],
    ["a backslash", "\\\\a.test\\x", "/x"],
    ["credentials", "https://u:p@a.test/x", "/x"],
    ["an address in the query", "https://a.test/?to=https://b.test", "/?to=https://b.test"],
  ]))("maps $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLocation(value, context)).toBe(mapped);
  });

  it.each([
    { about: "slash and backslash", value: "https://a.test/\\evil.test/x" },
    { about: "dots", value: "https://a.test/.//evil.test/x" },
    { about: "a tab", value: "https://a.test/\t/evil.test/x" },
  ])("keeps a path with $about on the proxy: $value", ({ value }) => {
    expect(mapLocation(value, context)).toBe(`${context.proxyOrigin}//evil.test/x`);
  });

  it.each(rowsOf(["about", "value", "path"], [
    ["dots", "/x/../__proxy__/fetch?arg=e30", "/__proxy__/fetch?arg=e30"],
  ]))("reaches the target's own /__proxy__ by url, $about: $value", ({ value, path }) => {
    const link = `${context.proxyOrigin}/__proxy__/?url=${encodeURIComponent(`https://a.test${path}`)}`;
    expect(mapLocation(value, context)).toBe(link);
  });
});

describe.each(HOST_SELECTORS)("$context.selector, same origin, base path /v1", ({ context }) => {
  it.each(rowsOf(["about", "value", "mapped"], [
    ["the base with a slash", "https://a.test/v1/", "/"],
    ["the base with a query", "/v1?x", "/?x"],
    ["the base with a fragment", "/v1#f", "/#f"],
    ["a parent", "../x", "/x"],
    ["a query", "?a", "/dir/page?a"],
    ["a fragment", "#f", "/dir/page?q=1#f"],
    ["nothing, which leads nowhere", "", ""],
    ["slash and backslash behind it", "/v1/\\evil.test", `${context.proxyOrigin}//evil.test`],
  ]))("maps $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLocation(value, { ...context, ...BASED })).toBe(mapped);
  });
});

it.each([
  { context: HEADER, value: "/v1/%2e%2e/other", mapped: "https://a.test/other" },
  { context: COOKIE, value: "/other?x", mapped: "/__proxy__/?host=https%3A%2F%2Fa.test&then=%2Fother%3Fx" },
  { context: LABEL, value: "/other?x", mapped: "http://a-test.w.localhost:8080/other?x" },
])(
  "same origin outside the base path is another origin: $context.selector: $value → $mapped",
  ({ context, value, mapped }) => expect(mapLocation(value, { ...context, ...BASED })).toBe(mapped),
);

describe("a target that is told the caller's host", () => {
  const link = (path: string) => `${PROXY}/__proxy__/?url=${encodeURIComponent(`https://a.test${path}`)}`;
  it.each(rowsOf(["about", "value", "mapped"], [
    ["that host", `${PROXY}/v1/x?y#z`, "/x?y#z"],
    ["that host by its own scheme", "https://127.0.0.1:8080/v1/x", "/x"],
    ["that name with its own port", "https://127.0.0.1/v1/x", "/x"],
    ["credentials", "http://u:p@127.0.0.1:8080/v1/x", "/x"],
    ["two slashes", `${PROXY}/v1//evil.test`, `${PROXY}//evil.test`],
    ["its own /__proxy__", `${PROXY}/v1/__proxy__/?host=x`, link("/v1/__proxy__/?host=x")],
  ]))("means itself by $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLocation(value, { ...HEADER, ...BASED, isHeard: true })).toBe(mapped);
  });

  it.each([
    { about: "outside of its base path", value: `${PROXY}/x` },
    { about: "on another port", value: "https://127.0.0.1:81/v1/x" },
    { about: "on its port by the caller's scheme", value: "http://127.0.0.1/v1/x" },
    { about: "on another host", value: "https://b.test/v1/x" },
  ])("means no address $about: $value", ({ value }) => {
    expect(mapLocation(value, { ...HEADER, ...BASED, isHeard: true })).toBe(value);
  });

  it.each(rowsOf(["about", "context", "path", "mapped"], [
    ["and stands behind a path", { ...HEADER, mountPath: "/m" }, "/x", "/m/x"],
    ["and knows that path", { ...HEADER, mountPath: "/m" }, "/m/x", `${PROXY}/m/x`],
    ["by url", URL_LINK, "/x?y", link("/x?y")],
    ["by at", { ...HEADER, place: "/__proxy__/at/a-test" }, "/x", "/__proxy__/at/a-test/x"],
    ["by cookie", COOKIE, "/x", `${PROXY}/x`],
  ]))("is reached again $about", ({ context, path, mapped }) => {
    expect(mapLocation(PROXY + path, { ...context, isHeard: true })).toBe(mapped);
  });

  it.each([
    { about: "", base: {}, mapped: "/x" },
    { about: ", outside of its base path", base: BASED, mapped: hostLink("https://a.test", "/x") },
  ])(
    "is reached again by cookie where it names its own port$about",
    ({ base, mapped }) =>
      expect(mapLocation("https://127.0.0.1/x", { ...COOKIE, ...base, isHeard: true })).toBe(mapped),
  );
});

it.each(rowsOf(["about", "value", "mapped"], [
  ["stays as written", "HTTP://B.test:80/a|b/../c", "HTTP://B.test:80/a|b/../c"],
  ["keeps credentials", "https://u:p@b.test/", "https://u:p@b.test/"],
  ["keeps UTF-8 bytes", "https://b.test/caf\u00c3\u00a9", "https://b.test/caf\u00c3\u00a9"],
  ["keeps another scheme of the same host", "http://a.test/x", "http://a.test/x"],
  ["becomes absolute behind a backslash", "/\\b.test/x", "https://b.test/x"],
  ["becomes absolute behind a tab", "/\t/b.test/x", "https://b.test/x"],
]))(
  "header, another origin: $about: $value",
  ({ value, mapped }) => expect(mapLocation(value, HEADER)).toBe(mapped),
);

it.each(rowsOf(["about", "value", "host", "then"], [
  ["credentials, which are dropped", "https://u:p@b.test/x", "https://b.test", "/x"],
  ["parameters of the link itself", "https://b.test/?a&host=x&then=y", "https://b.test", "/?a&host=x&then=y"],
  ["UTF-8 bytes", "https://b.test/caf\u00c3\u00a9", "https://b.test", "/caf%C3%A9"],
]))("cookie, another origin: $about: $value", ({ value, host, then }) => {
  const link = new URL(mapLocation(value, COOKIE), PROXY);
  expect(link.origin + link.pathname).toBe(`${PROXY}/__proxy__/`);
  expect([...link.searchParams]).toEqual([["host", host], [THEN_PARAMETER, then]]);
  expect(link.hash).toBe("");
});

describe("label, another origin", () => {
  const labels = new Map(Object.entries({
    api: decodeBase("https://api.test/v1")!,
    "taken-test": decodeBase("https://elsewhere.test")!,
  }));
  it.each(rowsOf(["about", "value", "mapped"], [
    ["its label", "https://my-site.b.test:8443/x?y#f", "http://my--site-b-test-8443.w.localhost:8080/x?y#f"],
    ["its flagged label", "http://b.test", "http://h-b-test.w.localhost:8080/"],
    ["another scheme of the same host", "http://a.test/x", "http://h-a-test.w.localhost:8080/x"],
    ["the scheme left out", "//b.test/x", "http://b-test.w.localhost:8080/x"],
    ["credentials, which are dropped", "https://u:p@b.test/x", "http://b-test.w.localhost:8080/x"],
    [
      "a path that looks like a host",
      "https://b.test//evil.test",
      "http://b-test.w.localhost:8080//evil.test",
    ],
    ["a label that is configured for another", "https://taken.test/x", "https://taken.test/x"],
    ["an IPv6 address, which fits none", "http://[::1]:3000/x", "http://[::1]:3000/x"],
    ["a long host, which fits none", `https://${"b".repeat(60)}.test/x`, `https://${"b".repeat(60)}.test/x`],
    ["an odd host, which fits none", "//b_c.test/x", "https://b_c.test/x"],
    [
      "another label of the proxy, which a target was told of",
      "http://b-test.w.LOCALHOST:8080/x?y#f",
      "http://b-test.w.LOCALHOST:8080/x?y#f",
    ],
    [
      "the proxy's own path on another label",
      "http://b-test.w.localhost:8080/__proxy__/?host=x",
      "http://a-test.w.localhost:8080/__proxy__/?url=" +
      encodeURIComponent("http://b-test.w.localhost:8080/__proxy__/?host=x"),
    ],
    [
      "a label of a proxy at another port",
      "http://b-test.w.localhost:9090/x",
      "http://h-b--test-w-localhost-9090.w.localhost:8080/x",
    ],
    [
      "a label of a proxy behind another scheme",
      "https://b-test.w.localhost:8080/x",
      "http://b--test-w-localhost-8080.w.localhost:8080/x",
    ],
  ]))("$about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLocation(value, { ...LABEL, labels })).toBe(mapped);
  });

  it.each([
    { proxyOrigin: "https://a-test.w.proxy.test", mapped: "https://b-test.w.proxy.test/x" },
    { proxyOrigin: "http://A-TEST.w.proxy.test:80", mapped: "http://b-test.w.proxy.test/x" },
    { proxyOrigin: "http://", mapped: "https://b.test/x" },
  ])("from $proxyOrigin to $mapped", ({ proxyOrigin, mapped }) => {
    const context = { ...LABEL, proxyOrigin, proxyDomain: "proxy.test" };
    expect(mapLocation("https://b.test/x", context)).toBe(mapped);
  });
});

describe("url", () => {
  it.each(rowsOf(["about", "value", "address", "hash"], [
    ["an address", "https://b.test/x?y=1&z=%26", "https://b.test/x?y=1&z=%26", ""],
    ["an empty fragment", "https://b.test/x#", "https://b.test/x", "#"],
    ["a query", "?a", "https://a.test/dir/page?a", ""],
    ["credentials", "https://u:p@b.test/", "https://u:p@b.test/", ""],
    ["UTF-8 bytes", "/caf\u00c3\u00a9", "https://a.test/caf%C3%A9", ""],
    ["the target's own /__proxy__", "/__proxy__/", "https://a.test/__proxy__/", ""],
  ]))("$about: $value", ({ value, address, hash }) => {
    const link = `${PROXY}/__proxy__/?url=${encodeURIComponent(address)}${hash}`;
    expect(mapLocation(value, URL_LINK)).toBe(link);
  });

  it("does not pass on the credentials of the address that was asked", () => {
    const context = { ...URL_LINK, requestUrl: "https://u:p@a.test/x" };
    expect(mapLocation("/y", context)).toBe(`${PROXY}/__proxy__/?url=https%3A%2F%2Fa.test%2Fy`);
  });
});

describe.each([...HOST_SELECTORS, { context: URL_LINK }, { context: ARGUMENT }])(
  "$context.selector",
  ({ context }) => {
    it.each([
      { about: "a scheme of an app", value: "app://a.test/x" },
      { about: "no address at all", value: "http://[x" },
      { about: "a bad port", value: "https://a.test:99999/" },
      { about: "the proxy's origin", value: `${context.proxyOrigin}/x?y#z` },
    ])("keeps $about: $value", ({ value }) => {
      expect(mapLocation(value, { ...context, basePath: "/v1" })).toBe(value);
    });
  },
);

describe("where the proxy's origin is not known", () => {
  const unknown = { proxyOrigin: "http://" };
  it.each([
    { context: HEADER, value: "https://a.test/x", mapped: "/x" },
    { context: HEADER, value: "/x", mapped: "/x" },
    { context: HEADER, value: "https://a.test//evil.test", mapped: "/.//evil.test" },
    { context: URL_LINK, value: "/x", mapped: "/__proxy__/?url=https%3A%2F%2Fa.test%2Fx" },
  ])("$context.selector: $value → $mapped", ({ context, value, mapped }) => {
    expect(mapLocation(value, { ...context, ...unknown })).toBe(mapped);
    expect(new URL(mapped, PROXY).origin).toBe(PROXY);
  });
});

it("takes https:x for an address when only the target speaks https", () =>
  expect([mapLocation("https:x", HEADER), mapLocation("http:x", HEADER)]).toEqual(["/dir/x", "http://x/"]));

describe("mapRefresh", () => {
  it.each([
    { about: "nothing", value: "" },
    { about: "a delay", value: "0" },
    { about: "a delay and a separator", value: "5;" },
    { about: "no address", value: "5; url=" },
    { about: "an empty quoted address", value: "5; url=''" },
    { about: "no delay", value: "url=https://a.test/v1/x" },
    { about: "no separator", value: "5url=https://a.test/v1/x" },
    { about: "another scheme", value: "5; url=mailto:a@a.test" },
    { about: "another origin", value: "5; url=https://b.test/it's" },
  ])("keeps $about: $value", ({ value }) => expect(mapRefresh(value, { ...HEADER, ...BASED })).toBe(value));

  it.each(rowsOf(["about", "value", "mapped"], [
    ["plain", "5; url=https://a.test/v1/x", "5; url=/x"],
    ["in capitals", "5;URL=https://a.test/v1/x", "5;URL=/x"],
    ["with spaces", " 0.5 ,\turl = https://a.test/v1/x", " 0.5 ,\turl = /x"],
    ["in single quotes", "5;URL='https://a.test/v1/x'", "5;URL='/x'"],
    ["in double quotes", '5; url="/v1/x" ; y', '5; url="/x" ; y'],
    ["in an open quote", '5; url="/v1/x', '5; url="/x'],
    ["with a quote inside", "5; url=/v1/it's", "5; url=/it's"],
    ["without url=", "5; https://a.test/v1/x", "5; /x"],
    ["without separator but a blank", "5 url=/v1/x", "5 url=/x"],
    ["with url as its path", "5; url", "5; /dir/url"],
    ["of another host in disguise", "5; url=/v1//evil.test", `5; url=${PROXY}//evil.test`],
  ]))("maps an address $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapRefresh(value, { ...HEADER, ...BASED })).toBe(mapped);
  });

  it("keeps an apostrophe of the request from ending the quoted address", () => {
    const context = { ...HEADER, basePath: "/v1", requestUrl: "https://a.test/v1/it's/x" };
    expect(mapRefresh("5; url='y'", context)).toBe("5; url='/it%27s/y'");
  });

  it("keeps every byte without a base path", () => {
    expect(mapRefresh("5;  URL = 'next?x=\u00c3\u00a9' z", COOKIE)).toBe("5;  URL = 'next?x=\u00c3\u00a9' z");
  });

  it("goes on by a link where the host changes", () =>
    expect(mapRefresh("0; url=https://b.test/x", COOKIE)).toBe(`0; url=${hostLink("https://b.test", "/x")}`));
});

it.each(rowsOf(["base", "path", "link"], [
  ["https://b.test", "/", "/__proxy__/?host=https%3A%2F%2Fb.test&then=%2F"],
  ["https://b.test/v1", "/a?b=c&d#e", "/__proxy__/?host=https%3A%2F%2Fb.test%2Fv1&then=%2Fa%3Fb%3Dc%26d%23e"],
]))("hostLink: $base $path → $link", ({ base, path, link }) => expect(hostLink(base, path)).toBe(link));

it.each([...HOST_SELECTORS, { context: URL_LINK }])(
  "an address of the proxy's own paths, which a target has no business with becomes a url link for $context.selector",
  ({ context }) => {
    const link = `${context.proxyOrigin}/__proxy__/?host=https%3A%2F%2Fevil.test`;
    expect(mapLocation(link, context))
      .toBe(`${context.proxyOrigin}/__proxy__/?url=${encodeURIComponent(link)}`);
  },
);

describe.each([{ context: COOKIE }, { context: LABEL }])(
  "the paths of another origin that the proxy has too, by $context.selector",
  ({ context }) => {
    it.each(textRows(["about", "value", "address"])`
      itself | https://b.test/__proxy__ | https://b.test/__proxy__
      with a query | https://b.test/__proxy__/?host=https://evil.test | https://b.test/__proxy__/?host=https://evil.test
      with a query and no slash | //b.test/__proxy__?host=x | https://b.test/__proxy__?host=x
      behind dots | https://b.test/x/%2e%2E/__proxy__/fetch?arg=e30 | https://b.test/__proxy__/fetch?arg=e30
      behind a backslash | https://b.test\\__proxy__\\?host=x | https://b.test/__proxy__/?host=x
      by another scheme of the same host | http://a.test/__proxy__/ | http://a.test/__proxy__/
      with credentials, which are dropped | https://u:p@b.test/__proxy__/ | https://b.test/__proxy__/`)(
      "are reached by url, $about: $value",
      ({ value, address }) => {
        const link = `${context.proxyOrigin}/__proxy__/?url=${encodeURIComponent(address)}`;
        expect(mapLocation(value, context)).toBe(link);
        expect(mapRefresh(`0; url="${value}"`, context)).toBe(`0; url="${link}"`);
      },
    );

    it("keep their fragment", () =>
      expect(mapLocation("https://b.test/__proxy__#f", context))
        .toBe(`${context.proxyOrigin}/__proxy__/?url=${encodeURIComponent("https://b.test/__proxy__")}#f`));

    it.each(["/__proxy__x", "/x/__proxy__/", "/%5f%5fproxy__/", "//__proxy__/", "/__PROXY__/"])(
      "are not %s",
      (path) => expect(mapLocation(`https://b.test${path}`, context)).not.toContain("?url="),
    );
  },
);

it("reaches the target's own /__proxy__ behind a base path by url", () => {
  const labels = new Map([["api", decodeBase("https://api.test/v1")!]]);
  expect(mapLocation("https://api.test/v1/__proxy__/?host=x", { ...LABEL, labels })).toBe(
    `${LABEL.proxyOrigin}/__proxy__/?url=${encodeURIComponent("https://api.test/v1/__proxy__/?host=x")}`,
  );
  expect(mapLocation("/__proxy__/", { ...COOKIE, ...BASED }))
    .toBe(`${PROXY}/__proxy__/?url=${encodeURIComponent("https://a.test/__proxy__/")}`);
});

it.each(HOST_SELECTORS)("shows no credentials of the same origin by $context.selector", ({ context }) => {
  expect(mapLocation("https://u:p4ss@a.test/__proxy__/", context)).not.toContain("p4ss");
});

describe("an address that engines read differently", () => {
  it.each(rowsOf(["about", "value"], [
    ["what a browser reads as the proxy", "http://localhost\u00e3\u0085\u00a4:8080/__proxy__/?host=x"],
    ["the same percent-encoded", "http://localhost%E3%85%A4:8080/__proxy__/?host=x"],
    ["without its scheme", "//localhost%F0%9D%90%A5/"],
    ["letters in Punycode that are none", "https://xn--a.test/"],
  ]))("is refused by the proxy, not read by the browser: $about", ({ value }) => {
    const mapped = [HEADER, COOKIE, LABEL, URL_LINK].map((context) => mapLocation(value, context));
    const start = `${PROXY}/__proxy__/?url=`;
    expect(mapped.map((link) => link.slice(0, start.length)))
      .toEqual([start, start, expect.any(String), start]);
    const addresses = mapped.map((link) => decodeURIComponent(link.split("?url=")[1] ?? ""));
    expect(addresses.map(decodeAddress)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each(["mailto:\u00fc@a.test", "/%E1%BA%9E", "http://[/"])(
    "%s is none",
    (value) => expect(mapLocation(value, HEADER)).toBe(value),
  );
});
