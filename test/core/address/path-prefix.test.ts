import { describe, expect, it } from "vitest";
import { isBelow } from "../../../src/core/address/path-prefix.ts";
import { words } from "../../support/rows.ts";

describe("paths", () => {
  it.each(words`/v1/ /v1/x /v1/x?y=/../.. /v1/a/../b /v1/./a /v1/%2e/a /v1/a%2fb /v1//a /v1/a\b
    /v1/a;b/c.d /v1/a%2fb/../c /v1/a/%2e%2e/b /v1/a/..;x/b /v1/a%C3%A9/../%41 /v1/.../a..b/..c
    /v1/caf%e9/../a /v1/%EF%BC%8E/a /v1/%E2%80%A6/a /v1/%E6%97%A5%E6%9C%AC/a /v1/a%E2%89%A0/../a /v1/50%25/a`)(
    "has %s below /v1/",
    (path) => expect(isBelow(["/v1/"], path)).toBe(true),
  );

  it.each(words`/v1 /v12/ / /v1/../x /v1/.. /v1/%2e%2e/x /v1/.%2E/x /v1/..%2fx /v1/%2e%2e%2fx /v1/..%5cx
    /v1/..;/x /v1/..;a=b/x /v1//../../x /V1/x //v1/x /x/../v2/v1/ /v1/a%5ca/..%2f../admin
    /v1/a\a/..%2f../admin /v1//a%2fa/../../admin /v1/;%2fa/../admin /v1/a%2fa/..\../admin
    /v1/%252e%252e/admin /v1/a/..%252f../admin /v1/%%32%65%2e/admin /v1/%25252525252e./admin
    /v1/%c0%ae%c0%ae/admin /v1/%c0%ae%c0%ae%c1%9cadmin /v1/%u002e%u002e/admin /v1/..%00/admin
    /v1/..%20/admin /v1/.%09./admin /v1/..%3fx /v1/..%23x /v1/..%3bx/admin /x/../v1/a /./v1/a /%761/a
    /v1/.%00./admin /v1/%e0%80%ae%e0%80%ae/admin /v1/..%e0%80%afadmin /v1/%f0%80%80%ae%f0%80%80%ae/admin
    /v1/%ef%bc%8e%ef%bc%8e/admin /v1/%uff0e%uff0e/admin /v1/.%25ef%25bc%258e/admin /v1/%f0%8f%bc%8e./admin
    /v1/..%ef%bc%9bx/admin /v1/%ef%bc%85%32%65./admin /v1/%%ef%bc%92e./admin /v1/%d9%aa2e./admin
    /v1/.%e2%80%8b./admin /v1/.%c2%ad./admin /v1/..%c2%85/admin /v1/..%a0/admin /v1/.%e6%97%a5./admin
    /v1/%e3%80%82%e3%80%82/admin /v1/..%e2%88%95admin /v1/..%e2%88%96admin /v1/%e6%97%a5/../../admin
    /v1/.%c3%a9./admin /v1/..%c2%b9/admin /v1/..%e2%80%a6/admin /v1/..%c1%81/admin /v1/%%c2%b92e./admin
    /v1/..%c2%a5..%c2%a5admin /v1/..%ef%bf%a5admin /v1/..%e2%82%a9admin /v1/..%c1%1cadmin
    /v1/..%fc%80%80%80%80%afadmin /v1/%c0%6e%c0%6e/admin /v1/%c4%ae%c4%ae/admin /v1/%ef%bc%ae%ef%bc%ae/admin
    /v1/..%c4%afadmin /v1/%c3%a9/../../admin
    /v1/%c0%2e%c0%2e/admin /v1/%f8%80%80%80%ae./admin /v1/a/../%ef%bc%8e./admin
    /v1%2fa`)("has %s not below /v1/", (path) => expect(isBelow(["/v1/"], path)).toBe(false));

  it.each([
    { plain: ".", write: (dot: string) => `/v1/${dot}${dot}/admin`, least: 4 },
    { plain: "..", write: (dots: string) => `/v1/${dots}/admin`, least: 2 },
    { plain: "/", write: (slash: string) => `/v1/..${slash}admin`, least: 2 },
    { plain: "\\", write: (slash: string) => `/v1/..${slash}admin`, least: 3 },
    { plain: ";", write: (end: string) => `/v1/..${end}x/admin`, least: 3 },
  ])("takes no path with what Unicode has for $plain", ({ plain, write, least }) => {
    const all = Array.from({ length: 0xd7ff }, (_, code) => String.fromCharCode(code))
      .concat(Array.from({ length: 0x2000 }, (_, code) => String.fromCharCode(0xe000 + code)));
    const same = all.filter((one) => one.normalize("NFKC") === plain);
    expect(same.length).toBeGreaterThanOrEqual(least);
    expect(same.filter((one) => isBelow(["/v1/"], write(encodeURIComponent(one))))).toEqual([]);
  });

  it("takes a prefix without a slash for that path and what is below it", () =>
    expect(["/a", "/a/b", "/ab", "/a?x"].map((path) => isBelow(["/a"], path)))
      .toEqual([true, true, false, true]));

  it.each([
    { prefix: "=/v1/a", path: "/v1/a", is: true },
    { prefix: "=/v1/a", path: "/v1/a?x=/b", is: true },
    { prefix: "=/", path: "/", is: true },
    { prefix: "=/v1/../a", path: "/v1/../a", is: true },
    { prefix: "=/v1/a", path: "/v1/a/", is: false },
    { prefix: "=/v1/a", path: "/v1/a/b", is: false },
    { prefix: "=/v1/a", path: "/v1/%61", is: false },
    { prefix: "=/v1/a", path: "=/v1/a", is: false },
    { prefix: "=/v1/", path: "/v1/a", is: false },
    { prefix: "=/", path: "/a", is: false },
  ])("takes $prefix for one path alone: $path is $is", ({ prefix, path, is }) => {
    expect(isBelow([prefix], path)).toBe(is);
  });

  it("takes every path for one below the root", () =>
    expect(["/", "/../a", "//a", "/..%2f"].map((path) => isBelow(["/"], path)))
      .toEqual([true, true, true, true]));

  it("takes a prefix as it is written, and one with .. for no place", () => {
    expect(isBelow(["/a%2fb/"], "/a%2fb/c")).toBe(true);
    expect(isBelow(["/a%2fb/"], "/a%2fb/../c")).toBe(false);
    expect(isBelow(["/a/../b/"], "/a/../b/c")).toBe(false);
    expect(isBelow(["/a/.."], "/a/../b")).toBe(false);
  });
});
