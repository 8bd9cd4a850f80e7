/**
 * What a body was on the wire: browsers take its coding off before a script sees it.
 * @module
 */

import { findField, type Lines } from "../page/format.ts";

/** A body on the wire. */
export interface Wire {
  /** The coding that is still on the bytes; `""` if there is none. */
  encoding: string;
  /** The coding that the browser has taken off, and the bytes that it was; absent if there was none. */
  removed?: { encoding: string; bytes: number };
}

/**
 * Compares what arrived with what a script got.
 *
 * @param headers the target's fields
 * @param size bytes that the script got, once all are there
 * @param seen bytes that the browser counted on the wire; 0 if it does not tell
 */
export function readWire(
  headers: Lines,
  size: number,
  seen: number,
): Wire {
  const encoding = findField(headers, "content-encoding")?.trim() ?? "";
  const told = findField(headers, "content-length") ?? "";
  if (encoding === "" || encoding.toLowerCase() === "identity") return { encoding: "" };
  const length = /^\d+$/.test(told) ? Number(told) : seen;
  // A browser that does not know the coding hands over the bytes as they came.
  if (length === size) return { encoding };
  return { encoding: "", ...(length > 0 && { removed: { encoding, bytes: length } }) };
}
