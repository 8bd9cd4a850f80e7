/**
 * Status lines, interim answers and fields of an answer: what goes on as it came, and what cannot.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Pool } from "../support/topic.ts";
import { argOf, cut, expectedOf, expectError, FIELD_VALUES, HEADS, LOW_STATUSES } from "../support/topic.ts";
import { alike, outcomeOf, raw, REASONS, reply, seen, useLink, whole } from "../support/topic.ts";

const BODILESS = [
  ...alike("line", { status: 204, head: "" })`GET /p | POST /p | HEAD /p`,
  { line: "GET /p", status: 204, head: "Content-Length: 0\r\n" },
  { line: "GET /p", status: 304, head: "" },
  { line: "GET /p", status: 304, head: "Content-Length: 0\r\n" },
  { line: "HEAD /p", status: 200, head: "" },
  { line: "HEAD /p", status: 200, head: "Transfer-Encoding: chunked\r\n" },
  { line: "HEAD /p", status: 404, head: "Content-Length: 0\r\n" },
];

/** Fields that say in two ways how a body is framed. */
const DOUBTFUL = [
  "Content-Length: 5, 5",
  "Content-Length: 5\r\nContent-Length: 6",
  "Content-Length: 5\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: gzip, chunked",
].flatMap((fields) => [
  { line: "HEAD /p", status: 200, head: `${fields}\r\n` },
  { line: "GET /p", status: 304, head: `${fields}\r\n` },
  { line: "GET /p", status: 204, head: `${fields}\r\n` },
]);

const INTERIM = [
  { name: "100", bytes: "HTTP/1.1 100 Continue\r\n\r\n" },
  { name: "102", bytes: "HTTP/1.1 102 Processing\r\n\r\n" },
  { name: "103", bytes: "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nX-Interim: 1\r\n\r\n" },
  { name: "199", bytes: "HTTP/1.1 199 Odd\r\nContent-Length: 5\r\n\r\n" },
  { name: "two", bytes: "HTTP/1.1 103 Early Hints\r\nX-Interim: 1\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" },
];

const TYPES = [
  { body: "<h1>x</h1>", type: undefined },
  { body: "", type: undefined },
  { body: "{}", type: "application/problem+json; charset=utf-8" },
  { body: "x", type: "odd" },
];

function manyFields(count: number): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`X-Own-${index}`, String(index)]);
}

const HEAD_SIZES = [
  { name: "150 fields", fields: manyFields(150), status: 200 },
  { name: "800 fields", fields: manyFields(800), status: 200 },
  { name: "15000 bytes", fields: [["X-Own", "x".repeat(15_000)]], status: 200 },
  { name: "60000 bytes", fields: [["X-Own", "x".repeat(60_000)]], status: 200 },
  { name: "70000 bytes", fields: [["X-Own", "x".repeat(70_000)]], status: 502 },
] satisfies { name: string; fields: [string, string][]; status: number }[];

