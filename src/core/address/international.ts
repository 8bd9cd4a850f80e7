/**
 * Host names beyond ASCII. Engines disagree on which are valid: their character tables are of different years, and some
 * check neither Punycode nor the order of right-to-left labels. Only what all of them read alike counts as a name here.
 * @module
 * @see UTS #46, RFC 3492 (Punycode), RFC 5893 (right-to-left labels); rule 18.5
 */

import { decodePercent } from "../http/text.ts";
import { parsePlainUrl } from "./plain-url.ts";

const PREFIX = "xn--";
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
const BASE = 36;
/** No label in DNS is longer (RFC 1035 §2.3.4). */
const MAX_LABEL_LENGTH = 63;
const LAST_POINT = 0x10ffff;

/**
 * Characters that one engine knows and another does not: those after Unicode 13, some that are mapped to nothing or to
 * pieces of Hangul, and beyond the first plane all but emoji and CJK.
 */
const UNSETTLED =
  /[\u04c0\u061d\u0870-\u089f\u08b5\u08c8-\u08d2\u0c3c\u0c5c\u0cdc\u0cf3\u0ece\u10a0-\u10c5\u115f\u1160\u1715\u17b4\u17b5\u1806\u180e\u1ac1-\u1aff\u1b4e\u1b4f\u1b7f\u1c89\u1c8a\u1dfa\u1e9e\u2060-\u206f\u20c0-\u20cf\u2132\u2183\u2427-\u243f\u2b96\u3130-\u318f\u31e4\u31e5\ua7cb-\ua7f4\ufbc2-\ufbd2\ufd40-\ufd4f\ufd90\ufd91\ufdc8-\ufdcf\uffa0-\uffdc]|[^\0-\uffff\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6d5}\u{1f90c}-\u{1f9ff}\u{20000}-\u{2a6d6}\u{2a700}-\u{2b734}\u{2b740}-\u{2b81d}]/u;

/** Characters that are dropped when a name is read. */
const IGNORED = /[\u00ad\u034f\u180b-\u180f\u200b\ufe00-\ufe0f\ufeff]/g;
const JOINER = /[\u200c\u200d]/;
/** One joiner: after a virama, or separating Arabic letters (RFC 5892 §A.1, §A.2). Some engines check only half of this. */
const JOINED =
  /^[^\u200c\u200d]*(?:[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca][\u200c\u200d]|[\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u0678-\u0687\u069a-\u06bf\u06cc]\u200c(?=[\u0622-\u063f\u0641-\u064a\u0671-\u0673\u0675-\u06d3\u06d5]))[^\u200c\u200d]*$/;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;
/** A left-to-right label that may stand beside a right-to-left one (RFC 5893 §2). */
const LEFT_TO_RIGHT = /^[a-z](?:[a-z\d-]*[a-z\d])?$/;
const ONE_WAY =
  /^(?=\p{L})(?:(?=[\u0590-\u08ff])[\p{L}\p{M}\u0660-\u0669]|[\d\u200c\u200d-])*(?:(?=[\u0590-\u08ff])[\p{L}\p{M}\u0660-\u0669]|\d)$/u;

/**
 * The host as `URL.hostname` gives it, if all engines read it alike.
 *
 * @param written the host as an engine reads it: perhaps with user, password and port, percent-encoded or not
 * @returns `undefined` if some engine reads another host, or none
 */
export function settleHost(written: string): string | undefined {
  const text = decodePercent(written.slice(written.lastIndexOf("@") + 1));
  if (text === undefined || UNSETTLED.test(text)) return undefined;
  const hostname = parsePlainUrl(`http://${text}`)?.hostname;
  if (!hostname?.includes(PREFIX)) return hostname;
  const isPunycode = hasPunycode(text);
  const name = isPunycode ? decodeName(hostname) : decodeName(hostname)?.normalize("NFC");
  if (name === undefined || !isSettled(name)) return undefined;
  const settled = parsePlainUrl(`http://${name}`)?.hostname;
  return settled === hostname || !isPunycode ? settled : undefined;
}

/** True for a name written in Punycode, which then must be valid. Others are composed here, because an engine fails some. */
function hasPunycode(text: string): boolean {
  return text.normalize("NFKC").replace(IGNORED, "").toLowerCase().includes(PREFIX);
}

function isSettled(name: string): boolean {
  if (UNSETTLED.test(name) || name.normalize("NFC") !== name) return false;
  return !RIGHT_TO_LEFT.test(name) || name.replace(/\.$/, "").split(".").every(isOneWay);
}

/** Decodes a name label by label; `undefined` if a label can't be decoded. */
function decodeName(hostname: string): string | undefined {
  const labels = hostname.split(".").map(decodeLabel);
  return labels.includes(undefined) ? undefined : labels.join(".");
}

/** True for a label of one direction, with digits of one kind. */
function isOneWay(label: string): boolean {
  return LEFT_TO_RIGHT.test(label) ||
    (ONE_WAY.test(label) && !(/\d/.test(label) && /[\u0660-\u0669]/.test(label)));
}

/** Decodes a label; `undefined` for Punycode that no name encodes to: malformed, empty, or of ASCII only. */
function decodeLabel(label: string): string | undefined {
  if (!label.startsWith(PREFIX)) return label;
  const decoded = label.length > MAX_LABEL_LENGTH ? undefined : decodePunycode(label.slice(PREFIX.length));
  if (decoded === undefined || !/[^\0-\x7f]/.test(decoded)) return undefined;
  return !JOINER.test(decoded) || JOINED.test(decoded) ? decoded : undefined;
}

/** @see RFC 3492 §6.2 */
function decodePunycode(text: string): string | undefined {
  const cut = text.lastIndexOf("-");
  const points = Array.from(text.slice(0, Math.max(0, cut)), (letter) => letter.charCodeAt(0));
  let [point, place, bias, at] = [128, 0, 72, cut + 1];
  while (at < text.length) {
    const start = place;
    for (let weight = 1, k = BASE;; k += BASE) {
      const digit = DIGITS.indexOf(text[at++] ?? " ");
      if (digit < 0) return undefined;
      place += digit * weight;
      const least = Math.min(26, Math.max(1, k - bias));
      if (digit < least) break;
      weight *= BASE - least;
    }
    const length = points.length + 1;
    bias = adaptBias(place - start, length, start === 0);
    point += Math.floor(place / length);
    place %= length;
    if (!(point <= LAST_POINT)) return undefined;
    points.splice(place++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/** @see RFC 3492 §6.1 */
function adaptBias(moved: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(moved / (isFirst ? 700 : 2));
  delta += Math.floor(delta / length);
  let bias = 0;
  for (; delta > 455; bias += BASE) delta = Math.floor(delta / 35);
  return bias + Math.floor(36 * delta / (delta + 38));
}
