/**
 * `createFetch` in a page: every field goes out, every field comes back, and the browser keeps nothing.
 * @module
 */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { serveClient } from "../support/client-bundle.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { originOf, type Stage } from "./stage.ts";

const MODES = [{ mode: "url" }, { mode: "arg" }] as const;
const GIVEN = {
  cookie: "a=1; b=2",
  origin: "https://shop.test",
  referer: "https://shop.test/cart",
  "user-agent": "Own/1",
  date: "Sun, 06 Nov 1994 08:49:37 GMT",
  "accept-encoding": "identity",
  authorization: "Basic dXNlcjpwYXNz",
  "x-forwarded-for": "192.0.2.1",
  "sec-fetch-site": "same-origin",
  "x-own": "1",
};
/** Everything that a browser would act on. */
const BINDING = {
  "Content-Type": "text/plain",
  "Content-Encoding": "gzip",
  "Cache-Control": "max-age=600",
  "Clear-Site-Data": '"cookies", "storage"',
  "Strict-Transport-Security": "max-age=600",
  "WWW-Authenticate": 'Basic realm="x"',
  "Refresh": "0;url=/elsewhere",
  "X-Own": "1",
};
const COOKIES: [string, string][] = [["Set-Cookie", "a=1; HttpOnly"], ["Set-Cookie", "b=2; Path=/; Secure"]];

