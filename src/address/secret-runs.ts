/**
 * Finds what looks like a secret in a path: long runs of letters and digits.
 * @module
 */

/** Runs that may be tokens. Shorter ones are words and numbers. */
const RUN = /[A-Za-z0-9_]{20,}/g;
/** An ObjectId: by far the most common long identifier that is no secret (a UUID has no run that long). */
const OBJECT_ID = /^[0-9a-f]{24}$/;
const MAX_WORD_LENGTH = 32;

/** The text with each run that looks like a secret replaced. */
export function replaceSecretRuns(text: string, replace: (run: string) => string): string {
  return text.replace(RUN, (run) => (isSecret(run) ? replace(run) : run));
}

function isSecret(run: string): boolean {
  const isMixed = /[A-Za-z]/.test(run) && /\d/.test(run);
  return run.length > MAX_WORD_LENGTH || (isMixed && !OBJECT_ID.test(run));
}
