/**
 * Addresses of the proxy in fields of WebDAV become the target's, and no others.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Selector } from "../../src/address/selector.ts";
import { exchangeOf } from "../support/exchange.ts";
import { mapDestination, mapIf } from "../../src/exchange/webdav.ts";

function seenBy(selector: Selector = "header", host = "localhost:8080", mountPath?: string) {
  const origin = new URL("http://dav.test:81");
  const target = { selector, origin, basePath: "/dav", path: "/dav/a" };
  return [exchangeOf({ fields: { host }, options: { mountPath } }), target] as const;
}

describe("mapDestination", () => {
  it.each([
    {
      about: "the proxy's origin",
      sent: "http://localhost:8080/b?x#y",
      mapped: "http://dav.test:81/dav/b?x#y",
    },
    { about: "another scheme", sent: "https://localhost:8080/b", mapped: "http://dav.test:81/dav/b" },
    { about: "capitals", sent: "HTTP://LocalHost:8080/B", mapped: "http://dav.test:81/dav/B" },
    { about: "no path", sent: "http://localhost:8080", mapped: "http://dav.test:81/dav/" },
    { about: "two slashes", sent: "http://localhost:8080//b", mapped: "http://dav.test:81/dav//b" },
    { about: "a path alone", sent: "/b%20c", mapped: "/dav/b%20c" },
    { about: "another origin", sent: "http://dav.test:81/dav/b", mapped: "http://dav.test:81/dav/b" },
    { about: "another port", sent: "http://localhost:80801/b", mapped: "http://localhost:80801/b" },
    { about: "a longer host", sent: "http://localhost:8080.test/b", mapped: "http://localhost:8080.test/b" },
    {
      about: "a path of the proxy's own",
      sent: "http://localhost:8080/__proxy__/x",
      mapped: "http://localhost:8080/__proxy__/x",
    },
    { about: "no path and no address", sent: "b", mapped: "b" },
    { about: "nothing", sent: "", mapped: "" },
  ])("of $about: $sent", ({ sent, mapped }) => {
    expect(mapDestination(sent, ...seenBy())).toBe(mapped);
  });

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

  it("leaves all as it is by url", () => {
    expect(mapDestination("http://localhost:8080/b", ...seenBy("url"))).toBe("http://localhost:8080/b");
  });
});

describe("mapIf", () => {
  it("maps the resources, and no state tokens", () => {
    const tokens = '(<urn:uuid:18> ["etag"]) (Not <DAV:no-lock>)';
    expect(mapIf(`<http://localhost:8080/a> ${tokens} </b> (<opaquelocktoken:1>)`, ...seenBy()))
      .toBe(`<http://dav.test:81/dav/a> ${tokens} </dav/b> (<opaquelocktoken:1>)`);
  });

  it("leaves a list without resources as it is", () => {
    expect(mapIf("(<urn:uuid:18>)", ...seenBy())).toBe("(<urn:uuid:18>)");
  });
});
