/**
 * `LOG`: one entry for each request when it is over, with everything that helps and nothing that is secret.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { chunked, cut, Gate, raw, reply, reset, silence } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { open, request } from "../support/client.ts";
import { declareWith, rowsWith } from "../support/capabilities.ts";
import { CAUSES, ERROR_TYPES, expectedOf } from "../support/exceptions.ts";
import { fill, fillFields } from "../support/expect.ts";
import { Entries } from "../support/lines.ts";
import { NOWHERE } from "../support/nowhere.ts";
import type { Pool } from "../support/pool.ts";
import { freePort } from "../support/free-port.ts";
import { type Handler, listen, type Upstream } from "../support/upstream.ts";
import { QUIET } from "./live-traffic.ts";
import { TARGETS } from "./targets.ts";

const TEXT = { LOG: "text", TRUSTED_PROXIES: "127.0.0.1" };

const OWN_ANSWERS = [
  { line: "GET /", status: 200 },
  { line: "GET /__proxy__/health", status: 200 },
  { line: "GET /__proxy__/?host=http://a.test", status: 200 },
  { line: "GET /__proxy__/?host=nonsense", status: 400, error: "bad_request" },
  { line: "GET /__proxy__/nope", status: 404, error: "not_found" },
  { line: "DELETE /__proxy__/fetch", status: 405, error: "method_not_allowed" },
  { line: "GET /__proxy__/fetch?arg=x", status: 400, error: "bad_request" },
];

/** Heads that can't be read. */
const UNREAD = [
  { about: "a malformed line", text: "hello\r\n\r\n", status: 400, error: "bad_request" },
  { about: "no Host", text: "GET / HTTP/1.1\r\n\r\n", status: 400, error: "bad_request" },
  {
    about: "too many fields",
    text: request("GET", "/", { Host: "a", Fields: "x\r\nx:".repeat(1_001) }),
    status: 431,
    error: "fields_too_large",
  },
];

/** Answers of a target: bytes of its body, as they come out. */
const BODIES: { about: string; answer: Handler; bytes: number }[] = [
  { about: "of known length", answer: reply(200, {}, "x".repeat(1_000)), bytes: 1_000 },
  {
    about: "of known length and type",
    answer: reply(200, { "Content-Type": "text/x" }, "x".repeat(1_000)),
    bytes: 1_000,
  },
  { about: "of great length", answer: reply(200, {}, "x".repeat(400_000)), bytes: 400_000 },
  { about: "in chunks", answer: chunked(200, {}, ["abc", "de"], 5), bytes: 5 },
  { about: "without content", answer: reply(204), bytes: 0 },
  { about: "until the end", answer: cut("HTTP/1.1 200 OK\r\n\r\nabc"), bytes: 3 },
];

const FAILURES: { about: string; answer: Handler; error: string }[] = [
  { about: "a reset", answer: reset(), error: "connection_terminated" },
  { about: "no HTTP", answer: cut("nonsense\r\n\r\n"), error: "malformed_answer" },
];

