/**
 * `/__proxy__/fetch`: how an argument may be written, how long it may be, which methods carry it.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Pool } from "../support/topic.ts";
import { alike, argOf, base64, expectError, fetchArg, raw, reply, useUpstream } from "../support/topic.ts";
import { rowsOf } from "../support/topic.ts";

const DATE = "Sat, 21 Nov 2026 10:00:00 GMT";
// Gives `+` and `/` wherever its bytes fall in the groups of three, so that every alphabet and spelling counts.
const BODY = "~~~ ûûûû >>>> ???? ÿÿÿÿ 日本語 🚀";

const ENCODINGS = rowsOf(["name", "write"], [
  ["Base64, percent-encoded", encodeURIComponent],
  ["Base64 as it is", (text: string) => text],
  ["Base64 without padding", (text: string) => encodeURIComponent(text.replace(/=+$/, ""))],
  ["Base64 as it is without padding", (text: string) => text.replace(/=+$/, "")],
  ["Base64 whose + became a space", (text: string) => encodeURIComponent(text.replaceAll("+", " "))],
  ["Base64 whose + stays and whose rest is encoded", (text: string) => text.replaceAll("/", "%2F")],
  [
    "Base64 in lines of 76 characters, as base64 and openssl write it",
    (text: string) => encodeURIComponent(text.replace(/.{76}/g, "$&\n") + "\n"),
  ],
  [
    "Base64 in lines that end with CRLF, whose + became a space",
    (text: string) => encodeURIComponent(text.replaceAll("+", " ").replace(/.{60}/g, "$&\r\n")),
  ],
  ["Base64url", (text: string) => toUrlSafe(text).replace(/=+$/, "")],
  ["Base64url with padding", (text: string) => toUrlSafe(text)],
  ["Base64url with encoded padding", (text: string) => encodeURIComponent(toUrlSafe(text))],
  [
    "percent-encoding in lower case",
    (text: string) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  ],
]);

// One, two and three bytes in the last group: padding of two, one and none.
const PADDINGS = [{ pad: "" }, { pad: "x" }, { pad: "xx" }];

function toUrlSafe(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_");
}

export function describeArgument(pool: Pool): void {
  describe.each(PADDINGS)("arg with padding $pad", ({ pad }) => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(ENCODINGS)("is read from $name", async ({ write }) => {
      const argument = JSON.stringify({ url: `${upstream.origin}/p`, method: "POST", body: `${BODY}${pad}` });
      const text = base64(argument);
      expect(text).toMatch(/\+.*\/|\/.*\+/);
      const answer = await proxy.call(`GET /__proxy__/fetch?arg=${write(text)}`);
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.request.line).toBe("POST /p HTTP/1.1");
      expect(upstream.request.body.toString()).toBe(`${BODY}${pad}`);
    });
  });

  describe("arg", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it("stands among other parameters", async () => {
      const arg = argOf({ url: `${upstream.origin}/p` });
      const answer = await proxy.call(`GET /__proxy__/fetch?a=1&arg=${arg}&url=http://other.test`);
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.targets).toEqual(["/p"]);
    });

    it("is taken behind a slash too", async () => {
      const argument = { url: `${upstream.origin}/p` };
      expect([
        await proxy.call(`GET /__proxy__/fetch/?arg=${argOf(argument)}`),
        await proxy.call("POST /__proxy__/fetch/", { body: JSON.stringify(argument) }),
      ]).toMatchObject([{ status: 200, text: "ok" }, { status: 200, text: "ok" }]);
      expect(upstream.targets).toEqual(["/p", "/p"]);
      expectError(await proxy.call("GET /__proxy__/fetch/"), {
        status: 400,
        title: "Fetch API Error",
        names: "arg",
      });
    });

    it("comes by POST as the JSON itself", async () => {
      const body = JSON.stringify({ url: `${upstream.origin}/p`, method: "PUT", body: { text: BODY } });
      expect(await proxy.call("POST /__proxy__/fetch", { body })).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.request.line).toBe("PUT /p HTTP/1.1");
      expect(JSON.parse(upstream.request.body.toString())).toEqual({ text: BODY });
    });

    it("comes by POST whatever its content type", async () => {
      const body = JSON.stringify({ url: `${upstream.origin}/p` });
      await proxy.call("POST /__proxy__/fetch", { body, fields: { "content-type": "text/plain" } });
      expect(upstream.request.line).toBe("GET /p HTTP/1.1");
      expect(upstream.request.header("content-type")).toBeUndefined();
    });

    it("comes by POST far longer than an address", async () => {
      const body = JSON.stringify({
        url: `${upstream.origin}/p`,
        method: "POST",
        body: "x".repeat(1_000_000),
      });
      expect((await proxy.call("POST /__proxy__/fetch", { body })).status).toBe(200);
      expect(upstream.request.body.length).toBe(1_000_000);
    });

    it("comes by HEAD, whose answer has no body", async () => {
      upstream.answer = reply(201, { "x-own": "1" }, "content");
      const answer = await proxy.call(`HEAD /__proxy__/fetch?arg=${argOf({ url: `${upstream.origin}/p` })}`);
      expect(answer).toMatchObject({ status: 201, text: "", ended: "end" });
      expect(answer.header("x-own")).toBe("1");
      expect(upstream.targets).toEqual(["/p"]);
    });

    it.each([{ status: 204 }, { status: 304 }])(
      "says no length of a $status to the HEAD that it asks for",
      async ({ status }) => {
        upstream.answer = raw(`HTTP/1.1 ${status} Own\r\n\r\n`);
        const arg = argOf({ url: `${upstream.origin}/p`, method: "HEAD" });
        const answer = await proxy.call(`GET /__proxy__/fetch?arg=${arg}`);
        expect([answer.status, answer.header("content-length")]).toEqual([status, undefined]);
      },
    );

    it.each(alike("method")`
      PUT PATCH DELETE OPTIONS QUERY`)("comes by no $method", async ({ method }) => {
      const answer = await proxy.call(`${method} /__proxy__/fetch?arg=${argOf({ url: upstream.origin })}`);
      expectError(answer, { status: 405, title: "Fetch API Error", names: method });
      expect(answer.header("allow")?.split(", ").sort()).toEqual(["GET", "HEAD", "POST"]);
      expect(upstream.requests).toEqual([]);
    });

    it("names 9000 fields, and nobody waits for that", async () => {
      const names = Array.from({ length: 9_000 }, (_, index) => `a${index}`);
      const headers = Object.fromEntries(names.map((name) => [name, ""]));
      const body = JSON.stringify({ url: `${upstream.origin}/p`, headers });
      expect((await proxy.call("POST /__proxy__/fetch", { body })).status).toBe(200);
      expect(upstream.request.head.match(/^a\d+:/gm)).toHaveLength(names.length);
    });

    it.each([
      ...alike("method", { caches: "no-store" })`POST DELETE QUERY`,
      ...alike("method", { caches: "max-age=600" })`OPTIONS GET HEAD`,
    ])("for $method is answered with $caches", async ({ method, caches }) => {
      upstream.answer = reply(200, { "Cache-Control": "max-age=600", "Last-Modified": DATE }, "ok");
      const answer = await fetchArg(proxy, { url: upstream.origin, method });
      expect([answer.status, answer.headersNamed("cache-control")]).toEqual([200, [caches]]);
    });

    it("is not sent before anybody asks for it", async () => {
      const fields = { "Sec-Fetch-Site": "none", "Sec-Purpose": "prefetch;prerender" };
      const line = `GET /__proxy__/fetch?arg=${argOf({ url: upstream.origin, method: "POST" })}`;
      expectError(await proxy.call(line, { fields }), { status: 403, title: "Fetch API Error" });
      expect(upstream.requests).toEqual([]);
    });

    it("answers with what the target answers", async () => {
      upstream.answer = reply(418, { "content-type": "text/x-test" }, "content of the target");
      const answer = await fetchArg(proxy, { url: upstream.origin });
      expect(answer).toMatchObject({ status: 418, text: "content of the target" });
      expect(answer.header("content-type")).toBe("text/x-test");
    });
  });

  describe("a long address", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    /** An `arg` of exactly that many characters. */
    function padArg(length: number): string {
      const url = `${upstream.origin}/p`;
      const bytes = length / 4 * 3 - JSON.stringify({ url, method: "POST", body: "" }).length;
      return base64(JSON.stringify({ url, method: "POST", body: "x".repeat(bytes) }));
    }

    it.each([{ length: 16_000 }, { length: 32_000 }, { length: 60_000 }])(
      "of $length is read",
      async ({ length }) => {
        const arg = padArg(length);
        expect(arg).toHaveLength(length);
        const answer = await proxy.call(`GET /__proxy__/fetch?arg=${arg}`);
        expect(answer).toMatchObject({ status: 200, text: "ok" });
        expect(upstream.request.body.length).toBeGreaterThan(length / 2);
      },
    );

    it("of 60000 reaches the target as it is", async () => {
      const path = `/p?${"x".repeat(60_000)}`;
      expect((await proxy.call(`GET ${path}`, { fields: { proxy_host: upstream.origin } })).status).toBe(200);
      expect(upstream.targets).toEqual([path]);
    });

    it.each([{ length: 100_000 }, { length: 400_000 }])("of $length is too long", async ({ length }) => {
      expect((await proxy.call(`GET /__proxy__/fetch?arg=${padArg(length)}`)).status).toBe(414);
      expect(upstream.requests).toEqual([]);
    });
  });
}
