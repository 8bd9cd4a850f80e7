/**
 * Decompresses captured bodies for the console.
 * @module
 */

import * as zlib from "node:zlib";
import type { Decompress } from "../../core/shared.ts";

type Call = (bytes: Uint8Array, options: object, done: (error: Error | null, made: Buffer) => void) => void;

/** What older versions and their types lack. */
const { zstdDecompress } = zlib as { zstdDecompress?: Call };
const ZSTD_FLUSH = 1;

/** Calls by format, with the flush that gives what there is of a body that was cut. */
const FORMATS: Readonly<Record<string, readonly [call: Call | undefined, flush: number]>> = {
  "gzip": [zlib.gunzip, zlib.constants.Z_SYNC_FLUSH],
  "deflate": [zlib.inflate, zlib.constants.Z_SYNC_FLUSH],
  "deflate-raw": [zlib.inflateRaw, zlib.constants.Z_SYNC_FLUSH],
  "brotli": [zlib.brotliDecompress, zlib.constants.BROTLI_OPERATION_FLUSH],
  "zstd": [zstdDecompress, ZSTD_FLUSH],
};

/** Decompresses bytes, off the main thread. */
export const decompress: Decompress = (format, bytes, maxOutputLength, isCut) =>
  new Promise((resolve, reject) => {
    const [call, finishFlush] = FORMATS[format] ?? [];
    if (!call) return resolve(undefined);
    call(bytes, { maxOutputLength, ...(isCut && { finishFlush }) }, (error, made) => {
      if (error) reject(error);
      else resolve(new Uint8Array(made));
    });
  });
