/**
 * Takes content codings off a body, as far as the browser can.
 * @module
 * @see RFC 9110 §8.4
 */

import { concat } from "../../../core/http/concat.ts";
import { CODINGS, readCodings } from "../../../parts/capture/decode-body.ts";

/** More than this is not unpacked: a few kilobytes may become gigabytes. */
export const MAX_DECODED_BYTES = 32_000_000;
/** Bytes handed over at once, so that the limit is seen in time. */
const STEP = 16_384;

/** The codings that this browser does not know. */
export function listUnknown(): string[] {
  return [...CODINGS].filter(([, formats]) => !formats.some(openStream)).map(([coding]) => coding);
}

/** A body without its codings. */
export interface Decoded {
  bytes: Uint8Array<ArrayBuffer>;
  /** What was not possible; absent if all went well. */
  problem?: string;
}

/**
 * Decodes a body.
 *
 * @param encoding the value of `Content-Encoding`, `""` for none
 * @returns as much as can be decoded; the bytes as they are if the browser does not know the coding
 */
export async function decodeBody(bytes: Uint8Array<ArrayBuffer>, encoding: string): Promise<Decoded> {
  let decoded: Decoded = { bytes };
  for (const coding of readCodings(encoding).reverse()) {
    decoded = await decodeOne(decoded.bytes, coding);
    if (decoded.problem) return decoded;
  }
  return decoded;
}

async function decodeOne(bytes: Uint8Array<ArrayBuffer>, coding: string): Promise<Decoded> {
  let best: Decoded | undefined;
  for (const format of CODINGS.get(coding) ?? []) {
    const stream = openStream(format);
    if (!stream) continue;
    const decoded = await readStream(bytes, stream, coding);
    if (!decoded.problem) return decoded;
    if (!best || decoded.bytes.length > best.bytes.length) best = decoded;
  }
  if (best && best.bytes.length > 0) return best;
  const problem = best
    ? `It is no ${coding}, although its fields say so: these are its bytes as they came.`
    : `This browser cannot decode ${coding}: these are its bytes as they came.`;
  return { bytes, problem };
}

function openStream(format: string): DecompressionStream | undefined {
  try {
    return new DecompressionStream(format as CompressionFormat);
  } catch {
    return undefined;
  }
}

async function readStream(
  bytes: Uint8Array<ArrayBuffer>,
  stream: DecompressionStream,
  coding: string,
): Promise<Decoded> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.readable.getReader();
  const reading = (async () => {
    for (let chunk; (chunk = (await reader.read()).value) !== undefined;) {
      chunks.push(chunk);
      size += chunk.length;
    }
  })();
  let problem = "";
  const writer = stream.writable.getWriter();
  reading.catch(() => {});
  writer.closed.catch(() => {});
  try {
    for (let at = 0; at < bytes.length && size <= MAX_DECODED_BYTES; at += STEP) {
      await writer.write(bytes.subarray(at, at + STEP));
    }
    // A failure at the end would discard what was decoded but not read yet.
    await new Promise((resolve) => setTimeout(resolve));
    if (size > MAX_DECODED_BYTES) {
      problem = "It is longer when decoded: only its beginning is shown.";
      void reader.cancel();
    } else {
      await Promise.all([writer.close(), reading]);
    }
  } catch {
    problem = `The ${coding} ends early or is damaged: only its beginning could be decoded.`;
  }
  return { bytes: concat(chunks, size), ...(problem && { problem }) };
}
