/**
 * Header lines in HAR, and what HAR 1.2 has no members for: interim responses, and messages of WebSockets.
 * @module
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import type { CapturedInterim, CapturedMessage, FieldLine } from "../capture/capture.ts";

/** 1 for text, 2 for bytes, 8 to 10 for control frames (RFC 6455 §5.2). */
const OPCODES: Readonly<Record<CapturedMessage["kind"], number>> = {
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
};

/** Writes lines in their order. */
export function writeFields(lines: readonly (readonly [name: string, value: string])[]) {
  return lines.map(([name, value]) => ({ name, value }));
}

/**
 * Writes the interim responses before a response, if there are any, with their times in Unix seconds.
 *
 * @param start when the request arrived, in Unix milliseconds
 */
export function writeInterims(interims: readonly CapturedInterim[] | undefined, start: number) {
  return interims?.map(({ atMs, status, statusText, headers }) => ({
    time: (start + atMs) / 1_000,
    status,
    statusText,
    headers: writeFields(headers),
  }));
}

/** The values of all lines of a header. Takes its lower-case name. */
export function valuesOf(lines: readonly FieldLine[], wanted: string): string[] {
  return lines.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
}

/**
 * Writes a message of a WebSocket as Chromium does: its data are text, or Base64.
 *
 * @param start when the request arrived, in Unix milliseconds
 */
export function writeMessage(
  { atMs, from, kind, size, base64, isCompressed }: CapturedMessage,
  start: number,
) {
  const kept = decodeBase64(base64);
  const bytes = kind === "text" && !isCompressed ? kept : undefined;
  return {
    type: from === "caller" ? "send" : "receive",
    time: (start + atMs) / 1_000,
    opcode: bytes || kind !== "text" ? OPCODES[kind] : OPCODES.binary,
    data: bytes ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : base64,
    /** Of one that was cut: its whole size. */
    _size: kept && kept.length < size ? size : undefined,
    /** What it is, if `data` is still compressed. */
    _compressed: isCompressed && kind,
  };
}