/** Declares the tests. */
export function describeFields(stage: Stage): void {
  describe("createFetch in a page", () => {
    let site: Upstream;
    let target: Upstream;
    let strict: Proxy;
    let context: BrowserContext;
    let page: Page;
    beforeAll(async () => {
      site = await serveClient();
      strict = await startProxy(stage.runtime, {
        LOG: "off",
        PROXY_TOKEN: "secret",
        CORS_ORIGINS: site.origin.replace("127.0.0.1", "localhost"),
      });
    });
    afterAll(() => Promise.all([site.close(), strict.stop()]));
    beforeEach(async () => {
      target = await listen();
      target.answer = routes({
        "/": reply(200, { "Content-Type": "text/html" }, "<!doctype html><title>Target</title>"),
        "/p": reply(200, [...Object.entries(BINDING), ...COOKIES], gzipSync("made")),
        "/moved": reply(302, { Location: "/p", "Set-Cookie": "c=3" }, "over there"),
      });
      context = await stage.open();
      page = await context.newPage();
      await page.goto(site.origin.replace("127.0.0.1", "localhost"));
      return () => Promise.all([target.close(), context.close()]);
    });

    /** Calls in the page; gives what the page sees, or the name and message of the failure. */
    const call = (options: object, path: string, init: object = {}, proxy: Proxy = stage.plain) =>
      page.evaluate(`import("/client.js").then(async ({ createFetch, readHead }) => {
        const call = createFetch(${JSON.stringify(proxy.origin)}, ${JSON.stringify(options)});
        const answer = await call(${JSON.stringify(target.origin + path)}, ${JSON.stringify(init)});
        const { status, redirected, url } = answer.clone();
        const head = readHead(answer);
        return {
          status, redirected, url, own: answer.headers.get("proxy-status") !== null,
          fields: head && Object.fromEntries(head.headers), cookies: head && head.headers.getSetCookie(),
          seen: answer.headers.get("x-own"), text: await answer.text(),
        };
      }).catch(({ name, message }) => ({ name, message }))`);

    it.each(MODES)("sends every field in mode $mode", async ({ mode }) => {
      expect(await call({ mode }, "/p", { headers: GIVEN })).toMatchObject({ status: 200, text: "made" });
      const { request } = target;
      expect(Object.fromEntries(Object.keys(GIVEN).map((name) => [name, request.header(name)])))
        .toEqual(GIVEN);
      expect(request.head).not.toMatch(/proxy_|pragma|cache-control/i);
    });

    it.each(MODES)("reads every field in mode $mode, and the browser keeps nothing", async ({ mode }) => {
      await context.addCookies([{ name: "kept", value: "1", url: stage.plain.origin }]);
      expect(await call({ mode }, "/p")).toMatchObject({
        status: 200,
        redirected: false,
        url: `${target.origin}/p`,
        seen: "1",
        text: "made",
        cookies: COOKIES.map(([, value]) => value),
        fields: Object.fromEntries(
          Object.entries(BINDING).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      });
      expect((await context.cookies()).map(({ name }) => name)).toEqual(["kept"]);
      await call({ mode }, "/p");
      expect(target.targets).toEqual(["/p", "/p"]);
    });

    it.each(MODES)("says nothing of the page where it is anonymous in mode $mode", async ({ mode }) => {
      await call({ mode, anonymous: true }, "/p", { method: "POST", body: "x" });
      expect(target.request.head).not.toMatch(/^(?:origin|referer|sec-[\w-]*):/im);
      await call({ mode, anonymous: true }, "/p", { headers: { referer: "https://shop.test/" } });
      expect(target.requests[1]?.header("referer")).toBe("https://shop.test/");
    });

    it("says where it stands where it is not anonymous", async () => {
      await call({}, "/p", { method: "POST", body: "x" });
      expect(target.request.head).toMatch(/^origin: http:\/\/localhost:\d+\r$/im);
      expect(target.request.head).toMatch(/^sec-fetch-mode:/im);
    });

    it.each(MODES)("shows redirects in mode $mode", async ({ mode }) => {
      const manual = { status: 302, text: "over there", cookies: ["c=3"], fields: { location: "/p" } };
      for (const method of ["GET", "POST"]) {
        expect(await call({ mode }, "/moved", { method, redirect: "manual" })).toMatchObject(manual);
        expect(await call({ mode }, "/moved", { method, redirect: "error" }))
          .toMatchObject({ name: "TypeError" });
        const followed = { status: 200, redirected: true, url: `${target.origin}/p`, text: "made" };
        expect(await call({ mode }, "/moved", { method })).toMatchObject(followed);
      }
    });

    it.each([{ seal: true }, { seal: false }])(
      "takes no credentials to another origin, with seal: $seal",
      async ({ seal }) => {
        const elsewhere = target.origin.replace("127.0.0.1", "localhost");
        target.answer = routes({
          "/away": reply(307, { Location: `${elsewhere}/p` }),
          "/p": reply(200, {}, "made"),
        });
        const headers = { authorization: "Bearer s", cookie: "s=1", date: "now" };
        expect(await call({ seal }, "/away", { method: "POST", headers })).toMatchObject({ text: "made" });
        const seen = target.requests.map((request) =>
          Object.keys(headers).map((name) => request.header(name))
        );
        expect(seen).toEqual([["Bearer s", "s=1", "now"], [undefined, undefined, "now"]]);
      },
    );

    it.each([{ name: "host" }, { name: "connection" }, { name: "transfer-encoding" }, {
      name: "proxy_headers",
    }])("refuses a field that cannot go out: $name", async ({ name }) => {
      expect(await call({}, "/p", { headers: { [name]: "x" } }))
        .toEqual({ name: "TypeError", message: expect.stringContaining(`Cannot send field ${name}: `) });
      expect(target.requests).toEqual([]);
    });

    it.each(MODES)(
      "shows the proxy its token in mode $mode, and tells its errors apart",
      async ({ mode }) => {
        expect(await call({ mode, token: "secret" }, "/p", {}, strict))
          .toMatchObject({ status: 200, own: false });
        expect(target.request.head).not.toMatch(/secret/);
        const refused = await call({ mode }, "/p", {}, strict);
        expect(refused).toMatchObject({ status: 401, own: true, fields: undefined });
      },
    );

    it("does what docs/client.md shows", async () => {
      target.answer = reply(303, COOKIES);
      const [, script = ""] = /^```js\n(.*?)^```/ms.exec(await readFile("docs/client.md", "utf8")) ?? [];
      const local = script
        .replace(/^import (.*) from "fetchvia\/client";$/m, 'const $1 = await import("/client.js");')
        .replaceAll("http://localhost:8080", stage.plain.origin)
        .replaceAll("https://shop.example/", `${target.origin}/`)
        .replace(/console\.log\((.*)\);/, "return [$1];");
      const seen = await page.evaluate(`(async () => { ${local} })()`);
      expect(seen).toEqual([303, COOKIES.map(([, value]) => value)]);
      const { method, body } = target.request;
      expect([method, body.toString()]).toEqual(["POST", "user=ann"]);
      expect(["cookie", "origin", "user-agent"].map((name) => target.request.header(name)))
        .toEqual(["lang=en", "https://shop.example", "Check/1"]);
    });

    describe("that nobody granted anything", () => {
      const steer = (address: string, headers: object) =>
        page.evaluate(`fetch(${JSON.stringify(address)}, { headers: ${JSON.stringify(headers)} })
          .then(async (answer) => [answer.status, await answer.text()], ({ name }) => name)`);
      const STEERING = [{ headers: { proxy_headers: "e30" } }, { headers: { proxy_seal: "1" } }];

      beforeEach(() => {
        const open = {
          "Access-Control-Allow-Origin": "*",
          "Access-Control-Allow-Headers": "proxy_headers, proxy_seal",
        };
        const { answer } = target;
        target.answer = (request, socket) =>
          request.method === "OPTIONS" ? reply(204, open)(request, socket) : answer(request, socket);
      });

      it.each(STEERING)(
        "sends no $headers to another label, though that target allows it",
        async ({ headers }) => {
          await page.goto(originOf(site.origin, "label", stage.plain));
          expect(await steer(`${originOf(target.origin, "label", stage.plain)}/p`, headers))
            .toBe("TypeError");
          expect(target.requests).toEqual([]);
        },
      );

      it.each(STEERING)("sends no $headers to the proxy's own address", async ({ headers }) => {
        await page.goto(originOf(site.origin, "label", stage.plain));
        const address = `${stage.plain.origin}/__proxy__/?url=${encodeURIComponent(`${target.origin}/p`)}`;
        expect(await steer(address, headers)).toBe("TypeError");
        expect(target.requests).toEqual([]);
      });

      it.each(STEERING)("sends no $headers from an origin that is not listed", async ({ headers }) => {
        await page.goto(site.origin);
        const address = `${strict.origin}/__proxy__/?url=${encodeURIComponent(`${target.origin}/p`)}`;
        expect(await steer(address, { ...headers, proxy_token: "secret" })).toBe("TypeError");
        expect(target.requests).toEqual([]);
      });

      it("reads no HttpOnly cookie of its user by a seal", async () => {
        const origin = originOf(target.origin, "label", stage.plain);
        await context.addCookies([{ name: "session", value: "1", url: origin, httpOnly: true }]);
        await page.goto(origin);
        expect(target.requests[0]?.header("cookie")).toBe("session=1");
        expect(await steer(`${origin}/p`, { proxy_seal: "1" })).toMatchObject([200, "made"]);
        const sealed = target.requests.find((request) => request.target === "/p");
        expect([sealed?.method, sealed?.header("cookie")]).toEqual(["GET", undefined]);
      });
    });
  });
}
