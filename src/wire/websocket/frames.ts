/**
 * WebSocket frames (RFC 6455 §5.2): reads their heads, finds their ends, and writes frames.
 * @module
 */

import { Buffer } from "node:buffer";

/** Kinds of frames (RFC 6455 §11.8). */
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame without its payload. */
export interface FrameHead {
  isFinal: boolean;
  /** The three bits that extensions may use. */
  reserved: number;
  opcode: number;
  isMasked: boolean;
  /** Bytes of the payload. */
  length: number;
  /** Bytes of the head itself. */
  size: number;
}

const NO_BYTES: Buffer = Buffer.alloc(0);

/** Maximum bytes of a frame head. */
const MAX_FRAME_HEAD_BYTES = 14;

/** Reads the frame head at this offset; `undefined` while it is incomplete. */
export function readFrameHead(bytes: Buffer, offset = 0): FrameHead | undefined {
  if (bytes.length < offset + 2) return undefined;
  const first = bytes[offset]!;
  const second = bytes[offset + 1]!;
  const short = second & 0x7f;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const isMasked = second > 127;
  const size = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < offset + size) return undefined;
  const length = lengthBytes === 8
    ? Number(bytes.readBigUInt64BE(offset + 2))
    : lengthBytes === 2
    ? bytes.readUInt16BE(offset + 2)
    : short;
  return { isFinal: first > 127, reserved: (first >> 4) & 7, opcode: first & 15, isMasked, length, size };
}

/** Where the frame at this offset ends; -1 if beyond these bytes. Allocates nothing: a read may have 100,000 frames. */
export function findFrameEnd(bytes: Buffer, offset: number): number {
  if (bytes.length < offset + 2) return -1;
  const second = bytes[offset + 1]!;
  const short = second & 0x7f;
  const head = short > 125 ? readFrameHead(bytes, offset) : undefined;
  if (short > 125 && !head) return -1;
  const end = offset + (head ? head.size + head.length : (second > 127 ? 6 : 2) + short);
  return end <= bytes.length ? end : -1;
}

/** Joins the parts of a frame head that is split between chunks. */
export function joinHead(kept: Buffer, chunk: Buffer, offset: number): Buffer {
  return Buffer.concat([kept, chunk.subarray(offset, offset + MAX_FRAME_HEAD_BYTES)]);
}

/** Encodes a whole message or a control frame, unmasked as from a server or masked as from a client. */
export function encodeFrame(opcode: number, payload: Uint8Array, isMasked: boolean): Buffer {
  const { length } = payload;
  const lengthBytes = length > 65_535 ? 8 : length > 125 ? 2 : 0;
  const start = 2 + lengthBytes + (isMasked ? 4 : 0);
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = 0x80 | opcode;
  frame[1] = (isMasked ? 0x80 : 0) | (lengthBytes === 8 ? 127 : lengthBytes === 2 ? 126 : length);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  else if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  frame.set(payload, start);
  if (isMasked) mask(frame, start);
  return frame;
}

/** Masks the payload with a new random key (RFC 6455 §5.3). */
function mask(frame: Buffer, start: number): void {
  const key = crypto.getRandomValues(new Uint8Array(4));
  frame.set(key, start - 4);
  const [a = 0, b = 0, c = 0, d = 0] = key;
  for (let i = start; i < frame.length; i += 4) {
    // Writes past the end are ignored.
    frame[i]! ^= a;
    frame[i + 1]! ^= b;
    frame[i + 2]! ^= c;
    frame[i + 3]! ^= d;
  }
}

/** Encodes the payload of a Close frame; empty without a code (RFC 6455 §5.5.1). */
export function encodeClose(code: number | undefined, reason: string): Uint8Array {
  if (code === undefined) return new Uint8Array();
  const text = Buffer.from(reason);
  const payload = Buffer.alloc(2 + text.length);
  payload.writeUInt16BE(code);
  payload.set(text, 2);
  return payload;
}

/** Maximum bytes of a message, whole or in fragments, because a joined message is held in memory. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Tracks frame boundaries in passing bytes, without storing the frames. */
export class FrameTracker {
  /** True once a Close frame has started. */
  hasClosed = false;
  /** True once a frame makes a message too large. Nothing is tracked after that. */
  isFlooded = false;
  /** Bytes of the current message. */
  #message = 0;
  #head: Buffer = NO_BYTES;
  #left = 0;

  /** True between two frames. */
  get isBetween(): boolean {
    return this.#left === 0 && this.#head.length === 0;
  }

  /**
   * Takes the next bytes. Returns where the last complete frame in them ends, or -1. Bytes after that belong to an
   * incomplete frame, or to one that exceeds the limit.
   */
  read(chunk: Buffer): number {
    let end = this.isBetween ? 0 : -1;
    for (let offset = 0; offset < chunk.length && !this.isFlooded;) {
      if (this.#left === 0) {
        const before = this.#head.length;
        const passed = before ? offset : this.#passShort(chunk, offset);
        if (passed > offset) {
          offset = end = passed;
          continue;
        }
        const head = before
          ? readFrameHead(joinHead(this.#head, chunk, offset))
          : readFrameHead(chunk, offset);
        if (!head) {
          this.#head = joinHead(this.#head, chunk, offset);
          return end;
        }
        offset += head.size - before;
        if (before) this.#head = NO_BYTES;
        if (this.#countMessage(head)) return end;
        this.#left = head.length;
        this.hasClosed ||= head.opcode === OPCODES.close;
      }
      const taken = Math.min(this.#left, chunk.length - offset);
      this.#left -= taken;
      offset += taken;
      if (this.#left === 0) end = offset;
    }
    return end;
  }

  /** Passes whole short frames of data, of which one read may have a hundred thousand; returns where the last one ends. */
  #passShort(chunk: Buffer, start: number): number {
    let offset = start;
    for (let end; (end = findFrameEnd(chunk, offset)) !== -1; offset = end) {
      const first = chunk[offset]!;
      const length = chunk[offset + 1]! & 0x7f;
      const size = this.#message + length;
      if ((first & 15) >= OPCODES.close || length > 125 || size > MAX_MESSAGE_BYTES) break;
      this.#message = first > 127 ? 0 : size;
    }
    return offset;
  }

  /** True if this frame makes its message too large. Control frames may come between fragments and do not count. */
  #countMessage({ opcode, length, isFinal }: FrameHead): boolean {
    if (opcode >= OPCODES.close) return false;
    this.#message += length;
    this.isFlooded = this.#message > MAX_MESSAGE_BYTES;
    if (isFinal) this.#message = 0;
    return this.isFlooded;
  }
}
