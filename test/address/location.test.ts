/**
 * Mapping of `Location` and `Refresh`: whoever follows an answer stays in the same selector, and on the proxy.
 * @module
 */
import { describe, expect, it } from "vitest";
import { decodeBase } from "../../src/address/address.ts";
import { decodeAddress } from "../../src/address/address.ts";
import { hostLink, mapLocation, mapRefresh, THEN_PARAMETER } from "../../src/address/location.ts";
import {
  ARGUMENT,
  BASED,
  COOKIE,
  HEADER,
  HOST_SELECTORS,
  LABEL,
  PROXY,
  URL_LINK,
} from "../support/location-contexts.ts";

describe.each(HOST_SELECTORS)("$context.selector, same origin, no base path", ({ context }) => {
  it.each([
    { about: "nothing", value: "" },
    { about: "a path", value: "/users?x=1#f" },
    { about: "a path as odd as it came", value: "/a//b/%7e|'\"<>/../c?x=%26&y=|#%20" },
    { about: "a query", value: "?a" },
    { about: "an empty query", value: "?" },
    { about: "a fragment", value: "#top" },
    { about: "a sibling", value: "next" },
    { about: "a parent", value: "../x" },
    { about: "more parents than there are", value: "../../../../x" },
    { about: "a scheme's name as a path", value: "./https:x" },
    { about: "UTF-8 bytes", value: "/caf\u00c3\u00a9" },
    { about: "dots before two slashes", value: "/.//evil.test" },
  ])("keeps $about: $value", ({ value }) => {
    expect(mapLocation(value, context)).toBe(value);
  });

  it.each([
    { about: "an absolute address", value: "https://a.test/users?x=1#f", mapped: "/users?x=1#f" },
    { about: "no path", value: "https://a.test", mapped: "/" },
    { about: "no path but a query", value: "https://a.test?x", mapped: "/?x" },
    { about: "an empty query and fragment", value: "https://a.test/x?#", mapped: "/x?#" },
    { about: "the scheme left out", value: "//a.test/x", mapped: "/x" },
    { about: "another spelling", value: "HTTPS://A.test:443/x", mapped: "/x" },
    { about: "a backslash", value: "\\\\a.test\\x", mapped: "/x" },
    { about: "credentials", value: "https://u:p@a.test/x", mapped: "/x" },
    { about: "UTF-8 bytes", value: "https://a.test/caf\u00c3\u00a9", mapped: "/caf%C3%A9" },
    {
      about: "an address in the query",
      value: "https://a.test/?to=https://b.test",
      mapped: "/?to=https://b.test",
    },
  ])("maps $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLocation(value, context)).toBe(mapped);
  });

  it.each([
    { about: "two slashes", value: "https://a.test//evil.test/x" },
    { about: "slash and backslash", value: "https://a.test/\\evil.test/x" },
    { about: "dots", value: "https://a.test/.//evil.test/x" },
    { about: "a tab", value: "https://a.test/\t/evil.test/x" },
  ])("keeps a path with $about on the proxy: $value", ({ value }) => {
    expect(mapLocation(value, context)).toBe(`${context.proxyOrigin}//evil.test/x`);
  });

  it.each([
    {
      about: "a path",
      value: "/__proxy__/?host=https://evil.test",
      path: "/__proxy__/?host=https://evil.test",
    },
    { about: "an address", value: "https://a.test/__proxy__", path: "/__proxy__" },
    { about: "dots", value: "/x/../__proxy__/fetch?arg=e30", path: "/__proxy__/fetch?arg=e30" },
  ])("reaches the target's own /__proxy__ by url, $about: $value", ({ value, path }) => {
    const link = `${context.proxyOrigin}/__proxy__/?url=${encodeURIComponent(`https://a.test${path}`)}`;
    expect(mapLocation(value, context)).toBe(link);
  });
});

describe.each(HOST_SELECTORS)("$context.selector, same origin, base path /v1", ({ context }) => {
  it.each([
    { about: "a path", value: "/v1/users?x=1#f", mapped: "/users?x=1#f" },
    { about: "an address", value: "https://a.test/v1/users", mapped: "/users" },
    { about: "the base", value: "/v1", mapped: "/" },
    { about: "the base with a slash", value: "https://a.test/v1/", mapped: "/" },
    { about: "the base with a query", value: "/v1?x", mapped: "/?x" },
    { about: "the base with a fragment", value: "/v1#f", mapped: "/#f" },
    { about: "a sibling", value: "next", mapped: "/dir/next" },
    { about: "a parent", value: "../x", mapped: "/x" },
    { about: "a query", value: "?a", mapped: "/dir/page?a" },
    { about: "a fragment", value: "#f", mapped: "/dir/page?q=1#f" },
    { about: "nothing, which leads nowhere", value: "", mapped: "" },
    { about: "two slashes behind it", value: "/v1//evil.test", mapped: `${context.proxyOrigin}//evil.test` },
    {
      about: "slash and backslash behind it",
      value: "/v1/\\evil.test",
      mapped: `${context.proxyOrigin}//evil.test`,
    },
  ])("maps $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLocation(value, { ...context, ...BASED })).toBe(mapped);
  });
});

