/**
 * The text form of a fetch argument: Base64 of the UTF-8 bytes of its JSON (specification 4.3).
 * @module
 */

import { encodeUtf8 } from "../http/text.ts";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";

/** Digits and padding. */
const BASE64 = /^([^=]*)(={0,2})$/;

/**
 * Encodes a value as an `arg`: Base64url without padding, so that it needs no percent-encoding in an address.
 *
 * @param value what JSON can hold, such as a `FetchArgument` of `fetchvia/client`
 * @throws {TypeError} when JSON can't hold it (a cycle, a `bigint`)
 * @example
 * ```ts
 * encodeArg({ url: "https://example.com/" }); // eyJ1cmwiOiJodHRwczovL2V4YW1wbGUuY29tLyJ9
 * ```
 */
export function encodeArg(value: unknown): string {
  return encodeBase64url(encodeUtf8(JSON.stringify(value)));
}

/**
 * Decodes an `arg` as written in an address: Base64 or Base64url, padded or not, percent-encoded or not;
 * a space is a `+` that a form decoder has replaced. Line ends are ignored.
 *
 * @returns the JSON object, or `undefined` when it is not Base64, not UTF-8, not JSON or no object
 * @example
 * ```ts
 * decodeArg("eyJ1cmwiOiJodHRwczovL2V4YW1wbGUuY29tLyJ9"); // { url: "https://example.com/" }
 * ```
 */
export function decodeArg(text: string): Record<string, unknown> | undefined {
  try {
    const bytes = decodeBase64(text);
    const value: unknown = bytes && JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The bytes of an `arg`, whatever they hold; `undefined` when it is not Base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    // Many encoders break lines (RFC 2045 §6.8).
    const base64 = decodeURIComponent(text).replaceAll(" ", "+").replaceAll("\r", "").replaceAll("\n", "");
    const [, digits, padding] = BASE64.exec(base64) ?? [];
    if (digits === undefined || (padding && base64.length % 4 !== 0)) return undefined;
    return decodeBase64url(digits);
  } catch {
    return undefined;
  }
}

/** True for a JSON object: not `null`, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
