/**
 * `proxy_seal`: the head of an answer where no browser acts on it, and what stays outside.
 * @module
 */
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { decodeHead } from "../../src/core/address/sealed-head.ts";
import { createFetch, readHead } from "../../src/client/client.ts";
import type { Answer, Pool, Received } from "../support/topic.ts";
import { ask, expectError, Gate, handshake, open } from "../support/topic.ts";
import { raw, reply, request, routes, rowsWith } from "../support/topic.ts";
import { selectors, useTarget, useUpstream } from "../support/topic.ts";
import { GUARDED } from "./client.ts";

const SELECTORS = selectors("header", "cookie", "label", "url", "at");
const APP = "https://app.test";
const SEALED = { fields: { proxy_seal: "1" } };

/** All that a browser would store, follow or ask for; as the target sends it. */
const FIELDS: [string, string][] = [
  ["Content-Type", "text/html; charset=utf-8"],
  ["Set-Cookie", "a=1; Domain=a.test; Secure; HttpOnly"],
  ["Set-Cookie", "__Host-b=2; Path=/; Secure"],
  ["Cache-Control", "max-age=600"],
  ["ETag", '"x"'],
  ["Clear-Site-Data", '"*"'],
  ["Strict-Transport-Security", "max-age=600"],
  ["Alt-Svc", 'h3=":443"'],
  ["Refresh", "0;url=/elsewhere"],
  ["Link", "</x>; rel=preload"],
  ["WWW-Authenticate", "Basic"],
  ["Content-Security-Policy", "default-src *"],
  ["X-Fetchvia-Head", "forged"],
  ["X-Own", "1"],
];
const lower = (fields: [string, string][]) => fields.map(([name, value]) => [name.toLowerCase(), value]);
const headOf = (answer: Answer) => decodeHead(answer.header("x-fetchvia-head") ?? "");

/** What may stand outside: nothing that a browser stores. */
const OUTSIDE =
  /^(?:content-(?:type|length|encoding|security-policy)|cache-control|x-content-type-options|x-fetchvia-head|date|connection|keep-alive|transfer-encoding|vary)$/;

