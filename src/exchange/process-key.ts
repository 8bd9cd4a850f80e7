/**
 * A key of this proxy, to mark what it issued and recognise it later.
 * @module
 * @see RFC 2104 (HMAC)
 */

import { encodeBase64url } from "../address/base64url.ts";
import { importKey } from "../address/signature.ts";

/** Bytes of a mark: too many to guess. */
const MARK_BYTES = 16;

/** What a mark is for. */
type Purpose = "then" | "back" | "confirm" | "page" | "host" | "challenge" | "credentials";

/** Makes marks that nobody else can make. */
export class ProcessKey {
  readonly #text: string;

  /** @param text the same in all processes of a proxy */
  constructor(text: string) {
    this.#text = text;
  }

  /** The mark of some facts under one purpose: Base64url, 22 characters. */
  async mark(purpose: Purpose, ...facts: string[]): Promise<string> {
    const bytes = new TextEncoder().encode(["fetchvia", purpose, ...facts].join("\n"));
    const digest = await crypto.subtle.sign("HMAC", await importKey(this.#text), bytes);
    return encodeBase64url(new Uint8Array(digest, 0, MARK_BYTES));
  }
}
