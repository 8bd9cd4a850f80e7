import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { leastOf } from "../support/cost.ts";
import type { Handler, Link, Pool } from "../support/topic.ts";
import { chunked, declareWith, expectedOf, LATE_BYTES, outcomeOf, raw, reply } from "../support/topic.ts";
import { rowsOf } from "../support/topic.ts";
import { alike, request, rowsWith, seen, useLink, whole } from "../support/topic.ts";

const STALE_REQUESTS = [
  ...alike("line", { body: "once" })`POST /p | PATCH /p | PUT /p`,
  ...alike("line", { body: "" })`POST /p | DELETE /p`,
];
/** They may go out twice (RFC 9110 §9.2.2). */
const SAFE_REQUESTS = [{ line: "GET /p" }, { line: "HEAD /p" }, { line: "OPTIONS /p" }];

/** 4 MB in 64 pieces: more than the kernel keeps for a reader that stops. */
const PIECES: readonly Buffer[] = Array.from({ length: 64 }, (_, index) => Buffer.alloc(65_536, index));
const UPLOADED = Buffer.concat(PIECES);
const FRAMINGS = rowsOf(["framing", "fields", "frame", "end"], [
  ["a length", { "Content-Length": String(UPLOADED.length) }, (piece: Buffer) => [piece], ""],
  [
    "chunks",
    { "Transfer-Encoding": "chunked" },
    (piece: Buffer) => [`${piece.length.toString(16)}\r\n`, piece, "\r\n"],
    "0\r\n\r\n",
  ],
]);

const TYPED = { "Content-Type": "text/plain" };
const KEPT_AFTER_MS = 50;
/** Sooner than the proxy could take the caller for one that waits. */
const REFUSED_WITHIN_MS = 1_500;

