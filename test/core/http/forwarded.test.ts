/** What the proxy says of the caller and of itself: facts alone, in the spelling of the standards. */
import { describe, expect, it } from "vitest";
import type { Caller } from "../../../src/core/who/caller.ts";
import { addClient, addVia } from "../../../src/core/http/forwarded.ts";
import { rowsOf } from "../../support/rows.ts";

const CALLER: Caller = {
  host: "proxy.test",
  origin: "http://proxy.test",
  isSecure: false,
  isBrowser: false,
  hasOrigin: false,
  isForeign: false,
  address: "192.0.2.1",
};

function clientFields(caller: Partial<Caller>, before: Record<string, string> = {}): Record<string, string> {
  const headers = new Headers(before);
  addClient(headers, { ...CALLER, ...caller });
  return Object.fromEntries(headers);
}

describe("addClient", () => {
  it.each(rowsOf(["about", "caller", "forwarded"], [
    ["IPv4", {}, 'for=192.0.2.1;host="proxy.test";proto=http'],
    [
      "IPv6, quoted and in brackets",
      { address: "2001:db8::1" },
      'for="[2001:db8::1]";host="proxy.test";proto=http',
    ],
    ["an unknown address", { address: "" }, 'for=unknown;host="proxy.test";proto=http'],
    ["https", { isSecure: true }, 'for=192.0.2.1;host="proxy.test";proto=https'],
    [
      "a host with a port, which is no token",
      { host: "proxy.test:8080" },
      'for=192.0.2.1;host="proxy.test:8080";proto=http',
    ],
    ["a host that is an IPv6 address", { host: "[::1]:8080" }, 'for=192.0.2.1;host="[::1]:8080";proto=http'],
  ]))("writes Forwarded of $about (RFC 7239 §4, §6)", ({ caller, forwarded }) => {
    expect(clientFields(caller).forwarded).toBe(forwarded);
  });

  it.each(rowsOf(["about", "caller", "fields"], [
    ["IPv4", { host: "proxy.test:8080" }, {
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-proto": "http",
      "x-forwarded-host": "proxy.test:8080",
    }],
    ["IPv6 without brackets, https", { address: "2001:db8::1", isSecure: true }, {
      "x-forwarded-for": "2001:db8::1",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "proxy.test",
    }],
    ["an unknown address, which is no X-Forwarded-For", { address: "" }, {
      "x-forwarded-proto": "http",
      "x-forwarded-host": "proxy.test",
    }],
  ]))("writes X-Forwarded-* of $about", ({ caller, fields }) => {
    const { forwarded: _, ...others } = clientFields(caller);
    expect(others).toEqual(fields);
  });

  it("takes the place of what is there, and leaves the rest", () => {
    const before = { "forwarded": "for=6.6.6.6", "x-forwarded-for": "6.6.6.6", "x-own": "kept" };
    const fields = clientFields({}, before);
    expect(JSON.stringify(fields)).not.toContain("6.6.6.6");
    expect(fields["x-own"]).toBe("kept");
  });
});

it.each([
  { before: undefined, via: "1.1 edge" },
  { before: "1.0 fred", via: "1.0 fred, 1.1 edge" },
  { before: "1.0 fred, 2 wilma (x)", via: "1.0 fred, 2 wilma (x), 1.1 edge" },
])("addVia stands behind $before", ({ before, via }) => {
  const headers = new Headers(before === undefined ? {} : { via: before });
  addVia(headers, "edge");
  expect(headers.get("via")).toBe(via);
});
