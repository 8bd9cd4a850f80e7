/**
 * Limits of time and size: who is too slow or too large is told so, or cut.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, type TestContext } from "vitest";
import { chunked, delayed, raw, reply, silence } from "../support/answers.ts";
import { expectError, outcomeOf } from "../support/expect.ts";
import { Link, seen, useLink, whole } from "../support/link.ts";
import type { Pool } from "../support/pool.ts";

const LIMIT_MS = 400;
/** Where something must happen in time, a busy machine gets more of it than it may pause for. */
const PATIENT_MS = 4_000, PATIENT_IDLE_MS = 6_000;
const PATIENT = { TIMEOUT_MS: String(PATIENT_MS), IDLE_TIMEOUT_MS: String(PATIENT_IDLE_MS) };
const CHUNKED = { "Transfer-Encoding": "chunked" };
const TYPED = { "Content-Type": "text/plain" };
const MAX_BYTES = 10_000;
const SIZED = { MAX_REQUEST_BYTES: String(MAX_BYTES), MAX_RESPONSE_BYTES: String(MAX_BYTES) };

/** Declares the tests. */
export function describeDeadlines(pool: Pool): void {
  describe("limits", () => {
    describeTimeout(pool);
    describeIdle(pool);
    describeRequestSize(pool);
    describeResponseSize(pool);
  });
}

function describeTimeout(pool: Pool): void {
  describe("TIMEOUT_MS", () => {
    const link = useLink(pool, { TIMEOUT_MS: String(LIMIT_MS) });
    describeInTime(pool);

    it.each([{ line: "GET /p" }, { line: "HEAD /p" }, { line: "POST /p" }])(
      "is a 504 without an answer to $line, and lets the target go",
      async ({ line }) => {
        link.upstream.answer = silence;
        const { connection, received } = await link.begin(line);
        const answer = await connection.answer(line.split(" ")[0]);
        expect(answer.status).toBe(504);
        expect(answer.header("proxy-status")).toContain("fetchvia; error=http_response_timeout; details=");
        await link.end(received);
        connection.destroy();
      },
    );

    it.each([{ line: "GET /p" }, { line: "POST /p" }])(
      "lets a target go that answered before on the same connection: $line",
      async ({ line }) => {
        link.upstream.answer = reply(200, TYPED, "ok");
        await link.call("GET /p");
        await sleep(50);
        link.upstream.answer = silence;
        const before = link.upstream.requests.length;
        expectError(await link.call(line), { status: 504, error: "http_response_timeout" });
        const sent = link.upstream.requests.slice(before);
        await Promise.all(sent.map(({ gone }) => gone));
        expect(sent.filter(({ connection }) => connection === sent[0]?.connection)).toHaveLength(1);
      },
    );

    it("names the time in the detail", async () => {
      link.upstream.answer = silence;
      expectError(await link.call("GET /p"), {
        status: 504,
        error: "http_response_timeout",
        names: `${LIMIT_MS}`,
      });
    });

    it("counts half a head as none", async () => {
      link.upstream.answer = raw("HTTP/1.1 200 OK\r\nX-A");
      expectError(await link.call("GET /p"), { status: 504, error: "http_response_timeout" });
    });

    it("counts an interim answer as none", async () => {
      link.upstream.answer = raw("HTTP/1.1 103 Early Hints\r\n\r\n");
      expectError(await link.call("GET /p"), { status: 504, error: "http_response_timeout" });
    });

    it("runs when the upload is over", async () => {
      link.upstream.answer = silence;
      expectError(await link.call("POST /p", { body: "hello" }), {
        status: 504,
        error: "http_response_timeout",
      });
    });
  });
}