export function describeSeal(pool: Pool): void {
  const { proxy, upstream, askBy } = useTarget(pool);
  const granting = pool.with({ CORS_ORIGINS: APP });
  const logging = pool.with({ LOG: "json" });
  beforeEach(() => {
    upstream.answer = reply(404, FIELDS, "<p>none");
  });

  describe("proxy_seal", () => {
    it.each(SELECTORS)(
      "seals status and fields as the target sent them, by $selector",
      async ({ selector }) => {
        const answer = await askBy(selector, "GET /p", SEALED);
        expect([answer.status, answer.text, answer.ended]).toEqual([200, "<p>none", "end"]);
        const { status, statusText, headers = [] } = headOf(answer) ?? {};
        expect([status, statusText]).toEqual([404, "Scripted"]);
        const names = new Set(lower(FIELDS).map(([name]) => name));
        expect(headers.filter(([name]) => names.has(name))).toEqual(expect.arrayContaining(lower(FIELDS)));
        expect(headers.filter(([name]) => name === "set-cookie")).toHaveLength(2);
        expect(upstream.request.head).not.toMatch(/proxy_seal/i);
      },
    );

    it.each(SELECTORS)("leaves nothing outside that a browser keeps, by $selector", async ({ selector }) => {
      const answer = await askBy(selector, "GET /p", SEALED);
      expect(answer.headers.map(([name]) => name.toLowerCase()).filter((name) => !OUTSIDE.test(name)))
        .toEqual([]);
      const names = ["content-type", "cache-control", "content-security-policy", "x-content-type-options"];
      expect(names.map((name) => answer.header(name)))
        .toEqual(["application/octet-stream", "no-store", "sandbox; default-src 'none'", "nosniff"]);
    });

    it("is the same as proxy-seal, and holds for an arg", async () => {
      const argument = encodeURIComponent(btoa(JSON.stringify({ url: `${upstream.origin}/p` })));
      for (const line of [`/__proxy__/fetch?arg=${argument}`, `/__proxy__/?url=${upstream.origin}/p`]) {
        const answer = await proxy.call(`GET ${line}`, { fields: { "proxy-seal": "1" } });
        expect([answer.status, headOf(answer)?.status]).toEqual([200, 404]);
      }
    });

    it("keeps a body readable: its coding and its length stay outside", async () => {
      const bytes = gzipSync("made");
      upstream.answer = reply(200, { "Content-Encoding": "gzip" }, bytes);
      const answer = await askBy("url", "GET /p", SEALED);
      const described = ["content-encoding", "content-length"].map((name) => answer.header(name));
      expect(described).toEqual(["gzip", String(bytes.length)]);
      expect(answer.body).toEqual(bytes);
    });

    it("streams a body", async () => {
      const gate = new Gate();
      upstream.answer = async (received, socket) => {
        socket.write(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 18\r\n\r\ndata: 1\n\n",
        );
        await gate.hold((_, held) => void held.write("data: 2\n\n"))(received, socket);
      };
      const connection = await open(proxy.port);
      const path = `/__proxy__/?url=${upstream.origin}/p`;
      connection.write(request("GET", path, { Host: `127.0.0.1:${proxy.port}`, ...SEALED.fields }));
      await connection.until("data: 1\n\n");
      gate.open();
      expect((await connection.answer()).text).toBe("data: 1\n\ndata: 2\n\n");
      connection.destroy();
    });

    it.each([
      { method: "HEAD", status: 200, fields: { "Content-Length": "9" } },
      { method: "GET", status: 204, fields: {} },
      { method: "GET", status: 304, fields: { ETag: '"x"' } },
      { method: "DELETE", status: 205, fields: { "Content-Length": "0" } },
    ])("seals $status of $method, which has no body", async ({ method, status, fields }) => {
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join("");
      upstream.answer = raw(`HTTP/1.1 ${status} None\r\n${lines}\r\n`);
      const answer = await askBy("url", `${method} /p`, SEALED);
      expect([answer.status, answer.text, answer.ended]).toEqual([200, "", "end"]);
      const headers = expect.arrayContaining(lower(Object.entries(fields))) as unknown;
      expect(headOf(answer)).toMatchObject({ status, headers });
    });

    it("seals a redirect that is not followed, and names the end of one that is", async () => {
      const moved = reply(302, { Location: "/end" }, "over there");
      upstream.answer = routes({ "/moved": moved, "/end": reply(200) });
      const kept = await askBy("header", "GET /moved", SEALED);
      expect([kept.status, kept.text, headOf(kept)?.status]).toEqual([200, "over there", 302]);
      expect(headOf(kept)?.headers).toContainEqual(["location", "/end"]);
      const followed = await askBy("url", "GET /moved", SEALED);
      expect(headOf(followed)?.headers).toContainEqual(["x-final-url", `${upstream.origin}/end`]);
    });

    it("holds a long head", async () => {
      const long = "x".repeat(30_000);
      upstream.answer = reply(200, { "X-Long": long }, "ok");
      expect(headOf(await askBy("url", "GET /p", SEALED))?.headers).toContainEqual(["x-long", long]);
    });

    it("does not hold for errors of the proxy itself", async () => {
      const origin = upstream.origin;
      await upstream.close();
      const answer = await ask(proxy, "url", origin, "GET /p", SEALED);
      expectError(answer, { status: 502 });
      expect(answer.header("x-fetchvia-head")).toBeUndefined();
    });

    it("can't be forged by a target that nobody asked to seal", async () => {
      const answer = await askBy("url");
      expect([answer.status, answer.header("x-fetchvia-head")]).toEqual([404, undefined]);
    });

    it.each([
      { about: "another value", fields: [["proxy_seal", "true"]] as [string, string][] },
      { about: "both names", fields: [["proxy_seal", "1"], ["proxy-seal", "1"]] as [string, string][] },
    ])("refuses $about", async ({ fields }) => {
      const answer = await askBy("url", "GET /p", { fields });
      expectError(answer, { status: 400, names: "proxy_seal: it has another value, expected 1" });
      expect(upstream.requests).toEqual([]);
    });

    it("refuses a WebSocket, whose answer is no message", async () => {
      const fields = handshake({ proxy_seal: "1" });
      const answer = await proxy.call(`GET /__proxy__/?url=${upstream.origin}/p`, { fields });
      expectError(answer, { status: 400, names: "proxy_seal" });
      expect(upstream.requests).toEqual([]);
    });

    it("shows a granted page the head, and no other", async () => {
      const elsewhere = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
      const page = { Origin: APP, ...elsewhere, ...SEALED.fields };
      const sealed = await ask(granting, "url", upstream.origin, "GET /p", { fields: page });
      expect(sealed.header("access-control-allow-origin")).toBe(APP);
      expect(sealed.header("access-control-expose-headers")).toContain("x-fetchvia-head");
      const other = { ...page, Origin: "https://evil.test" };
      const refused = await ask(granting, "url", upstream.origin, "GET /p", { fields: other });
      expect([refused.status, refused.header("access-control-allow-origin")]).toEqual([403, undefined]);
    });

    it.each(rowsWith(pool.runtime, "a listener that it knows", SELECTORS.slice(1, 3)))(
      "goes without a browser's own cookies and passwords, by $selector",
      async ({ selector }) => {
        const page = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", Cookie: "session=1" };
        await askBy(selector, "GET /p", { fields: page });
        expect(upstream.request.header("cookie")).toBe("session=1");
        const fields = { ...page, ...SEALED.fields, Authorization: "Basic eDp5" };
        await askBy(selector, "GET /p", { fields });
        const [, request] = upstream.requests as [Received, Received];
        expect([request.header("cookie"), request.header("authorization")]).toEqual([undefined, undefined]);
        const own = Buffer.from('{"cookie":"own=1","authorization":"Basic eDp5"}').toString("base64url");
        await askBy(selector, "GET /p", { fields: { ...fields, proxy_headers: own } });
        const last = upstream.requests[2] as Received;
        expect([last.header("cookie"), last.header("authorization")]).toEqual(["own=1", "Basic eDp5"]);
      },
    );

    it("logs the status of the target", async () => {
      await ask(logging, "url", upstream.origin, "GET /p", SEALED);
      await expect.poll(() => logging.proxy.stdout()).toMatch(/"status":404/);
    });
  });
}

