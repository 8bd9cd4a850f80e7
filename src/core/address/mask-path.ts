/**
 * Masks what looks like a secret in a path, parameters by their names too.
 * @module
 */

import { isSecretParameter } from "./secret-names.ts";
import {
  replaceKeyPaths,
  replaceMembers,
  replaceNamedParts,
  replaceSecretRuns,
  replaceUserinfo,
  TOKENS,
} from "./secret-runs.ts";

/** What ends a parameter in a path (RFC 3986 §3.3). */
const SEPARATOR = /([/;?&,])/;
/** What stands in place of a secret. */
const MASK = "***";
/** Stands in place of each hidden character; no path has it. */
const HIDDEN = "\uE000";
const RUNS = /\uE000+|[^]/g;
/** A percent-encoded byte, and one that is encoded any number of times. */
const ONCE = /%[0-9a-f]{2}|[^]/gi;
const OFTEN = /%(?:25)*[0-9a-f]{2}|[^]/gi;
const ENCODED = /%[0-9a-f]{2}/i;
/** Addresses that lie so deep in others are read one after the other; what lies deeper is decoded at once. */
const READINGS = [ONCE, ONCE, ONCE, ONCE, OFTEN];

/** A path, decoded so far that each of its characters stands for a piece of it as it was written. */
interface Reading {
  readonly text: string;
  readonly pieces: readonly string[];
}

/** The path, without query, with `***` in place of all that looks like a secret, percent-encoded or not. */
export function maskPath(path: string): string {
  let text = replaceUserinfo(path, hide);
  if (!text.includes("%")) return hideSecrets(text).replace(/\uE000+/g, MASK);
  let pieces: readonly string[] = path.split("");
  for (const code of READINGS) {
    if (!ENCODED.test(text)) break;
    ({ text, pieces } = decode({ text, pieces }, code));
    // A password may hold what ends it once it is decoded.
    text = replaceUserinfo(text, hide);
  }
  let at = 0;
  return hideSecrets(text).replace(RUNS, (run) => {
    const written = pieces[at];
    at += run.length;
    return run.startsWith(HIDDEN) ? MASK : written!;
  });
}

function decode({ text, pieces }: Reading, code: RegExp): Reading {
  const parts = text.match(code) ?? [];
  let at = 0;
  return {
    text: parts.map((part) => part.length > 1 ? String.fromCharCode(parseInt(part.slice(-2), 16)) : part)
      .join(""),
    pieces: parts.map((part) => pieces.slice(at, at += part.length).join("")),
  };
}

function hide(secret: string): string {
  return HIDDEN.repeat(secret.length);
}

function hideSecrets(text: string): string {
  const keyless = replaceNamedParts(
    replaceKeyPaths(replaceMembers(text.replace(TOKENS, hide), hide), hide),
    hide,
  );
  const plain = keyless.includes("=") ? keyless.split(SEPARATOR).map(hideParameter).join("") : keyless;
  return replaceSecretRuns(plain, hide);
}

function hideParameter(part: string): string {
  const value = part.indexOf("=") + 1;
  return value > 0 && isSecretParameter(part.slice(0, value - 1))
    ? part.slice(0, value) + hide(part.slice(value))
    : part;
}
