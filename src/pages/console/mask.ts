/**
 * Masks addresses for live traffic: no query, and nothing in the path that looks like a secret.
 * @module
 */

/** The replacement for a masked part. */
const MASK = "***";

const MAX_ADDRESS_LENGTH = 1_024;
/** Runs that may be tokens. Shorter ones are words and numbers. */
const RUN = /[A-Za-z0-9_]{20,}/g;
/** An ObjectId: by far the most common long identifier that is no secret (a UUID has no run that long). */
const OBJECT_ID = /^[0-9a-f]{24}$/;
const MAX_WORD_LENGTH = 32;

/**
 * Masks an address: removes its query, replaces long runs of letters and digits in its path by `***`, and cuts a long
 * result. `https://a.test/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw?y=1` → `https://a.test/bot1:***`.
 *
 * @param address absolute, as sent to the target
 */
export function maskAddress(address: string): string {
  const [plain = ""] = address.split(/[?#]/, 1);
  const start = plain.indexOf("/", plain.indexOf("://") + 3);
  if (start < 0) return plain.slice(0, MAX_ADDRESS_LENGTH);
  const path = plain.slice(start).replace(RUN, (run) => (isSecret(run) ? MASK : run));
  return (plain.slice(0, start) + path).slice(0, MAX_ADDRESS_LENGTH);
}

function isSecret(run: string): boolean {
  const isMixed = /[A-Za-z]/.test(run) && /\d/.test(run);
  return run.length > MAX_WORD_LENGTH || (isMixed && !OBJECT_ID.test(run));
}
