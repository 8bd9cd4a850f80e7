/**
 * `createFetch` against a real proxy: bodies keep their length, redirects are as asked, signatures let it in.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { createFetch, type FetchOptions } from "../../src/client/client.ts";
import { rowsOf } from "../support/rows.ts";
import { type Pool, reply, routes, useUpstream } from "../support/topic.ts";

/** What signs its links. */
export const KEY = "test-key";
/** Settings of the proxy. */
export const GUARDED = { PROXY_TOKEN: "secret", SIGNING_KEY: KEY };
const SIGNED = { key: KEY, expires: 4_102_444_800 };

/** Every way to be let in by a proxy that wants a token. */
const WAYS: { way: string; options: FetchOptions; fields: Record<string, string> }[] = [
  { way: "url", options: {}, fields: { proxy_token: "secret" } },
  { way: "arg", options: { mode: "arg" }, fields: { proxy_token: "secret" } },
  { way: "a signed url", options: SIGNED, fields: {} },
  { way: "a signed arg", options: { mode: "arg", ...SIGNED }, fields: {} },
];

export function describeClient(pool: Pool): void {
  describe.each(WAYS)("createFetch by $way", ({ way, options, fields }) => {
    const proxy = pool.with(GUARDED);
    const upstream = useUpstream();
    beforeEach(() => {
      upstream.answer = routes({
        "/p": reply(200, { "X-Own": "1" }, "ok"),
        "/moved": reply(302, { Location: "/p" }, "over there"),
      });
    });
    const call = (path: string, init: RequestInit = {}, more: Record<string, string> = {}) =>
      createFetch(proxy.origin, options)(upstream.origin + path, {
        ...init,
        headers: { "X-A": "1", ...fields, ...more },
      });

    it.each([{ method: "PUT" }, { method: "POST" }, { method: "DELETE" }])(
      "sends the body of $method with its length",
      async ({ method }) => {
        expect(await (await call("/p", { method, body: "tea ü" })).text()).toBe("ok");
        const { request } = upstream;
        expect(request).toMatchObject({ method, body: Buffer.from("tea ü") });
        expect([request.header("content-length"), request.header("transfer-encoding")])
          .toEqual(["6", undefined]);
        expect([request.header("x-a"), request.head]).toEqual(["1", expect.not.stringContaining("secret")]);
      },
    );

    it("follows", async () => {
      expect(await (await call("/moved")).text()).toBe("ok");
      expect(upstream.targets).toEqual(["/moved", "/p"]);
    });

    it.each(rowsOf(["status", "method", "becomes"], [
      [302, "GET", "GET"],
      [302, "POST", "GET"],
      [303, "PUT", "GET"],
      [307, "POST", "POST"],
      [308, "DELETE", "DELETE"],
    ]))("keeps credentials on their origin where a $method is redirected by $status", async (row) => {
      const { status, method, becomes } = row;
      const elsewhere = upstream.origin.replace("127.0.0.1", "localhost");
      upstream.answer = routes({
        "/a": reply(status, { Location: "/b" }),
        "/b": reply(status, { Location: `${elsewhere}/p` }),
        "/p": reply(200, {}, "ok"),
      });
      const more = { Authorization: "Bearer s", Cookie: "s=1" };
      expect(await (await call("/a", { method }, more)).text()).toBe("ok");
      const seen = upstream.requests.map((request) =>
        ["authorization", "cookie", "x-a"].map((name) => request.header(name))
      );
      expect(upstream.requests.map((request) => request.method)).toEqual([method, becomes, becomes]);
      expect(seen).toEqual([["Bearer s", "s=1", "1"], ["Bearer s", "s=1", "1"], [undefined, undefined, "1"]]);
    });

    it.each([{ method: "GET" }, { method: "HEAD" }, { method: "POST" }])(
      "hands a redirect of $method on where it is manual",
      async ({ method }) => {
        const answer = await call("/moved", { method, redirect: "manual" });
        const isLink = way.endsWith("url") && method === "POST";
        const link = `${proxy.origin}/__proxy__/?url=${encodeURIComponent(`${upstream.origin}/p`)}`;
        expect([answer.status, answer.headers.get("location")]).toEqual([302, isLink ? link : "/p"]);
        expect(await answer.text()).toBe(method === "HEAD" ? "" : "over there");
        expect(answer.headers.get("content-length")).toBe("10");
        expect(upstream.targets).toEqual(["/moved"]);
      },
    );

    it.each([{ method: "GET" }, { method: "HEAD" }, { method: "POST" }])(
      "rejects with a redirect of $method where it is an error, and with nothing else",
      async ({ method }) => {
        await expect(call("/moved", { method, redirect: "error" })).rejects.toThrow(TypeError);
        expect(upstream.targets).toEqual(["/moved"]);
        expect((await call("/p", { method, redirect: "error" })).status).toBe(200);
      },
    );
  });
}
