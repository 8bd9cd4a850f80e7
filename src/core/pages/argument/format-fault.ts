/**
 * Says where an `arg` stops being the Base64 of a JSON object, for those to whom "invalid format" is not enough (rule
 * 21.2). It shows one character at most. Positions count from 0, in the text or in the bytes that it decodes to.
 * @module
 */

import { decodeBase64 } from "../../address/arg.ts";
import { readMembers } from "./json-members.ts";
import { Pace } from "./pace.ts";

/** A `%` without two digits, or for a byte beyond ASCII. */
const BAD_PERCENT = /%(?![\da-f]{2})|%[89a-f]/i;
const NO_DIGIT = /[^\w+/ \r\n-]/u;

/**
 * What is wrong with an `arg` as written in an address.
 *
 * @returns `undefined` if it is the Base64 of a JSON object
 */
export async function findArgFault(text: string): Promise<string | undefined> {
  const bytes = decodeBase64(text);
  if (!bytes) return findBase64Fault(text);
  const json = dropMark(bytes);
  const members = await readMembers(json, new Pace());
  if (typeof members === "number") return describeJsonFault(bytes, members + bytes.length - json.length);
  return members.isObject ? undefined : NO_OBJECT;
}

/** The fault of JSON text of another type. */
export const NO_OBJECT = "JSON is no object";

/** The bytes without a byte order mark. */
export function dropMark(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** What is wrong with a text that `decodeBase64` refused, such as `not Base64: % at 0`. */
export function findBase64Fault(text: string): string {
  const percent = text.search(BAD_PERCENT);
  const base64 = percent < 0 ? decodeURIComponent(text) : text;
  let end = base64.length;
  while (base64[end - 1] === "=") end -= 1;
  const at = percent < 0 ? base64.slice(0, end).search(NO_DIGIT) : percent;
  return at < 0
    ? `not Base64: it ends at ${base64.length}`
    : `not Base64: ${showCode(base64.codePointAt(at))} at ${at}`;
}

/**
 * What is wrong with a JSON text.
 *
 * @param at where reading stopped, as `readMembers` tells
 */
export function describeJsonFault(json: Uint8Array<ArrayBuffer>, at: number): string {
  if (at >= json.length) return `JSON ends at ${json.length}`;
  // Reading stops behind the first byte of a character that is cut.
  const lead = findLead(json, isTail(json[at]) ? at : at - 1);
  const isCut = lead !== undefined && readCode(json, lead) === undefined;
  const start = isCut ? lead : at;
  const code = readCode(json, start);
  return code === undefined ? `not UTF-8 at byte ${start}` : `not JSON: ${showCode(code)} at byte ${start}`;
}

/** Where the character of more than one byte begins that this byte is part of. */
function findLead(json: Uint8Array, at: number): number | undefined {
  let lead = at;
  while (lead > at - 3 && isTail(json[lead])) lead -= 1;
  return (json[lead] ?? 0) >= 0xc0 ? lead : undefined;
}

function isTail(byte = 0): boolean {
  return byte >> 6 === 0b10;
}

/** The code point that begins at this byte; `undefined` if it is malformed (RFC 3629 §4). */
function readCode(json: Uint8Array<ArrayBuffer>, at: number): number | undefined {
  const byte = json[at] ?? 0;
  const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(json.subarray(at, at + length))
      .codePointAt(0);
  } catch {
    return undefined;
  }
}

function showCode(code = 0): string {
  if (code > 0x20 && code < 0x7f) return String.fromCodePoint(code);
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
