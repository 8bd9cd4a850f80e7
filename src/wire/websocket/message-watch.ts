/**
 * Reads the messages that pass between the two sides of a WebSocket, for capture, without changing them.
 * @module
 */

import { Buffer } from "node:buffer";
import type { SocketMessage } from "../../core/socket-message.ts";
import type { SocketWatch } from "../../core/runtime.ts";
import { encodeClose, findFrameEnd, type FrameHead, joinHead, OPCODES, readFrameHead } from "./frames.ts";

/** Receives the data that comes from one side. */
export interface MessageWatch {
  onData(data: string | Uint8Array): void;
  /** A Close frame came. Called only for a side that passes messages. */
  onClose(code: number | undefined, reason: string): void;
}

const NO_BYTES: Buffer = Buffer.alloc(0);

type Kind = SocketMessage["kind"];
type Tell = (kind: Kind, payload: Uint8Array, size: number, isCompressed: boolean, skipped?: number) => void;

const KINDS = new Map<number, Kind>([
  [OPCODES.text, "text"],
  [OPCODES.binary, "binary"],
  [OPCODES.close, "close"],
  [OPCODES.ping, "ping"],
  [OPCODES.pong, "pong"],
]);
/** The first of the three reserved bits: the message is compressed (RFC 7692 §6). */
const COMPRESSED = 4;
/** Most pieces of a message that are kept one by one: a peer may send each byte in a frame of its own. */
const MOST_PIECES = 256;

/**
 * Watches one side; `undefined` if messages are not captured.
 *
 * @param carries whether `onData` gets the bytes of frames or whole messages
 */
export function watchMessages(
  { onMessage, messageBytes = 0, mostMessages = Infinity }: SocketWatch,
  from: SocketMessage["from"],
  carries: "bytes" | "messages",
): MessageWatch | undefined {
  if (!onMessage) return undefined;
  const tell: Tell = (kind, payload, size, isCompressed, skipped = 0) =>
    onMessage({ from, kind, payload, size, isCompressed, skipped });
  if (carries === "bytes") {
    const frames = new FrameWatch(tell, messageBytes, mostMessages);
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

/** A message whose frames are still passing. */
interface Passing {
  kind: Kind;
  isCompressed: boolean;
  size: number;
  kept: Uint8Array[];
  keptSize: number;
}

/** Reads frames as they pass. It validates nothing: messages of a malformed stream are simply not reported. */
class FrameWatch {
  readonly #tell: Tell;
  readonly #keptBytes: number;
  readonly #mostMessages: number;
  #headBytes: Buffer = NO_BYTES;
  #frame: FrameHead | undefined;
  /** The four bytes of the frame's mask; 0 without a mask. */
  #mask = 0;
  /** Bytes of this frame's payload that have passed. */
  #passed = 0;
  /** The message that arrives in fragments, and the one of the current frame, which may be a control frame between them. */
  #message: Passing | undefined;
  #current: Passing | undefined;
  /** How many further messages of this read are not reported, and how many were skipped since the last reported one. */
  #surplus = 0;
  #skipped = 0;

  constructor(tell: Tell, keptBytes: number, mostMessages: number) {
    this.#tell = tell;
    this.#keptBytes = keptBytes;
    this.#mostMessages = mostMessages;
  }

  push(chunk: Buffer): void {
    let offset = 0;
    const isBetween = () => !this.#frame && this.#headBytes.length === 0;
    while (offset < chunk.length && !isBetween()) offset = this.#readPart(chunk, offset);
    this.#surplus = countMessages(chunk, offset) - this.#mostMessages;
    while (offset < chunk.length) {
      const passed = isBetween() ? this.#passFrames(chunk, offset) : offset;
      offset = passed < chunk.length ? this.#readPart(chunk, passed) : passed;
    }
  }

  /** Passes over whole frames that need no work: surplus messages, and fragments of which no byte is kept. */
  #passFrames(chunk: Buffer, start: number): number {
    let offset = start;
    for (let end; (end = findFrameEnd(chunk, offset)) !== -1; offset = end) {
      const opcode = chunk[offset]! & 15;
      if (chunk[offset]! > 127) {
        if (this.#surplus <= 0) break;
        if (opcode < OPCODES.close) this.#message = undefined;
        this.#surplus -= 1;
        this.#skipped += 1;
        continue;
      }
      const message = opcode === OPCODES.continuation ? this.#message : undefined;
      const length = chunk[offset + 1]! & 0x7f;
      if (!message || length > 125 || (length > 0 && message.keptSize < this.#keptBytes)) break;
      message.size += length;
    }
    return offset;
  }

  #readPart(chunk: Buffer, offset: number): number {
    return this.#frame ? this.#readPayload(this.#frame, chunk, offset) : this.#readHead(chunk, offset);
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
    this.#mask = head.isMasked ? bytes.readUInt32BE(start + head.size - 4) : 0;
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
        message.kept.push(this.#unmask(chunk, offset, wanted));
        message.keptSize += wanted;
        if (message.kept.length > MOST_PIECES) message.kept = [Buffer.concat(message.kept)];
      }
      message.size += end - offset;
    }
    this.#passed += end - offset;
    if (this.#passed === head.length) this.#finish(head);
    return end;
  }

  /** Returns an unmasked copy: the chunk itself is passed on masked. */
  #unmask(chunk: Buffer, start: number, length: number): Uint8Array {
    const copy = new Uint8Array(length);
    for (let i = 0; i < length; i += 1) {
      copy[i] = chunk[start + i]! ^ (this.#mask >>> (24 - 8 * ((this.#passed + i) & 3)));
    }
    return copy;
  }

  #finish({ opcode, isFinal }: FrameHead): void {
    const message = this.#current;
    this.#frame = undefined;
    if (!message || !isFinal) return;
    if (opcode < OPCODES.close) this.#message = undefined;
    const { kind, kept, size, isCompressed } = message;
    this.#tell(kind, kept.length === 1 ? kept[0]! : Buffer.concat(kept), size, isCompressed, this.#skipped);
    this.#skipped = 0;
  }
}

/** Counts the messages that end with a whole frame in these bytes. */
function countMessages(chunk: Buffer, start: number): number {
  let count = 0;
  for (let offset = start, end; (end = findFrameEnd(chunk, offset)) !== -1; offset = end) {
    if (chunk[offset]! > 127) count += 1;
  }
  return count;
}
