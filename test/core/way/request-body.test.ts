/** Whether a request has a body, and what becomes of one whose first bytes do not come. @module */
import { describe, expect, it } from "vitest";
import { takeRequest } from "../../../src/core/exchange/web-standard.ts";
import { type Body, toStandard } from "../../../src/core/http/body.ts";
import { createTimes } from "../../../src/core/http/deadlines.ts";
import { checkLength, MAX_POSTED_BYTES, readBody, readPosted } from "../../../src/core/way/request-body.ts";
import { exchangeOf, incomingOf } from "../../support/exchange.ts";
import { stream } from "../../support/handle.ts";
import { words } from "../../support/rows.ts";

const IDLE_MS = 20;
const BYTES = new TextEncoder().encode("abc");
const context = {
  ...exchangeOf({ options: { idleTimeoutMs: IDLE_MS } }),
  deadlines: createTimes({ timeoutMs: IDLE_MS, idleTimeoutMs: IDLE_MS }, false),
};

type Stream = ReadableStream<Uint8Array>;

function read(body: Stream | null, fields: Record<string, string> = {}) {
  return readBody(incomingOf({ method: "POST", fields, body }), context);
}

describe("a length of nothing", () => {
  it.each(words`0 00 000`)("%s is no body", (length) => {
    expect(read(stream(), { "content-length": length })).toBeNull();
    expect(read(null, { "content-length": length })).toBeNull();
  });

  it.each(["", "0, 0", "0x0", "-0", "3, 3"])("%s is malformed", (length) => {
    expect(() => read(null, { "content-length": length })).toThrow(/content-length: it is malformed/);
    expect(() => read(stream(BYTES), { "content-length": length })).toThrow(/content-length: it is mal/);
  });
});

describe("a body that was read before", () => {
  const AFTER = /^Cannot forward the body: it was already read\. Put the proxy in front of any body parser$/;
  const refused = expect.objectContaining({ code: "internal", message: expect.stringMatching(AFTER) });
  const post = (fields: Record<string, string> = {}) =>
    new Request("http://localhost/", { method: "POST", headers: fields, body: "abc" });
  const reading = (request: Request) => {
    try {
      return readBody(takeRequest(request), context);
    } catch (failure) {
      return failure;
    }
  };

  it.each<{ fields: Record<string, string> }>([{ fields: {} }, { fields: { "content-length": "3" } }])(
    "is refused, with $fields",
    async ({ fields }) => {
      const request = post(fields);
      await request.text();
      expect(reading(request)).toEqual(refused);
    },
  );

  it("in part is refused, and one that somebody is reading", async () => {
    const [released, kept] = [post(), post()];
    const reader = released.body!.getReader();
    await reader.read();
    reader.releaseLock();
    kept.body!.getReader();
    expect([reading(released), reading(kept)]).toEqual([refused, refused]);
  });

  it("from a copy is taken", async () => {
    const request = post();
    await request.clone().text();
    expect(await new Response(toStandard(await reading(request) as Body)).text()).toBe("abc");
  });

  it("does no harm where it was none", async () => {
    const request = new Request("http://localhost/", {
      method: "POST",
      headers: { "content-length": "0" },
      body: "",
    });
    await request.text();
    expect(reading(request)).toBeNull();
  });
});

describe("a body without framing", () => {
  it("is none where it ends before its first byte", async () => {
    expect(await read(stream())).toBeNull();
    expect(await read(stream(new Uint8Array()))).toBeNull();
  });

  it("is whole behind its first byte", async () => {
    const body = await read(stream(new Uint8Array(), BYTES, BYTES));
    expect(await new Response(toStandard(body)).text()).toBe("abcabc");
  });

  it("that never begins is given up after the idle time", async () => {
    const cancelled: unknown[] = [];
    const body: Stream = new ReadableStream({ cancel: (reason) => void cancelled.push(reason) });
    const failure = await Promise.resolve(read(body)).catch((error) => error);
    expect(failure).toMatchObject({ code: "request_timeout", message: expect.stringContaining("20 ms") });
    expect(cancelled).toEqual([failure]);
  });

  it("that is slow behind its first byte is not given up here", async () => {
    const body: Stream = new ReadableStream({
      start(controller) {
        controller.enqueue(BYTES);
        setTimeout(() => controller.close(), 3 * IDLE_MS);
      },
    });
    expect(await new Response(toStandard(await read(body))).text()).toBe("abc");
  });

  it.each([
    { message: "unexpected EOF while reading HTTP/1 body", code: "caller_gone" },
    { message: "invalid HTTP/1 request: Invalid", code: "bad_request" },
  ])("that fails with '$message' is $code", async ({ message, code }) => {
    const body: Stream = new ReadableStream({ start: (controller) => controller.error(new Error(message)) });
    await expect(read(body)).rejects.toMatchObject({ code });
  });
});

const readAll = (body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null, maxRequestBytes = 0) => {
  const { incoming, config, deadlines } = exchangeOf({ method: "POST", body, options: { maxRequestBytes } });
  return readPosted({ incoming, config, deadlines });
};

/** A body that arrives in two pieces. */
const pieces = () => stream(Uint8Array.of(1, 2), Uint8Array.of(3));

describe("readPosted", () => {
  it.each([
    { about: "bytes", body: Uint8Array.of(0, 255), bytes: [0, 255] },
    { about: "none", body: null, bytes: [] },
    { about: "a stream", body: pieces(), bytes: [1, 2, 3] },
  ])("reads $about", async ({ body, bytes }) => expect([...await readAll(body)]).toEqual(bytes));

  it.each([
    { about: "its own limit", body: new Uint8Array(MAX_POSTED_BYTES + 1), limit: 0 },
    { about: "the limit of uploads", body: Uint8Array.of(1, 2, 3), limit: 2 },
    { about: "the limit of uploads, in pieces", body: pieces(), limit: 2 },
  ])("refuses more than $about", async ({ body, limit }) => {
    await expect(readAll(body, limit)).rejects.toMatchObject({ code: "request_too_large" });
  });
});

it.each([
  { length: "10", maxBytes: 10, isTaken: true },
  { length: "11", maxBytes: 10, isTaken: false },
  { length: undefined, maxBytes: 10, isTaken: true },
  { length: "11", maxBytes: 0, isTaken: true },
])("checkLength of $length, at most $maxBytes: $isTaken", ({ length, maxBytes, isTaken }) => {
  const headers = new Headers(length === undefined ? {} : { "content-length": length });
  const check = () => checkLength(headers, maxBytes);
  const expectation = isTaken ? expect(check).not : expect(check);
  expectation.toThrow(expect.objectContaining({ code: "request_too_large" }));
});
