/** The watch over a body: hands on what came when it is asked for, and cuts what stalls or grows too large. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Body, discard, readWhole, toStandard, watchBody } from "../../../src/core/http/body.ts";
import { sourced } from "../../support/flow.ts";
import { fromStream } from "../../../src/core/http/read-along.ts";
import { createDeadlines } from "../../../src/core/http/deadlines.ts";
import type { BodyWatch } from "../../../src/core/http/flow-watch.ts";

/** A source that gives these chunks, one for each that is asked for, and then ends, or hangs. */
class Source {
  pulls = 0;
  cancelled: unknown[] = [];
  readonly stream: ReadableStream<Uint8Array>;

  constructor(chunks: string[], then: "end" | "hang" | "fail" = "end") {
    const left = chunks.map((chunk) => new TextEncoder().encode(chunk));
    const endings = {
      end: (controller: ReadableStreamDefaultController) => controller.close(),
      hang: () => new Promise<void>(() => {}),
      fail: () => Promise.reject(new Error("source failed")),
    };
    this.stream = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        this.pulls += 1;
        const chunk = left.shift();
        return chunk ? controller.enqueue(chunk) : endings[then](controller);
      },
      cancel: (reason) => void this.cancelled.push(reason),
    }, { highWaterMark: 0 });
  }
}

const STALLED = new Error("stalled");
const TOO_LARGE = new Error("too large");

function watching(source: Source, watch: Partial<BodyWatch> = {}): ReadableStream<Uint8Array> {
  return watchBody(fromStream(source.stream), {
    maxBytes: 0,
    stalled: () => STALLED,
    tooLarge: () => TOO_LARGE,
    ...watch,
  }).stream();
}

function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text();
}

async function chunkOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  return new TextDecoder().decode((await reader.read()).value);
}

describe("a body that is well", () => {
  it.each([{ chunks: [] }, { chunks: ["a"] }, { chunks: ["ab", "c", "def"] }])(
    "passes as it came: $chunks",
    async ({ chunks }) => expect(await textOf(watching(new Source(chunks)))).toBe(chunks.join("")),
  );

  it("hands its reader's cancellation on to the source", async () => {
    const source = new Source(["a"], "hang");
    const onEnd = vi.fn();
    await watching(source, { onEnd }).cancel("gone");
    expect(source.cancelled).toEqual(["gone"]);
    expect(onEnd.mock.calls).toEqual([[]]);
  });
});

it.each([{ chunks: ["abcd"] }, { chunks: ["ab", "cd"] }, { chunks: ["abc", "d", "e"] }])(
  "a body with a limit of 3 bytes may not have more: $chunks",
  async ({ chunks }) => {
    const source = new Source(chunks, "hang");
    const onEnd = vi.fn();
    await expect(textOf(watching(source, { maxBytes: 3, onEnd }))).rejects.toBe(TOO_LARGE);
    expect(source.cancelled).toEqual([TOO_LARGE]);
    expect(onEnd.mock.calls).toEqual([[TOO_LARGE]]);
  },
);

describe("a body that pauses", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("is cut when a chunk that is waited for does not come in time", async () => {
    const source = new Source(["a"], "hang");
    const onEnd = vi.fn();
    const reader = watching(source, { idle: createDeadlines(1000, true), onEnd }).getReader();
    expect(await chunkOf(reader)).toBe("a");
    const settled = vi.fn();
    const read = reader.read().catch(settled);
    await vi.advanceTimersByTimeAsync(999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await read;
    expect(settled).toHaveBeenCalledWith(STALLED);
    expect(source.cancelled).toEqual([STALLED]);
    expect(onEnd.mock.calls).toEqual([[STALLED]]);
  });
});

describe("a body that is read whole", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it.each([{ chunks: [] }, { chunks: ["a"] }, { chunks: ["ab", "c", "def"] }])(
    "is in one piece: $chunks",
    async ({ chunks }) =>
      expect(await readWhole(fromStream(new Source(chunks).stream))).toEqual(bytes(chunks.join(""))),
  );

  it("may end with its last chunk", async () => {
    const { body } = sourced();
    const whole = readWhole(body);
    body.push(bytes("a"));
    body.push(bytes("b"), true);
    expect(await whole).toEqual(bytes("ab"));
  });

  it("rejects with what cuts it", async () => {
    const { body } = sourced();
    watchBody(body, { maxBytes: 1, stalled: () => STALLED, tooLarge: () => TOO_LARGE });
    const whole = readWhole(body);
    body.push(bytes("ab"));
    await expect(whole).rejects.toBe(TOO_LARGE);
    await expect(readWhole(fromStream(new Source([], "fail").stream))).rejects.toThrow("source failed");
  });

  it.each([{ isLast: true }, { isLast: false }])(
    "has a limit of its own, last chunk: $isLast",
    async ({ isLast }) => {
      const { body, told } = sourced();
      const refuse = () => {
        throw TOO_LARGE;
      };
      const check = (size: number) => size > 2 ? refuse() : undefined;
      const whole = readWhole(body, check);
      body.push(bytes("ab"));
      body.push(bytes("c"), isLast);
      await expect(whole).rejects.toBe(TOO_LARGE);
      expect(told.filter((one) => Array.isArray(one))).toHaveLength(isLast ? 0 : 1);
      const { body: short } = sourced();
      const read = readWhole(short, check);
      short.push(bytes("ab"), true);
      expect(await read).toEqual(bytes("ab"));
    },
  );
});

describe("a body in the form of standard functions", () => {
  const { body } = sourced();
  const BYTES = new Uint8Array(1);

  it.each([
    { about: "bytes", body: BYTES, standard: BYTES },
    { about: "none", body: null, standard: null },
    { about: "a flow", body, standard: expect.any(ReadableStream) },
  ] as { about: string; body: Body; standard: unknown }[])("is what it is: $about", ({ body, standard }) => {
    expect(toStandard(body)).toEqual(standard);
  });

  it("is given up by its source", () => {
    const { body: unwanted, told } = sourced();
    discard(unwanted);
    discard(BYTES);
    discard(null);
    expect(told).toEqual([["cancel", undefined]]);
  });
});
