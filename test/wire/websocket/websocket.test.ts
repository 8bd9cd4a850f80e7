/** Frames of WebSockets: where they end, what they say, and what is wrong with them. */
import { describe, expect, it } from "vitest";
import { encodeClose, encodeFrame } from "../../../src/wire/websocket/frames.ts";
import { FrameTracker, MAX_MESSAGE_BYTES } from "../../../src/wire/websocket/frames.ts";
import { OpenSockets } from "../../../src/wire/websocket/open-sockets.ts";
import { MessageReader } from "../../../src/wire/websocket/messages.ts";
import { frameOf, headOf } from "../../support/websocket-peer.ts";

const bytesOf = (...frames: Buffer[]) => Buffer.concat(frames);
const text = (payload: string, isFinal = true, opcode = 1) =>
  frameOf(opcode, Buffer.from(payload), isFinal, false);
const close = (payload: Uint8Array) => frameOf(8, Buffer.from(payload), true, false);

/** What a reader tells of these bytes, given in pieces of so many. */
function read(bytes: Buffer, size = bytes.length): unknown[] {
  const told: unknown[] = [];
  const reader = new MessageReader({
    message: (data) => told.push(typeof data === "string" ? data : [...data]),
    ping: (payload) => told.push({ ping: payload.toString() }),
    close: (code, reason) => told.push({ code, reason }),
    fault: (fault) => told.push({ fault }),
  });
  for (let start = 0; start < bytes.length; start += size) reader.push(bytes.subarray(start, start + size));
  return told;
}

const SIZES = [{ size: 1 }, { size: 2 }, { size: 3 }, { size: 7 }, { size: 65_536 }];

describe("a message reader", () => {
  it.each(SIZES)("reads messages in pieces of $size", ({ size }) => {
    const bytes = bytesOf(
      text("\ufeffa\u20ac"),
      text("b", false),
      frameOf(9, Buffer.from("p"), true, false),
      text("", false, 0),
      text("c", true, 0),
      frameOf(10, Buffer.from("q"), true, false),
      frameOf(2, Buffer.alloc(300, 7), true, false),
      text(""),
      close(encodeClose(4000, "\u20ac")),
      text("never read"),
    );
    expect(read(bytes, size)).toEqual(
      ["\ufeffa\u20ac", { ping: "p" }, "bc", Array(300).fill(7), "", { code: 4000, reason: "\u20ac" }],
    );
  });

  it.each([
    { about: "a mask", bytes: frameOf(1, Buffer.from("a"), true, true), fault: 1002 },
    { about: "reserved bits", bytes: Buffer.from([0xc1, 0]), fault: 1002 },
    { about: "opcode 3", bytes: Buffer.from([0x83, 0]), fault: 1002 },
    { about: "opcode 11", bytes: Buffer.from([0x8b, 0]), fault: 1002 },
    { about: "a ping in fragments", bytes: Buffer.from([0x09, 0]), fault: 1002 },
    { about: "a long ping", bytes: frameOf(9, Buffer.alloc(126), true, false), fault: 1002 },
    { about: "an end without a beginning", bytes: text("a", true, 0), fault: 1002 },
    { about: "a beginning without an end", bytes: bytesOf(text("a", false), text("b")), fault: 1002 },
    { about: "half a code", bytes: close(Buffer.from([3])), fault: 1002 },
    { about: "code 1005", bytes: close(encodeClose(1005, "")), fault: 1002 },
    { about: "code 999", bytes: close(encodeClose(999, "")), fault: 1002 },
    { about: "code 5000", bytes: close(encodeClose(5000, "")), fault: 1002 },
    { about: "text that is no UTF-8", bytes: frameOf(1, Buffer.from([0xc3]), true, false), fault: 1007 },
    { about: "a reason that is no UTF-8", bytes: close(Buffer.from([3, 232, 0xc3])), fault: 1007 },
    { about: "64 MiB and more", bytes: Buffer.from([0x82, 127, 0, 0, 0, 0, 4, 0, 0, 1]), fault: 1009 },
  ])("refuses $about", ({ bytes, fault }) => {
    expect(read(bytesOf(bytes, text("never read")))).toEqual([{ fault }]);
  });

  it.each([1000, 1001, 1003, 1007, 1014, 3000, 4999, undefined])("takes the code %s", (code) => {
    expect(read(close(encodeClose(code, "")))).toEqual([{ code, reason: "" }]);
  });
});

