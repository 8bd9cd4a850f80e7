/**
 * Capture: both sides of a request whole, in the order of the wire, and nothing while it is off.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { chunked, cut, paced, reply, routes } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { capture, missed, textOf, valueOf } from "../support/captured.ts";
import { open, request } from "../support/client.ts";
import { CAPTURED_LINES, expectedOf } from "../support/exceptions.ts";
import type { Header } from "../support/http.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const LOGGED = { LOG: "json", METRICS: "true" };

/** Declares the tests. */
export function describeCapture(pool: Pool): void {
  const proxy = pool.with({ ...LOGGED, CAPTURE: "64KiB" });
  const heads = pool.with({ ...LOGGED, CAPTURE: "heads" });
  const short = pool.with({ ...LOGGED, CAPTURE: "10" });
  const off = pool.with(LOGGED);
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });
  const to = () => ({ proxy_host: upstream.origin });

  describe("capture of heads", () => {
    it("has what the caller sent, and what went to the target", async () => {
      const fields: [string, string][] = [
        ["Host", "localhost"],
        ["proxy_host", upstream.origin],
        ["X-A", "1"],
        ["X-B", "b"],
        ["X-A", "2"],
        ["X-Client-IP", "192.0.2.1"],
        ["Max-Forwards", "5"],
      ];
      const { request, hops } = await capture(proxy, () => proxy.call("GET /p?x=1", { fields }));
      expect([request.method, request.url]).toEqual(["GET", "http://localhost/p?x=1"]);
      expect(valueOf(request.headers, "x-a")).toBe("1, 2");
      expect(valueOf(request.headers, "proxy_host")).toBe(upstream.origin);
      expect(valueOf(request.headers, "x-client-ip")).toBe("192.0.2.1");
      const [hop, ...others] = hops;
      expect(others).toEqual([]);
      expect(hop?.request).toMatchObject({ method: "GET", url: `${upstream.origin}/p?x=1` });
      expect(valueOf(hop?.request.headers, "x-a")).toBe("1, 2");
      expect(valueOf(hop?.request.headers, "host")).toBe(upstream.host);
      expect(valueOf(hop?.request.headers, "cdn-loop")).toMatch(/^fetchvia-/);
      expect(valueOf(hop?.request.headers, "x-client-ip")).toBeUndefined();
      // What is captured is what arrived.
      const sent = hop?.request.headers.map(([name]) => name.toLowerCase()).filter((name) => name !== "host");
      const arrived = upstream.request.headers.map(([name]) => name.toLowerCase());
      expect(arrived).toEqual(expect.arrayContaining(sent ?? []));
    });

    it("keeps the caller's fields line by line, in any case", async () => {
      const sent: Header[] = [["X-B", "b"], ["X-A", "1"], ["X-A", "2"]];
      const fields: Header[] = [["Host", "localhost"], ["proxy_host", upstream.origin], ...sent];
      const { request } = await capture(proxy, () => proxy.call("GET /", { fields }));
      const lines = request.headers.filter(([name]) => /^x-/i.test(name));
      expect(lines).toEqual(expectedOf(CAPTURED_LINES, pool.runtime, "X-B, X-A, X-A", sent));
    });

    it("has what the target answered, and what went to the caller", async () => {
      upstream.answer = reply(404, [
        ["X-B", "b"],
        ["Set-Cookie", "a=1; Domain=127.0.0.1; Path=/x"],
        ["Alt-Svc", 'h3=":443"'],
        ["Set-Cookie", "b=2"],
        ["Location", "/elsewhere"],
      ], "none");
      const { response, hops: [hop] } = await capture(proxy, () => proxy.call("GET /p", { fields: to() }));
      expect([hop?.response?.status, hop?.response?.statusText]).toEqual([404, "Scripted"]);
      expect(valueOf(hop?.response?.headers, "alt-svc")).toBe('h3=":443"');
      expect(valueOf(hop?.response?.headers, "set-cookie")).toMatch(
        /^a=\*{3}\(1 bytes, [0-9a-f]{4}\); Domain=127\.0\.0\.1; Path=\/x, b=\*{3}\(1 bytes, [0-9a-f]{4}\)$/,
      );
      expect([response?.status, response?.statusText]).toEqual([404, "Scripted"]);
      expect(valueOf(response?.headers, "alt-svc")).toBeUndefined();
      expect(response?.headers.filter(([name]) => /^set-cookie$/i.test(name))).toHaveLength(2);
      expect(valueOf(response?.headers, "set-cookie")).not.toContain("Domain");
    });

    it("has the fields that the proxy adds at the very end", async () => {
      const fields = { ...to(), Origin: "http://localhost:5173", "Sec-Fetch-Site": "cross-site" };
      const answers: string[] = [];
      const { response } = await capture(proxy, async () => {
        answers.push(String((await proxy.call("GET /p", { fields })).header("vary")));
      });
      expect(valueOf(response?.headers, "vary")).toBe(answers[0]);
    });

    it("has each hop, with its times in order", async () => {
      upstream.answer = routes({
        "/a": reply(302, { Location: "/b" }),
        "/b": reply(302, { Location: "/c?x=1" }),
        "/c": reply(200, {}, "end"),
      });
      const { hops, response } = await capture(
        proxy,
        () => proxy.call(`GET /__proxy__/?url=${upstream.origin}/a`),
      );
      expect(hops.map(({ request, response }) => [request.url, response?.status])).toEqual([
        [`${upstream.origin}/a`, 302],
        [`${upstream.origin}/b`, 302],
        [`${upstream.origin}/c?x=1`, 200],
      ]);
      expect(response?.status).toBe(200);
      const times = hops.flatMap(({ times }) => [times.startMs, times.firstByteMs ?? NaN]);
      expect(times).toEqual([...times].sort((one, other) => one - other));
    });

    it("counts no bodies where only heads are asked for, but their sizes", async () => {
      upstream.answer = reply(200, {}, "body");
      const { requestBody, responseBody } = await capture(
        heads,
        () => heads.call("POST /p", { fields: to(), body: "abc" }),
      );
      expect([requestBody, responseBody])
        .toEqual([{ base64: "", size: 3, isOver: true }, { base64: "", size: 4, isOver: true }]);
    });

    it.each([
      { line: "GET /p", fields: { proxy_host: "nonsense" }, error: "bad_request", hops: 0 },
      { line: "GET /p", fields: { proxy_host: "http://127.0.0.1:1" }, error: undefined, hops: 1 },
    ])("has requests that fail: $line to $fields.proxy_host", async ({ line, fields, error, hops }) => {
      const captured = await capture(proxy, () => proxy.call(line, { fields }));
      expect(captured.hops).toHaveLength(hops);
      expect(captured.hops.map((hop) => hop.error)).toEqual(captured.hops.map(() => captured.error));
      expect(captured.error).toBe(error ?? captured.error);
      expect(captured.error).toMatch(/^\w+$/);
      expect(valueOf(captured.response?.headers, "proxy-status")).toMatch(/^fetchvia; error=/);
      expect(textOf(captured.responseBody)).toMatch(/^\{"title":"Proxy Error"/);
    });

    it.each([
      { line: "GET /__proxy__/" },
      { line: "GET /__proxy__/health" },
      { line: "GET /__proxy__/metrics" },
      { line: "GET /__proxy__/capture" },
      { line: "GET /__proxy__/console.js" },
      { line: "HEAD /__proxy__/traffic" },
    ])("leaves out the proxy's own views: $line", async ({ line }) => {
      expect((await missed(proxy, () => proxy.call(line))).status).toBe(404);
    });
  });

  describe("capture of bodies", () => {
    const LONG = "0123456789".repeat(20_000);

    it.each([
      { about: "of known length", answer: reply(200, {}, "hello") },
      { about: "in chunks", answer: chunked(200, {}, ["he", "l", "lo"], 5) },
      { about: "until the end", answer: cut("HTTP/1.1 200 OK\r\n\r\nhello") },
    ])("has both, $about", async ({ answer }) => {
      upstream.answer = answer;
      const fields = { ...to(), "Content-Type": "text/plain" };
      const captured = await capture(proxy, () => proxy.call("PUT /p", { fields, body: "from the caller" }));
      expect(textOf(captured.requestBody)).toBe("from the caller");
      expect(textOf(captured.responseBody)).toBe("hello");
      expect(captured.responseBody).toMatchObject({ size: 5, isOver: true });
      expect(captured.isRunning).toBe(false);
    });

    it("has their first bytes and their sizes", async () => {
      upstream.answer = chunked(200, {}, [LONG.slice(0, 7), LONG.slice(7)]);
      const ask = () => short.call("POST /p", { fields: to(), body: LONG });
      const captured = await capture(short, ask);
      expect(captured.requestBody).toEqual({ base64: btoa("0123456789"), size: 200_000, isOver: true });
      expect(captured.responseBody).toEqual({ base64: btoa("0123456789"), size: 200_000, isOver: true });
    });

    it("has them as they were, though their memory is used again", async () => {
      const varied = Array.from({ length: 300_000 }, (_, at) => at).join();
      upstream.answer = reply(200, {}, varied);
      const captured = await capture(proxy, () => proxy.call("POST /p", { fields: to(), body: varied }));
      for (const body of [captured.requestBody, captured.responseBody]) {
        const text = textOf(body) ?? "";
        expect(text === varied.slice(0, text.length)).toBe(true);
        expect(text.length).toBeGreaterThan(60_000);
        expect(body?.size).toBe(varied.length);
      }
    });

    it("has them encoded as on the wire", async () => {
      const bytes = Buffer.from("1f8b0800000000000003", "hex");
      upstream.answer = reply(200, { "Content-Encoding": "gzip" }, bytes);
      const ask = () => proxy.call("GET /p", { fields: { ...to(), "Accept-Encoding": "gzip" } });
      expect((await capture(proxy, ask)).responseBody?.base64).toBe(bytes.toString("base64"));
    });

    it.each([
      { about: "HEAD", line: "HEAD /p", answer: reply(200, { "Content-Length": "5" }) },
      { about: "204", line: "GET /p", answer: reply(204) },
      { about: "304", line: "GET /p", answer: reply(304, { ETag: '"x"' }) },
    ])("has none for $about", async ({ line, answer }) => {
      upstream.answer = answer;
      expect((await capture(proxy, () => proxy.call(line, { fields: to() }))).responseBody).toBeUndefined();
    });

    it("has what came of one that was cut, and why", async () => {
      upstream.answer = async (_, socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello");
        await sleep(300);
        socket.destroy();
      };
      const captured = await capture(proxy, () => proxy.call("GET /p", { fields: to() }));
      expect(textOf(captured.responseBody)).toBe("hello");
      expect(captured.error).toBe("connection_terminated");
    });

    it("has that of the request which an arg describes", async () => {
      const argument = { url: `${upstream.origin}/p`, method: "POST", body: "described" };
      const body = JSON.stringify(argument);
      const captured = await capture(proxy, () => proxy.call("POST /__proxy__/fetch", { body }));
      expect(captured.selector).toBe("arg");
      expect(textOf(captured.requestBody)).toBe("described");
      expect(captured.hops[0]?.request).toMatchObject({ method: "POST", url: `${upstream.origin}/p` });
      const linked = await capture(proxy, () => proxy.call(`GET /__proxy__/fetch?arg=${argOf(argument)}`));
      expect(linked.request.url).toMatch(/\/__proxy__\/fetch\?arg=\*{3}\(\d+-bytes,[0-9a-f]{4}\)$/);
    });

    it("grow while the request runs", async () => {
      upstream.answer = paced(
        200,
        { "Content-Type": "text/event-stream" },
        ["data: 1\n\n", "data: 2\n\n"],
        1_500,
      );
      const connection = await open(proxy.port);
      connection.write(request("GET", "/p", { Host: "localhost", "x-request-id": "1", ...to() }));
      await connection.until("data: 1");
      const state = await proxy.call("GET /__proxy__/capture");
      expect(state.json()).toMatchObject({ bodyBytes: 65_536, maxBytes: 67_108_864 });
      await connection.until("data: 2");
      connection.destroy();
    });
  });

  describe("capture that is off", () => {
    it.each([
      { about: "until a console is open", proxy: off, more: { whileOpen: true } },
      { about: "for good", proxy: pool.with({ ...LOGGED, CAPTURE: "off" }), more: {} },
    ])("keeps nothing, and says so: $about", async ({ proxy, more }) => {
      expect((await missed(proxy, () => proxy.call("GET /p", { fields: to() }))).status).toBe(404);
      expect((await proxy.call("GET /__proxy__/capture")).json())
        .toEqual({ bodyBytes: null, requests: 0, bytes: 0, maxBytes: 67_108_864, ...more });
    });
  });
}
