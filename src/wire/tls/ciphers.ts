/**
 * The order in which ciphers are offered to targets.
 *
 * Browsers ask for AES-128 before AES-256, Node the other way round. The handshake of AES-256 uses SHA-384, for which
 * processors have no instructions as they have for SHA-256 of the other.
 * @module
 */

import { constants } from "node:crypto";
import tls from "node:tls";

const FIRST = "TLS_AES_128_GCM_SHA256";

/**
 * The ciphers of Node (20), AES-128 first.
 *
 * @param ciphers what Node would offer
 * @returns `undefined` for any other list: Bun and Deno have orders of their own, and whoever starts Node may ask for another
 */
export function orderCiphers(ciphers: string = tls.DEFAULT_CIPHERS): string | undefined {
  if (isOther || ciphers !== constants.defaultCoreCipherList) return undefined;
  return [FIRST, ...ciphers.split(":").filter((name) => name !== FIRST)].join(":");
}

const isOther = "bun" in process.versions || "deno" in process.versions;
