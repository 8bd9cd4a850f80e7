/**
 * A captured body as HAR writes it: decoded if its content coding can be undone, and as text if it is text.
 * @module
 */

import { decodeBase64 } from "../../core/address/arg.ts";
import type { CapturedBody } from "../capture/capture.ts";
import { concat } from "../../core/http/concat.ts";

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

/** The content codings that platforms may decode, with the platforms' names for them. Not every platform knows all. */
const CODINGS: Readonly<Record<string, readonly string[]>> = {
  "gzip": ["gzip"],
  "x-gzip": ["gzip"],
  // Some servers send raw deflate data without the zlib format (RFC 9110 §8.4.1.2).
  "deflate": ["deflate", "deflate-raw"],
  "br": ["brotli"],
  "zstd": ["zstd"],
};
/** Maximum bytes after decoding: a body of a few bytes may decode to gigabytes. */
const MAX_DECODED_BYTES = 16_777_216;

const TEXT =
  /^(?:text\/|application\/(?:.*\+)?(?:json|xml)|application\/(?:javascript|ecmascript|graphql|x-www-form-urlencoded|x-ndjson)|image\/svg\+xml)/i;
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!utf-?8|us-ascii)/i;

/**
 * Reads a captured body.
 *
 * @param type its media type; only text types become text
 * @param coding its `Content-Encoding`, `""` for none
 */
export async function readHarBody(
  body: CapturedBody | undefined,
  type: string,
  coding: string,
): Promise<HarBody> {
  if (!body) return { size: 0 };
  if (body.withheld !== undefined) return { size: body.size, comment: `Not kept: ${body.withheld}` };
  const kept = decodeBase64(body.base64) ?? new Uint8Array();
  const cut = cutComment(kept.length, body);
  if (kept.length === 0) return { size: body.size, ...(cut && { comment: cut }) };
  const decoded = await decodeBody(kept, coding, cut !== undefined);
  const bytes = decoded ?? kept;
  const coded = decoded ? undefined : `The bytes are still in the coding ${coding}`;
  const comment = [cut, coded].filter(Boolean).join(". ");
  const text = decoded && isText(type) ? readText(bytes) : undefined;
  return {
    size: cut ? Math.max(body.size, bytes.length) : bytes.length,
    ...(text === undefined ? { text: body64(bytes), encoding: "base64" } : { text }),
    ...(comment && { comment }),
  };
}

function cutComment(kept: number, { size, isOver }: CapturedBody): string | undefined {
  if (kept < size) return `Cut: the first ${kept} of ${size} bytes`;
  return isOver ? undefined : `Not over yet: the first ${kept} bytes`;
}

function isText(type: string): boolean {
  return TEXT.test(type) && !OTHER_CHARSET.test(type);
}

/** The bytes as text that encodes to exactly the same bytes; `undefined` if they are not UTF-8. */
function readText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function body64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}

/**
 * Undoes content codings, the last one first.
 *
 * @param coding such as `gzip`, or several with commas; `""` for none
 * @param isCut true if the end is missing: returns as much as can be decoded
 * @returns `undefined` if this platform lacks a coding, if the bytes are not valid in it, or for more than 16 MiB
 */
export async function decodeBody(
  bytes: Uint8Array<ArrayBuffer>,
  coding: string,
  isCut = false,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const names = coding.toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  let decoded: Uint8Array<ArrayBuffer> | undefined = bytes;
  for (const name of names.reverse()) {
    if (decoded) decoded = await undo(decoded, CODINGS[name] ?? [], isCut);
  }
  return decoded;
}

async function undo(
  bytes: Uint8Array<ArrayBuffer>,
  formats: readonly string[],
  isCut: boolean,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  for (const format of formats) {
    const decoded = await inflate(bytes, format, isCut).catch(() => undefined);
    if (decoded) return decoded;
  }
  return undefined;
}

async function inflate(
  bytes: Uint8Array<ArrayBuffer>,
  format: string,
  isCut: boolean,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const inflater = new DecompressionStream(format as CompressionFormat);
  const writer = inflater.writable.getWriter();
  const failed = writer.write(bytes).then(() => writer.close()).catch(() => {});
  const reader = inflater.readable.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.length;
      if (size > MAX_DECODED_BYTES) {
        await reader.cancel();
        return undefined;
      }
    }
  } catch {
    // The end is missing; the bytes before it are still good.
    if (!isCut || size === 0) return undefined;
  }
  await failed;
  return concat(chunks, size);
}
