/**
 * A message of a WebSocket in HAR, as Chromium writes and reads it.
 * @module
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import type { CapturedMessage } from "../capture/capture.ts";

/** A message of a WebSocket, as Chromium writes it. */
export interface HarMessage {
  type: "send" | "receive";
  /** Unix seconds. */
  time: number;
  /** 1 for text, 2 for bytes, 8 to 10 for control frames (RFC 6455 §5.2). */
  opcode: number;
  /** Text, or Base64. */
  data: string;
}

const OPCODES: Readonly<Record<CapturedMessage["kind"], number>> = {
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
};

/**
 * Writes a message.
 *
 * @param start when the request arrived, in Unix milliseconds
 */
export function writeMessage(
  { atMs, from, kind, base64, isCompressed }: CapturedMessage,
  start: number,
): HarMessage {
  const bytes = kind === "text" && !isCompressed ? decodeBase64(base64) : undefined;
  return {
    type: from === "caller" ? "send" : "receive",
    time: (start + atMs) / 1_000,
    opcode: bytes || kind !== "text" ? OPCODES[kind] : OPCODES.binary,
    data: bytes ? new TextDecoder().decode(bytes) : base64,
  };
}
