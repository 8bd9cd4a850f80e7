/**
 * JSON text as a reader wants it: indented and coloured, with every number and string as the target wrote it.
 * @module
 */

import { element } from "./dom.ts";

/** What a token is; `mark` for brackets, commas and colons. */
export type TokenKind = "key" | "string" | "number" | "literal" | "mark";

/** A piece of indented JSON, with the white space in front of it. */
export interface Token {
  kind: TokenKind;
  text: string;
  before: string;
}

/** In JSON every string ends; without the last `?` a text in which one does not would take quadratic time. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[-+.\deE]+|true|false|null|[{}[\],:]/g;
/** More tokens than this are shown in one colour: a browser grows slow with them. */
const MAX_COLOURED = 20_000;
/** Of more tokens than this no lines are made: a browser takes seconds for some 100,000 of them. */
const MAX_INDENTED = 100_000;
/** Deeper brackets are indented as these are: 18 kB of them would become 162 MB. */
const MAX_INDENT = 32;

/**
 * Indents JSON without parsing its values, because that would change long numbers and drop repeated keys.
 *
 * @returns `undefined` when it is no JSON, or too much of it
 */
export function indentJson(text: string): Token[] | undefined {
  if (!isJson(text)) return undefined;
  const tokens: Token[] = [];
  const found: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (found.push(token) > MAX_INDENTED) return undefined;
  }
  let depth = 0;
  let previous = "";
  for (const [index, token] of found.entries()) {
    const isEnd = token === "}" || token === "]";
    if (isEnd) depth -= 1;
    const isOpening = previous === "{" || previous === "[";
    const breaks = isEnd ? !isOpening : isOpening || previous === ",";
    const before = breaks ? `\n${"  ".repeat(Math.min(depth, MAX_INDENT))}` : previous === ":" ? " " : "";
    tokens.push({ kind: kindOf(token, found[index + 1]), text: token, before });
    if (token === "{" || token === "[") depth += 1;
    previous = token;
  }
  return tokens;
}

/** Makes a block of it. */
export function renderJson(tokens: readonly Token[]): HTMLElement {
  if (tokens.length > MAX_COLOURED) {
    return element("pre", {}, tokens.map(({ before, text }) => before + text).join(""));
  }
  const block = element("pre", { class: "json" });
  for (const { kind, text, before } of tokens) {
    block.append(before, kind === "mark" ? text : element("span", { class: kind }, text));
  }
  return block;
}

function kindOf(token: string, next: string | undefined): TokenKind {
  if (token.startsWith('"')) return next === ":" ? "key" : "string";
  if (/^[{}[\],:]$/.test(token)) return "mark";
  return /^[tfn]/.test(token) ? "literal" : "number";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
