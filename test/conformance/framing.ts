/**
 * How messages are delimited: lengths stay lengths, chunks stay chunks, and what has no body gets none.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Doubtful, Header, Pool } from "../support/topic.ts";
import { ANSWER_FRAMINGS, expectedOf, outcomeOf, raw, REFUSED_LINES, reply } from "../support/topic.ts";
import { rowsOf } from "../support/topic.ts";
import { REQUEST_FRAMINGS } from "../support/topic.ts";
import { alike, SAID_LENGTHS, seen, UNSENT_BODIES, useLink, waitFor, whole } from "../support/topic.ts";

const UPLOADS = alike("method")`
  POST PUT PATCH DELETE OPTIONS PROPFIND QUERY`;

const BODILESS = [{}, { "Content-Length": "0" }].flatMap((fields) =>
  UPLOADS.map((row) => ({ ...row, fields }))
);

const CHUNKED = { "Transfer-Encoding": "chunked" };

const REFUSED: Doubtful = { outcome: 400, arrived: [] };

const length = (value: string): Header => ["Content-Length", value];
const coding = (value: string): Header => ["Transfer-Encoding", value];
const CHUNK = "2\r\nab\r\n0\r\n\r\n";
const SUMMED = "2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n";
const taken = (arrived: string): Doubtful => ({ outcome: 200, arrived: [arrived] });
/** A chunk whose line is so. */
const lined = (line: string, expected: Doubtful) => ({
  name: `the line ${line} of a chunk`,
  fields: [coding("chunked")],
  body: CHUNK.replace("2", line),
  expected,
});

/** Requests that nobody should send: forwarded with one framing, or refused. */
const DOUBTFUL: { name: string; fields: Header[]; body: string; expected: Doubtful }[] = [
  { name: "two lengths", fields: [length("2"), length("3")], body: "ab", expected: REFUSED },
  { name: "two equal lengths", fields: [length("2"), length("2")], body: "ab", expected: REFUSED },
  { name: "length and chunks", fields: [length("7"), coding("chunked")], body: CHUNK, expected: REFUSED },
  { name: "a length that is none", fields: [length("2x")], body: "ab", expected: REFUSED },
  { name: "a negative length", fields: [length("-2")], body: "ab", expected: REFUSED },
  { name: "a length of nothing in two digits", fields: [length("00")], body: "", expected: taken("0: ") },
  { name: "a length with a leading zero", fields: [length("02")], body: "ab", expected: taken("2: ab") },
  { name: "a bad chunk", fields: [coding("chunked")], body: "zz\r\nab\r\n0\r\n\r\n", expected: REFUSED },
  { name: "trailers", fields: [coding("chunked")], body: SUMMED, expected: taken("chunked: ab") },
  { name: "another coding and chunks", fields: [coding("gzip, chunked")], body: CHUNK, expected: REFUSED },
  { name: "an unknown coding", fields: [coding("rot13")], body: "ab", expected: REFUSED },
  ...['2;a="b"', '2;a="\\";\t";b=c;d'].map((line) => lined(line, taken("chunked: ab"))),
  ...REFUSED_LINES.map((line) => lined(line, REFUSED)),
];

const LINE = "HTTP/1.1 200 OK\r\n";

