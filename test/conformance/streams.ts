/**
 * Streaming: every byte goes on at once, both ways, whole, and never faster than it is taken.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { outcomeOf, type Pool, seen, useLink, waitFor, whole } from "../support/topic.ts";

const EVENTS = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n";

const asIs = (text: string) => text;
const inChunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const TYPED = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 15\r\n\r\n";
const UNTYPED = "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n";
const IN_CHUNKS = "Transfer-Encoding: chunked\r\n\r\n";
const SLOW = [
  { name: "an event stream", head: `${EVENTS}\r\n`, frame: asIs, end: "" },
  { name: "an event stream in chunks", head: EVENTS + IN_CHUNKS, frame: inChunk, end: "0\r\n\r\n" },
  { name: "a body with a length", head: TYPED, frame: asIs, end: "" },
  { name: "a body with a length and no type", head: UNTYPED, frame: asIs, end: "" },
];

/** 44 sizes of 10 kB to 1 MB. */
const SIZES = Array.from({ length: 44 }, (_, index) => Math.round(10_000 * 100 ** (index / 43)));

function bodyOf(size: number): Buffer {
  return Buffer.alloc(size, `${size} `);
}

/** Chunks of 1 to 7 bytes, their sizes written in every way that is allowed. */
const SMALL = Array.from({ length: 5_000 }, (_, at) => "abcdefg".slice(0, 1 + at % 7));
const SMALL_CHUNKS = SMALL.map((text, at) =>
  `${"0".repeat(at % 9)}${text.length}${at % 5 === 0 ? ";x=1" : ""}\r\n${text}\r\n`
).join("");
/** What no piece on the wire ends with by itself. */
const PIECE_BYTES = 997;

/** How a target ends its connection when the body is out. */
const ENDINGS = [
  { name: "says close and closes", head: "Connection: close\r\n", sayLength: true },
  { name: "says keep-alive and closes", head: "Connection: keep-alive\r\n", sayLength: true },
  { name: "ends the body by closing", head: "", sayLength: false },
];

const UPLOAD = { fields: { "Transfer-Encoding": "chunked" }, body: "3\r\none\r\n" };
const READER_WAITS_MS = 200;

