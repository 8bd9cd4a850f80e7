/**
 * JSON as indented lines, with every number, string and member as the target wrote it.
 *
 * No value is parsed, because that would change long numbers and drop repeated names. Several values after each other
 * (JSON lines) are shown one below the other.
 * @module
 * @see RFC 8259
 */

import { endOfString, JsonReader } from "./json-reader.ts";
import { filler, type LineSource, type Piece, type PieceKind, showControls } from "./line-source.ts";

/** Deeper lines are not indented further. */
const MAX_INDENT = 32;
const STEP = 2;
/** Lines whose tokens are remembered, because several rows and frames show them. */
const MAX_KNOWN = 400;

interface Token {
  kind: PieceKind;
  start: number;
  end: number;
  column: number;
}

/** The lines of a JSON text. */
export class JsonSource implements LineSource {
  readonly #reader = new JsonReader();
  readonly #known = new Map<number, Token[]>();

  /** Takes the text, which may only have grown at its end. */
  update(text: string, isOver: boolean): void {
    this.#reader.update(text, isOver);
    this.#known.clear();
  }

  /** Where it is no JSON, and what was expected there; `undefined` as long as it is. */
  get fault(): { at: number; expected: string } | undefined {
    return this.#reader.fault;
  }

  get count(): number {
    return this.#reader.starts.length;
  }

  get widest(): number {
    return this.#reader.widest;
  }

  width(line: number): number {
    return this.#reader.widths.at(line) + this.#indent(line);
  }

  paint(line: number, from: number, to: number): Piece[] {
    const indent = this.#indent(line);
    const pieces: Piece[] = [];
    if (from < indent) pieces.push(filler("", " ".repeat(Math.min(to, indent) - from)));
    for (const { kind, start, end, column } of this.#tokens(line)) {
      const first = Math.max(from - indent - column, 0);
      const last = Math.min(to - indent - column, end - start);
      if (first >= last) continue;
      const text = this.#reader.text.slice(start + first, start + last);
      pieces.push({ kind, text: showControls(text), at: start + first, length: text.length });
      const isGap = kind === "" && text === ":" && to - indent - column > 1;
      if (isGap) pieces.push(filler("", " "));
    }
    return pieces;
  }

  lastLine(line: number): number {
    return this.#reader.ends.at(line) || line;
  }

  level(line: number): number {
    return this.#reader.levels.at(line);
  }

  find(at: number): { line: number; column: number } {
    const line = this.#reader.starts.lastAtMost(at);
    const token = this.#tokens(line).findLast(({ start }) => start <= at);
    return { line, column: this.#indent(line) + (token ? token.column + at - token.start : 0) };
  }

  summary(line: number): string {
    const last = this.lastLine(line);
    let members = 0;
    for (let child = line + 1; child < last; child = this.lastLine(child) + 1) members += 1;
    return ` … ${members.toLocaleString("en")} … `;
  }

  advance(deadline: number): boolean {
    const isDone = this.#reader.advance(deadline);
    // The last line was not over when it was read before.
    this.#known.delete(this.count - 1);
    return isDone;
  }

  #indent(line: number): number {
    return Math.min(this.level(line), MAX_INDENT) * STEP;
  }

  #tokens(line: number): Token[] {
    const known = this.#known.get(line);
    if (known) return known;
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    const { starts, text, position } = this.#reader;
    const end = line + 1 < starts.length ? starts.at(line + 1) : position;
    const tokens = splitTokens(text, starts.at(line), end);
    if (line + 1 < this.count) this.#known.set(line, tokens);
    return tokens;
  }
}

/** The tokens of one line: a name and its colon, a value or a bracket, a comma. */
function splitTokens(text: string, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  let column = 0;
  for (let at = from; at < to;) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 0xfeff) {
      at += 1;
      continue;
    }
    const end = Math.min(endOfToken(text, at, code), to);
    if (code === 58 && tokens.length === 1 && tokens[0]?.kind === "string") tokens[0].kind = "key";
    tokens.push({ kind: kindOf(code), start: at, end, column });
    column += end - at + (code === 58 ? 1 : 0);
    at = end;
  }
  return tokens;
}

function endOfToken(text: string, at: number, code: number): number {
  if (code === 34) return endOfString(text, at + 1) ?? text.length;
  if (/[[\]{}:,]/.test(text.charAt(at))) return at + 1;
  let end = at + 1;
  while (end < text.length && /[-+.\w]/.test(text.charAt(end))) end += 1;
  return end;
}

function kindOf(code: number): PieceKind {
  if (code === 34) return "string";
  if (code === 45 || (code >= 48 && code <= 57)) return "number";
  return code >= 97 && code <= 122 ? "literal" : "";
}
