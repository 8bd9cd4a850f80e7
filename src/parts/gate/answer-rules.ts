/**
 * Changes response headers by the target's entry (rule 8.2); keeps responses behind a key from shared caches (rule 9.7).
 * @module
 */

import type { FieldWriter } from "../../core/http/fields.ts";
import { memoize } from "../../core/http/memo.ts";
import type { AnswerSource } from "../../core/exchange/exchange.ts";
import type { TargetTable } from "./targets/table.ts";

/** Directives that say at least as much as `private` (RFC 9111 §5.2.2). */
const PRIVATE = /(?:^|,)\s*(?:private|no-store)\s*(?:,|$)/i;
/** Directives that would let a shared cache store the response. */
const SHARING = /(?:^|,)\s*(?:public|s-maxage\s*=\s*[^,]*|proxy-revalidate)\s*(?=,|$)/gi;

/** Headers that shared caches obey in place of `Cache-Control` (RFC 9213 §2, and older vendor-specific ones). */
const TARGETED = /^(?:(?:.+-)?cdn-cache-control|surrogate-control|edge-control|x-accel-expires)$/;

/** Memoized, because the same few names recur. */
const isTargeted = memoize((name) => TARGETED.test(name));

/**
 * Changes the headers that the target sent.
 *
 * @param answer the final address of the response, and whether its request carried a key
 * @param origin the target that the caller named
 */
export function changeAnswer(
  headers: FieldWriter,
  table: TargetTable,
  { finalAddress, hadKey = false }: AnswerSource,
  origin: URL,
): void {
  const entry = table.find(finalAddress?.origin ?? origin);
  if (entry) {
    for (const name of entry.answerRemove) headers.delete(name);
    for (const { name, value, written } of entry.answerSet) headers.set(name, value, written);
  }
  if (hadKey) keepPrivate(headers);
}

function keepPrivate(headers: FieldWriter): void {
  const targeted: string[] = [];
  headers.forEach((_, name) => void (isTargeted(name) && targeted.push(name)));
  for (const name of targeted) headers.delete(name);
  const control = headers.get("cache-control");
  if (control !== null && PRIVATE.test(control)) return;
  const kept = (control ?? "").replace(SHARING, "").replace(/^\s*,\s*/, "").trim();
  headers.set("cache-control", kept ? `private, ${kept}` : "private");
}
