/**
 * Reads the messages that a target sends, where the runtime's own WebSocket hands them to the caller (RFC 6455 §5, §8.1).
 * @module
 */

import { Buffer } from "node:buffer";
import { type FrameHead, MAX_FRAME_HEAD_BYTES, OPCODES, readFrameHead } from "./websocket-frames.ts";

/** A message may have this many bytes; it is handed on as a whole. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Takes what was read. */
export interface MessageSink {
  message(data: string | Uint8Array<ArrayBuffer>): void;
  ping(payload: Buffer): void;
  /** `undefined` for a Close frame without a code. Nothing is read after it. */
  close(code: number | undefined, reason: string): void;
  /** The target broke the protocol; the code says how (RFC 6455 §7.4.1). Nothing is read after it. */
  fault(code: number): void;
}

/** Thrown and caught in here. */
class Fault extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`the target broke the protocol of WebSockets: ${code}`);
    this.code = code;
  }
}

/** Reads frames and joins fragments. */
export class MessageReader {
  readonly #sink: MessageSink;
  #isOver = false;
  #headBytes: Buffer = Buffer.alloc(0);
  #head: FrameHead | undefined;
  /** The parts of this frame's payload, and how much of it is missing. */
  #parts: Buffer[] = [];
  #left = 0;
  /** The message that these frames make up; `undefined` between messages. */
  #message: { isText: boolean; parts: Buffer[]; size: number } | undefined;

  constructor(sink: MessageSink) {
    this.#sink = sink;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    try {
      for (let offset = 0; offset < chunk.length && !this.#isOver;) offset = this.#step(chunk, offset);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.#isOver = true;
      this.#sink.fault(error.code);
    }
  }

  #step(chunk: Buffer, offset: number): number {
    if (!this.#head) return this.#readHead(chunk, offset);
    const part = chunk.subarray(offset, offset + this.#left);
    this.#parts.push(part);
    this.#left -= part.length;
    if (this.#left === 0) this.#finish(this.#head);
    return offset + part.length;
  }

  #readHead(chunk: Buffer, offset: number): number {
    const next = chunk.subarray(offset, offset + MAX_FRAME_HEAD_BYTES);
    const bytes = this.#headBytes.length ? Buffer.concat([this.#headBytes, next]) : next;
    const head = readFrameHead(bytes);
    if (!head) {
      this.#headBytes = Buffer.from(bytes);
      return chunk.length;
    }
    const end = offset + head.size - this.#headBytes.length;
    this.#headBytes = Buffer.alloc(0);
    this.#begin(head);
    return end;
  }

  #begin(head: FrameHead): void {
    const { opcode, isFinal, isMasked, reserved, length } = head;
    const isControl = opcode >= OPCODES.close;
    const isKnown = isControl ? opcode <= OPCODES.pong : opcode <= OPCODES.binary;
    if (!isKnown || isMasked || reserved || (isControl && (!isFinal || length > 125))) throw new Fault(1002);
    if (!isControl) {
      if ((opcode === OPCODES.continuation) !== (this.#message !== undefined)) throw new Fault(1002);
      this.#message ??= { isText: opcode === OPCODES.text, parts: [], size: 0 };
      this.#message.size += length;
      if (this.#message.size > MAX_MESSAGE_BYTES) throw new Fault(1009);
    }
    this.#head = head;
    this.#left = length;
    if (length === 0) this.#finish(head);
  }

  #finish({ opcode, isFinal }: FrameHead): void {
    const parts = this.#parts;
    this.#head = undefined;
    this.#parts = [];
    if (opcode === OPCODES.ping) return this.#sink.ping(Buffer.concat(parts));
    if (opcode === OPCODES.pong) return;
    if (opcode === OPCODES.close) return this.#close(Buffer.concat(parts));
    const message = this.#message;
    message?.parts.push(...parts);
    if (!message || !isFinal) return;
    this.#message = undefined;
    const bytes = Buffer.concat(message.parts);
    this.#sink.message(message.isText ? decodeText(bytes) : bytes);
  }

  #close(payload: Buffer): void {
    if (payload.length === 1) throw new Fault(1002);
    const code = payload.length ? payload.readUInt16BE() : undefined;
    if (code !== undefined && !isCode(code)) throw new Fault(1002);
    const reason = decodeText(payload.subarray(2));
    this.#isOver = true;
    this.#sink.close(code, reason);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeText(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Fault(1007);
  }
}

/** True for a code that may stand in a Close frame (RFC 6455 §7.4). */
function isCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) ||
    (code >= 3000 && code < 5000);
}
