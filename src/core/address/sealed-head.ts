/**
 * The text form of a response's head, as `x-fetchvia-head` carries it: encoded like an `arg`.
 * @module
 */

import { decodeArg, encodeArg } from "./arg.ts";

/** The head of a response as the target sent it. */
export interface SealedHead {
  status: number;
  statusText: string;
  /** Name and value in the order received; several `Set-Cookie` lines stay separate. */
  headers: [name: string, value: string][];
  /**
   * In the console's responses: each field that this proxy set, changed or left out, with the lines that the target sent;
   * no lines for a field that the target did not send. Absent if no target answered.
   */
  changed?: [name: string, lines: string[]][];
}

/** Encodes a head for a header field. */
export function encodeHead(head: SealedHead): string {
  return encodeArg(head);
}

/** Decodes a head; `undefined` for anything else. */
export function decodeHead(text: string): SealedHead | undefined {
  const { status, statusText, headers, changed } = decodeArg(text) ?? {};
  if (!Number.isInteger(status) || typeof statusText !== "string" || !Array.isArray(headers)) {
    return undefined;
  }
  if (!headers.every(isField)) return undefined;
  const isMarked = Array.isArray(changed) && changed.every(isChange);
  return { status: Number(status), statusText, headers, ...(isMarked && { changed }) };
}

function isChange(change: unknown): change is [name: string, lines: string[]] {
  if (!Array.isArray(change) || change.length !== 2) return false;
  const [name, lines] = change as unknown[];
  return typeof name === "string" && Array.isArray(lines) && lines.every((line) => typeof line === "string");
}

function isField(field: unknown): field is [name: string, value: string] {
  return Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === "string");
}