/** What takes long, but not too long: side by side, each with a target of its own. */
function describeInTime(pool: Pool): void {
  const proxy = pool.with(PATIENT);
  const begin = async ({ onTestFinished }: TestContext) => {
    const patient = new Link(proxy);
    onTestFinished(await patient.listen({}));
    return patient;
  };
  describe.concurrent("of what comes in time", () => {
    it("ends with the head, not with the body", async (context) => {
      const patient = await begin(context);
      const words = ["one ", "two ", "three ", "four ", "five ", "six"];
      patient.upstream.answer = chunked(200, TYPED, words, PATIENT_MS / 4);
      expect(seen(await patient.call("GET /p"))).toEqual(whole(200, words.join("")));
    });

    it("ends with the head, though a short body begins late", async (context) => {
      const patient = await begin(context);
      patient.upstream.answer = async (_request, socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n");
        await sleep(PATIENT_MS * 1.2);
        socket.write("late");
      };
      expect(seen(await patient.call("GET /p"))).toEqual(whole(200, "late"));
    });

    it.for([
      { about: "in chunks", fields: CHUNKED, body: "3\r\none\r\n", parts: ["3\r\ntwo\r\n", "0\r\n\r\n"] },
      { about: "with a length", fields: { "Content-Length": "6" }, body: "one", parts: ["tw", "o"] },
    ])("does not run while the caller uploads, $about", async ({ parts, ...upload }, context) => {
      const { connection, received } = await (await begin(context)).begin("POST /p", upload);
      for (const part of parts) {
        await sleep(PATIENT_MS * 0.7);
        connection.write(part);
      }
      expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
      expect(received.body.toString()).toBe("onetwo");
      connection.destroy();
    });

    it("lets a late answer in time through", async (context) => {
      const patient = await begin(context);
      patient.upstream.answer = delayed(LIMIT_MS * 2, reply(200, {}, "late"));
      expect(seen(await patient.call("GET /p"))).toEqual(whole(200, "late"));
    });

    it("leaves an answer alone that goes on longer than IDLE_TIMEOUT_MS", async (context) => {
      const patient = await begin(context);
      const words = ["one ", "two ", "three ", "four ", "five ", "six ", "seven ", "eight"];
      patient.upstream.answer = chunked(200, TYPED, words, PATIENT_IDLE_MS / 6);
      expect(seen(await patient.call("GET /p"))).toEqual(whole(200, words.join("")));
    });

    it.for([
      { about: "chunks", fields: CHUNKED, body: "3\r\none\r\n" },
      { about: "a length", fields: { "Content-Length": "6" }, body: "one" },
      { about: "nothing", fields: { "Content-Length": "6" } },
    ])("is a 408 for an upload that stalls after $about", async ({ about: _, ...upload }, context) => {
      const patient = await begin(context);
      const { connection, received } = await patient.begin("POST /p", upload);
      expectError(await connection.answer(), { status: 408 });
      await patient.end(received);
      expect(received.state).not.toBe("whole");
      connection.destroy();
    });
  });
}

function describeIdle(pool: Pool): void {
  describe("IDLE_TIMEOUT_MS", () => {
    const link = useLink(pool, { IDLE_TIMEOUT_MS: String(LIMIT_MS) });

    it("is a 408 for a posted argument that stalls", async () => {
      const connection = await link.write("POST /__proxy__/fetch", {
        fields: { "Content-Length": "9" },
        body: "{",
      });
      expect((await connection.answer()).status).toBe(408);
      connection.destroy();
    });

    it.each([
      { name: "chunks", head: "Transfer-Encoding: chunked\r\n\r\n5\r\nstart\r\n" },
      { name: "a length", head: "Content-Length: 99\r\n\r\nstart" },
      { name: "a long length", head: "Content-Length: 999999\r\n\r\nstart" },
      { name: "no length", head: "\r\nstart" },
    ])("cuts an answer that stalls, with $name", async ({ head }) => {
      link.upstream.answer = raw(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${head}`);
      const { connection, received } = await link.begin("GET /p");
      expect(seen(await connection.answer())).toEqual({ status: 200, text: "start", ended: "cut" });
      await link.end(received);
      connection.destroy();
    });

    it("cuts each of many that stall, one after the other", async () => {
      link.upstream.answer = raw(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 99\r\n\r\nstart",
      );
      const calls = Array.from({ length: 8 }, async (_, index) => {
        await sleep(index * 30);
        const { ended, text } = await link.call("GET /p");
        return `${ended}: ${text}`;
      });
      expect(new Set(await Promise.all(calls))).toEqual(new Set(["cut: start"]));
    });

    it.each([{ type: "text/event-stream" }, { type: "Text/Event-Stream; charset=utf-8" }])(
      "leaves $type alone",
      async ({ type }) => {
        const { connection, received, socket } = await link.hold("GET /p");
        socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\ndata: 1\n\n`);
        await connection.until("data: 1");
        await sleep(LIMIT_MS * 2);
        socket.write("data: 2\n\n");
        await connection.until("data: 2");
        expect(received.closedAt).toBeUndefined();
        connection.destroy();
      },
    );
  });
}

