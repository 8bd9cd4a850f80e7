/**
 * What the proxy says of the caller and of itself: facts alone, in the spelling of the standards.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Caller } from "../../src/exchange/caller.ts";
import { addClient, addVia } from "../../src/http/forwarded.ts";

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
  it.each([
    { about: "IPv4", caller: {}, forwarded: 'for=192.0.2.1;host="proxy.test";proto=http' },
    {
      about: "IPv6, quoted and in brackets",
      caller: { address: "2001:db8::1" },
      forwarded: 'for="[2001:db8::1]";host="proxy.test";proto=http',
    },
    {
      about: "an unknown address",
      caller: { address: "" },
      forwarded: 'for=unknown;host="proxy.test";proto=http',
    },
    { about: "https", caller: { isSecure: true }, forwarded: 'for=192.0.2.1;host="proxy.test";proto=https' },
    {
      about: "a host with a port, which is no token",
      caller: { host: "proxy.test:8080" },
      forwarded: 'for=192.0.2.1;host="proxy.test:8080";proto=http',
    },
    {
      about: "a host that is an IPv6 address",
      caller: { host: "[::1]:8080" },
      forwarded: 'for=192.0.2.1;host="[::1]:8080";proto=http',
    },
  ])("writes Forwarded of $about (RFC 7239 §4, §6)", ({ caller, forwarded }) => {
    expect(clientFields(caller).forwarded).toBe(forwarded);
  });

  it.each([
    {
      about: "IPv4",
      caller: { host: "proxy.test:8080" },
      fields: {
        "x-forwarded-for": "192.0.2.1",
        "x-forwarded-proto": "http",
        "x-forwarded-host": "proxy.test:8080",
      },
    },
    {
      about: "IPv6 without brackets, https",
      caller: { address: "2001:db8::1", isSecure: true },
      fields: {
        "x-forwarded-for": "2001:db8::1",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "proxy.test",
      },
    },
    {
      about: "an unknown address, which is no X-Forwarded-For",
      caller: { address: "" },
      fields: { "x-forwarded-proto": "http", "x-forwarded-host": "proxy.test" },
    },
  ])("writes X-Forwarded-* of $about", ({ caller, fields }) => {
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

describe("addVia", () => {
  it.each([
    { before: undefined, via: "1.1 edge" },
    { before: "1.0 fred", via: "1.0 fred, 1.1 edge" },
    { before: "1.0 fred, 2 wilma (x)", via: "1.0 fred, 2 wilma (x), 1.1 edge" },
  ])("stands behind $before", ({ before, via }) => {
    const headers = new Headers(before === undefined ? {} : { via: before });
    addVia(headers, "edge");
    expect(headers.get("via")).toBe(via);
  });
});
