/**
 * Takes the content codings off a captured body.
 * @module
 * @see RFC 9110 §8.4
 */

import { concat } from "../../core/http/concat.ts";
import type { Decompress } from "../../core/shared.ts";
import { toBinary } from "./binary.ts";
import type { FieldLine } from "./capture.ts";
import type { KeyGuard } from "./key-guard.ts";

/** The content codings that platforms may decode, with the platforms' names for them. Not every platform knows all. */
export const CODINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["gzip", ["gzip"]],
  ["x-gzip", ["gzip"]],
  // Some servers send raw deflate data without the zlib format (RFC 9110 §8.4.1.2).
  ["deflate", ["deflate", "deflate-raw"]],
  ["br", ["brotli"]],
  ["zstd", ["zstd"]],
]);
/** Maximum bytes after decoding: a body of a few bytes may decode to gigabytes, and to write more as JSON would hold up other requests. */
export const MAX_DECODED_BYTES = 4_194_304;
/** Maximum codings of a body: each costs another decoding. */
const MOST_CODINGS = 5;

/** How a body is decoded. */
export interface Decoding {
  /** True if the end is missing: as much as can be decoded is of use. */
  isCut?: boolean;
  /** The process's own way, if it has one. */
  decompress?: Decompress | undefined;
  /** Takes the keys of the table out of what was decoded. */
  guard?: KeyGuard | undefined;
}

/** The content codings that the headers of a message name, with commas; `""` for none. */
export function readCoding(headers: readonly FieldLine[] = []): string {
  const lines = headers.filter(([name]) => name.toLowerCase() === "content-encoding");
  return lines.map(([, value]) => value).join(",");
}

/** The codings in the order in which they were applied; `identity` is none. */
export function readCodings(coding: string): string[] {
  return coding.toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
}

/**
 * Undoes content codings, the last one first, and takes keys out of what comes out.
 *
 * @param coding such as `gzip`, or several with commas; `""` for none
 * @returns `undefined` if a coding is not known here, if the bytes are not valid in it, or for too many bytes or codings
 */
export async function decodeBody(
  bytes: Uint8Array<ArrayBuffer>,
  coding: string,
  decoding: Decoding = {},
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const codings = readCodings(coding).reverse();
  if (codings.length > MOST_CODINGS) return undefined;
  let decoded: Uint8Array<ArrayBuffer> | undefined = bytes;
  for (const name of codings) {
    if (!decoded) break;
    decoded = await undo(decoded, CODINGS.get(name) ?? [], decoding);
    // Some runtimes decompress on the main thread: others have a turn behind each body.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const { guard, isCut = false } = decoding;
  if (!decoded || !guard || codings.length === 0) return decoded;
  return Uint8Array.from(guard.cleanBody(toBinary([decoded]), isCut), (sign) => sign.charCodeAt(0));
}

async function undo(
  bytes: Uint8Array<ArrayBuffer>,
  formats: readonly string[],
  { isCut = false, decompress = inflate }: Decoding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  for (const format of formats) {
    const decoded = await decompress(format, bytes, MAX_DECODED_BYTES, isCut).catch(() => undefined);
    if (decoded) return decoded;
  }
  return undefined;
}

/** The way of a platform without its own. */
const inflate: Decompress = async (format, bytes, maxBytes, isCut) => {
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
      if (size > maxBytes) {
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
};
