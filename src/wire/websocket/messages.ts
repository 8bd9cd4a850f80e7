/**
 * Parses the target's messages, for runtimes whose own WebSocket delivers them to the caller (RFC 6455 §5, §8.1).
 * @module
 */

import { Buffer } from "node:buffer";
import { Block } from "../codec/block.ts";
import { type FrameHead, joinHead, MAX_MESSAGE_BYTES, OPCODES, readFrameHead } from "./frames.ts";

const NO_BYTES: Buffer = Buffer.alloc(0);

/** Receives the parsed messages. */
export interface MessageSink {
  message(data: string | Uint8Array<ArrayBuffer>): void;
  ping(payload: Buffer): void;
  /** `undefined` for a Close frame without a code. Nothing is read after it. */
  close(code: number | undefined, reason: string): void;
  /** The target broke the protocol; the code says how (RFC 6455 §7.4.1). Nothing is read after it. */
  fault(code: number): void;
}

/** Thrown and caught within this module. */
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
  #headBytes: Buffer = NO_BYTES;
  #head: FrameHead | undefined;
  /** Bytes still missing from this frame's payload. */
  #left = 0;
  /** The payload of a control frame. */
  #control = new Block();
  /** The current message; `undefined` between messages. */
  #message: { isText: boolean; block: Block; size: number } | undefined;

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
    const head = this.#head;
    if (!head) return this.#readHead(chunk, offset);
    const end = Math.min(offset + this.#left, chunk.length);
    const isControl = head.opcode >= OPCODES.close;
    if (isControl) this.#control.add(chunk, offset, end, head.length);
    else this.#message?.block.add(chunk, offset, end, this.#message.size);
    this.#left -= end - offset;
    if (this.#left === 0) this.#finish(head);
    return end;
  }

  #readHead(chunk: Buffer, offset: number): number {
    const before = this.#headBytes.length;
    const head = before
      ? readFrameHead(joinHead(this.#headBytes, chunk, offset))
      : readFrameHead(chunk, offset);
    if (!head) {
      this.#headBytes = joinHead(this.#headBytes, chunk, offset);
      return chunk.length;
    }
    if (before) this.#headBytes = NO_BYTES;
    this.#begin(head);
    return offset + head.size - before;
  }

  #begin(head: FrameHead): void {
    const { opcode, isFinal, isMasked, reserved, length } = head;
    const isControl = opcode >= OPCODES.close;
    const isKnown = isControl ? opcode <= OPCODES.pong : opcode <= OPCODES.binary;
    if (!isKnown || isMasked || reserved || (isControl && (!isFinal || length > 125))) throw new Fault(1002);
    if (!isControl) {
      if ((opcode === OPCODES.continuation) !== (this.#message !== undefined)) throw new Fault(1002);
      this.#message ??= { isText: opcode === OPCODES.text, block: new Block(), size: 0 };
      this.#message.size += length;
      if (this.#message.size > MAX_MESSAGE_BYTES) throw new Fault(1009);
    }
    this.#head = head;
    this.#left = length;
    if (length === 0) this.#finish(head);
  }

  #finish({ opcode, isFinal }: FrameHead): void {
    this.#head = undefined;
    if (opcode >= OPCODES.close) return this.#finishControl(opcode);
    const message = this.#message;
    if (!message || !isFinal) return;
    this.#message = undefined;
    const { bytes } = message.block;
    this.#sink.message(message.isText ? decodeText(bytes) : bytes);
  }

  #finishControl(opcode: number): void {
    const { bytes } = this.#control;
    this.#control = new Block();
    if (opcode === OPCODES.ping) this.#sink.ping(bytes);
    else if (opcode === OPCODES.close) this.#close(bytes);
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

/** True for a code that is allowed in a Close frame (RFC 6455 §7.4). */
function isCode(code: number): boolean {
  return (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) ||
    (code >= 3000 && code < 5000);
}