export function describeUploads(pool: Pool): void {
  describe("once", () => {
    describe("over a connection that the target closes", () => {
      const link = useLink(pool);

      it.each(STALE_REQUESTS)("just then, goes $line with '$body'", async ({ line, body }) => {
        link.early = closeAtSecond();
        await keepOne(link);
        const answer = await link.call(line, { body });
        const sent = link.upstream.targets.filter((target) => target === "/p").length;
        expect({ outcome: outcomeOf(answer), sent }).toEqual({ outcome: 502, sent: 1 });
      });

      // One more try, over a fresh connection.
      declareWith(pool.runtime, "connections of its own", () => {
        it.each(SAFE_REQUESTS)("just then, goes $line without a body once more", async ({ line }) => {
          link.early = closeAtSecond();
          await keepOne(link);
          expect((await link.call(line)).status).toBe(200);
          expect(link.upstream.targets).toEqual(["/first", "/p", "/p"]);
        });

        it("each time, never goes GET /p a third time", async () => {
          link.early = ({ target }, socket) => void (target === "/p" && socket.destroy());
          await keepOne(link);
          expect((await link.call("GET /p")).status).toBe(502);
          expect(link.upstream.targets).toEqual(["/first", "/p", "/p"]);
        });

        it("within its answer, goes GET /p", async () => {
          await keepOne(link);
          link.upstream.answer = (_, socket) => void socket.end("HTTP");
          expect((await link.call("GET /p")).status).toBe(502);
          expect(link.upstream.targets).toEqual(["/first", "/p"]);
        });

        it("again and again, no longer meets a POST: none is kept", async () => {
          link.early = closeAtSecond();
          for (const path of ["/1", "/2", "/3"]) {
            expect((await link.call(`GET ${path}`)).status).toBe(200);
            await sleep(KEPT_AFTER_MS);
          }
          for (const body of ["a", "b"]) expect((await link.call("POST /p", { body })).status).toBe(200);
          const used = link.upstream.requests.map(({ connection }) => connection);
          expect(used.slice(-2)[0]).not.toBe(used.at(-1));
        });
      });

      it("before, is not noticed", async () => {
        link.upstream.answer = (request, socket) => {
          void reply(200, {}, "ok")(request, socket);
          socket.end();
        };
        const { received } = await link.begin("GET /first");
        await link.end(received);
        expect(seen(await link.call("POST /p", { body: "once" }))).toEqual(whole(200, "ok"));
        expect(link.upstream.targets).toEqual(["/first", "/p"]);
      });
    });

    describe("over a connection that the target keeps", () => {
      const link = useLink(pool);

      it.each([
        { name: "a short body", line: "GET /p", answer: reply(200, TYPED, "ok") },
        { name: "a long body", line: "GET /p", answer: reply(200, TYPED, "x".repeat(500_000)) },
        { name: "chunks", line: "GET /p", answer: chunked(200, TYPED, ["o", "k"]) },
        { name: "no body", line: "GET /p", answer: reply(200, TYPED) },
        { name: "204", line: "GET /p", answer: raw("HTTP/1.1 204 No Content\r\n\r\n") },
        { name: "304", line: "GET /p", answer: raw("HTTP/1.1 304 Not Modified\r\n\r\n") },
        { name: "HEAD", line: "HEAD /p", answer: reply(200, TYPED, "ok") },
      ])("goes the next one after $name", async ({ line, answer }) => {
        link.upstream.answer = answer;
        await link.call(line);
        await sleep(KEPT_AFTER_MS);
        await link.call(line);
        await sleep(KEPT_AFTER_MS);
        await link.call(line);
        expect(link.upstream.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
      });
    });

    describe("behind an answer that speaks of a body which it can't have", () => {
      const link = useLink(pool);

      it.each(rowsOf(["name", "head", "body"], [
        ["chunks", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n"],
        ["a length", "Content-Length: 38\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"],
      ]))("goes the next one, and gets its own: 204 with $name", async ({ head, body }) => {
        link.upstream.answer = async (_request, socket) => {
          socket.write(`HTTP/1.1 204 No Content\r\n${head}\r\n`);
          await sleep(3);
          socket.write(body);
        };
        expect((await link.call("GET /first")).status).toBe(204);
        link.upstream.answer = reply(200, TYPED, "own");
        await sleep(expectedOf(LATE_BYTES, pool.runtime, "pause", 0));
        expect(seen(await link.call("GET /p"))).toEqual(whole(200, "own"));
      });
    });

    describe("goes an upload that is answered before it is over", () => {
      const link = useLink(pool);
      const answered = (start: string): Handler => (_request, socket) =>
        void socket.once("data", () => socket.write(start));
      const paces = FRAMINGS.flatMap((framed) => [{ ...framed, pauseMs: 0 }, { ...framed, pauseMs: 20 }]);

      it.each(paces)(
        "to its end, $framing, with $pauseMs ms between its pieces",
        async ({ fields, frame, end, pauseMs }) => {
          link.early = answered("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbegun\r\n");
          link.upstream.answer = (_request, socket) => void socket.write("6\r\n, over\r\n0\r\n\r\n");
          const { connection, received } = await link.begin("POST /p", { fields });
          for (const piece of PIECES) {
            frame(piece).forEach((part) => connection.write(part));
            await sleep(pauseMs);
          }
          connection.write(end);
          expect(seen(await connection.answer())).toEqual(whole(200, "begun, over"));
          expect(received.body.equals(UPLOADED)).toBe(true);
          connection.destroy();
        },
      );

      it("as far as its caller likes behind a refusal, which does not wait", async () => {
        link.early = answered("HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge");
        const timeRefusal = async () => {
          const { connection } = await link.begin("POST /p", { fields: { "Content-Length": "80000000" } });
          const start = performance.now();
          const writing = setInterval(() => connection.write(PIECES[0]!), 20);
          const answer = await connection.answer("POST");
          clearInterval(writing);
          connection.destroy();
          expect(seen(answer)).toEqual(whole(413, "large"));
          return performance.now() - start;
        };
        expect(await leastOf(3, timeRefusal)).toBeLessThan(REFUSED_WITHIN_MS);
      });
    });

    describe("from a caller", () => {
      const link = useLink(pool);

      it.each([{ body: "hello" }, { body: "x".repeat(100_000) }])(
        "of HTTP/1.0, with an end",
        async ({ body }) => {
          link.upstream.answer = reply(200, { "Content-Type": "text/plain" }, body);
          const bytes = link.bytes("GET /p").toString("latin1").replace("HTTP/1.1", "HTTP/1.0");
          const connection = await link.open();
          connection.write(bytes);
          const answer = await connection.answer();
          expect(answer.status).toBe(200);
          expect(answer.body.toString()).toBe(body);
          expect(answer.header("transfer-encoding")).toBeUndefined();
          connection.destroy();
        },
      );

      it("that uses a connection again and again", async () => {
        const connection = await link.open();
        connection.write(link.bytes("POST /1", { fields: { "Content-Length": "2" }, body: "ab" }));
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        connection.write(link.bytes("HEAD /2"));
        expect((await connection.answer("HEAD")).status).toBe(200);
        connection.write(link.bytes("GET /3"));
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        expect(link.upstream.targets).toEqual(["/1", "/2", "/3"]);
        connection.destroy();
      });

      it("that sends the next request before the answer", async () => {
        const connection = await link.open();
        connection.write(Buffer.concat([link.bytes("GET /1"), link.bytes("GET /2")]));
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        connection.destroy();
      });

      it("that asks the proxy itself twice at once", async () => {
        const connection = await link.open();
        const page = request("GET", "/__proxy__/health", { Host: "localhost" });
        connection.write(Buffer.concat([page, page]));
        expect([(await connection.answer()).status, (await connection.answer()).status]).toEqual([200, 200]);
        connection.destroy();
      });

      it.each(BODIES)("that expects 100 before $name", async ({ fields, body }) => {
        const connection = await link.write("POST /p", { fields: { ...fields, Expect: "100-continue" } });
        await connection.until("HTTP/1.1 100 Continue\r\n\r\n");
        connection.write(body);
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        expect(link.upstream.request.body.toString()).toBe("hello");
        connection.destroy();
      });

      // The second request goes to the proxy itself, which reads no body.
      it.each([WITH_LENGTH, ...rowsWith(pool.runtime, "a server of its own", [IN_CHUNKS])])(
        "that expects 100, and sends $name all the same",
        async ({ fields, body }) => {
          const expecting = { ...fields, Expect: "100-continue" };
          const connection = await link.open();
          connection.write(Buffer.concat([
            link.bytes("POST /p", { fields: expecting, body }),
            request("POST", "/__proxy__/health", { Host: "localhost", ...expecting }, body),
            request("GET", "/__proxy__/health", { Host: "localhost" }),
          ]));
          const answers = [await connection.answer(), await connection.answer(), await connection.answer()];
          expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
          expect(answers.map((answer) => answer.header("connection") ?? "kept"))
            .toEqual(["kept", "kept", "kept"]);
          expect(link.upstream.request.body.toString()).toBe("hello");
          connection.destroy();
        },
      );

      it.each(BODIES)("that offers another protocol beside $name", async ({ fields, body }) => {
        const offer = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" };
        const connection = await link.write("POST /p", { fields: { ...fields, ...offer } });
        await sleep(KEPT_AFTER_MS);
        connection.write(body);
        expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
        expect(link.upstream.requests.map((request) => request.body.toString())).toEqual(["hello"]);
        connection.destroy();
      });

      it("that expects something else", async () => {
        const answer = await link.call("POST /p", { fields: { Expect: "miracles" }, body: "hello" });
        expect(seen(answer)).toEqual(whole(200, "ok"));
        expect(link.upstream.request.body.toString()).toBe("hello");
      });
    });
  });
}

/** Every connection answers one request, and closes when a second one comes. */
function closeAtSecond(): Handler {
  const answered = new Set<number>();
  return ({ connection }, socket) => {
    const isStale = answered.has(connection);
    answered.add(connection);
    void (isStale && socket.destroy());
  };
}

async function keepOne(link: Link): Promise<void> {
  await link.call("GET /first");
  // Nobody tells when a connection is kept for later.
  await sleep(KEPT_AFTER_MS);
}

const WITH_LENGTH = { name: "a length", fields: { "Content-Length": "5" }, body: "hello" };
const IN_CHUNKS = {
  name: "chunks",
  fields: { "Transfer-Encoding": "chunked" },
  body: "5\r\nhello\r\n0\r\n\r\n",
};
const BODIES = [WITH_LENGTH, IN_CHUNKS];
