/**
 * Which cookies browsers refuse, by the origin that sets them. Chromium 156 judged each row so, unless it says otherwise;
 * `browser/cookies.ts` asks it again.
 */
import { describe, expect, it } from "vitest";
import { type CookieOrigin, findCookieFault } from "../../../src/core/http/refused-cookie.ts";
import { rewriteSetCookie } from "../../../src/core/http/set-cookie.ts";
import { COOKIE_LINES } from "../../support/cookie-lines.ts";

const ORIGINS: Readonly<Record<"http" | "https" | "local", CookieOrigin>> = {
  http: { hosts: ["www.a.test"], isTrusted: false },
  https: { hosts: ["www.a.test"], isTrusted: true },
  local: { hosts: ["127.0.0.1"], isTrusted: true },
};

describe("a cookie", () => {
  it.each(COOKIE_LINES.flatMap(({ line, ...stored }) =>
    Object.entries(ORIGINS).map(([name, origin]) => ({
      name,
      origin,
      line: line(origin.hosts[0] ?? ""),
      stored: stored[name as keyof typeof ORIGINS],
    }))
  ))("of $name, $line, is stored: $stored", ({ line, origin, stored }) => {
    expect(findCookieFault(line, origin) === undefined).toBe(stored);
    const context = { origin, secure: false, basePath: "", mountPath: "", path: "map" as const };
    const jar = { owner: "http_a.test_", defaultPath: "/", room: 1, isShown: () => false };
    const counts = [
      rewriteSetCookie(line, context).length,
      rewriteSetCookie(line, { ...context, jar }).length,
    ];
    expect(counts).toEqual([stored, stored].map(Number));
  });

  it.each([
    { line: "a=\u0001", fault: "it has a control character" },
    { line: "=", fault: "it has neither a name nor a value" },
    { line: `a=${"x".repeat(4_096)}`, fault: "its name and value are longer than 4,096 bytes" },
    { line: "a=1; Domain=b.test", fault: "its Domain is another host" },
    { line: "a=1; Secure", fault: "it is Secure, but its target is reached over plain http" },
    { line: "a=1; SameSite=None", fault: "it is SameSite=None without Secure" },
    { line: "a=1; Partitioned", fault: "it is Partitioned without Secure" },
    { line: "__secure-a=1", fault: "it is __secure- without Secure" },
    { line: "=__Host-a", fault: "its name is empty, and its value starts like a name with a prefix" },
  ])("$line: $fault", ({ line, fault }) => expect(findCookieFault(line, ORIGINS.http)).toBe(fault));

  it.each([
    { line: "__Host-Http-a=1; Path=/; Secure", fault: "it is __Host-Http- without HttpOnly" },
    { line: "__Host-a=1; Path=/x; Secure", fault: "it is __Host- with a Domain, or without Path=/" },
  ])("over https, $line: $fault", ({ line, fault }) => {
    expect(findCookieFault(line, ORIGINS.https)).toBe(fault);
  });

  it("is the caller's own too, where the target hears the caller's host", () => {
    const hosts = ["10.0.0.1", "proxy.test"];
    const faults = ["proxy.test", "10.0.0.1", "b.test"].map((domain) =>
      findCookieFault(`a=1; Domain=${domain}`, { hosts, isTrusted: false })
    );
    expect(faults).toEqual([undefined, undefined, "its Domain is another host"]);
  });
});
