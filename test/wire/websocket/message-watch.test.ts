/** The messages that capture is told of, however their frames are cut. */
import { describe, expect, it } from "vitest";
import type { SocketMessage } from "../../../src/core/socket-message.ts";
import { encodeClose, encodeFrame, OPCODES } from "../../../src/wire/websocket/frames.ts";
import { watchMessages } from "../../../src/wire/websocket/message-watch.ts";

const { text, binary, continuation, ping, close } = OPCODES;

/** The messages that are told of these chunks. */
function read(chunks: readonly Buffer[], messageBytes = 100, mostMessages?: number): unknown[] {
  const told: unknown[] = [];
  const onMessage = ({ payload, ...message }: SocketMessage) =>
    void told.push({ ...message, payload: Buffer.from(payload).toString("latin1") });
  const watch = { onIn() {}, onOut() {}, onEnd() {}, onMessage, messageBytes, mostMessages };
  const watched = watchMessages(watch, "caller", "bytes");
  for (const chunk of chunks) watched?.onData(chunk as Buffer<ArrayBuffer>);
  return told;
}

const told = (kind: string, payload: string, more: object = {}) => ({
  from: "caller",
  kind,
  payload,
  size: payload.length,
  isCompressed: false,
  skipped: 0,
  ...more,
});

/** The frame without its final bit. */
const open = (frame: Buffer) => Buffer.from(frame.map((byte, index) => (index ? byte : byte & 0x7f)));
/** The frame with the bit of a compressed message. */
const compressed = (frame: Buffer) => Buffer.from(frame.map((byte, index) => (index ? byte : byte | 0x40)));
const bytes = (content: string) => Buffer.from(content, "latin1");

const TALK = Buffer.concat([
  encodeFrame(text, bytes("hello"), true),
  open(encodeFrame(binary, bytes("ab"), false)),
  encodeFrame(ping, bytes("now?"), true),
  encodeFrame(continuation, bytes("cd"), true),
  encodeFrame(text, bytes(""), true),
  encodeFrame(text, bytes("x".repeat(70_000)), true),
  encodeFrame(close, encodeClose(1000, "bye"), true),
]);
const TOLD = [
  told("text", "hello"),
  told("ping", "now?"),
  told("binary", "abcd"),
  told("text", ""),
  told("text", "x".repeat(100), { size: 70_000 }),
  told("close", "\x03\xe8bye"),
];

describe("frames", () => {
  it("of one byte each, very many of one message", () => {
    const letters = [..."abcdefghij".repeat(200)];
    const frames = letters.map((letter, at) => {
      const frame = encodeFrame(at === 0 ? binary : continuation, bytes(letter), at % 2 === 0);
      return at < letters.length - 1 ? open(frame) : frame;
    });
    expect(read(frames, 1_500))
      .toEqual([told("binary", letters.slice(0, 1_500).join(""), { size: letters.length })]);
  });

  it.each([1, 2, 3, 7, 4_096, TALK.length])("in chunks of %s bytes", (size) => {
    const chunks = Array.from(
      { length: Math.ceil(TALK.length / size) },
      (_, index) => TALK.subarray(index * size, (index + 1) * size),
    );
    expect(read(chunks)).toEqual(TOLD);
  });

  it("that are compressed are told of as they are", () =>
    expect(read([compressed(encodeFrame(text, bytes("\xca\x48"), true))]))
      .toEqual([told("text", "\xca\x48", { isCompressed: true })]));

  it("of which fragments come without a byte, or more than are kept, are whole", () => {
    const parts = ["a", "", "bc", "", "d"].map((part, index) =>
      open(encodeFrame(index ? continuation : text, bytes(part), true))
    );
    expect(read([Buffer.concat([...parts, encodeFrame(continuation, bytes("e"), true)])], 2))
      .toEqual([told("text", "ab", { size: 5 })]);
  });

  it("of which nothing is wanted are counted", () =>
    expect(read([encodeFrame(text, bytes("hello"), true)], 0)).toEqual([told("text", "", { size: 5 })]));

  it.each(Array.from({ length: TOLD.length + 1 }, (_, most) => ({ most })))(
    "of which $most of a read are wanted: the newest, and the others are counted",
    ({ most }) => {
      const [first, ...others] = most ? TOLD.slice(-most) : [];
      const expected = first ? [{ ...first, skipped: TOLD.length - most }, ...others] : [];
      expect(read([TALK], 100, most)).toEqual(expected);
    },
  );

  it.each([
    { about: "an unknown kind", chunk: encodeFrame(11, bytes("a"), true) },
    { about: "a continuation of nothing", chunk: encodeFrame(continuation, bytes("a"), true) },
    { about: "half a frame", chunk: encodeFrame(text, bytes("abc"), true).subarray(0, 7) },
  ])("that make no sense are not told of: $about", ({ chunk }) => expect(read([chunk])).toEqual([]));
});

describe("whole messages", () => {
  it("are told of as they are, and closing with its code", () => {
    const kept: SocketMessage[] = [];
    const watch = { onIn() {}, onOut() {}, onEnd() {}, messageBytes: 3 };
    const watched = watchMessages(
      { ...watch, onMessage: (one) => void kept.push(one) },
      "target",
      "messages",
    );
    watched?.onData("h\u00e9llo");
    watched?.onData(new Uint8Array([1, 2, 3, 4]));
    watched?.onClose(1001, "");
    expect(kept.map(({ kind, size, payload }) => [kind, size, [...payload]]))
      .toEqual([["text", 6, [104, 195, 169]], ["binary", 4, [1, 2, 3]], ["close", 2, [3, 233]]]);
  });

  it("are not read if nobody wants them", () =>
    expect(watchMessages({ onIn() {}, onOut() {}, onEnd() {} }, "caller", "messages")).toBeUndefined());
});