describe("same origin outside the base path is another origin", () => {
  it.each([
    { context: HEADER, value: "/other?x", mapped: "https://a.test/other?x" },
    { context: HEADER, value: "../../other", mapped: "https://a.test/other" },
    { context: HEADER, value: "/v1/%2e%2e/other", mapped: "https://a.test/other" },
    { context: HEADER, value: "https://a.test/v10", mapped: "https://a.test/v10" },
    { context: COOKIE, value: "/other?x", mapped: "/__proxy__/?host=https%3A%2F%2Fa.test&then=%2Fother%3Fx" },
    { context: LABEL, value: "/other?x", mapped: "http://a-test.w.localhost:8080/other?x" },
  ])("$context.selector: $value → $mapped", ({ context, value, mapped }) => {
    expect(mapLocation(value, { ...context, ...BASED })).toBe(mapped);
  });
});

describe("header, another origin", () => {
  it.each([
    { about: "stays", value: "https://b.test/x#f", mapped: "https://b.test/x#f" },
    { about: "stays as written", value: "HTTP://B.test:80/a|b/../c", mapped: "HTTP://B.test:80/a|b/../c" },
    { about: "keeps credentials", value: "https://u:p@b.test/", mapped: "https://u:p@b.test/" },
    {
      about: "keeps UTF-8 bytes",
      value: "https://b.test/caf\u00c3\u00a9",
      mapped: "https://b.test/caf\u00c3\u00a9",
    },
    { about: "keeps another scheme of the same host", value: "http://a.test/x", mapped: "http://a.test/x" },
    { about: "becomes absolute", value: "//b.test/x", mapped: "https://b.test/x" },
    { about: "becomes absolute behind a backslash", value: "/\\b.test/x", mapped: "https://b.test/x" },
    { about: "becomes absolute behind a tab", value: "/\t/b.test/x", mapped: "https://b.test/x" },
  ])("$about: $value", ({ value, mapped }) => {
    expect(mapLocation(value, HEADER)).toBe(mapped);
  });
});

describe("cookie, another origin", () => {
  it.each([
    {
      about: "path, query and fragment",
      value: "https://b.test:8443/x?y=1&z#f",
      host: "https://b.test:8443",
      then: "/x?y=1&z#f",
    },
    { about: "no path", value: "http://b.test", host: "http://b.test", then: "/" },
    {
      about: "credentials, which are dropped",
      value: "https://u:p@b.test/x",
      host: "https://b.test",
      then: "/x",
    },
    { about: "the scheme left out", value: "//b.test/x", host: "https://b.test", then: "/x" },
    {
      about: "a path that looks like a host",
      value: "https://b.test//evil.test",
      host: "https://b.test",
      then: "//evil.test",
    },
    {
      about: "parameters of the link itself",
      value: "https://b.test/?a&host=x&then=y",
      host: "https://b.test",
      then: "/?a&host=x&then=y",
    },
    {
      about: "UTF-8 bytes",
      value: "https://b.test/caf\u00c3\u00a9",
      host: "https://b.test",
      then: "/caf%C3%A9",
    },
  ])("$about: $value", ({ value, host, then }) => {
    const link = new URL(mapLocation(value, COOKIE), PROXY);
    expect(link.origin + link.pathname).toBe(`${PROXY}/__proxy__/`);
    expect([...link.searchParams]).toEqual([["host", host], [THEN_PARAMETER, then]]);
    expect(link.hash).toBe("");
  });
});

