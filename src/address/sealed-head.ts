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
}

/** Encodes a head for a header field. */
export function encodeHead(head: SealedHead): string {
  return encodeArg(head);
}

/** Decodes a head; `undefined` for anything else. */
export function decodeHead(text: string): SealedHead | undefined {
  const { status, statusText, headers } = decodeArg(text) ?? {};
  if (!Number.isInteger(status) || typeof statusText !== "string" || !Array.isArray(headers)) {
    return undefined;
  }
  return headers.every(isField) ? { status: Number(status), statusText, headers } : undefined;
}

function isField(field: unknown): field is [name: string, value: string] {
  return Array.isArray(field) && field.length === 2 && field.every((part) => typeof part === "string");
}
