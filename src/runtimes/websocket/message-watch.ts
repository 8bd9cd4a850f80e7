/**
 * Reads the messages that pass between two sides of a WebSocket, for capture. What passes does not change.
 * @module
 */

import { Buffer } from "node:buffer";
import type { SocketMessage } from "../../exchange/capture/socket-message.ts";
import type { SocketWatch } from "../../exchange/runtime.ts";
import { encodeClose, type FrameHead, joinHead, OPCODES, readFrameHead } from "./frames.ts";

/** Takes what comes from one side. */
export interface MessageWatch {
  onData(data: string | Uint8Array): void;
  /** A Close frame came, from a side that passes messages. */
  onClose(code: number | undefined, reason: string): void;
}

const NO_BYTES: Buffer = Buffer.alloc(0);

type Kind = SocketMessage["kind"];
type Tell = (kind: Kind, payload: Uint8Array, size: number, isCompressed: boolean) => void;

const KINDS = new Map<number, Kind>([
  [OPCODES.text, "text"],
  [OPCODES.binary, "binary"],
  [OPCODES.close, "close"],
  [OPCODES.ping, "ping"],
  [OPCODES.pong, "pong"],
]);
/** The first of the three bits: the message is compressed (RFC 7692 §6). */
const COMPRESSED = 4;

/**
 * Watches one side; `undefined` if nobody wants its messages.
 *
 * @param carries whether `onData` gets the bytes of frames or whole messages
 */
export function watchMessages(
  { onMessage, messageBytes = 0 }: SocketWatch,
  from: SocketMessage["from"],
  carries: "bytes" | "messages",
): MessageWatch | undefined {
  if (!onMessage) return undefined;
  const tell: Tell = (kind, payload, size, isCompressed) =>
    onMessage({ from, kind, payload, size, isCompressed });
  if (carries === "bytes") {
    const frames = new FrameWatch(tell, messageBytes);
    return { onData: (data) => frames.push(data as Buffer), onClose() {} };
  }
  const tellWhole = (kind: Kind, bytes: Uint8Array) =>
    tell(kind, Buffer.from(bytes.subarray(0, messageBytes)), bytes.length, false);
  return {
    onData: (data) =>
      typeof data === "string" ? tellWhole("text", Buffer.from(data)) : tellWhole("binary", data),
    onClose: (code, reason) => tellWhole("close", encodeClose(code, reason)),
  };
}

/** A message whose frames are passing. */
interface Passing {
  kind: Kind;
  isCompressed: boolean;
  size: number;
  kept: Buffer[];
  keptSize: number;
}

/** Reads frames as they pass. It checks nothing: a stream that makes no sense is simply not told of. */
class FrameWatch {
  readonly #tell: Tell;
  readonly #keptBytes: number;
  #headBytes: Buffer = NO_BYTES;
  #frame: FrameHead | undefined;
  #mask: Buffer | undefined;
  /** Bytes of this frame's payload that have passed. */
  #passed = 0;
  /** The message in fragments, and the frame between them. */
  #message: Passing | undefined;
  #current: Passing | undefined;

  constructor(tell: Tell, keptBytes: number) {
    this.#tell = tell;
    this.#keptBytes = keptBytes;
  }

  push(chunk: Buffer): void {
    for (let offset = 0; offset < chunk.length;) {
      offset = this.#frame ? this.#readPayload(this.#frame, chunk, offset) : this.#readHead(chunk, offset);
    }
  }

  #readHead(chunk: Buffer, offset: number): number {
    const before = this.#headBytes.length;
    const bytes = before ? joinHead(this.#headBytes, chunk, offset) : chunk;
    const start = before ? 0 : offset;
    const head = readFrameHead(bytes, start);
    if (!head) {
      this.#headBytes = joinHead(this.#headBytes, chunk, offset);
      return chunk.length;
    }
    if (before) this.#headBytes = NO_BYTES;
    const end = start + head.size;
    this.#mask = head.isMasked ? Buffer.from(bytes.subarray(end - 4, end)) : undefined;
    this.#frame = head;
    this.#passed = 0;
    this.#current = this.#begin(head);
    if (head.length === 0) this.#finish(head);
    return offset + head.size - before;
  }

  #begin({ opcode, reserved }: FrameHead): Passing | undefined {
    const kind = KINDS.get(opcode);
    if (!kind) return this.#message;
    const begun = { kind, isCompressed: (reserved & COMPRESSED) > 0, size: 0, kept: [], keptSize: 0 };
    if (opcode < OPCODES.close) this.#message = begun;
    return begun;
  }

  #readPayload(head: FrameHead, chunk: Buffer, offset: number): number {
    const end = Math.min(chunk.length, offset + head.length - this.#passed);
    const message = this.#current;
    if (message) {
      const wanted = Math.min(end - offset, this.#keptBytes - message.keptSize);
      if (wanted > 0) {
        message.kept.push(this.#unmask(chunk.subarray(offset, offset + wanted)));
        message.keptSize += wanted;
      }
      message.size += end - offset;
    }
    this.#passed += end - offset;
    if (this.#passed === head.length) this.#finish(head);
    return end;
  }

  /** A copy, because the memory of a chunk may be used again. */
  #unmask(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes);
    const mask = this.#mask;
    if (mask) { for (let i = 0; i < copy.length; i += 1) copy[i]! ^= mask[(this.#passed + i) & 3]!; }
    return copy;
  }

  #finish({ opcode, isFinal }: FrameHead): void {
    const message = this.#current;
    this.#frame = undefined;
    if (!message || !isFinal) return;
    if (opcode < OPCODES.close) this.#message = undefined;
    this.#tell(message.kind, Buffer.concat(message.kept), message.size, message.isCompressed);
  }
}
