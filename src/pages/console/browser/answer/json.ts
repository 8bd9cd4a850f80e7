/**
 * Indents and colours JSON text, with every number and string as the target wrote it.
 * @module
 */

import { element } from "../page/dom.ts";

/** The kind of a token; `mark` for brackets, commas and colons. */
export type TokenKind = "key" | "string" | "number" | "literal" | "mark";

/** A token of indented JSON, with the white space before it. */
export interface Token {
  kind: TokenKind;
  text: string;
  before: string;
}

/** The last `?` allows an unterminated string, which would otherwise take quadratic time. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[-+.\deE]+|true|false|null|[{}[\],:]/g;
/** More tokens than this are shown in one colour, because they make browsers slow. */
const MAX_COLOURED = 20_000;
/** More tokens than this are not indented: browsers need seconds for about 100,000 lines. */
const MAX_INDENTED = 100_000;
/** Deeper brackets are not indented further: 18 kB of brackets would become 162 MB. */
const MAX_INDENT = 32;

/**
 * Indents JSON without parsing its values, because that would change long numbers and drop repeated keys.
 *
 * @returns `undefined` if it is not JSON, or too long
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

/** Makes the code block. */
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
