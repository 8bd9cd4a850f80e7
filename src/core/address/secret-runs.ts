/**
 * Finds what looks like a secret in a path: long runs of letters and digits, and the keys of webhooks and bots.
 * @module
 */

import { isSecretName } from "./secret-names.ts";

/** Callers' tokens, and JSON Web Tokens (RFC 7519 §3). */
export const TOKENS = /(?<![\w.-])(?:fv1\.[\w-]+\.[\w-]+|eyJ[\w-]+\.[\w.-]*)/g;
/** All up to the last `@` between two signs that end an authority (RFC 3986 §3.2). */
const BEFORE_AT = /(?<![^/?#\s])[^/?#\s]*@/g;
/** What userinfo stands behind: of two slashes any may be lost, or be written the other way. */
const SCHEME = /https?:\\*|^\\\\/i;
const SLASHES = /(?:[/\\]|https?:)\/$/i;
/** Runs that may be tokens. Shorter ones are words and numbers. */
const RUN = /[A-Za-z0-9_]{20,}/g;
/** Base64url, where hyphens may split a token into short runs. Hyphens separate words too. */
const HYPHENATED = /[\w-]{20,}/g;
/** A part of at least this length, with small letters, capitals and digits, is not a word. */
const MIN_PART_LENGTH = 10;
/** Paths whose last part is a key: webhooks of Slack and of Discord, bots of Telegram. */
const KEY_PATH = /(\/services\/T\w+\/B\w+\/|\/webhooks\/\d+\/|\/bot\d+:)([\w-]{20,})/g;
/** A part that the one before it names a secret, unless it may be the word of a route or a version. */
const NAMED_PART =
  /(\/[\w-]*(?:[Tt]oken|[Pp]assword|[Pp]asswd|[Pp]asscode|[Aa]pi[-_]?[Kk]ey|[Oo]tp|[Jj]wt)\/)(?!v\d)(?=[^/]*[\dA-Z])([^/;?#&]{4,})/g;
/** An ObjectId: by far the most common long identifier that is no secret (a UUID has no run that long). */
const OBJECT_ID = /^[0-9a-f]{24}$/;
const MAX_WORD_LENGTH = 32;
/** The name of a member of JSON. */
const MEMBER = /"([^"\\]{1,100})"\s*:\s*/g;
/** Its value: a text, which may be cut, a number, or a list or object without another in it. */
const VALUE = /"((?:[^"\\]|\\.)*)|-?\d[\d.eE+-]*|[[{](?:[^"[\]{}]|"(?:[^"\\]|\\.)*")*[\]}]/ys;

/** The text with each run that looks like a secret replaced. */
export function replaceSecretRuns(text: string, replace: (run: string) => string): string {
  return text.replace(
    HYPHENATED,
    (whole) =>
      whole.includes("-") && whole.split("-").some(isMixed)
        ? replace(whole)
        : whole.replace(RUN, (run) => (isSecret(run) ? replace(run) : run)),
  );
}

/** The text with each user and password before a host replaced, however many slashes there are (WHATWG URL, *special authority*). */
export function replaceUserinfo(text: string, replace: (userinfo: string) => string): string {
  return text.replace(BEFORE_AT, (run, at: number) => {
    const scheme = SCHEME.exec(run);
    if (!scheme && !SLASHES.test(text.slice(Math.max(at - 7, 0), at))) return run;
    const start = scheme ? scheme.index + scheme[0].length : 0;
    return `${run.slice(0, start)}${replace(run.slice(start, -1))}@`;
  });
}

/** The path with each part replaced that stands behind a name such as `token`, and has a digit or a capital. */
export function replaceNamedParts(path: string, replace: (secret: string) => string): string {
  return path.replace(NAMED_PART, (_, start: string, secret: string) => start + replace(secret));
}

/** The path with each key of a webhook or bot replaced, whatever it looks like. */
export function replaceKeyPaths(path: string, replace: (key: string) => string): string {
  return path.replace(KEY_PATH, (_, start: string, key: string) => start + replace(key));
}

/**
 * The text with the values of members of JSON replaced whose names mark a secret, and texts that hold such members.
 *
 * @param replace also hears whether the value is a text, whose quotes stay
 */
export function replaceMembers(text: string, replace: (secret: string, isText: boolean) => string): string {
  if (!text.includes('"')) return text;
  let replaced = "";
  let from = 0;
  for (const { 0: start, 1: name = "", index } of text.matchAll(MEMBER)) {
    const at = VALUE.lastIndex = index + start.length;
    const isNamed = isSecretName(name);
    if (index < from || !isNamed && text[at] !== '"') continue;
    const [value = "", inner] = VALUE.exec(text) ?? [];
    const secret = inner ?? value;
    const isHidden = isNamed ? secret !== "" : holdsMembers(secret);
    replaced += text.slice(from, at + value.length - secret.length) +
      (isHidden ? replace(secret, inner !== undefined) : secret);
    from = at + value.length;
  }
  return replaced + text.slice(from);
}

/** True for a text of JSON, without its quotes, that holds JSON with a secret. */
function holdsMembers(escaped: string): boolean {
  if (!escaped.includes('\\"')) return false;
  try {
    const text = JSON.parse(`"${escaped}"`) as string;
    return replaceMembers(text, () => "") !== text;
  } catch {
    return false;
  }
}

function isSecret(run: string): boolean {
  const isMixed = /[A-Za-z]/.test(run) && /\d/.test(run);
  return run.length > MAX_WORD_LENGTH || (isMixed && !OBJECT_ID.test(run));
}

function isMixed(part: string): boolean {
  return part.length >= MIN_PART_LENGTH && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part);
}
