/**
 * How path and query reach the target: joined to the base with one slash, else byte for byte.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Answer, Pool, Upstream } from "../support/topic.ts";
import { alike, expectedOf, PATHS, placeOf, selectors, useUpstream } from "../support/topic.ts";

const JOINED = [
  { base: "", path: "/", arrives: "/" },
  { base: "/", path: "/", arrives: "/" },
  { base: "", path: "/users?x=1", arrives: "/users?x=1" },
  { base: "/", path: "/users?x=1", arrives: "/users?x=1" },
  ...alike("base", { path: "/users?x=1", arrives: "/v1/users?x=1" })`/v1 /v1/`,
  ...alike("base", { path: "/", arrives: "/v1/" })`/v1 /v1/`,
  { base: "/v1", path: "/?x", arrives: "/v1/?x" },
  { base: "/a%2Fb/c", path: "/d", arrives: "/a%2Fb/c/d" },
  { base: "/v1", path: "//evil.test/x", arrives: "/v1//evil.test/x" },
  { base: "", path: "//evil.test/x", arrives: "//evil.test/x" },
  { base: "", path: "//user@evil.test:1/x", arrives: "//user@evil.test:1/x" },
  { base: "/v1", path: "/http://evil.test/x", arrives: "/v1/http://evil.test/x" },
];

const EXACT = [
  { path: "/a//b" },
  { path: "//" },
  { path: "///a" },
  { path: "/a/" },
  { path: "/a%2Fb" },
  { path: "/a%2fb" },
  { path: "/%7Euser" },
  { path: "/~user" },
  { path: "/a|b" },
  { path: "/it's" },
  { path: "/a?" },
  { path: "/?" },
  { path: "/a??" },
  { path: "/a?x=1&x=2&&y" },
  { path: "/a?q=a+b%20c" },
  { path: "/a?q=%7E~|'//%2F^" },
  { path: "/a?u=http://x.test/?y=1" },
  { path: "/a?e=&f" },
  { path: "/a;b=c,d" },
  { path: "/a:b@c" },
  { path: "/[x]" },
  { path: "/a%zz" },
  { path: "/a%00b" },
  { path: "/%C3%A9" },
  { path: "/%c3%a9" },
  { path: "/a^b" },
  { path: '/a"b<c>' },
  { path: "/a`b{c}" },
  { path: "/a\\b" },
  { path: "/a/./b" },
  { path: "/a/../b" },
  { path: "/a/%2e%2e/b" },
];

/** The path behind the base that arrived, or the status of an answer that no target gave. */
function arrivalOf({ status }: Answer, { targets }: Upstream, base: string): string {
  const [target] = targets;
  return status === 200 && target?.startsWith(base) ? target.slice(base.length) : String(status);
}

export function describeBase(pool: Pool): void {
  describe("path and query", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(JOINED)("join base $base and path $path", async ({ base, path, arrives }) => {
      const answer = await proxy.call(`GET ${path}`, { fields: { proxy_host: upstream.origin + base } });
      expect(answer.status).toBe(200);
      expect(upstream.targets).toEqual([expectedOf(PATHS, pool.runtime, arrives, arrives)]);
    });

    it.each(selectors("header", "cookie"))(
      "join a base that was sent in UTF-8 as $selector",
      async ({ selector }) => {
        const base = Buffer.from(`${upstream.origin}/é`).toString("latin1");
        const fields = selector === "header" ? { proxy_host: base } : { cookie: `proxy_host=${base}` };
        expect((await proxy.call("GET /x", { fields })).status).toBe(200);
        expect(upstream.targets).toEqual(["/%C3%A9/x"]);
      },
    );

    it.each(EXACT)("arrive as sent: $path", async ({ path }) => {
      const answer = await proxy.call(`GET ${path}`, { fields: { proxy_host: upstream.origin } });
      expect(arrivalOf(answer, upstream, "")).toBe(expectedOf(PATHS, pool.runtime, path, path));
    });

    it.each(EXACT)("arrive as sent by at: $path", async ({ path }) => {
      const answer = await proxy.call(`GET ${placeOf(upstream.origin)}${path}`);
      expect(arrivalOf(answer, upstream, "")).toBe(expectedOf(PATHS, pool.runtime, path, path));
    });

    it.each(EXACT)("arrive as sent behind a base path: $path", async ({ path }) => {
      const answer = await proxy.call(`GET ${path}`, { fields: { proxy_host: `${upstream.origin}/v1` } });
      expect(arrivalOf(answer, upstream, "/v1")).toBe(expectedOf(PATHS, pool.runtime, path, path));
    });
  });
}
