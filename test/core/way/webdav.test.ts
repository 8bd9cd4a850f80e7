/** Addresses of the proxy in fields of WebDAV become the target's, and no others. @module */
import { describe, expect, it } from "vitest";
import type { Selector } from "../../../src/core/address/address.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { mapDestination, mapIf } from "../../../src/core/way/webdav.ts";
import { rowsOf } from "../../support/rows.ts";

function seenBy(selector: Selector = "header", host = "localhost:8080", mountPath?: string) {
  const origin = new URL("http://dav.test:81");
  const target = { selector, origin, basePath: "/dav", path: "/dav/a" };
  return [exchangeOf({ fields: { host }, options: { mountPath } }), target] as const;
}

describe("mapDestination", () => {
  it.each(rowsOf(["about", "sent", "mapped"], [
    ["the proxy's origin", "http://localhost:8080/b?x#y", "http://dav.test:81/dav/b?x#y"],
    ["another scheme", "https://localhost:8080/b", "http://dav.test:81/dav/b"],
    ["capitals", "HTTP://LocalHost:8080/B", "http://dav.test:81/dav/B"],
    ["no path", "http://localhost:8080", "http://dav.test:81/dav/"],
    ["two slashes", "http://localhost:8080//b", "http://dav.test:81/dav//b"],
    ["a path alone", "/b%20c", "/dav/b%20c"],
    ["another origin", "http://dav.test:81/dav/b", "http://dav.test:81/dav/b"],
    ["another port", "http://localhost:80801/b", "http://localhost:80801/b"],
    ["a longer host", "http://localhost:8080.test/b", "http://localhost:8080.test/b"],
    ["a path of the proxy's own", "http://localhost:8080/__proxy__/x", "http://localhost:8080/__proxy__/x"],
    ["no path and no address", "b", "b"],
    ["nothing", "", ""],
  ]))("of $about: $sent", ({ sent, mapped }) => expect(mapDestination(sent, ...seenBy())).toBe(mapped));

  it("leaves the default port out on both sides", () => {
    const seen = seenBy("label", "a.w.proxy.test:443");
    expect(mapDestination("https://a.w.proxy.test/b", ...seen)).toBe("http://dav.test:81/dav/b");
  });

  it.each([
    { sent: "http://localhost:8080/mp/b", mapped: "http://dav.test:81/dav/b" },
    { sent: "http://localhost:8080/b", mapped: "http://localhost:8080/b" },
  ])("behind a mount path: $sent", ({ sent, mapped }) => {
    expect(mapDestination(sent, ...seenBy("header", "localhost:8080", "/mp"))).toBe(mapped);
  });

  it("leaves all as it is by url", () =>
    expect(mapDestination("http://localhost:8080/b", ...seenBy("url"))).toBe("http://localhost:8080/b"));
});

describe("mapIf", () => {
  it("maps the resources, and no state tokens", () => {
    const tokens = '(<urn:uuid:18> ["etag"]) (Not <DAV:no-lock>)';
    expect(mapIf(`<http://localhost:8080/a> ${tokens} </b> (<opaquelocktoken:1>)`, ...seenBy()))
      .toBe(`<http://dav.test:81/dav/a> ${tokens} </dav/b> (<opaquelocktoken:1>)`);
  });

  it("leaves a list without resources as it is", () =>
    expect(mapIf("(<urn:uuid:18>)", ...seenBy())).toBe("(<urn:uuid:18>)"));
});
