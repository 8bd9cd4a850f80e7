/**
 * How live traffic shows an address.
 * @module
 */

import { maskPath } from "../../core/address/mask-path.ts";

/** The most characters of an address. */
export const MOST_ADDRESS = 1_024;

/**
 * Masks an address: removes its query, replaces what looks like a secret in its path by `***`, and cuts a long result. `https://a.test/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw?y=1` → `https://a.test/bot1:***`.
 *
 * @param address absolute, as sent to the target
 */
export function maskAddress(address: string): string {
  const [plain = ""] = address.split(/[?#]/, 1);
  const start = plain.indexOf("/", plain.indexOf("://") + 3);
  if (start < 0) return plain.slice(0, MOST_ADDRESS);
  return (plain.slice(0, start) + maskPath(plain.slice(start))).slice(0, MOST_ADDRESS);
}
