/**
 * A captured body as HAR writes it: decoded if its content coding can be undone, and as text if it is text; and header lines,
 * interim responses and messages of WebSockets.
 * @module
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import type { CapturedBody, CapturedInterim, CapturedMessage, FieldLine } from "../capture/capture.ts";
import { toBinary } from "../capture/binary.ts";
import { decodeBody, MAX_DECODED_BYTES } from "../capture/decode-body.ts";
import type { KeyGuard } from "../capture/key-guard.ts";

/** A body in HAR. */
export interface HarBody {
  /** Bytes after decoding. */
  size: number;
  /** Text, or Base64 if `encoding` says so; absent if nothing is kept. */
  text?: string;
  encoding?: "base64";
  /** How the content differs from the body that was sent. */
  comment?: string;
}

/** What the codings of all bodies in a file may still give. */
export interface HarDecoding {
  /** In bytes: a file of many small bodies would have gigabytes. */
  left: number;
  /** Takes keys of the table out of what was decoded. */
  guard?: KeyGuard | undefined;
}

const TEXT =
  /^(?:text\/|application\/(?:.*\+)?(?:json|xml)|application\/(?:javascript|ecmascript|graphql|x-www-form-urlencoded|x-ndjson)|image\/svg\+xml)/i;
const CHARSET = /;\s*charset\s*=\s*["']?([^\s;"']*)/i;
/** Whose text is UTF-8; `""` if the type names none. */
const UTF_8 = /^(?:utf-?8|(?:us-)?ascii|)$/i;

/**
 * Reads a captured body.
 *
 * @param type its media type; only text types become text
 * @param coding its `Content-Encoding`, `""` for none
 * @param decoding counts down; bodies for which nothing is left stay encoded
 */
export async function readHarBody(
  body: CapturedBody | undefined,
  type: string,
  coding: string,
  decoding: HarDecoding,
): Promise<HarBody> {
  if (!body) return { size: 0 };
  if (body.withheld !== undefined) return { size: body.size, comment: `Not kept: ${body.withheld}` };
  const kept = decodeBase64(body.base64) ?? new Uint8Array();
  const cut = cutComment(kept.length, body);
  if (kept.length === 0) return { size: body.size, ...(cut && { comment: cut }) };
  const { guard, left } = decoding;
  const decoded = coding === "" || left > 0
    ? await decodeBody(kept, coding, { isCut: cut !== undefined, guard })
    : undefined;
  if (coding !== "") decoding.left -= decoded?.length ?? MAX_DECODED_BYTES;
  const bytes = decoded ?? kept;
  const coded = decoded ? undefined : `The bytes are still in the coding ${coding}`;
  const comment = [cut, coded].filter(Boolean).join(". ");
  const text = decoded && isText(type) ? decodeUtf8(bytes) : undefined;
  return {
    size: cut ? Math.max(body.size, bytes.length) : bytes.length,
    ...(text === undefined ? { text: btoa(toBinary([bytes])), encoding: "base64" } : { text }),
    ...(comment && { comment }),
  };
}

function cutComment(kept: number, { size, isOver }: CapturedBody): string | undefined {
  if (kept < size) return `Cut: the first ${kept} of ${size} bytes`;
  return isOver ? undefined : `Not over yet: the first ${kept} bytes`;
}

function isText(type: string): boolean {
  return TEXT.test(type) && UTF_8.test(CHARSET.exec(type)?.[1] ?? "");
}

/** The bytes as text that encodes to exactly the same bytes; `undefined` if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

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
