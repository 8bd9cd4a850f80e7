/**
 * Masks addresses for live traffic: no query, and nothing in the path that looks like a secret.
 * @module
 */

import { replaceKeyPaths, replaceSecretRuns } from "../../core/address/secret-runs.ts";

/** The replacement for a masked part. */
const MASK = "***";

/** The most characters of an address. */
export const MOST_ADDRESS = 1_024;

/**
 * Masks an address: removes its query, replaces long runs of letters and digits in its path by `***`, and cuts a long
 * result. `https://a.test/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw?y=1` → `https://a.test/bot1:***`.
 *
 * @param address absolute, as sent to the target
 */
export function maskAddress(address: string): string {
  const [plain = ""] = address.split(/[?#]/, 1);
  const start = plain.indexOf("/", plain.indexOf("://") + 3);
  if (start < 0) return plain.slice(0, MOST_ADDRESS);
  const path = replaceSecretRuns(replaceKeyPaths(plain.slice(start), () => MASK), () => MASK);
  return (plain.slice(0, start) + path).slice(0, MOST_ADDRESS);
}