export function describeStreams(pool: Pool): void {
  describe("streams", () => {
    describe("of 5,000 small chunks, cut anywhere", () => {
      const link = useLink(pool);
      const answerWith = (chunks: string) => {
        link.upstream.answer = async (_request, socket) => {
          socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
          for (let at = 0; at < chunks.length; at += PIECE_BYTES) {
            socket.write(chunks.slice(at, at + PIECE_BYTES));
            await sleep(0);
          }
        };
      };

      it("arrive whole", async () => {
        answerWith(`${SMALL_CHUNKS}0\r\n\r\n`);
        const answer = await link.call("GET /p");
        expect(outcomeOf(answer)).toBe(200);
        expect(answer.text === SMALL.join("")).toBe(true);
      });

      it("are cut where one of them is malformed", async () => {
        answerWith(`${SMALL_CHUNKS}g\r\nforged\r\n0\r\n\r\n`);
        expect(outcomeOf(await link.call("GET /p"))).toBe("cut");
      });
    });

    // Heads and bodies leave together or apart, by their size. A connection that ends with them must lose neither.
    describe("of a body that is here with its head", () => {
      const link = useLink(pool);

      it.each([
        ...[4_095, 4_096, 4_097, 16_384, 65_536, 131_072, 300_000].map((size) => ({
          size,
          connection: "close",
        })),
        ...[4_096, 4_097, 131_072].map((size) => ({ size, connection: "keep-alive" })),
      ])("hand on all of $size bytes, where the connection is $connection", async ({ size, connection }) => {
        const body = bodyOf(size);
        const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
        link.upstream.answer = (_request, socket) => void socket.write(Buffer.concat([head, body]));
        const answer = await link.call("GET /p", { fields: { Connection: connection } });
        expect(outcomeOf(answer)).toBe(200);
        expect(answer.text === body.toString("latin1")).toBe(true);
      });

      it("hand on what has arrived of a body before it is cut", async () => {
        const start = "a".repeat(20_000);
        const { connection, socket } = await link.hold("GET /p");
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n${start}`);
        await connection.until(start);
        socket.resetAndDestroy();
        const answer = await connection.answer();
        connection.destroy();
        expect(outcomeOf(answer)).toBe("cut");
        expect(answer.text === start).toBe(true);
      });
    });

    describe("of answers", () => {
      const link = useLink(pool);

      it.each(SLOW)("hand on $name as it comes", async ({ head, frame, end }) => {
        const { connection, socket } = await link.hold("GET /p");
        socket.write(head + frame("data: 1\n"));
        await connection.until("data: 1\n");
        socket.write(frame("data:"));
        await connection.until("data:");
        socket.write(frame(" 2"));
        await connection.until(" 2");
        socket.end(end);
        connection.destroy();
      });

      it("hand on a body that trickles before it is whole", async () => {
        const { connection, socket } = await link.hold("GET /p");
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99999\r\n\r\n");
        const bytes = ["!", "~"];
        const trickle = setInterval(() => socket.write(bytes.shift() ?? "."), 50);
        // The second one: chunks may come apart. All of it would take an hour.
        await connection.until("~");
        clearInterval(trickle);
        connection.destroy();
      });

      it("hand on the end at once", async () => {
        const { connection, socket } = await link.hold("GET /p");
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n");
        await connection.until("ok");
        socket.write("0\r\n\r\n");
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        connection.destroy();
      });
    });

    describe("of uploads", () => {
      const link = useLink(pool);

      it("hand on chunks as they come", async () => {
        const { connection, received } = await link.begin("POST /p", UPLOAD);
        await waitFor(() => expect(received.body.toString()).toBe("one"));
        connection.write("3\r\ntwo\r\n");
        await waitFor(() => expect(received.body.toString()).toBe("onetwo"));
        connection.write("0\r\n\r\n");
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        expect(received.state).toBe("whole");
        connection.destroy();
      });

      it("hand on a body with a length as it comes", async () => {
        const fields = { "Content-Length": "6" };
        const { connection, received } = await link.begin("POST /p", { fields, body: "o" });
        await waitFor(() => expect(received.body.toString()).toBe("o"));
        connection.write("ne");
        await waitFor(() => expect(received.body.toString()).toBe("one"));
        connection.write("two");
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        connection.destroy();
      });

      it("hand on the head before the body", async () => {
        const { connection, received } = await link.begin("POST /p", { fields: { "Content-Length": "2" } });
        expect(received.header("content-length")).toBe("2");
        connection.write("ok");
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        connection.destroy();
      });
    });

    describe("with early answers", () => {
      const link = useLink(pool);

      it.each([{ fields: { "Content-Length": "2000000" } }, { fields: { "Transfer-Encoding": "chunked" } }])(
        "hand on a 413 while the upload runs, $fields",
        async ({ fields }) => {
          const large = "HTTP/1.1 413 Too Large\r\nContent-Type: a/b\r\nContent-Length: 5\r\n\r\nlarge";
          link.early = (_request, socket) => void socket.write(large);
          const { connection } = await link.begin("POST /p", { fields, body: "4000\r\n" });
          connection.write(Buffer.alloc(16_384, "x"));
          expect(seen(await connection.answer())).toEqual(whole(413, "large"));
          connection.destroy();
        },
      );

      it("hand on a 413 of a target that closes, to a caller that goes on writing", async () => {
        link.early = (_request, socket) => {
          socket.write("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 5\r\n\r\nlarge");
          socket.end();
        };
        const { connection } = await link.begin("POST /p", { fields: { "Content-Length": "8000000" } });
        const writing = setInterval(() => connection.write(Buffer.alloc(65_536, "x")), 5);
        const answer = await connection.answer();
        clearInterval(writing);
        expect(seen(answer)).toEqual(whole(413, "large"));
        connection.destroy();
      });

      it("go on with the upload behind an answer that has begun", async () => {
        const { connection, received, socket } = await link.hold("POST /p", UPLOAD);
        await waitFor(() => expect(received.body.toString()).toBe("one"));
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nONE\r\n");
        await connection.until("ONE");
        connection.write("3\r\ntwo\r\n0\r\n\r\n");
        await waitFor(() => expect(received.body.toString()).toBe("onetwo"));
        socket.write("3\r\nTWO\r\n0\r\n\r\n");
        expect(seen(await connection.answer())).toEqual(whole(200, "ONETWO"));
        connection.destroy();
      });
    });

    describe("with early answers that take longer than TIMEOUT_MS", () => {
      const link = useLink(pool, { TIMEOUT_MS: "400" });

      it("arrive whole, whenever the upload ended", async () => {
        const { connection, socket } = await link.hold("POST /p", UPLOAD);
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nONE\r\n");
        await connection.until("ONE");
        connection.write("3\r\ntwo\r\n0\r\n\r\n");
        await sleep(800);
        socket.write("3\r\nTWO\r\n0\r\n\r\n");
        expect(seen(await connection.answer())).toEqual(whole(200, "ONETWO"));
        connection.destroy();
      });
    });

    describe("to a caller that waits", () => {
      const link = useLink(pool);

      async function fetchPaused(size: number): Promise<string> {
        const connection = await link.write(`GET /${size}`);
        connection.pause();
        await sleep(READER_WAITS_MS);
        connection.resume();
        const answer = await connection.answer();
        connection.destroy();
        return `${answer.ended} ${answer.body.length} ${answer.body.equals(bodyOf(size))}`;
      }

      it.each(ENDINGS)("stay whole where the target $name", async ({ head, sayLength }) => {
        const waiting: (() => void)[] = [];
        link.upstream.answer = ({ target }, socket) => {
          const body = bodyOf(Number(target.slice(1)));
          waiting.push(() => {
            socket.write(`HTTP/1.1 200 OK\r\nContent-Type: odd/1\r\n${head}`);
            socket.write(sayLength ? `Content-Length: ${body.length}\r\n\r\n` : "\r\n");
            socket.end(body);
          });
          // All at once, so that no request meets a connection that is just closing.
          waiting.splice(0, waiting.length < SIZES.length ? 0 : SIZES.length).forEach((answer) => answer());
        };
        expect(await Promise.all(SIZES.map(fetchPaused))).toEqual(SIZES.map((size) => `end ${size} true`));
      });
    });
  });
}
