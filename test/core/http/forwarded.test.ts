/** What the proxy says of the caller and of itself: facts alone, in the spelling of the standards. */
import { describe, expect, it } from "vitest";
import type { Caller } from "../../../src/core/who/caller.ts";
import { addClient } from "../../../src/core/http/forwarded.ts";
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
    ["an unknown address", { address: "" }, 'for=unknown;host="proxy.test";proto=http'],
    ["a host that is an IPv6 address", { host: "[::1]:8080" }, 'for=192.0.2.1;host="[::1]:8080";proto=http'],
  ]))("writes Forwarded of $about (RFC 7239 §4, §6)", ({ caller, forwarded }) => {
    expect(clientFields(caller).forwarded).toBe(forwarded);
  });

  it("says nothing in X-Forwarded-For of an unknown address", () =>
    expect(clientFields({ address: "" })).not.toHaveProperty("x-forwarded-for"));
});
