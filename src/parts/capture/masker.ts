/**
 * Masks secrets by their length and a keyed digest, so that two can be compared.
 * @module
 */

import { digestOf } from "./digest.ts";

/** Writes a mask in place of a secret. */
export interface Masker {
  /** For the value of a field: `***(43 bytes, 9f3c)`. */
  hide(secret: string): string;
  /** For a part of an address, which may hold no blank: `***(43-bytes,9f3c)`. */
  hideInAddress(secret: string): string;
}

/** Matches the mask of a secret, its length and a digest (rule 16.3). */
export const MASK = /\*\*\*\(\d+(?: bytes, |-bytes,)[0-9a-f]{4}\)/;
const KEY_BYTES = 16;

/** True for a mask and nothing else: masks are left alone, so masking a text twice is harmless. */
export function isMask(text: string): boolean {
  return MASK.exec(text)?.[0] === text;
}

/**
 * Makes a masker.
 *
 * @param key at least 32 hexadecimal digits that nobody can guess, such as a random UUID; other characters are ignored
 */
export function createMasker(key: string): Masker {
  const digits = key.replace(/[^0-9a-f]/gi, "").padEnd(2 * KEY_BYTES, "0");
  const bytes = Uint8Array.from(
    { length: KEY_BYTES },
    (_, at) => parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  );
  const mask = (secret: string, write: (digest: string) => string) =>
    secret === "" || isMask(secret) ? secret : write(digestOf(secret, bytes));
  return {
    hide: (secret) => mask(secret, (digest) => `***(${secret.length} bytes, ${digest})`),
    hideInAddress: (secret) => mask(secret, (digest) => `***(${secret.length}-bytes,${digest})`),
  };
}
