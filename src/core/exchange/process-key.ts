/**
 * A key of this proxy, to mark what it issued and recognise it later.
 * @module
 * @see RFC 2104 (HMAC)
 */

import { encodeUtf8 } from "../http/text.ts";
import { encodeBase64url } from "../address/base64url.ts";
import { importKey } from "../address/signature.ts";

/** Bytes of a mark; enough that it cannot be guessed. */
const MARK_BYTES = 16;

/** The purpose of a mark. */
type Purpose = "then" | "back" | "confirm" | "page" | "host" | "challenge" | "credentials" | "socket";

/** Makes marks that only this proxy can make. */
export class ProcessKey {
  readonly #text: string;

  /** @param text the same in all processes of a proxy */
  constructor(text: string) {
    this.#text = text;
  }

  /** Makes the mark of some facts for one purpose: 22 characters of Base64url. */
  async mark(purpose: Purpose, ...facts: string[]): Promise<string> {
    const bytes = encodeUtf8(["fetchvia", purpose, ...facts].join("\n"));
    const digest = await crypto.subtle.sign("HMAC", await importKey(this.#text), bytes);
    return encodeBase64url(new Uint8Array(digest, 0, MARK_BYTES));
  }
}