/** Answers with doubtful framing: what the caller sees of them. */
const CHUNKS = `Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`;
const OK = "Content-Length: 2\r\n\r\nok";
const SUM = "Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n";
const ANSWERS = [
  { name: "two equal lengths", bytes: `${LINE}Content-Length: 2\r\n${OK}`, outcome: 502 },
  { name: "two lengths", bytes: `${LINE}Content-Length: 2\r\nContent-Length: 3\r\n\r\nokk`, outcome: 502 },
  { name: "length and chunks", bytes: `${LINE}Content-Length: 7\r\n${CHUNKS}`, outcome: 502 },
  { name: "length and chunks that are longer", bytes: `${LINE}Content-Length: 1\r\n${CHUNKS}`, outcome: 502 },
  { name: "a length that is none", bytes: `${LINE}Content-Length: 2x\r\n\r\nok`, outcome: 502 },
  ...["gzip", "gzip, chunked", "rot13"].map((value) => ({
    name: `the coding ${value}`,
    bytes: `${LINE}${CHUNKS.replace("chunked", value)}`,
    outcome: 502,
  })),
  { name: "line feeds only", bytes: "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", outcome: 200 },
  { name: "a folded field", bytes: `${LINE}X-Fold: a\r\n b\r\n${OK}`, outcome: 502 },
  { name: "a space before the colon", bytes: `${LINE}X-Odd : a\r\n${OK}`, outcome: 502 },
  { name: "a NUL in a field", bytes: `${LINE}X-Odd: a\0b\r\n${OK}`, outcome: 502 },
  { name: "a control byte in a field", bytes: `${LINE}X-Odd: a\x01b\r\n${OK}`, outcome: 502 },
  { name: "a DEL in a field", bytes: `${LINE}X-Odd: a\x7fb\r\n${OK}`, outcome: 502 },
  { name: "HTTP/1.0", bytes: `HTTP/1.0 200 OK\r\n${OK}`, outcome: 200 },
  { name: "an extension of a chunk", bytes: LINE + CHUNKS.replace("2\r", '2;a="b;c"\r'), outcome: 200 },
  { name: "trailers", bytes: LINE + SUM, outcome: 200 },
];

const TYPED = { "Content-Type": "text/plain" };

const SIZES = [
  ...[0, 1, 100, 65_536, 262_144].map((size) => ({ size, fields: {} })),
  ...[16_385, 65_536, 262_144, 262_145, 3_000_000].map((size) => ({ size, fields: TYPED })),
];