function describeRequestSize(pool: Pool): void {
  describe("MAX_REQUEST_BYTES", () => {
    const link = useLink(pool, SIZED);

    it("lets through what is as large", async () =>
      expect(seen(await link.call("POST /p", { body: Buffer.alloc(MAX_BYTES) }))).toEqual(whole(200, "ok")));

    it("is a 413 for a body that says it is larger, and the target hears nothing", async () => {
      const answer = await link.call("POST /p", { body: Buffer.alloc(MAX_BYTES + 1) });
      expectError(answer, { status: 413, names: `${MAX_BYTES}` });
      expect(link.upstream.requests).toEqual([]);
    });

    it("is a 413 for an argument that is posted", async () => {
      const answer = await link.call("POST /__proxy__/fetch", { body: Buffer.alloc(MAX_BYTES + 1, 32) });
      expect([answer.status, link.upstream.requests]).toEqual([413, []]);
    });

    it.each([{ path: "/" }, { path: "/__proxy__/" }, { path: "/__proxy__/?host=http://a.test" }, {
      path: "/__proxy__/x",
    }])("is a 413 where $path is answered here", async ({ path }) => {
      const answer = await link.proxy.call(`POST ${path}`, { body: Buffer.alloc(MAX_BYTES + 1) });
      expectError(answer, { status: 413, names: `${MAX_BYTES}` });
    });

    it("is a 413 before the body", async () => {
      const connection = await link.write("POST /p", { fields: { "Content-Length": `${MAX_BYTES + 1}` } });
      expectError(await connection.answer(), { status: 413 });
      connection.destroy();
    });

    it("is a 413 for chunks that grow larger, which never look whole", async () => {
      const chunk = Buffer.concat([Buffer.from("1000\r\n"), Buffer.alloc(4096), Buffer.from("\r\n")]);
      const body = Buffer.concat([chunk, chunk, chunk, Buffer.from("0\r\n\r\n")]);
      const connection = await link.write("POST /p", { fields: CHUNKED, body });
      expectError(await connection.answer(), { status: 413, names: `${MAX_BYTES}` });
      expect(link.upstream.requests.filter(({ state }) => state === "whole")).toEqual([]);
      connection.destroy();
    });
  });
}

function describeResponseSize(pool: Pool): void {
  describe("MAX_RESPONSE_BYTES", () => {
    const link = useLink(pool, SIZED);
    const large = Buffer.alloc(MAX_BYTES + 1, "x");

    it("lets through what is as large", async () => {
      link.upstream.answer = reply(200, TYPED, large.subarray(1));
      const answer = await link.call("GET /p");
      expect({ ended: answer.ended, size: answer.body.length }).toEqual({ ended: "end", size: MAX_BYTES });
    });

    it("is a 502 for an answer that says it is larger", async () => {
      link.upstream.answer = reply(200, TYPED, large);
      const answer = await link.call("GET /p");
      expectError(answer, { status: 502, error: "http_response_body_size", names: `${MAX_BYTES}` });
    });

    it("lets HEAD say how large it is", async () => {
      link.upstream.answer = reply(200, TYPED, large);
      const answer = await link.call("HEAD /p");
      expect(answer.status).toBe(200);
      expect(answer.header("content-length")).toBe(String(large.length));
    });

    it("cuts an answer that grows larger", async () => {
      link.upstream.answer = chunked(200, TYPED, [large.subarray(0, 6000), large.subarray(0, 6000)], 100);
      const answer = await link.call("GET /p");
      expect(outcomeOf(answer)).toBe("cut");
      expect(answer.body.length).toBeLessThanOrEqual(MAX_BYTES);
    });
  });
}
