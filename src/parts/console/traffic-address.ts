/**
 * How live traffic shows an address.
 * @module
 */

import { maskPath } from "../../core/address/mask-path.ts";

/** The most characters of an address. */
export const MOST_ADDRESS = 1_024;
/** A longer path is read up to its last slash within so many characters: encoded ones take a hundred times what others take. */
const MOST_READ = 2 * MOST_ADDRESS;

/**
 * Masks an address: removes its query, replaces what looks like a secret in its path by `***`, and cuts a long result. `https://a.test/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw?y=1` → `https://a.test/bot1:***`.
 *
 * @param address absolute, as sent to the target
 */
export function maskAddress(address: string): string {
  const [plain = ""] = address.split(/[?#]/, 1);
  const start = plain.indexOf("/", plain.indexOf("://") + 3);
  if (start < 0) return plain.slice(0, MOST_ADDRESS);
  const isLong = plain.length > start + MOST_READ && plain.includes("%", start);
  const end = isLong ? plain.lastIndexOf("/", start + MOST_READ) + 1 : plain.length;
  return (plain.slice(0, start) + maskPath(plain.slice(start, end))).slice(0, MOST_ADDRESS);
}
