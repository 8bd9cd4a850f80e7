/**
 * `proxy_headers`: fields that a page's `fetch` cannot set or remove, and who may.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { Header, Pool } from "../support/topic.ts";
import { Acceptor, ask, expectError, fetchArg, join, labelOf, listen, reply } from "../support/topic.ts";
import { routes, rowsWith, selectors, useTarget } from "../support/topic.ts";

const SELECTORS = selectors("header", "cookie", "label", "url", "at");
const APP = "https://app.test";

const base64url = (text: string) => Buffer.from(text).toString("base64url");
const encode = (value: unknown) => base64url(JSON.stringify(value));

export function describeProxyHeaders(pool: Pool): void {
  const { proxy, upstream, askBy } = useTarget(pool);
  beforeEach(() => {
    upstream.answer = routes({ "/p": reply(200, { Vary: "Accept" }, "ok") });
  });

  describe.each(SELECTORS)("proxy_headers by $selector", ({ selector }) => {
    it("sets and removes fields of the outgoing request, and never goes out", async () => {
      const changed = {
        Cookie: "a=1",
        origin: "https://shop.test",
        referer: "https://shop.test/cart",
        "user-agent": "Own/1",
        date: "Sun, 06 Nov 1994 08:49:37 GMT",
        "x-forwarded-for": "192.0.2.1",
        "x-gone": null,
        "sec-*": null,
      };
      const own = { "User-Agent": "Caller/1", "X-Gone": "1", "Sec-GPC": "1", "X-Kept": "1" };
      const fields = { proxy_headers: encode(changed), ...own };
      expect((await askBy(selector, "GET /p", { fields })).status).toBe(200);
      const { request } = upstream;
      const seen = Object.keys({ ...changed, "x-kept": "" }).map((name) => [name, request.header(name)]);
      const gone = { "x-gone": undefined, "sec-*": undefined };
      expect(Object.fromEntries(seen)).toEqual({ ...changed, ...gone, "x-kept": "1" });
      expect(request.head).not.toMatch(/sec-gpc|proxy[_-]/i);
      expect(request.header("host")).toBe(upstream.host);
    });

    it("is the same as proxy-headers", async () => {
      await askBy(selector, "GET /p", { fields: { "proxy-headers": encode({ cookie: "a=1" }) } });
      expect(upstream.request.header("cookie")).toBe("a=1");
      expect(upstream.request.head).not.toMatch(/proxy-/i);
    });

    it.each([
      { about: "Host", value: encode({ Host: "evil.test" }), names: '"Host" belongs to the proxy' },
      { about: "framing", value: encode({ "content-length": "9" }), names: '"content-length" belongs' },
      { about: "a hop-by-hop field", value: encode({ connection: "close" }), names: '"connection" belongs' },
      { about: "Proxy-*", value: encode({ "proxy-x": null }), names: '"proxy-x" belongs' },
      { about: "CDN-Loop", value: encode({ "cdn-loop": null }), names: '"cdn-loop" belongs' },
      { about: "a line break", value: encode({ "x-a": "1\r\nx-b: 2" }), names: '"x-a" has a value' },
      { about: "a number", value: encode({ "x-a": 1 }), names: "neither a string nor null" },
      { about: "a list", value: encode(["x-a"]), names: "not a JSON object" },
      { about: "no Base64", value: "{}", names: "not Base64" },
      { about: "no JSON", value: "e30x", names: "not a JSON object" },
      { about: "a name twice", value: base64url('{"a":"1","a":"2"}'), names: "twice" },
    ])("refuses $about", async ({ value, names }) => {
      const answer = await askBy(selector, "GET /p", { fields: { proxy_headers: value } });
      expectError(answer, { status: 400, names });
      expect(answer.text).toContain("proxy_headers");
      expect(upstream.requests).toEqual([]);
    });

    it.each([
      { about: "two lines", fields: [["proxy_headers", "e30"], ["proxy_headers", "e30"]] as Header[] },
      { about: "both names", fields: [["proxy_headers", "e30"], ["proxy-headers", "e30"]] as Header[] },
    ])("refuses $about", async ({ fields }) => {
      expectError(await askBy(selector, "GET /p", { fields }), { status: 400, names: "more than one value" });
    });

    it("keeps its answer apart in caches", async () => {
      const fields = { proxy_headers: encode({ "x-forwarded-host": "evil.test" }) };
      expect((await askBy(selector, "GET /p", { fields })).header("vary")).toMatch(/^Accept.*proxy_headers/);
      expect((await askBy(selector)).header("vary")).not.toMatch(/proxy_headers/);
    });
  });

  describe("proxy_headers", () => {
    const telling = pool.with({ FORWARD_CLIENT: "true" });

    it("is not read beside an arg, which says all itself", async () => {
      const fields = { proxy_headers: encode({ "x-a": "1" }) };
      expect((await fetchArg(proxy, { url: `${upstream.origin}/p` }, { fields })).status).toBe(200);
      expect(upstream.request.head).not.toMatch(/x-a|proxy_headers/i);
    });

    it("can name itself for no caller whom FORWARD_CLIENT names", async () => {
      const fields = { proxy_headers: encode({ "x-real-ip": "192.0.2.1" }) };
      const answer = await ask(telling, "url", upstream.origin, "GET /p", { fields });
      expectError(answer, { status: 400, names: "FORWARD_CLIENT" });
    });

    it("wins over the user and password of the address", async () => {
      const address = upstream.origin.replace("//", "//user:pass@");
      const set = (authorization: string | null) => ({ proxy_headers: encode({ authorization }) });
      await ask(proxy, "url", address, "GET /p", { fields: set("Bearer t") });
      await ask(proxy, "url", address, "GET /p", { fields: set(null) });
      const seen = upstream.requests.map((request) => request.header("authorization"));
      expect(seen).toEqual(["Bearer t", undefined]);
    });

    it("keeps its fields on a redirect, and its credentials at their origin", async () => {
      const other = await listen();
      upstream.answer = routes({
        "/moved": reply(302, { Location: "/p" }),
        "/left": reply(302, { Location: `${other.origin}/p` }),
      });
      const set = { cookie: "a=1", authorization: "Bearer t", "user-agent": "Own/1" };
      for (const path of ["/moved", "/left"]) {
        await askBy("url", `GET ${path}`, { fields: { proxy_headers: encode(set) } });
      }
      const seen = [...upstream.requests, ...other.requests].map((request) =>
        Object.keys(set).map((name) => request.header(name))
      );
      const whole = ["a=1", "Bearer t", "Own/1"];
      expect(seen).toEqual([whole, whole, whole, [undefined, undefined, "Own/1"]]);
      await other.close();
    });
  });

  describe("proxy_headers from a page", () => {
    const granting = pool.with({ CORS_ORIGINS: APP });
    const PREFLIGHT = {
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "x-a,proxy_headers",
    };
    const FOREIGN = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
    const set = { proxy_headers: encode({ "x-a": "1" }) };

    it.each(SELECTORS.flatMap((row) => [{ ...row, name: "proxy_headers" }, { ...row, name: "Proxy_Seal" }]))(
      "of another site is refused before it is sent, whatever the target allows: $name by $selector",
      async ({ selector, name }) => {
        upstream.answer = reply(204, {
          "Access-Control-Allow-Origin": "https://evil.test",
          "Access-Control-Allow-Headers": "proxy_headers, proxy_seal",
        });
        const asks = { ...PREFLIGHT, "Access-Control-Request-Headers": `x-a, ${name}` };
        const fields = { ...FOREIGN, ...asks, Origin: "https://evil.test" };
        const answer = await askBy(selector, "OPTIONS /p", { fields });
        expectError(answer, { status: 403, names: "CORS_ORIGINS" });
        expect(answer.header("access-control-allow-headers")).toBeUndefined();
        expect(upstream.requests).toEqual([]);
      },
    );

    it("leaves other preflights to the target", async () => {
      const fields = { ...FOREIGN, ...PREFLIGHT, "Access-Control-Request-Headers": "x-proxy", Origin: APP };
      await askBy("label", "OPTIONS /p", { fields });
      expect(upstream.request.method).toBe("OPTIONS");
    });

    it.each([...SELECTORS.flatMap((row) => [{ ...row, sent: set }, { ...row, sent: { proxy_seal: "1" } }])])(
      "of another site is refused if it comes all the same: $sent by $selector",
      async ({ selector, sent }) => {
        const fields = { ...FOREIGN, ...sent, Origin: "https://evil.test" };
        expectError(await askBy(selector, "GET /p", { fields }), { status: 403, names: "CORS_ORIGINS" });
        expect(upstream.requests).toEqual([]);
      },
    );

    it("of another label is refused too", async () => {
      const evil = { ...FOREIGN, "Sec-Fetch-Site": "same-site", Origin: "http://evil-test.w.localhost:8080" };
      const fields = { ...evil, ...set, Host: `${labelOf(upstream.origin)}.w.localhost:${proxy.port}` };
      expectError(await proxy.call("GET /p", { fields }), { status: 403, names: "CORS_ORIGINS" });
    });

    it.each(rowsWith(pool.runtime, "a listener that it knows", SELECTORS))(
      "of a granted origin passes, by $selector",
      async ({ selector }) => {
        const page = { ...FOREIGN, Origin: APP };
        const asked = { fields: { ...page, ...PREFLIGHT } };
        const preflight = await ask(granting, selector, upstream.origin, "OPTIONS /p", asked);
        const allowed = preflight.header("access-control-allow-headers");
        expect([preflight.status, allowed]).toEqual([204, "x-a,proxy_headers"]);
        await ask(granting, selector, upstream.origin, "GET /p", { fields: { ...page, ...set } });
        expect(upstream.request.header("x-a")).toBe("1");
      },
    );
  });

  describe("proxy_headers of a WebSocket handshake", () => {
    it("sets fields", async () => {
      const target = new Acceptor(upstream);
      const fields = { proxy_headers: encode({ origin: "https://shop.test", cookie: "a=1", "sec-*": null }) };
      const { caller } = await join(proxy.port, `/__proxy__/?url=${upstream.origin}/p`, fields);
      const { request } = target;
      expect([request.header("origin"), request.header("cookie")]).toEqual(["https://shop.test", "a=1"]);
      expect(request.head).not.toMatch(/proxy_headers/i);
      caller.socket.destroy();
    });

    it("cannot touch what the handshake agrees on", async () => {
      const fields = { proxy_headers: encode({ "Sec-WebSocket-Protocol": "chat" }) };
      await expect(join(proxy.port, `/__proxy__/?url=${upstream.origin}/p`, fields)).rejects.toThrow(/400/);
    });
  });
}
