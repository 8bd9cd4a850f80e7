/**
 * The examples that other proxies document, with nothing changed but the host, and the fields of their clients.
 * @module
 */
import { describe, expect, it } from "vitest";
import { FORMS } from "./address-forms.ts";
import { alike, expectError, fill, listen, type Pool, reply, rowsOf, useUpstream } from "../support/topic.ts";

const APP = "https://app.test";
const ELSEWHERE = { Origin: APP, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };

/** Each field that steers, and what arrives instead of it. */
const DATA = "/?{origin}/data";
const SCALAR = "/?scalar_url={origin}/x";
const GOOGLE = "https://www.google.com";
const ORIGINS = { "x-corsfix-headers": `{"Origin":"${GOOGLE}","Referer":"${GOOGLE}"}` };
const AGENT = { "user-agent": "u", "x-corsfix-headers": '{"User-Agent":"MyAgent/1.0"}' };
const BROWSED = { "x-scalar-user-agent": "u", "x-scalar-referer": "https://a.test/" };
const STEERING = rowsOf(["path", "fields", "arrives"], [
  ["/?{origin}/post", { "x-cors-headers": '{"cookies":"x=123"}' }, { cookies: "x=123" }],
  [DATA, ORIGINS, { origin: GOOGLE, referer: GOOGLE }],
  [DATA, AGENT, { "user-agent": "MyAgent/1.0" }],
  ["/{origin}/data", { dnt: "1", "x-cors-headers": '{"DNT":null}' }, { dnt: undefined }],
  [DATA, { "x-corsfix-cache": "10m" }, {}],
  [DATA, { "x-corsfix-key": "secret" }, {}],
  [SCALAR, { "x-scalar-cookie": "a=1; b=2" }, { cookie: "a=1; b=2" }],
  [SCALAR, BROWSED, { "user-agent": "u", referer: "https://a.test/" }],
]);

export function describeFormFields(pool: Pool): void {
  const proxy = pool.with({ ...FORMS, CORS_ORIGINS: APP });
  const closed = pool.with(FORMS);
  const upstream = useUpstream();

  describe("the fields of another proxy's clients", () => {
    it.each(STEERING)("$fields become $arrives at $path", async ({ path, fields, arrives }) => {
      const sent = { ...ELSEWHERE, ...fields };
      expect(await proxy.call(`POST ${fill(path, upstream)}`, { fields: sent }))
        .toMatchObject({ status: 200, text: "ok" });
      const received = Object.keys(arrives).map((name) => [name, upstream.request.header(name)]);
      expect(Object.fromEntries(received)).toEqual(arrives);
      const steering = upstream.request.headers.filter(([name]) => /^x-(?:cors|corsfix|scalar)-/i.test(name));
      expect(steering).toEqual([]);
    });

    it.each([
      { fields: { "x-cors-headers": "x" }, names: "header x-cors-headers" },
      { fields: { "x-corsfix-headers": '{"Host":"b.test"}' }, names: "header x-corsfix-headers" },
    ])("$fields are refused", async ({ fields, names }) => {
      expectError(await proxy.call(`GET /?${upstream.origin}/x`, { fields }), { status: 400, names });
      expect(upstream.requests).toEqual([]);
    });

    it("are ordinary ones behind any other selector", async () => {
      const fields = { "x-cors-headers": "x", "x-scalar-cookie": "a=1" };
      await proxy.call(`GET /__proxy__/?url=${upstream.origin}/x`, { fields });
      expect(upstream.request.header("x-cors-headers")).toBe("x");
      expect(upstream.request.header("x-scalar-cookie")).toBe("a=1");
      expect(upstream.request.header("cookie")).toBeUndefined();
    });

    it("stay with the first origin when a redirect leads to another", async () => {
      const other = await listen();
      upstream.answer = reply(302, { Location: `${other.origin}/x` });
      await proxy.call(`GET /?scalar_url=${upstream.origin}/x`, { fields: { "x-scalar-cookie": "a=1" } });
      expect(upstream.request.header("cookie")).toBe("a=1");
      expect(other.request.header("cookie")).toBeUndefined();
      await other.close();
    });

    it("show the target's fields to x-cors-headers, cookies too, and the browser keeps none", async () => {
      upstream.answer = reply(200, [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2; HttpOnly"], ["X-A", "1"]]);
      const fields = { ...ELSEWHERE, "x-cors-headers": "{}" };
      const answer = await proxy.call(`GET /?${upstream.origin}/x`, { fields });
      const shown = JSON.parse(answer.header("cors-received-headers") ?? "null") as Record<string, string>;
      expect(shown).toMatchObject({ "set-cookie": "a=1, b=2; HttpOnly", "x-a": "1" });
      expect(answer.headersNamed("set-cookie")).toEqual([]);
      expect(answer.header("access-control-expose-headers")).toContain("cors-received-headers");
      expect(answer.header("vary")).toContain("x-cors-headers");
    });

    it("name no browser to git servers", async () => {
      const fields = { ...ELSEWHERE, "user-agent": "Mozilla/5.0", "git-protocol": "version=2" };
      await proxy.call(`GET /${upstream.host}/r.git/info/refs?service=git-upload-pack`, { fields });
      expect(upstream.request.header("user-agent")).toMatch(/^git\//);
      expect(upstream.request.header("git-protocol")).toBe("version=2");
    });
  });

  describe("a preflight for them", () => {
    const preflight = (origin: string) => ({
      Origin: origin,
      "Sec-Fetch-Site": "cross-site",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "x-cors-headers,x-corsfix-headers,x-scalar-cookie",
    });

    it.each(alike("path")`/?{origin}/x /{origin}/x /?scalar_url={origin}/x`)(
      "is answered for a listed origin at $path",
      async ({ path }) => {
        const answer = await proxy.call(`OPTIONS ${fill(path, upstream)}`, { fields: preflight(APP) });
        expect(answer.status).toBe(204);
        expect(answer.header("access-control-allow-headers")).toContain("x-scalar-cookie");
        expect(upstream.requests).toEqual([]);
      },
    );

    it("is refused for any other, and no target is asked to allow it", async () => {
      for (const shared of [proxy, closed]) {
        const line = `OPTIONS /?${upstream.origin}/x`;
        expectError(await shared.call(line, { fields: preflight("https://evil.test") }), { status: 403 });
      }
      expect(upstream.requests).toEqual([]);
    });
  });
}
