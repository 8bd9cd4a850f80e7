/** Bodies that a page of the proxy reads whole. @module */
import { describe, expect, it } from "vitest";
import { MAX_POSTED_BYTES, readPosted } from "../../../src/core/way/posted.ts";
import { exchangeOf } from "../../support/exchange.ts";

const read = (body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null, maxRequestBytes = 0) => {
  const { incoming, config, deadlines } = exchangeOf({ method: "POST", body, options: { maxRequestBytes } });
  return readPosted({ incoming, config, deadlines });
};

/** A body that arrives in two pieces. */
const pieces = () =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Uint8Array.of(1, 2));
      controller.enqueue(Uint8Array.of(3));
      controller.close();
    },
  });

describe("readPosted", () => {
  it.each([
    { about: "bytes", body: Uint8Array.of(0, 255), bytes: [0, 255] },
    { about: "none", body: null, bytes: [] },
    { about: "a stream", body: pieces(), bytes: [1, 2, 3] },
  ])("reads $about", async ({ body, bytes }) => expect([...await read(body)]).toEqual(bytes));

  it.each([
    { about: "its own limit", body: new Uint8Array(MAX_POSTED_BYTES + 1), limit: 0 },
    { about: "the limit of uploads", body: Uint8Array.of(1, 2, 3), limit: 2 },
    { about: "the limit of uploads, in pieces", body: pieces(), limit: 2 },
  ])("refuses more than $about", async ({ body, limit }) => {
    await expect(read(body, limit)).rejects.toMatchObject({ code: "request_too_large" });
  });
});