export function describeFraming(pool: Pool): void {
  describe("framing", () => {
    describe("of requests", () => {
      const link = useLink(pool);

      it.each(UPLOADS)("keeps the length of a $method", async ({ method }) => {
        expect(seen(await link.call(`${method} /p`, { body: "hello" }))).toEqual(whole(200, "ok"));
        const { request } = link.upstream;
        expect(request.headersNamed("content-length")).toEqual(["5"]);
        expect(request.headersNamed("transfer-encoding")).toEqual([]);
        expect(request.body.toString()).toBe("hello");
      });

      it.each(UPLOADS)("keeps the chunks of a $method", async ({ method }) => {
        const fields = { ...CHUNKED, TE: "gzip" };
        const body = '3;a="b"\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n';
        const connection = await link.write(`${method} /p`, { fields, body });
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        const { request } = link.upstream;
        expect(request.headersNamed("transfer-encoding")).toEqual(["chunked"]);
        expect(request.head).not.toMatch(/^(?:content-length|te):/im);
        expect(request.body.toString()).toBe("hello");
        connection.destroy();
      });

      it("keeps empty chunks empty", async () => {
        const connection = await link.write("POST /p", { fields: CHUNKED, body: "0\r\n\r\n" });
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        expect(link.upstream.request.body.toString()).toBe("");
        connection.destroy();
      });

      it.each(BODILESS)("gives a $method with $fields no body", async ({ method, fields }) => {
        expect(seen(await link.call(`${method} /p`, { fields }))).toEqual(whole(200, "ok"));
        const { request } = link.upstream;
        expect(request.headersNamed("transfer-encoding")).toEqual([]);
        expect(request.header("content-length") ?? "0").toBe("0");
      });

      it.each([{ method: "PURGE", said: [] }, { method: "PROPFIND", said: [] }, {
        method: "POST",
        said: ["0"],
      }])("says $said of no body of a $method", async ({ method, said }) => {
        await link.call(`${method} /p`);
        expect(link.upstream.request.headersNamed("content-length"))
          .toEqual(expectedOf(SAID_LENGTHS, pool.runtime, method, said));
      });

      it.each([{ method: "GET" }, { method: "HEAD" }])("gives a $method nothing", async ({ method }) => {
        await link.call(`${method} /p`);
        expect(link.upstream.request.head).not.toMatch(/^(?:content-(?:length|type)|transfer-encoding):/im);
      });

      it.each([
        { name: "a length", fields: { "Content-Length": "5" }, body: "hello" },
        { name: "chunks", fields: CHUNKED, body: "5\r\nhello\r\n0\r\n\r\n" },
      ])("never drops the body of a GET with $name", async ({ fields, body }) => {
        const connection = await link.write("GET /p", { fields, body });
        const answer = await connection.answer();
        const arrived = link.upstream.requests.map((request) => request.body.toString());
        const status = expectedOf(UNSENT_BODIES, pool.runtime, "GET", 200);
        expect([answer.status, arrived]).toEqual([status, status === 200 ? ["hello"] : []]);
        connection.destroy();
      });

      it.each(DOUBTFUL)("is not doubtful after $name", async ({ name, fields, body, expected }) => {
        const connection = await link.write("POST /p", { fields, body });
        const answer = await connection.answer();
        const arrived = link.upstream.requests.filter(({ state }) => state === "whole").map(describeRequest);
        connection.destroy();
        expect({ outcome: outcomeOf(answer), arrived })
          .toEqual(expectedOf(REQUEST_FRAMINGS, pool.runtime, name, expected));
      });

      it.each([
        { path: "/p", first: "1.0", second: "1.0" },
        { path: "/p", first: "1.0", second: "1.1" },
        { path: "/__proxy__/health", first: "1.0", second: "1.0" },
      ])(
        "has no chunks by HTTP/$first at $path, and nothing behind them by HTTP/$second",
        async ({ path, first, second }) => {
          const fields = `Host: 127.0.0.1:${link.proxy.port}\r\nproxy_host: ${link.upstream.origin}\r\n`;
          const connection = await link.open();
          connection.write([
            `POST ${path} HTTP/${first}\r\n${fields}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n`,
            "2\r\nab\r\n0\r\n\r\n",
            `GET /behind HTTP/${second}\r\n${fields}\r\n`,
          ].join(""));
          const { status } = await connection.answer();
          await waitFor(() => expect(connection.closed).toBe(true));
          const statuses = connection.raw.toString("latin1").match(/^HTTP\/1\.1 \d+/gm);
          expect({ status, answers: statuses?.length, arrived: link.upstream.targets })
            .toEqual({ status: 400, answers: 1, arrived: [] });
        },
      );
    });

    describe("of answers", () => {
      const link = useLink(pool);

      it.each(ANSWERS)("is not doubtful after $name", async ({ name, bytes, outcome }) => {
        link.upstream.answer = raw(bytes);
        const answer = await link.call("GET /p");
        expect(outcomeOf(answer)).toBe(expectedOf(ANSWER_FRAMINGS, pool.runtime, name, outcome));
        expect(answer.headersNamed("content-length").length).toBeLessThan(2);
        const framings = ["content-length", "transfer-encoding"].filter((name) =>
          answer.header(name) !== undefined
        );
        expect(framings.length).toBeLessThan(2);
        expect(answer.head).not.toMatch(/^(?:trailer|x-sum):/im);
      });

      it.each(rowsOf(["about", "bytes", "text"], [
        ["a length", `Content-Length: ${"2".padStart(40, "0")}\r\n\r\nok`],
        ["the length of nothing", `Content-Length: ${"0".repeat(16)}\r\n\r\n`, ""],
        ["the sizes of chunks", CHUNKS.replace(/[02](?=\r)/g, (size) => size.padStart(16, "0"))],
      ]))("takes zeros before $about", async ({ bytes, text = "ok" }) => {
        link.upstream.answer = raw(LINE + bytes);
        const answer = await link.call("GET /p");
        expect(seen(answer)).toEqual(whole(200, text));
        expect(answer.header("content-length") ?? String(text.length)).toBe(String(text.length));
      });

      it.each(alike("framing")`Transfer-Encoding: chunked | Connection: close`)(
        "says no length to HEAD where the target says none: $framing",
        async ({ framing }) => {
          link.upstream.answer = raw(`${LINE}${framing}\r\n\r\n`);
          const answer = await link.call("HEAD /p");
          expect(answer).toMatchObject({ status: 200, text: "" });
          expect(answer.headersNamed("content-length")).toEqual([]);
        },
      );

      it.each(SIZES)("keeps a length of $size", async ({ size, fields }) => {
        link.upstream.answer = reply(200, fields, Buffer.alloc(size, "x"));
        const answer = await link.call("GET /p");
        expect(answer).toMatchObject({ status: 200, ended: "end" });
        expect(answer.body).toHaveLength(size);
        expect(answer.headersNamed("content-length")).toEqual([String(size)]);
      });
    });

    // What comes again on a connection is known by its bytes, and must mean what it means alone.
    describe("of messages that come again", () => {
      const link = useLink(pool);

      it.each([{ size: 7 }, { size: 64 }, { size: 100_000 }])(
        "finds each body behind the same fields, in pieces of $size",
        async ({ size }) => {
          const fields = { "Content-Length": "5" };
          const bytes = Buffer.concat(
            REQUESTS.map((line, at) => link.bytes(line, { fields, body: `body${at}` })),
          );
          const connection = await link.open();
          for (let at = 0; at < bytes.length; at += size) {
            connection.write(bytes.subarray(at, at + size));
            await new Promise(setImmediate);
          }
          for (const _ of REQUESTS) expect((await connection.answer("POST")).status).toBe(200);
          connection.destroy();
          expect(link.upstream.requests.map(({ target, body }) => `${target} ${body}`))
            .toEqual(["/1 body0", "/2 body1", "/3 body2", "/4 body3", "/5 body4"]);
        },
      );

      it("refuses the one among them that is malformed, and nothing behind it is a request", async () => {
        const good = link.bytes("GET /good").toString("latin1");
        const connection = await link.open();
        for (let count = 0; count < 3; count += 1) {
          connection.write(good);
          expect((await connection.answer()).status).toBe(200);
        }
        connection.write(good.replace(" HTTP/1.1", " HTTP/1.1 ") + good);
        expect((await connection.answer()).status).toBe(400);
        await waitFor(() => expect(connection.closed).toBe(true));
        expect(link.upstream.targets).toEqual(["/good", "/good", "/good"]);
      });

      it("gives HEAD no body and GET its own, whichever came before", async () => {
        link.upstream.answer = ({ method }, socket) =>
          void socket.write(`${AGAIN}${method === "HEAD" ? "" : "hello"}`);
        const texts = [];
        const methods = ["GET", "GET", "GET", "HEAD", "GET", "HEAD", "HEAD", "GET"];
        for (const method of methods) texts.push((await link.call(`${method} /p`)).text);
        expect(texts).toEqual(["hello", "hello", "hello", "", "hello", "", "", "hello"]);
        expect(new Set(link.upstream.requests.map(({ connection }) => connection)).size).toBe(1);
      });

      it.each([
        { about: "one byte", more: "!" },
        { about: "another answer", more: `${AGAIN}wrong` },
      ])("uses no connection again with more behind an answer: $about", async ({ more }) => {
        let count = 0;
        link.upstream.answer = (_, socket) => {
          count += 1;
          socket.write(`${AGAIN}hello${count === 4 ? more : ""}`);
        };
        const texts = [];
        for (let calls = 0; calls < 6; calls += 1) texts.push((await link.call("GET /p")).text);
        expect(texts).toEqual(Array(6).fill("hello"));
        const connections = link.upstream.requests.map(({ connection }) => connection);
        expect(connections.map((one) => one - connections[0]!)).toEqual([0, 0, 0, 0, 1, 1]);
      });

      it("reads the same in pieces", async () => {
        let count = 0;
        const bytes = `${AGAIN}hello`;
        link.upstream.answer = async (_, socket) => {
          const cut = count * 9;
          count += 1;
          socket.write(bytes.slice(0, cut));
          await new Promise((resolve) => setTimeout(resolve, 5));
          socket.write(bytes.slice(cut));
        };
        const answers = [];
        for (let calls = 0; calls * 9 <= bytes.length; calls += 1) {
          const { status, text } = await link.call("GET /p");
          answers.push(`${status} ${text}`);
        }
        expect(answers).toEqual(answers.map(() => "200 hello"));
      });
    });
  });
}

function describeRequest(request: { body: Buffer; headersNamed(name: string): string[] }): string {
  const framing = [...request.headersNamed("content-length"), ...request.headersNamed("transfer-encoding")];
  return `${framing.join(" and ")}: ${request.body}`;
}

const AGAIN = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Own: 1\r\n\r\n";
const REQUESTS = ["POST /1", "POST /2", "PUT /3", "POST /4", "POST /5"];