/** Declares the tests of the client, which asks by the `fetch` of this process. */
export function describeSealedFetch(pool: Pool): void {
  const upstream = useUpstream();

  describe.each([{ mode: "url" }, { mode: "arg" }] as const)(
    "createFetch with a seal, in mode $mode",
    ({ mode }) => {
      const token = pool.with(GUARDED);

      it("reads the whole head, and follows as fetch does", async () => {
        upstream.answer = routes({
          "/moved": reply(302, { Location: "/end" }, "over there"),
          "/end": reply(201, [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"]], "made"),
        });
        const call = createFetch(token.origin, { mode, seal: true, token: "secret" });
        for (const method of ["GET", "POST"]) {
          const answer = await call(`${upstream.origin}/moved`, {
            method,
            headers: { host2: "x", date: "now" },
          });
          expect([answer.status, answer.url, answer.redirected, await answer.clone().text()])
            .toEqual([201, `${upstream.origin}/end`, true, "made"]);
          expect(readHead(answer.clone())?.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
          expect(upstream.requests.map((request) => request.header("date"))).not.toContain(undefined);
        }
        expect(upstream.targets).toEqual(["/moved", "/end", "/moved", "/end"]);
      });

      it("gets the proxy's own errors as they are", async () => {
        const answer = await createFetch(token.origin, { mode, seal: true })(`${upstream.origin}/p`);
        expect([answer.status, readHead(answer), answer.headers.has("proxy-status")])
          .toEqual([401, undefined, true]);
      });
    },
  );
}
