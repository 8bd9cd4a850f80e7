/** The streamed body of a response: framed as its head says, and cut where it is not what the head says. */
import { describe, expect, it, vi } from "vitest";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { BodySink } from "../../../src/wire/server/body-sink.ts";
import type { Ending } from "../../../src/wire/server/response-head.ts";
import { NotedWire } from "../../support/caller-wire.ts";
import { bytes } from "../../support/flow.ts";

function sinkOf(ending: Ending) {
  const wire = new NotedWire();
  const events = { onWhole: vi.fn(), onCut: vi.fn() };
  const sink = new BodySink(wire, new FlowBody({ resume() {}, pause() {}, cancel() {} }), ending, events);
  const ends = () => [events.onWhole.mock.calls.length, events.onCut.mock.calls.length];
  return { wire, sink, ends };
}

const WHOLE = [1, 0];
const CUT = [0, 1];
const OPEN = [0, 0];

describe("a body in chunks", () => {
  it.each([
    { about: "one byte", size: 1, start: "1\r\n" },
    { about: "a small one", size: 26, start: "1a\r\n" },
    { about: "the largest that is copied", size: 16_384, start: "4000\r\n" },
    { about: "the smallest that is not", size: 16_385, start: "4001\r\n" },
    { about: "a large one", size: 300_000, start: "493e0\r\n" },
  ])("has the size of each chunk before it: $about", ({ size, start }) => {
    const { wire, sink, ends } = sinkOf("chunked");
    expect(sink.write(new Uint8Array(size).fill(120))).toBe(true);
    expect(wire.pieces).toEqual([`${start}${"x".repeat(size)}\r\n`]);
    expect(ends()).toEqual(OPEN);
  });

  it("copies no large chunk", () => {
    const { wire, sink } = sinkOf("chunked");
    const write = vi.spyOn(wire, "write");
    const chunk = new Uint8Array(16_385);
    sink.write(chunk);
    expect(write.mock.calls[1]?.[0]).toBe(chunk);
  });

  it("ends with an empty chunk, and its last one in the same piece", () => {
    const { wire, sink, ends } = sinkOf("chunked");
    sink.write(bytes("a"));
    sink.end(bytes("bc"));
    expect(wire.pieces).toEqual(["1\r\na\r\n", "2\r\nbc\r\n0\r\n\r\n"]);
    expect(ends()).toEqual(WHOLE);
  });

  it("that is empty is an empty chunk", () => {
    const { wire, sink, ends } = sinkOf("chunked");
    sink.end();
    expect([wire.written, ends()]).toEqual(["0\r\n\r\n", WHOLE]);
  });

  it("has no empty chunk before its end", () => {
    const { wire, sink } = sinkOf("chunked");
    expect([sink.write(new Uint8Array()), wire.written]).toEqual([true, ""]);
    sink.end(new Uint8Array());
    expect(wire.written).toBe("0\r\n\r\n");
  });

  it("that is cut has no last chunk", () => {
    const { wire, sink, ends } = sinkOf("chunked");
    sink.write(bytes("a"));
    sink.destroy();
    sink.write(bytes("b"));
    sink.end(bytes("c"));
    sink.destroy();
    expect([wire.written, ends()]).toEqual(["1\r\na\r\n", CUT]);
  });
});

describe("a body of a length", () => {
  it.each([
    { about: "in one chunk", ending: 5, chunks: ["hello"], last: undefined },
    { about: "with a last chunk", ending: 5, chunks: ["he", "l"], last: "lo" },
    { about: "in a last chunk", ending: 5, chunks: [], last: "hello" },
    { about: "with empty chunks", ending: 5, chunks: ["", "hello", ""], last: "" },
    { about: "without bytes", ending: 0, chunks: [], last: undefined },
  ])("is written as it is: $about", ({ ending, chunks, last }) => {
    const { wire, sink, ends } = sinkOf(ending);
    for (const chunk of chunks) sink.write(bytes(chunk));
    sink.end(last === undefined ? undefined : bytes(last));
    expect([wire.written, ends()]).toEqual([chunks.join("") + (last ?? ""), WHOLE]);
  });

  it.each([
    { about: "a chunk", chunks: ["hello", " you"], last: undefined, written: "hello" },
    { about: "its last chunk", chunks: ["hell"], last: "o you", written: "hell" },
    { about: "its only chunk", chunks: [], last: "hello you", written: "" },
  ])("is cut where $about is too long", ({ chunks, last, written }) => {
    const { wire, sink, ends } = sinkOf(5);
    for (const chunk of chunks) sink.write(bytes(chunk));
    sink.end(last === undefined ? undefined : bytes(last));
    expect([wire.written, ends()]).toEqual([written, CUT]);
  });

  it.each([
    { about: "without a last chunk", chunks: ["hell"], last: undefined },
    { about: "with a last chunk", chunks: ["he"], last: "ll" },
    { about: "without bytes", chunks: [], last: undefined },
  ])("is cut where it is too short: $about", ({ chunks, last }) => {
    const { wire, sink, ends } = sinkOf(5);
    for (const chunk of chunks) sink.write(bytes(chunk));
    sink.end(last === undefined ? undefined : bytes(last));
    expect([wire.written, ends()]).toEqual([chunks.join("") + (last ?? ""), CUT]);
  });
});

it("a body that ends with the connection is written as it is, however long", () => {
  const { wire, sink, ends } = sinkOf("closed");
  sink.write(bytes("hello"));
  sink.end(bytes(" you"));
  expect([wire.written, ends()]).toEqual(["hello you", WHOLE]);
});

describe("a connection", () => {
  it.each([
    { about: "a small chunk", ending: "chunked", size: 1 },
    { about: "a large chunk", ending: "chunked", size: 20_000 },
    { about: "bytes of a length", ending: 30_000, size: 20_000 },
  ] as { about: string; ending: Ending; size: number }[])(
    "that is full wants a wait after $about, and tells when it is over",
    ({ ending, size }) => {
      const { wire, sink } = sinkOf(ending);
      const onDrain = vi.fn();
      sink.on("drain", onDrain);
      wire.keeps = true;
      expect(sink.write(new Uint8Array(size))).toBe(false);
      expect(sink.writableLength).toBe(wire.written.length);
      sink.drained();
      expect(onDrain).toHaveBeenCalledOnce();
    },
  );

  it("that is closed takes nothing, and tells so", () => {
    const { wire, sink, ends } = sinkOf("chunked");
    const onClose = vi.fn();
    sink.on("close", onClose);
    sink.closed();
    expect(onClose).toHaveBeenCalledOnce();
    expect(sink.write(bytes("a"))).toBe(true);
    sink.end(bytes("b"));
    sink.destroy();
    expect([wire.written, ends()]).toEqual(["", OPEN]);
  });

  it("tells nobody where nobody listens", () => {
    const { sink } = sinkOf("chunked");
    sink.drained();
    expect(() => sink.closed()).not.toThrow();
  });
});
