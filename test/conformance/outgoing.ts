/**
 * `/__proxy__/fetch`: what goes out for an argument, and nothing else.
 * @module
 */
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import type { Pool, Received } from "../support/topic.ts";
import { expectedOf, fetchArg, FIELD_VALUES, OUTGOING_METHODS, PATHS, reply } from "../support/topic.ts";
import { routes, UNSENT_BODIES, useUpstream } from "../support/topic.ts";

const FORM = "application/x-www-form-urlencoded";

const METHODS = [
  { method: undefined, sent: "GET" },
  ...["get", "Head", "post", "put", "delete", "options"].map((method) => ({
    method,
    sent: method.toUpperCase(),
  })),
  ...["PATCH", "patch", "PROPFIND", "propfind", "QUERY", "BREW", "M-SEARCH"].map((method) => ({
    method,
    sent: method,
  })),
];

const BODIES = [
  { body: { a: 1, b: ["ü"], c: null }, sent: '{"a":1,"b":["ü"],"c":null}' },
  { body: [1, "two"], sent: '[1,"two"]' },
  ...[{}, 0, 1.5, true, false].map((body) => ({ body, sent: JSON.stringify(body) })),
];

const TYPED = [
  { type: "application/vnd.api+json", body: { a: 1 }, sent: '{"a":1}' },
  { type: "text/plain", body: [1], sent: "[1]" },
  { type: "text/plain", body: "a=1&b", sent: "a=1&b" },
  { type: FORM, body: { a: "1 2", b: "ü&=", c: 3 }, sent: "a=1+2&b=%C3%BC%26%3D&c=3" },
  { type: `${FORM}; charset=utf-8`, body: { a: "1" }, sent: "a=1" },
  { type: FORM.toUpperCase(), body: { a: "1" }, sent: "a=1" },
  { type: FORM, body: "a=1&b=2", sent: "a=1&b=2" },
];

const OWNED = [
  { name: "Host", value: "marker.test" },
  { name: "Content-Length", value: "777777777" },
  { name: "Expect", value: "100-marker" },
  { name: "Connection", value: "close, X-Beside" },
  { name: "Keep-Alive", value: "timeout=777777777" },
  { name: "TE", value: "trailers;marker" },
  { name: "Trailer", value: "x-marker" },
  { name: "Transfer-Encoding", value: "gzip;marker" },
  { name: "Upgrade", value: "marker/1" },
  { name: "Proxy-Connection", value: "marker" },
  { name: "Proxy-Authorization", value: "Basic marker" },
];

/** Field names that may stand in a request for which the argument names no headers. */
const NEUTRAL = new Set(["host", "connection", "user-agent", "accept", "accept-encoding", "cdn-loop"]);

function foreignNames(request: Received): string[] {
  return request.headers.map(([name]) => name.toLowerCase()).filter((name) => !NEUTRAL.has(name));
}

