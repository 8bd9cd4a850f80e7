/** Callers on this machine: by their connection, whatever they say of themselves. */
import { describe, expect, it } from "vitest";
import { readOptions } from "../../../src/core/settings/config.ts";
import { isOnMachine } from "../../../src/parts/capture/on-machine.ts";
import { rowsOf } from "../../support/rows.ts";

describe("a caller on this machine", () => {
  const { trustedProxies } = readOptions({ trustedProxies: "127.0.0.9" });

  it.each(rowsOf(["about", "is", "peer", "fields"], [
    ["by IPv4", true, "127.0.0.1", {}],
    ["by IPv6", true, "::1", {}],
    ["by IPv4 in IPv6", true, "::ffff:127.0.0.1", {}],
    ["for a label", true, "127.0.0.1", { host: "h-a-test.w.localhost:8080" }],
    ["with fields like those of fronts", true, "127.0.0.1", { "x-forward": "1", "client": "a", "visa": "b" }],
    ["on another one", false, "192.0.2.1", {}],
    ["whose address is unknown", false, "", {}],
    ["that says its own address", false, "192.0.2.1", { "x-forwarded-for": "127.0.0.1" }],
    ["for another name", false, "127.0.0.1", { host: "evil.test" }],
    ["at a trusted proxy's address", false, "127.0.0.9", {}],
    ["behind a front with Forwarded", false, "127.0.0.1", { forwarded: "for=127.0.0.1" }],
    ["behind a front with Via", false, "127.0.0.1", { via: "1.1 front" }],
    ["behind a front with X-Forwarded-Host", false, "127.0.0.1", { "x-forwarded-host": "localhost" }],
    ["behind a front with X-Real-IP", false, "127.0.0.1", { "x-real-ip": "127.0.0.1" }],
    ["behind Cloudflare", false, "127.0.0.1", { "cf-connecting-ip": "127.0.0.1" }],
    ["behind another platform", false, "127.0.0.1", { "true-client-ip": "127.0.0.1" }],
  ]))("is one $about: $is", ({ is, peer: clientAddress, fields }) => {
    const headers = new Headers({ host: "localhost:8080", ...fields as Record<string, string> });
    expect(isOnMachine({ url: "/", headers }, { clientAddress }, trustedProxies)).toBe(is);
  });

  it("may have named the proxy in the address alone, as with HTTP/2", () => {
    const request = { url: "http://localhost:8080/", headers: new Headers() };
    expect(isOnMachine(request, { clientAddress: "::1" }, trustedProxies)).toBe(true);
  });
});
