/**
 * Encodes a JSON object as `application/x-www-form-urlencoded`, like `URLSearchParams`.
 * @module
 */

import { encodeUtf8 } from "../../http/text.ts";
import { cannotUse } from "../../http/error.ts";
import { readString, unescapeString } from "./json-string.ts";
import { MAX_MEMBERS, type Member, readMembers } from "./json-members.ts";
import type { Pace } from "./pace.ts";

/**
 * Maximum bytes of a form. It can be longer than its JSON: one byte may become three, and each item of a list repeats
 * the name.
 */
export const MAX_FORM_BYTES: number = 16 * 1024 * 1024;

const QUOTE = 0x22;
const LETTER_N = 0x6e;
const AND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const HEX = encodeUtf8("0123456789ABCDEF");
/**
 * The encoded form of each byte; 0 for one that is percent-encoded (URL standard §1.3,
 * "application/x-www-form-urlencoded").
 */
const KEPT = makeKept();

/** A field: its name in UTF-8, its value as JSON text. */
type Field = [name: Uint8Array<ArrayBuffer>, value: Uint8Array<ArrayBuffer>];

/**
 * Encodes an object as a form. The last of equal names counts; an array becomes a field for each item, `null` an empty
 * field, and any other value that is no string its JSON text.
 *
 * @param body a valid JSON object
 * @throws {ProxyError} `bad_request` for more than `MAX_MEMBERS` fields, or a form longer than `MAX_FORM_BYTES`
 */
export async function encodeForm(
  body: Uint8Array<ArrayBuffer>,
  pace: Pace,
): Promise<Uint8Array<ArrayBuffer>> {
  const fields = await readFields(body, pace);
  const longest = fields.reduce((sum, [name, value]) => sum + 3 * (name.length + value.length) + 2, 0);
  const writer = new FormWriter(Math.min(longest, MAX_FORM_BYTES), pace);
  for (const [index, [name, value]] of fields.entries()) {
    if (index > 0) writer.put(AND);
    await writer.write(name);
    writer.put(EQUALS);
    await writer.write(await textOf(value, pace));
  }
  return writer.finish();
}

async function readFields(body: Uint8Array<ArrayBuffer>, pace: Pace): Promise<Field[]> {
  const fields: Field[] = [];
  const last = new Map((await listMembers(body, pace)).map((member) => [readString(member.name), member]));
  for (const { name, value } of last.values()) {
    const key = await unescapeString(name, pace);
    const items = value[0] === 0x5b ? (await listMembers(value, pace)).map((item) => item.value) : [value];
    for (const item of items) fields.push([key, item]);
    if (fields.length > MAX_MEMBERS) refuseCount();
  }
  return fields;
}

async function listMembers(json: Uint8Array<ArrayBuffer>, pace: Pace): Promise<readonly Member[]> {
  const members = await readMembers(json, pace);
  if (typeof members === "number") return [];
  if (members.isCut) refuseCount();
  return members.list;
}

/** The text of a JSON string; empty for `null`; any other value as written. */
function textOf(
  value: Uint8Array<ArrayBuffer>,
  pace: Pace,
): Promise<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> {
  if (value[0] === QUOTE) return unescapeString(value, pace);
  return value[0] === LETTER_N ? value.subarray(0, 0) : value;
}

/** Writes into one buffer, which is allocated once. */
class FormWriter {
  readonly #to: Uint8Array<ArrayBuffer>;
  readonly #pace: Pace;
  #size = 0;

  /** @param longest maximum size in bytes */
  constructor(longest: number, pace: Pace) {
    this.#to = new Uint8Array(longest);
    this.#pace = pace;
  }

  put(byte: number): void {
    if (this.#size >= this.#to.length) refuseLength();
    this.#to[this.#size] = byte;
    this.#size += 1;
  }

  write(text: Uint8Array): Promise<void> {
    return this.#pace.work(text.length, (start, end) => this.#encode(text, start, end));
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#to.subarray(0, this.#size);
  }

  #encode(text: Uint8Array, start: number, end: number): void {
    const to = this.#to;
    let size = this.#size;
    for (let at = start; at < end; at += 1) {
      const byte = text[at] as number;
      const kept = KEPT[byte] as number;
      if (size + 3 > to.length) refuseLength();
      if (kept) to[size++] = kept;
      else {
        to[size++] = PERCENT;
        to[size++] = HEX[byte >> 4] as number;
        to[size++] = HEX[byte & 15] as number;
      }
    }
    this.#size = size;
  }
}

function makeKept(): Uint8Array {
  const kept = new Uint8Array(256);
  for (const byte of encodeUtf8("*-._")) kept[byte] = byte;
  for (let byte = 0; byte < 128; byte += 1) {
    if (/[0-9A-Za-z]/.test(String.fromCharCode(byte))) kept[byte] = byte;
  }
  kept[0x20] = 0x2b;
  return kept;
}

function refuseLength(): never {
  throw cannotUse("field of arg", "body is a form that is too long", `at most ${MAX_FORM_BYTES} bytes`);
}

function refuseCount(): never {
  throw cannotUse("field of arg", "body is a form with too many fields", `at most ${MAX_MEMBERS}`);
}
