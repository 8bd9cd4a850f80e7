/**
 * The form of every message that a caller reads.
 * @module
 */

/** Says nothing: what was expected is only that it had not happened. */
const EMPTY = String.raw`(?!.*expected (?:it|none|fewer|another|any other|the whole)\b)`;
/** What can't be done, and why; what to do stands behind it. */
const CANNOT = String.raw`Cannot \S.*: \S.*[^\s.,:]`;
/** Phrases that every developer knows. */
const PHRASES = [
  String.raw`Too many (?:concurrent requests|redirects) \(limit \d+\)`,
  String.raw`Too many requests \(limit \d+ per \d+ s: [^()]+\)\. Retry in \d+ s`,
  "Prefetch requests are refused here",
  "The request body ended early",
  "The client closed the connection",
  "Internal proxy error",
  "Invalid Base64 or JSON format",
];

/** A message in that form; none ends with a full stop. */
export const MESSAGE = new RegExp(`^${EMPTY}(?:${[CANNOT, ...PHRASES].join("|")})$`);