describe("encodeFrame", () => {
  it.each([0, 3, 125, 126, 65_535, 65_536])("writes %s bytes as a server does", (length) => {
    const payload = Buffer.alloc(length, 7);
    expect(encodeFrame(2, payload, false).equals(frameOf(2, payload, true, false))).toBe(true);
  });

  it.each([0, 1, 2, 3, 4, 300])("masks %s bytes, and leaves the payload as it is", (length) => {
    const payload = Buffer.alloc(length, 7);
    const frame = encodeFrame(1, payload, true);
    const start = frame.length - length;
    const key = frame.subarray(start - 4, start);
    expect([...frame.subarray(start)].map((byte, index) => byte ^ key[index & 3]!)).toEqual([...payload]);
    expect(payload.equals(Buffer.alloc(length, 7))).toBe(true);
  });
});

describe("a frame tracker", () => {
  const frames = bytesOf(text("abc"), frameOf(2, Buffer.alloc(300), true, true), text(""), text("xy"));
  const ends = [5, 5 + 308, 5 + 308 + 2, frames.length];

  it.each(SIZES)("finds the ends in pieces of $size", ({ size }) => {
    const tracker = new FrameTracker();
    const found = new Set<number>();
    for (let start = 0; start < frames.length; start += size) {
      found.add(start + tracker.read(frames.subarray(start, start + size)));
    }
    expect(found).toContain(ends.at(-1));
    expect([tracker.isBetween, tracker.hasClosed]).toEqual([true, false]);
  });

  it.each([
    { length: 0, end: 0, isBetween: true },
    { length: 1, end: 0, isBetween: false },
    { length: 4, end: 0, isBetween: false },
    { length: 5, end: 5, isBetween: true },
    { length: 9, end: 5, isBetween: false },
    { length: 315, end: 315, isBetween: true },
    { length: 316, end: 315, isBetween: false },
  ])("stands after $length bytes at $end", ({ length, end, isBetween }) => {
    const tracker = new FrameTracker();
    expect(tracker.read(frames.subarray(0, length))).toBe(end);
    expect(tracker.isBetween).toBe(isBetween);
  });

  it.each([
    { about: "in one frame", sizes: [MAX_MESSAGE_BYTES + 1], fits: 0 },
    { about: "in fragments", sizes: [MAX_MESSAGE_BYTES - 5, 5, 1], fits: 2 },
    { about: "of the largest size", sizes: [MAX_MESSAGE_BYTES], fits: 1 },
  ])("stops at a message that is too large: $about", ({ sizes, fits }) => {
    const tracker = new FrameTracker();
    const ends = sizes.map((size, index) => {
      const end = tracker.read(headOf(index === 0 ? 2 : 0, size, false, true));
      // Nobody reads what is in a frame.
      tracker.read({ length: size } as Buffer);
      return end;
    });
    expect(tracker.isFlooded).toBe(fits < sizes.length);
    expect(ends.slice(fits)).toEqual(sizes.slice(fits).map(() => 0));
  });

  it("counts each message for itself, and no pings", () => {
    const tracker = new FrameTracker();
    const large = headOf(2, MAX_MESSAGE_BYTES, true, false);
    for (const head of [large, large, frameOf(9, Buffer.alloc(125), true, false), large]) {
      tracker.read(head);
      tracker.read({ length: tracker.isBetween ? 0 : MAX_MESSAGE_BYTES } as Buffer);
    }
    expect(tracker).toMatchObject({ isFlooded: false, isBetween: true });
  });

  it("sees a Close frame begin", () => {
    const tracker = new FrameTracker();
    tracker.read(bytesOf(text("a"), close(encodeClose(1000, "")).subarray(0, 3)));
    expect(tracker).toMatchObject({ hasClosed: true, isBetween: false });
  });
});

describe("OpenSockets", () => {
  it("are told to go away, and waited for", async () => {
    const sockets = new OpenSockets(0);
    const told: string[] = [];
    const [one, other, late] = ["one", "other", "late"].map((name) => ({
      place: -1,
      goAway: () => void told.push(name),
      look: () => {},
    }));
    sockets.add(one!);
    sockets.add(other!);
    sockets.delete(other!);
    const closed = sockets.close();
    sockets.add(late!);
    sockets.delete(one!);
    sockets.delete(late!);
    await closed;
    expect(told).toEqual(["one", "late"]);
  });

  it("are over at once where there are none", () =>
    expect(new OpenSockets(0).close()).resolves.toBeUndefined());
});
