/**
 * The header of an answer: what the target sent, what this proxy made of it, and what it says of the body: its size on the
 * wire, and the name under which it is saved (RFC 6266).
 * @module
 */

import { decodePercent } from "../../core/http/text.ts";
import { copyButton, element } from "../page/dom.ts";
import { type Change, compareFields } from "../inspector/changes.ts";
import { essenceOf, findField, findIn, type Lines } from "../page/format.ts";

/**
 * Lists the fields of an answer: the target's lines, and beside them ours where the proxy answers with others.
 *
 * @param headers what the proxy answers with
 * @param changed the fields that differ by lower-case names, with the target's lines
 */
export function listFields(
  headers: Lines,
  changed: readonly (readonly [name: string, lines: readonly string[]])[] = [],
): Change[] {
  const differing = new Map(changed);
  const names = new Set([...headers.map(([name]) => name.toLowerCase()), ...differing.keys()]);
  return [...names].flatMap((name) => {
    const lines = headers.filter(([other]) => other.toLowerCase() === name);
    const sent = differing.get(name)?.map((value) => [lines[0]?.[0] ?? name, value] as const);
    return compareFields(sent ?? lines, lines);
  });
}

const TAGS: Readonly<Record<Change["state"], string>> = {
  same: "",
  added: "by fetchvia",
  changed: "changed by fetchvia",
  removed: "removed by fetchvia",
};

/** Shows the fields of an answer. */
export function renderFields(fields: readonly Change[]): HTMLElement {
  const text = fields.flatMap(({ before }) => before ? [before.join(": ")] : []).join("\n");
  const rows = fields.flatMap(({ state, before, after }) => [
    element(
      "dt",
      {},
      (before ?? after)?.[0],
      state !== "same" && element("small", { class: "tag" }, TAGS[state]),
    ),
    element(
      "dd",
      {},
      state === "removed" ? element("del", {}, before?.[1]) : before?.[1],
      state === "changed" && element("small", { class: "ours" }, "as sent: ", element("ins", {}, after?.[1])),
      state === "added" && element("ins", {}, after?.[1]),
    ),
  ]);
  return element(
    "div",
    { class: "fields-part" },
    element("div", { class: "body-tools" }, copyButton("headers", () => text)),
    element(
      "div",
      { class: "headers-scroll", tabindex: 0, role: "group", "aria-label": "Header fields" },
      element("dl", { class: "headers" }, ...rows),
    ),
  );
}

interface Wire {
  /** The coding that is still on the bytes; `""` if there is none. */
  encoding: string;
  /** The coding that the browser has taken off, and the bytes that it was; absent if there was none. */
  removed?: { encoding: string; bytes: number };
}

/**
 * Compares what arrived with what a script got.
 *
 * @param headers the target's fields
 * @param size bytes that the script got, once all are there
 * @param seen bytes that the browser counted on the wire; 0 if it does not tell
 */
export function readWire(
  headers: Lines,
  size: number,
  seen: number,
): Wire {
  const encoding = findField(headers, "content-encoding")?.trim() ?? "";
  const told = findField(headers, "content-length") ?? "";
  if (encoding === "" || encoding.toLowerCase() === "identity") return { encoding: "" };
  const length = /^\d+$/.test(told) ? Number(told) : seen;
  // A browser that does not know the coding hands over the bytes as they came.
  if (length === size) return { encoding };
  return { encoding: "", ...(length > 0 && { removed: { encoding, bytes: length } }) };
}

const MAX_LENGTH = 120;
/** More of a name is not looked at. */
const MAX_READ = 1_000;
/** Endings that are what a type has behind its slash, or behind its `+`. */
const SUBTYPE = /[/+](json|xml|pdf|zip|wasm|ogg|wav|woff2|avif|gif|png|webp|css|csv|html|mp4|webm)$/;
/** Those of other common types. */
const ENDINGS: Readonly<Record<string, string>> = {
  "application/x-ndjson": "ndjson",
  "application/xhtml+xml": "html",
  "application/javascript": "js",
  "application/gzip": "gz",
  "application/x-www-form-urlencoded": "txt",
  "audio/mpeg": "mp3",
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "image/x-icon": "ico",
  "text/calendar": "ics",
  "text/event-stream": "txt",
  "text/javascript": "js",
  "text/markdown": "md",
  "text/plain": "txt",
};

/**
 * Names the file of a response: as the target says, or after its path.
 *
 * @param url the address of the response
 * @returns a name without folders and without characters that a file system gives a meaning
 */
export function nameFile(headers: Lines, url: string): string {
  const named = cleanName(readDisposition(findField(headers, "content-disposition") ?? "") ?? "");
  if (named) return named;
  const name = cleanName(lastSegment(url)) || "response";
  const ending = endingOf(findField(headers, "content-type") ?? "");
  const isEnded = /\.[a-z\d]{1,8}$/i.test(name);
  return isEnded || !ending ? name : `${name}.${ending}`;
}

/** The ending for a type; `""` if it has none of its own. */
export function endingOf(type: string): string {
  const essence = essenceOf(type);
  return findIn(ENDINGS, essence) ?? SUBTYPE.exec(essence)?.[1] ?? "";
}

/** `filename*` before `filename`; `undefined` if there is none. */
function readDisposition(value: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]+)/i.exec(value);
  const decoded = extended && decodeExtended(extended[1] ?? "", extended[2] ?? "");
  if (decoded) return decoded;
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(value);
  if (!plain) return undefined;
  const name = plain[1]?.replace(/\\(.)/g, "$1") ?? plain[2] ?? "";
  // Fields arrive one character for each byte; most servers mean UTF-8.
  if (![...name].every((character) => character.charCodeAt(0) < 256)) return name;
  return decodeBytes("utf-8", Uint8Array.from(name, (character) => character.charCodeAt(0))) ?? name;
}

/** @see RFC 8187 */
function decodeExtended(charset: string, text: string): string | undefined {
  const bytes = text.replace(
    /%([\da-f]{2})/gi,
    (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return decodeBytes(charset, Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}

function decodeBytes(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function lastSegment(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  const segment = path.split("/").findLast((part) => part !== "") ?? "";
  return decodePercent(segment) ?? segment;
}

/** No folders, no control or direction characters, nothing hidden, no device of Windows. */
function cleanName(name: string): string {
  const base = (name.split(/[/\\]/).at(-1) ?? "").slice(0, MAX_READ);
  let safe = base.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "").replace(/[<>:"|?*]/g, "_").replace(/^[.\s]+/, "");
  while (/[.\s]$/.test(safe)) safe = safe.slice(0, -1);
  const free = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(safe) ? `_${safe}` : safe;
  if (free.length <= MAX_LENGTH) return free;
  const ending = /\.[^.]{1,8}$/.exec(free)?.[0] ?? "";
  return free.slice(0, MAX_LENGTH - ending.length) + ending;
}