describe("label, another origin", () => {
  const labels = new Map(Object.entries({
    api: decodeBase("https://api.test/v1")!,
    "taken-test": decodeBase("https://elsewhere.test")!,
  }));
  it.each([
    {
      about: "its label",
      value: "https://my-site.b.test:8443/x?y#f",
      mapped: "http://my--site-b-test-8443.w.localhost:8080/x?y#f",
    },
    { about: "its flagged label", value: "http://b.test", mapped: "http://h-b-test.w.localhost:8080/" },
    {
      about: "another scheme of the same host",
      value: "http://a.test/x",
      mapped: "http://h-a-test.w.localhost:8080/x",
    },
    { about: "the scheme left out", value: "//b.test/x", mapped: "http://b-test.w.localhost:8080/x" },
    {
      about: "credentials, which are dropped",
      value: "https://u:p@b.test/x",
      mapped: "http://b-test.w.localhost:8080/x",
    },
    {
      about: "a path that looks like a host",
      value: "https://b.test//evil.test",
      mapped: "http://b-test.w.localhost:8080//evil.test",
    },
    {
      about: "a configured label",
      value: "https://api.test/v1/users?x",
      mapped: "http://api.w.localhost:8080/users?x",
    },
    {
      about: "outside a configured base",
      value: "https://api.test/v2",
      mapped: "http://api-test.w.localhost:8080/v2",
    },
    {
      about: "a label that is configured for another",
      value: "https://taken.test/x",
      mapped: "https://taken.test/x",
    },
    {
      about: "an IPv6 address, which fits none",
      value: "http://[::1]:3000/x",
      mapped: "http://[::1]:3000/x",
    },
    {
      about: "a long host, which fits none",
      value: `https://${"b".repeat(60)}.test/x`,
      mapped: `https://${"b".repeat(60)}.test/x`,
    },
    { about: "an odd host, which fits none", value: "//b_c.test/x", mapped: "https://b_c.test/x" },
    {
      about: "another label of the proxy, which a target was told of",
      value: "http://b-test.w.LOCALHOST:8080/x?y#f",
      mapped: "http://b-test.w.LOCALHOST:8080/x?y#f",
    },
    {
      about: "the proxy's own path on another label",
      value: "http://b-test.w.localhost:8080/__proxy__/?host=x",
      mapped: "http://a-test.w.localhost:8080/__proxy__/?url=" +
        encodeURIComponent("http://b-test.w.localhost:8080/__proxy__/?host=x"),
    },
    {
      about: "a label of a proxy at another port",
      value: "http://b-test.w.localhost:9090/x",
      mapped: "http://h-b--test-w-localhost-9090.w.localhost:8080/x",
    },
    {
      about: "a label of a proxy behind another scheme",
      value: "https://b-test.w.localhost:8080/x",
      mapped: "http://b--test-w-localhost-8080.w.localhost:8080/x",
    },
  ])("$about: $value → $mapped", ({ value, mapped }) => {
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
  it.each([
    {
      about: "an address",
      value: "https://b.test/x?y=1&z=%26",
      address: "https://b.test/x?y=1&z=%26",
      hash: "",
    },
    {
      about: "a fragment, outside the parameter",
      value: "https://b.test/x#a#b?c",
      address: "https://b.test/x",
      hash: "#a#b?c",
    },
    { about: "an empty fragment", value: "https://b.test/x#", address: "https://b.test/x", hash: "#" },
    { about: "a path", value: "/users", address: "https://a.test/users", hash: "" },
    { about: "a sibling", value: "next", address: "https://a.test/dir/next", hash: "" },
    { about: "a query", value: "?a", address: "https://a.test/dir/page?a", hash: "" },
    { about: "the scheme left out", value: "//b.test/", address: "https://b.test/", hash: "" },
    { about: "credentials", value: "https://u:p@b.test/", address: "https://u:p@b.test/", hash: "" },
    { about: "UTF-8 bytes", value: "/caf\u00c3\u00a9", address: "https://a.test/caf%C3%A9", hash: "" },
    {
      about: "the target's own /__proxy__",
      value: "/__proxy__/",
      address: "https://a.test/__proxy__/",
      hash: "",
    },
  ])("$about: $value", ({ value, address, hash }) => {
    const link = `${PROXY}/__proxy__/?url=${encodeURIComponent(address)}${hash}`;
    expect(mapLocation(value, URL_LINK)).toBe(link);
  });

  it("does not pass on the credentials of the address that was asked", () => {
    const context = { ...URL_LINK, requestUrl: "https://u:p@a.test/x" };
    expect(mapLocation("/y", context)).toBe(`${PROXY}/__proxy__/?url=https%3A%2F%2Fa.test%2Fy`);
  });
});

describe("arg", () => {
  it.each([
    { about: "an address stays as written", value: "HTTPS://b.test/a|b#f", mapped: "HTTPS://b.test/a|b#f" },
    { about: "an address of the same origin", value: "https://a.test/x", mapped: "https://a.test/x" },
    { about: "a path stays too", value: "/users?x#f", mapped: "/users?x#f" },
    { about: "a sibling stays too", value: "next", mapped: "next" },
  ])("$about: $value → $mapped", ({ value, mapped }) => {
    expect(mapLocation(value, ARGUMENT)).toBe(mapped);
  });
});

describe.each([...HOST_SELECTORS, { context: URL_LINK }, { context: ARGUMENT }])(
  "$context.selector",
  ({ context }) => {
    it.each([
      { about: "nothing", value: "" },
      { about: "a mail address", value: "mailto:a@a.test" },
      { about: "a scheme of an app", value: "app://a.test/x" },
      { about: "a script", value: "javascript:alert(1)" },
      { about: "data", value: "data:text/html,x" },
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

it("takes https:x for an address when only the target speaks https", () => {
  expect(mapLocation("https:x", HEADER)).toBe("/dir/x");
  expect(mapLocation("http:x", HEADER)).toBe("http://x/");
});

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
  ])("keeps $about: $value", ({ value }) => {
    expect(mapRefresh(value, { ...HEADER, ...BASED })).toBe(value);
  });

  it.each([
    { about: "plain", value: "5; url=https://a.test/v1/x", mapped: "5; url=/x" },
    { about: "in capitals", value: "5;URL=https://a.test/v1/x", mapped: "5;URL=/x" },
    { about: "with spaces", value: " 0.5 ,\turl = https://a.test/v1/x", mapped: " 0.5 ,\turl = /x" },
    { about: "in single quotes", value: "5;URL='https://a.test/v1/x'", mapped: "5;URL='/x'" },
    { about: "in double quotes", value: '5; url="/v1/x" ; y', mapped: '5; url="/x" ; y' },
    { about: "in an open quote", value: '5; url="/v1/x', mapped: '5; url="/x' },
    { about: "with a quote inside", value: "5; url=/v1/it's", mapped: "5; url=/it's" },
    { about: "without url=", value: "5; https://a.test/v1/x", mapped: "5; /x" },
    { about: "without separator but a blank", value: "5 url=/v1/x", mapped: "5 url=/x" },
    { about: "with url as its path", value: "5; url", mapped: "5; /dir/url" },
    {
      about: "of another host in disguise",
      value: "5; url=/v1//evil.test",
      mapped: `5; url=${PROXY}//evil.test`,
    },
  ])("maps an address $about: $value → $mapped", ({ value, mapped }) => {
    expect(mapRefresh(value, { ...HEADER, ...BASED })).toBe(mapped);
  });

  it("keeps an apostrophe of the request from ending the quoted address", () => {
    const context = { ...HEADER, basePath: "/v1", requestUrl: "https://a.test/v1/it's/x" };
    expect(mapRefresh("5; url='y'", context)).toBe("5; url='/it%27s/y'");
  });

  it("keeps every byte without a base path", () => {
    expect(mapRefresh("5;  URL = 'next?x=\u00c3\u00a9' z", COOKIE)).toBe("5;  URL = 'next?x=\u00c3\u00a9' z");
  });

  it("goes on by a link where the host changes", () => {
    expect(mapRefresh("0; url=https://b.test/x", COOKIE)).toBe(`0; url=${hostLink("https://b.test", "/x")}`);
  });

  it("takes time in line with the length", () => {
    const start = performance.now();
    mapRefresh(`5${" ".repeat(60_000)};${" ".repeat(60_000)}url${" ".repeat(60_000)}x`, HEADER);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe("hostLink", () => {
  it.each([
    { base: "https://b.test", path: "/", link: "/__proxy__/?host=https%3A%2F%2Fb.test&then=%2F" },
    {
      base: "https://b.test/v1",
      path: "/a?b=c&d#e",
      link: "/__proxy__/?host=https%3A%2F%2Fb.test%2Fv1&then=%2Fa%3Fb%3Dc%26d%23e",
    },
  ])("$base $path → $link", ({ base, path, link }) => {
    expect(hostLink(base, path)).toBe(link);
  });
});

describe("an address of the proxy's own paths, which a target has no business with", () => {
  it.each([...HOST_SELECTORS, { context: URL_LINK }])(
    "becomes a url link for $context.selector",
    ({ context }) => {
      const link = `${context.proxyOrigin}/__proxy__/?host=https%3A%2F%2Fevil.test`;
      expect(mapLocation(link, context)).toBe(
        `${context.proxyOrigin}/__proxy__/?url=${encodeURIComponent(link)}`,
      );
    },
  );
});

describe.each([{ context: COOKIE }, { context: LABEL }])(
  "the paths of another origin that the proxy has too, by $context.selector",
  ({ context }) => {
    it.each([
      { about: "itself", value: "https://b.test/__proxy__", address: "https://b.test/__proxy__" },
      {
        about: "with a query",
        value: "https://b.test/__proxy__/?host=https://evil.test",
        address: "https://b.test/__proxy__/?host=https://evil.test",
      },
      {
        about: "with a query and no slash",
        value: "//b.test/__proxy__?host=x",
        address: "https://b.test/__proxy__?host=x",
      },
      {
        about: "behind dots",
        value: "https://b.test/x/%2e%2E/__proxy__/fetch?arg=e30",
        address: "https://b.test/__proxy__/fetch?arg=e30",
      },
      {
        about: "behind a backslash",
        value: "https://b.test\\__proxy__\\?host=x",
        address: "https://b.test/__proxy__/?host=x",
      },
      {
        about: "by another scheme of the same host",
        value: "http://a.test/__proxy__/",
        address: "http://a.test/__proxy__/",
      },
      {
        about: "with credentials, which are dropped",
        value: "https://u:p@b.test/__proxy__/",
        address: "https://b.test/__proxy__/",
      },
    ])("are reached by url, $about: $value", ({ value, address }) => {
      const link = `${context.proxyOrigin}/__proxy__/?url=${encodeURIComponent(address)}`;
      expect(mapLocation(value, context)).toBe(link);
      expect(mapRefresh(`0; url="${value}"`, context)).toBe(`0; url="${link}"`);
    });

    it("keep their fragment", () => {
      expect(mapLocation("https://b.test/__proxy__#f", context)).toBe(
        `${context.proxyOrigin}/__proxy__/?url=${encodeURIComponent("https://b.test/__proxy__")}#f`,
      );
    });

    it.each([
      { path: "/__proxy__x" },
      { path: "/x/__proxy__/" },
      { path: "/%5f%5fproxy__/" },
      { path: "//__proxy__/" },
      { path: "/__PROXY__/" },
    ])("are not $path", ({ path }) => {
      expect(mapLocation(`https://b.test${path}`, context)).not.toContain("?url=");
    });
  },
);

it("reaches the target's own /__proxy__ behind a base path by url", () => {
  const labels = new Map([["api", decodeBase("https://api.test/v1")!]]);
  expect(mapLocation("https://api.test/v1/__proxy__/?host=x", { ...LABEL, labels })).toBe(
    `${LABEL.proxyOrigin}/__proxy__/?url=${encodeURIComponent("https://api.test/v1/__proxy__/?host=x")}`,
  );
  expect(mapLocation("/__proxy__/", { ...COOKIE, ...BASED })).toBe(
    `${PROXY}/__proxy__/?url=${encodeURIComponent("https://a.test/__proxy__/")}`,
  );
});

it.each(HOST_SELECTORS)("shows no credentials of the same origin by $context.selector", ({ context }) => {
  expect(mapLocation("https://u:p4ss@a.test/__proxy__/", context)).not.toContain("p4ss");
});

describe("an address that engines read differently", () => {
  it.each([
    {
      about: "what a browser reads as the proxy",
      value: "http://localhost\u00e3\u0085\u00a4:8080/__proxy__/?host=x",
    },
    { about: "the same percent-encoded", value: "http://localhost%E3%85%A4:8080/__proxy__/?host=x" },
    { about: "without its scheme", value: "//localhost%F0%9D%90%A5/" },
    { about: "letters in Punycode that are none", value: "https://xn--a.test/" },
  ])("is refused by the proxy, not read by the browser: $about", ({ value }) => {
    const mapped = [HEADER, COOKIE, LABEL, URL_LINK].map((context) => mapLocation(value, context));
    const start = `${PROXY}/__proxy__/?url=`;
    expect(mapped.map((link) => link.slice(0, start.length))).toEqual([
      start,
      start,
      expect.any(String),
      start,
    ]);
    const addresses = mapped.map((link) => decodeURIComponent(link.split("?url=")[1] ?? ""));
    expect(addresses.map(decodeAddress)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each([{ value: "mailto:\u00fc@a.test" }, { value: "/%E1%BA%9E" }, { value: "http://[/" }])(
    "$value is none",
    ({ value }) => {
      expect(mapLocation(value, HEADER)).toBe(value);
    },
  );
});
