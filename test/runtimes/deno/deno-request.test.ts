/** What Deno hands in, as the core reads it. */
import { describe, expect, it } from "vitest";
import { toIncoming } from "../../../src/runtimes/deno/deno-request.ts";

/** A request as Deno gives it. */
const requestOf = (method: string, url: string, headers: Record<string, string> = {}) =>
  new Request(url, { method, headers });

describe("a request of Deno", () => {
  it.each([
    { method: "OPTIONS", url: "http://a.test/*", read: "*" },
    { method: "OPTIONS", url: "https://a.test:8443/*", read: "*" },
    { method: "OPTIONS", url: "http://a.test/*?", read: "http://a.test/*?" },
    { method: "OPTIONS", url: "http://a.test/p/*", read: "http://a.test/p/*" },
    { method: "GET", url: "http://a.test/*", read: "http://a.test/*" },
  ])("$method $url asks for $read", ({ method, url, read }) => {
    expect(toIncoming(requestOf(method, url, { host: "a.test" })).url).toBe(read);
  });

  it("of no host has none in its address", () =>
    expect(toIncoming(requestOf("GET", "http://localhost/p")).url).toBe("http:///p"));

  it("goes to the core with the same fields where nothing is amiss", () => {
    const request = requestOf("GET", "http://a.test/p", { host: "a.test" });
    const { method, url, headers, body, signal } = toIncoming(request);
    expect([method, url, body]).toEqual(["GET", "http://a.test/p", null]);
    expect([...headers]).toEqual([...request.headers]);
    expect(signal).toBe(request.signal);
  });
});
