/**
 * The order in which ciphers are offered to targets.
 *
 * Browsers prefer AES-128 to AES-256, and Node prefers AES-256. With AES-256 the handshake uses SHA-384, which is slower:
 * processors have instructions for SHA-256, the hash of AES-128, but not for SHA-384.
 * @module
 */

import { constants } from "node:crypto";
import tls from "node:tls";

const FIRST = "TLS_AES_128_GCM_SHA256";

/**
 * Node's default ciphers (20), with AES-128 moved to the front.
 *
 * @param ciphers the list that Node would offer
 * @returns `undefined` for any other list: Bun and Deno have their own order, and Node may be started with another list
 */
export function orderCiphers(ciphers: string = tls.DEFAULT_CIPHERS): string | undefined {
  if (isOther || ciphers !== constants.defaultCoreCipherList) return undefined;
  return [FIRST, ...ciphers.split(":").filter((name) => name !== FIRST)].join(":");
}

const isOther = "bun" in process.versions || "deno" in process.versions;