/** Declares the tests. */
export function describeLogs(pool: Pool): void {
  const errorOf = (type: string) => expectedOf(ERROR_TYPES, pool.runtime, type, type);
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });

  describe("the log as JSON", () => {
    const proxy = pool.with({ LOG: "json" });
    const limited = pool.with({ TARGETS });

    it.each([
      { selector: "header", line: "POST /p?secret", fields: { proxy_host: "{origin}" } },
      { selector: "cookie", line: "POST /p?secret", fields: { Cookie: "proxy_host={origin}" } },
      { selector: "label", line: "POST /p?secret", fields: { Host: "127-0-0-1-{port}.w.localhost" } },
      { selector: "url", line: "POST /__proxy__/?url={origin}/p?secret", fields: {} },
    ])("tells of a request by $selector", async ({ selector, line, fields }) => {
      const entries = new Entries(proxy);
      const options = { fields: fillFields(fields, upstream), body: "body", from: "127.0.4.1" };
      await proxy.call(fill(line, upstream), options);
      expect(await entries.read(1)).toEqual([{
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        id: expect.stringMatching(/^[\da-f]{12}$/),
        method: "POST",
        selector,
        target: upstream.host,
        status: 200,
        bytes_in: 4,
        bytes_out: 2,
        ms_head: expect.any(Number),
        ms: expect.any(Number),
        caller: "127.0.4.1",
      }]);
    });

    it("tells of a request by arg", async () => {
      const entries = new Entries(proxy);
      const argument = { url: `${upstream.origin}/p?secret`, method: "PUT", body: "12345" };
      await proxy.call(`GET /__proxy__/fetch?arg=${argOf(argument)}`);
      await proxy.call(`HEAD /__proxy__/fetch?arg=${argOf(argument)}`);
      expect(await entries.read(2)).toMatchObject([
        { method: "GET", selector: "arg", target: upstream.host, status: 200, bytes_in: 5, bytes_out: 2 },
        { method: "HEAD", selector: "arg", target: upstream.host, status: 200, bytes_in: 5, bytes_out: 0 },
      ]);
    });

    it("counts a body once that a redirect sends again", async () => {
      upstream.answer = ({ target }, socket) =>
        void socket.write(
          target === "/p"
            ? "HTTP/1.1 307 Moved\r\nLocation: /q\r\nContent-Length: 0\r\n\r\n"
            : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        );
      const entries = new Entries(proxy);
      const argument = { url: `${upstream.origin}/p`, method: "POST", body: "12345" };
      await proxy.call(`GET /__proxy__/fetch?arg=${argOf(argument)}`);
      expect(upstream.targets).toEqual(["/p", "/q"]);
      expect(await entries.read(1)).toMatchObject([{ status: 200, bytes_in: 5 }]);
    });

    it("tells of the argument that a HEAD asks for, body or not", async () => {
      upstream.answer = chunked(200, {}, ["abc"]);
      const entries = new Entries(proxy);
      await proxy.call(`HEAD /__proxy__/fetch?arg=${argOf({ url: `${upstream.origin}/p` })}`);
      expect(await entries.read(1)).toMatchObject([{ method: "HEAD", status: 200, bytes_out: 0 }]);
    });

    it.each(OWN_ANSWERS)("tells of $line", async ({ line, status, error }) => {
      const entries = new Entries(proxy);
      const answer = await proxy.call(line);
      const [entry, ...others] = await entries.read(1);
      expect(others).toEqual([]);
      expect(entry)
        .toMatchObject({ status, bytes_out: answer.body.length, bytes_in: 0, caller: "127.0.0.1" });
      expect(entry?.error).toBe(error);
      expect(Object.keys(entry ?? {})).not.toContain("target");
    });

    it.each(rowsWith(pool.runtime, "a server of its own", UNREAD))(
      "tells of a head that can't be read: $about",
      async ({ text, status, error }) => {
        const entries = new Entries(proxy);
        const caller = await open(proxy.port);
        caller.write(text);
        expect((await caller.answer()).status).toBe(status);
        expect(await entries.read(1)).toMatchObject([{ method: "-", status, error, caller: "127.0.0.1" }]);
      },
    );

    it.each(BODIES)("counts a body $about", async ({ answer, bytes }) => {
      upstream.answer = answer;
      const entries = new Entries(proxy);
      const { body } = await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
      expect(body.length).toBe(bytes);
      expect(await entries.read(1)).toMatchObject([{ bytes_out: bytes, bytes_in: 0 }]);
    });

    it.each([
      { about: "small", length: 10 },
      { about: "large", length: 1_000_000 },
    ])("counts a $about upload", async ({ length }) => {
      const entries = new Entries(proxy);
      await proxy.call("PUT /p", { fields: { proxy_host: upstream.origin }, body: "x".repeat(length) });
      expect(await entries.read(1)).toMatchObject([{ bytes_in: length, bytes_out: 2 }]);
    });

    it("counts an upload in chunks by its content", async () => {
      const fields = {
        Host: `127.0.0.1:${proxy.port}`,
        proxy_host: upstream.origin,
        "Transfer-Encoding": "chunked",
      };
      const entries = new Entries(proxy);
      const connection = await open(proxy.port);
      connection.write(request("PUT", "/p", fields, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
      await connection.answer();
      connection.destroy();
      expect(await entries.read(1)).toMatchObject([{ bytes_in: 5 }]);
    });

    it("counts no body of HEAD", async () => {
      const entries = new Entries(proxy);
      await proxy.call("HEAD /p", { fields: { proxy_host: upstream.origin } });
      await proxy.call("HEAD /");
      expect(await entries.read(2)).toMatchObject([{ bytes_out: 0 }, { bytes_out: 0 }]);
    });

    it("is written when the answer is over, and knows both times", async () => {
      const gate = new Gate();
      upstream.answer = async (received, socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n");
        await gate.hold((_, held) => void held.write("0\r\n\r\n"))(received, socket);
      };
      const entries = new Entries(proxy);
      const connection = await open(proxy.port);
      const local = `127.0.0.1:${proxy.port}`;
      connection.write(request("GET", "/p", { Host: local, proxy_host: upstream.origin }));
      await connection.until("\r\n\r\n");
      await sleep(200);
      expect(entries.lines).toEqual([]);
      gate.open();
      await connection.answer();
      connection.destroy();
      const [entry] = await entries.read(1) as { ms: number; ms_head: number }[];
      expect(entry?.ms).toBeGreaterThan((entry?.ms_head ?? Infinity) + 150);
      await sleep(50);
      expect(entries.lines).toHaveLength(1);
    });

    it.each(FAILURES)("tells why after $about", async ({ answer, error }) => {
      upstream.answer = answer;
      const entries = new Entries(proxy);
      await proxy.call("GET /p?secret", { fields: { proxy_host: upstream.origin } });
      const [entry] = await entries.read(1);
      expect(entry).toMatchObject({ status: 502, error: errorOf(error), target: upstream.host });
      expect(entry?.cause).toEqual(expect.arrayContaining([expect.stringMatching(/^\w+$/)]));
    });

    it("tells why a target cannot be had", async () => {
      const entries = new Entries(proxy);
      const closed = `127.0.0.1:${await freePort()}`;
      await proxy.call(`GET /__proxy__/?url=http://${closed}/secret`);
      await proxy.call(`GET /__proxy__/?url=http://${NOWHERE}/secret`);
      expect(await entries.read(2)).toMatchObject([
        {
          status: 502,
          error: errorOf("connection_refused"),
          target: closed,
          cause: [expect.stringMatching(expectedOf(CAUSES, pool.runtime, "refused", /refused/i))],
        },
        {
          status: 502,
          error: errorOf("dns_error"),
          target: NOWHERE,
          cause: [expect.stringMatching(expectedOf(CAUSES, pool.runtime, "no address", /^E[A-Z_]+$/))],
        },
      ]);
    });

    it("tells that an answer was cut, and how far it came", async () => {
      upstream.answer = cut("HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\nabc");
      const entries = new Entries(proxy);
      await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
      expect(await entries.read(1))
        .toMatchObject([{ status: 200, error: "connection_terminated", bytes_out: 3 }]);
    });

    it("tells an answer that stalled from one that is too large", async () => {
      const entries = new Entries(limited);
      const fields = { proxy_host: upstream.origin };
      upstream.answer = raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
      await limited.call("GET /v1/", { fields });
      upstream.answer = chunked(200, {}, ["abcdefgh", "ij"], 50);
      await limited.call("GET /v1/", { fields });
      expect(await entries.read(2)).toMatchObject([
        { status: 200, error: "response_timeout" },
        { status: 200, error: "answer_too_large" },
      ]);
    });

    it("gives an answer of its own the id of its line, and every line another", async () => {
      const entries = new Entries(proxy);
      const lines = [
        "GET /__proxy__/nope",
        `GET /__proxy__/?url=http://${NOWHERE}/`,
        "TRACE /",
        "GET /p",
        "GET /__proxy__/",
        "GET /__proxy__/?host=http://a.test",
        "GET /__proxy__/health",
        "HEAD /__proxy__/console.js",
      ];
      const answers = await Promise.all(lines.map((line) => proxy.call(line)));
      const ids = (await entries.read(lines.length)).map(({ id }) => id);
      expect(answers.map((answer) => answer.header("x-request-id")).toSorted()).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(lines.length);
    });

    it.each(["/__proxy__/", "/__proxy__/console.css", "/__proxy__/console.js"])(
      "tells the length of %s, as its answer does",
      async (path) => {
        const fields = { Accept: "text/html" };
        const entries = new Entries(proxy);
        const answer = await proxy.call(`GET ${path}`, { fields });
        const head = await proxy.call(`HEAD ${path}`, { fields });
        const length = answer.body.length;
        expect([answer, head].map((each) => each.header("content-length")))
          .toEqual([`${length}`, `${length}`]);
        expect((await entries.read(2)).map((entry) => entry.bytes_out)).toEqual([length, 0]);
      },
    );

    it("tells nobody the id of a request that is forwarded", async () => {
      const fields = { proxy_host: upstream.origin, "X-Request-Id": "mine" };
      upstream.answer = reply(404, { "X-Request-Id": "theirs" });
      const entries = new Entries(proxy);
      const answer = await proxy.call("GET /p", { fields });
      await entries.read(1);
      expect([upstream.request.header("x-request-id"), answer.header("x-request-id")])
        .toEqual(["mine", "theirs"]);
    });

    declareWith(pool.runtime, "word of callers who leave before a response", () => {
      it("tells of a caller who leaves, and of nothing in numbers", async () => {
        upstream.answer = silence;
        const entries = new Entries(proxy);
        const connection = await open(proxy.port);
        const arrived = upstream.next();
        connection.write(
          request("GET", "/p", { Host: `127.0.0.1:${proxy.port}`, proxy_host: upstream.origin }),
        );
        await arrived;
        connection.destroy();
        const [entry] = await entries.read(1);
        expect(entry).toMatchObject({ target: upstream.host, error: expect.any(String) });
        expect(entry?.cause).toEqual([expect.stringMatching(/^[A-Za-z_]+$/)]);
      });
    });

    it("tells of a caller who leaves while it posts an argument", async () => {
      const entries = new Entries(proxy);
      const connection = await open(proxy.port);
      const fields = { Host: `127.0.0.1:${proxy.port}`, "Content-Length": "99" };
      connection.write(request("POST", "/__proxy__/fetch", fields, "{"));
      await sleep(50);
      connection.destroy();
      expect(await entries.read(1)).toMatchObject([{ status: 499, error: "caller_gone" }]);
    });

    it("tells of a request that nobody can read", async () => {
      const entries = new Entries(proxy);
      await proxy.call("GET /p", { fields: { Host: "a/b" } });
      expect(await entries.read(1)).toMatchObject([{ status: 400, error: "bad_request" }]);
    });

    it("holds no path, no query, no credentials, no cookie and no argument", async () => {
      const entries = new Entries(proxy);
      const fields = {
        proxy_host: `${upstream.origin}/marker`,
        Authorization: "Bearer marker",
        Cookie: "a=marker; proxy_token=marker",
        "Proxy-Authorization": "Bearer marker",
        "User-Agent": "marker",
        Referer: "http://marker.test/",
      };
      await proxy.call("POST /marker?marker", { fields, body: "marker" });
      await proxy.call(`GET /__proxy__/?url=http://marker:marker@${upstream.host}/marker?marker`);
      await proxy.call(`GET /__proxy__/?url=http://marker:marker@${NOWHERE}/marker?marker`);
      await proxy.call(
        `GET /__proxy__/fetch?arg=${
          argOf({ url: `${upstream.origin}/marker`, headers: { "x-marker": "marker" } })
        }`,
      );
      await proxy.call("GET /__proxy__/marker?token=marker");
      expect(await entries.read(5)).toHaveLength(5);
      expect(entries.lines.join()).not.toContain("marker");
      expect(proxy.proxy.stderr()).not.toContain("marker");
    });
  });

  describe("the log as text", () => {
    const proxy = pool.with(TEXT);

    it("is one line for each request", async () => {
      const start = proxy.proxy.stdout().length;
      await proxy.call("POST /p?marker", { fields: { proxy_host: upstream.origin }, body: "body" });
      await proxy.call(`GET /__proxy__/?url=http://marker:marker@${NOWHERE}/marker`);
      const read = () => proxy.proxy.stdout().slice(start).trim().split("\n");
      await expect.poll(read).toEqual([
        expect.stringMatching(
          new RegExp(
            `^[\\d:.]{12} POST 200 header ${upstream.host} [\\d.]+/[\\d.]+ ms 4/2 B 127\\.0\\.0\\.1 [\\da-f]{12}$`,
          ),
        ),
        expect.stringMatching(
          new RegExp(
            `^[\\d:.]{12} GET 502 url ${NOWHERE} [\\d.]+/[\\d.]+ ms 0/\\d+ B 127\\.0\\.0\\.1 [\\da-f]{12} ${
              errorOf("dns_error")
            } < E\\w+$`,
          ),
        ),
      ]);
    });
  });

  describe("what a caller writes", () => {
    const text = pool.with(TEXT);

    it.each([
      { about: "in a path", line: "GET /a%0d%0a%1b[2J?%0a" },
      { about: "in a host", line: "GET /__proxy__/?url=http://a%0a%1b%5b31m.test/" },
      { about: "in a header", line: "GET /", fields: { proxy_host: "http://a%0a%9b31m.test/" } },
      { about: "in an address of a caller", line: "GET /", fields: { "X-Forwarded-For": "\x9b31m, a b" } },
      { about: "in an argument", line: `GET /__proxy__/fetch?arg=${argOf({ url: "http://a\n\x1b.test/" })}` },
      { about: "in a method", line: `GET /__proxy__/fetch?arg=${argOf({ url: "x:", method: "A\n\x1b" })}` },
    ])("$about makes no line and no control character", async ({ line, fields = {} }) => {
      const start = text.proxy.stdout().length;
      await text.call(line, { fields });
      const read = () => text.proxy.stdout().slice(start);
      await expect.poll(read).toMatch(/^[\x20-\x7e]+\n$/);
    });
  });

  describe("no log", () => {
    const proxy = pool.with(QUIET);

    it("is written where it is off", async () => {
      await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
      await sleep(50);
      expect(proxy.proxy.stdout()).toBe("");
      const answer = await proxy.call("GET /__proxy__/nope");
      expect([answer.status, answer.header("x-request-id")]).toEqual([404, undefined]);
    });
  });
}