export function describeOutgoing(pool: Pool): void {
  describe("the request of an arg", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(METHODS)("has method $sent for $method", async ({ method, sent }) => {
      const answer = await fetchArg(proxy, { url: `${upstream.origin}/p`, method });
      const status = expectedOf(OUTGOING_METHODS, pool.runtime, sent, 200);
      expect(answer).toMatchObject({ status, ended: "end" });
      const lines = upstream.requests.map(({ line }) => line);
      expect(lines).toEqual(status === 200 ? [`${sent} /p HTTP/1.1`] : []);
    });

    it.each([
      { url: "{origin}", arrives: "/" },
      { url: "{origin}/a//b%2Fc?x=%26&y='|", arrives: "/a//b%2Fc?x=%26&y='|" },
      { url: "{origin}/p?", arrives: "/p?" },
      { url: "{origin}/p#fragment", arrives: "/p" },
      { url: "{origin}/a b/ü", arrives: "/a%20b/%C3%BC" },
    ])("goes to $url", async ({ url, arrives }) => {
      await fetchArg(proxy, { url: url.replace("{origin}", upstream.origin) });
      expect(upstream.targets).toEqual([expectedOf(PATHS, pool.runtime, arrives, arrives)]);
      expect(upstream.request.header("host")).toBe(upstream.host);
    });

    it.each(BODIES)("has the JSON body $sent", async ({ body, sent }) => {
      await fetchArg(proxy, { url: upstream.origin, method: "POST", body });
      expect(upstream.request.body.toString()).toBe(sent);
      expect(upstream.request.headersNamed("content-type")).toEqual(["application/json"]);
      expect(upstream.request.headersNamed("content-length")).toEqual([String(Buffer.byteLength(sent))]);
    });

    it.each(TYPED)("has the body $sent of the type that was given, $type", async ({ type, body, sent }) => {
      const headers = { "Content-Type": type };
      await fetchArg(proxy, { url: upstream.origin, method: "POST", body, headers });
      expect(upstream.request.body.toString()).toBe(sent);
      expect(upstream.request.headersNamed("content-type")).toEqual([type]);
    });

    it("has the JSON body as it was written, numbers of every length too", async () => {
      const sent = '{"id": 9007199254740993, "1": [1e400, -0, 1.10]}';
      const argument = `{"url":"${upstream.origin}/p","method":"POST","body": ${sent} }`;
      expect((await proxy.call("POST /__proxy__/fetch", { body: argument })).status).toBe(200);
      expect(upstream.request.body.toString()).toBe(sent);
    });

    it("has a string body as it is", async () => {
      await fetchArg(proxy, { url: upstream.origin, method: "PUT", body: '{"a": ü}\n' });
      expect(upstream.request.body.toString()).toBe('{"a": ü}\n');
      expect(upstream.request.header("content-type") ?? "").not.toMatch(/json/);
    });

    it.each([{ method: "POST" }, { method: "DELETE" }])(
      "has no body for null in $method",
      async ({ method }) => {
        await fetchArg(proxy, { url: upstream.origin, method, body: null });
        expect(upstream.request.body.toString()).toBe("");
        expect(upstream.request.header("content-type")).toBeUndefined();
        expect(upstream.request.header("transfer-encoding")).toBeUndefined();
      },
    );

    it("has the body of a GET", async () => {
      const answer = await fetchArg(proxy, { url: upstream.origin, body: { a: 1 } });
      const status = expectedOf(UNSENT_BODIES, pool.runtime, "GET", 200);
      expect(answer.status).toBe(status);
      const sent = upstream.requests.map(({ method, body }) => `${method} ${body}`);
      expect(sent).toEqual(status === 200 ? ['GET {"a":1}'] : []);
    });
  });

  describe("the headers of an arg", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it("of several Cookie go out as one", async () => {
      await fetchArg(proxy, { url: upstream.origin, headers: { Cookie: "a=1", cookie: "b=2" } });
      expect(upstream.request.headersNamed("cookie")).toEqual(["a=1; b=2"]);
    });

    it("go out as given", async () => {
      const own = { Accept: "text/x-test", "X-Own": "a, b", "x-latin": "ü" };
      const headers = { ...own, Cookie: "a=1; b=2", Authorization: "Bearer t" };
      await fetchArg(proxy, { url: upstream.origin, headers });
      const sent = Object.keys(headers).map((name) => [name, upstream.request.header(name)]);
      const latin = expectedOf(FIELD_VALUES, pool.runtime, "of an arg: ü", "ü");
      expect(Object.fromEntries(sent)).toEqual({ ...headers, "x-latin": latin });
    });

    it.each([
      { headers: undefined, agent: `fetchvia/${manifest.version}` },
      { headers: {}, agent: `fetchvia/${manifest.version}` },
      { headers: { "User-Agent": "own/1" }, agent: "own/1" },
      { headers: { "user-agent": "own/1" }, agent: "own/1" },
    ])("have user-agent $agent for $headers", async ({ headers, agent }) => {
      await fetchArg(proxy, { url: upstream.origin, headers }, { fields: { "User-Agent": "caller/1" } });
      expect(upstream.request.headersNamed("user-agent")).toEqual([agent]);
    });

    it("hold nothing of the caller", async () => {
      const fields = {
        Cookie: "sid=marker",
        Authorization: "Bearer marker",
        "X-Own": "marker",
        "Accept-Language": "marker",
        Accept: "text/marker",
        "If-None-Match": '"marker"',
        Range: "bytes=0-777777777",
        "User-Agent": "marker",
      };
      await fetchArg(proxy, { url: `${upstream.origin}/p` }, { fields, from: "127.0.0.2" });
      expect(upstream.request.head).not.toMatch(/marker|777777777|127\.0\.0\.2/);
      expect(foreignNames(upstream.request)).toEqual([]);
    });

    it("hold nothing of a caller who posts", async () => {
      const fields = { Cookie: "sid=marker", "Content-Type": "text/marker", "X-Own": "marker" };
      const body = JSON.stringify({ url: `${upstream.origin}/p`, method: "GET" });
      await proxy.call("POST /__proxy__/fetch", { fields, body });
      expect(upstream.request.head).not.toContain("marker");
      expect(foreignNames(upstream.request)).toEqual([]);
    });

    it.each(OWNED)("lose $name, which the proxy owns", async ({ name, value }) => {
      const headers = { "X-Beside": name, [name]: value, "X-Own": "kept" };
      const answer = await fetchArg(proxy, { url: upstream.origin, method: "POST", headers, body: "12345" });
      expect(answer.status).toBe(200);
      expect(upstream.request.header("x-beside")).toBe(name === "Connection" ? undefined : name);
      expect(upstream.request.head).not.toMatch(/marker|777777777/);
      expect(upstream.request.header("x-own")).toBe("kept");
      expect(upstream.request.headersNamed("host")).toEqual([upstream.host]);
      expect(upstream.request.headersNamed("content-length")).toEqual(["5"]);
      expect(upstream.request.body.toString()).toBe("12345");
    });

    it("make Authorization of user and password, and show neither", async () => {
      upstream.answer = routes({ "/start": reply(302, { Location: "/end" }), "/end": reply(200, {}, "end") });
      const answer = await fetchArg(proxy, { url: `http://us%40er:p4ss@${upstream.host}/start` });
      const credentials = `Basic ${Buffer.from("us@er:p4ss").toString("base64")}`;
      const sent = upstream.requests.map((request) => request.header("authorization"));
      expect(sent).toEqual([credentials, credentials]);
      expect(answer.raw.toString("latin1")).not.toMatch(/p4ss|us%40er/);
    });

    it("keep a given Authorization", async () => {
      const headers = { authorization: "Bearer own" };
      await fetchArg(proxy, { url: `http://user:p4ss@${upstream.host}/`, headers });
      expect(upstream.request.headersNamed("authorization")).toEqual(["Bearer own"]);
    });
  });
}