export function describeStatuses(pool: Pool): void {
  describe("statuses of the status line", () => {
    const link = useLink(pool);

    it.each(
      [200, 201, 203, 226, 299, 300, 400, 401, 407, 418, 451, 500, 511, 599].map((status) => ({ status })),
    )("hands on $status", async ({ status }) => {
      link.upstream.answer = reply(status, { "X-Own": "1" }, "body");
      const answer = await link.call("GET /p");
      expect(seen(answer)).toEqual(whole(status, "body"));
      expect(answer.header("x-own")).toBe("1");
      expect(answer.header("proxy-status")).toBeUndefined();
    });

    it.each([...BODILESS, ...DOUBTFUL])(
      "ends $status of $line with $head at its head",
      async ({ line, status, head }) => {
        link.upstream.answer = raw(`HTTP/1.1 ${status} Odd\r\nX-Own: 1\r\n${head}\r\n`);
        const connection = await link.write(line);
        const first = await connection.answer(line.split(" ")[0]);
        expect(seen(first)).toEqual(whole(status, ""));
        expect(first.header("x-own")).toBe("1");
        expect(first.header("content-length") ?? "0").toBe("0");
        link.upstream.answer = reply(200, {}, "next");
        connection.write(link.bytes("GET /p"));
        expect(seen(await connection.answer())).toEqual(whole(200, "next"));
        connection.destroy();
      },
    );

    it("ends a 205", async () => {
      link.upstream.answer = raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n");
      expect(seen(await link.call("GET /p"))).toEqual(whole(205, ""));
    });

    it("leaves out what should not be in a 205", async () => {
      link.upstream.answer = raw("HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nhi");
      const answer = await link.call("GET /p");
      expect(seen(answer)).toEqual(whole(205, ""));
      expect(answer.header("content-length") ?? "0").toBe("0");
    });

    it("has no way for 099", async () => {
      link.upstream.answer = raw("HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nok");
      const answer = await link.call("GET /p");
      expectError(answer, { status: 502, names: expectedOf(LOW_STATUSES, pool.runtime, "099", "099") });
    });

    it.each(alike("status")`600 999`)("has no way for $status", async ({ status }) => {
      link.upstream.answer = raw(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\nok`);
      expectError(await link.call("GET /p"), { status: 502, error: "http_protocol_error", names: status });
    });

    it.each(alike("code")`099 000 1000 2xx -1`)("knows no $code", async ({ code }) => {
      link.upstream.answer = cut(`HTTP/1.1 ${code} Odd\r\nContent-Length: 2\r\n\r\nok`);
      expect(outcomeOf(await link.call("GET /p"))).toBe(502);
    });

    it("refuses a 101 that nobody asked for", async () => {
      link.upstream.answer = raw("HTTP/1.1 101 Switching\r\nUpgrade: odd\r\nConnection: upgrade\r\n\r\nodd");
      expectError(await link.call("GET /p"), { status: 502, error: "http_protocol_error", names: "101" });
    });

    it.each(INTERIM)("takes no interim answer for the answer: $name", async ({ bytes }) => {
      link.upstream.answer = raw(`${bytes}HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok`);
      const answer = await link.call("GET /p");
      expect(seen(answer)).toEqual(whole(201, "ok"));
      expect(answer.header("x-interim")).toBeUndefined();
    });

    it("hands on no control byte in the reason", async () => {
      link.upstream.answer = raw("HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\nok");
      const answer = await link.call("GET /p");
      expect([200, 502]).toContain(answer.status);
      expect(answer.reason).not.toContain("\x01");
    });

    it.each([
      { line: "200 Strangely Fine", status: 200, reason: "Strangely Fine" },
      { line: "200 Caf\u00e9", status: 200, reason: "Caf\u00e9" },
      { line: "200 ", status: 200, reason: "" },
      { line: "200", status: 200, reason: "" },
      { line: "499 ", status: 499, reason: "" },
      { line: "499 Odd", status: 499, reason: "Odd" },
    ])("hands on the reason of '$line' if it can", async ({ line, status, reason }) => {
      link.upstream.answer = raw(`HTTP/1.1 ${line}\r\nContent-Length: 2\r\n\r\nok`);
      const arrives = expectedOf(REASONS, pool.runtime, line, reason);
      const argument = argOf({ url: `${link.upstream.origin}/p` });
      const answers = [await link.call("GET /p"), await link.call(`HEAD /__proxy__/fetch?arg=${argument}`)];
      expect(answers.map(seen)).toEqual([whole(status, "ok"), whole(status, "")]);
      expect(answers.map((answer) => answer.reason)).toEqual([arrives, arrives]);
    });

    it("has the standard reason for the proxy's own answers", async () => {
      const answers = [await link.call("GET /__proxy__/health"), await link.call("GET /__proxy__/none")];
      expect(answers.map((answer) => answer.reason)).toEqual(["OK", "Not Found"]);
    });
  });

  describe("statuses and fields", () => {
    const link = useLink(pool);

    it("keep several cookies apart", async () => {
      const cookies = ["a=1; Path=/", "b=2, 3; HttpOnly", "a=4; Path=/x", "d=; Max-Age=0"];
      link.upstream.answer = reply(200, cookies.map((cookie) => ["Set-Cookie", cookie]), "ok");
      expect((await link.call("GET /p")).headersNamed("set-cookie")).toEqual(cookies);
    });

    it("keep every line of a field, in order", async () => {
      link.upstream.answer = reply(200, [["X-Own", "b"], ["Link", "<a>"], ["X-Own", "a"], ["Link", "<b>"]]);
      const answer = await link.call("GET /p", { fields: [["X-Own", "2"], ["X-Own", "1"]] });
      expect(answer.header("x-own")).toBe("b, a");
      expect(answer.header("link")).toBe("<a>, <b>");
      expect(link.upstream.request.header("x-own")).toBe("2, 1");
    });

    it("keep their bytes, both ways", async () => {
      const value = "caf\u00e9 \u00c3\u00a9 \u0080\u00ff \t x";
      link.upstream.answer = reply(200, { "X-Own": value }, "ok");
      const answer = await link.call("GET /p", { fields: { "X-Own": value } });
      const arrives = expectedOf(FIELD_VALUES, pool.runtime, value, value);
      expect(answer.header("x-own")).toBe(arrives);
      expect(link.upstream.request.header("x-own")).toBe(arrives);
    });

    it("may be empty, both ways", async () => {
      link.upstream.answer = reply(200, { "X-Own": "" }, "ok");
      expect((await link.call("GET /p", { fields: { "X-Own": "" } })).headersNamed("x-own")).toEqual([""]);
      expect(link.upstream.request.headersNamed("x-own")).toEqual([""]);
    });

    it.each(HEAD_SIZES)("are as many and long as may be: $name", async ({ name, fields, status }) => {
      link.upstream.answer = reply(200, fields, "ok");
      const answer = await link.call("GET /p");
      const expected = expectedOf(HEADS, pool.runtime, name, status);
      const arrived = fields.filter(([field, value]) => answer.header(field) === value);
      expect([answer.status, arrived.length]).toEqual([expected, expected === 200 ? fields.length : 0]);
    });

    it("too long for anyone are a fault of the target", async () => {
      link.upstream.answer = reply(200, { "X-Own": "x".repeat(2_000_000) }, "ok");
      expectError(await link.call("GET /p"), { status: 502 });
    });

    it.each(TYPES)("hold no content type but the target's: $type of '$body'", async ({ body, type }) => {
      link.upstream.answer = reply(200, { "Content-Type": type }, body);
      const answer = await link.call("GET /p");
      expect(answer.header("content-type")).toBe(type);
      expect(answer.text).toBe(body);
    });

    it.each([{ body: "ok" }, { body: "x".repeat(20_000) }, { body: "" }])(
      "hold an empty content type once: $body.length bytes",
      async ({ body }) => {
        link.upstream.answer = reply(200, { "Content-Type": "" }, body);
        const answer = await link.call("GET /p");
        const arrives = expectedOf(FIELD_VALUES, pool.runtime, "known: ", "");
        expect(answer.headersNamed("content-type")).toEqual(arrives === undefined ? [] : [arrives]);
        expect(answer.header("content-length")).toBe(String(body.length));
      },
    );

    it.each([
      { line: "GET /p", body: undefined, said: [] },
      { line: "POST /p", body: "hello", said: ["content-length"] },
    ])("hold nothing that the caller did not say, $line", async ({ line, body, said }) => {
      await link.call(line, { body });
      const names = link.upstream.request.headers.map(([name]) => name.toLowerCase());
      expect(names.filter((name) => !["host", "connection", "cdn-loop", ...said].includes(name))).toEqual([]);
    });
  });
}
