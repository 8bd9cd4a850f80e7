/**
 * What a body is as lines: each view has its own way to make them, and all are shown alike.
 * @module
 */

/** What a piece of a line is, for its colour; `""` is plain. */
export type PieceKind = "" | "key" | "string" | "number" | "literal" | "dim" | "name";

/** A piece of a line as it is shown. */
export interface Piece {
  kind: PieceKind;
  text: string;
  /** Where it stands in the body's text or bytes; -1 for what the view adds. */
  at: number;
  /** What it covers there. If it is as long as `text`, each character has its own place. */
  length: number;
}

/** The lines of a body. They are found bit by bit, and made when they are shown. */
export interface LineSource {
  /** Lines that were found so far. */
  readonly count: number;
  /** Characters of the longest one. */
  readonly widest: number;
  width(line: number): number;
  /** The pieces of a line between two columns. */
  paint(line: number, from: number, to: number): Piece[];
  /** The last line of the block that begins with this line; the line itself if none does. */
  lastLine(line: number): number;
  /** How deep the line stands; 0 is the outermost. */
  level(line: number): number;
  /** The line that shows this place of the body, and its column there. */
  find(at: number): { line: number; column: number };
  /** What stands for the lines of a folded block. */
  summary(line: number): string;
  /** Finds more lines, up to this time of `performance.now()`; true if all that has arrived was read. */
  advance(deadline: number): boolean;
}

/** What is true of lines without blocks. */
export class FlatLines {
  lastLine(line: number): number {
    return line;
  }

  level(): number {
    return 0;
  }

  summary(): string {
    return "";
  }
}

/** A piece that the view adds: nothing of the body. */
export function filler(kind: PieceKind, text: string): Piece {
  return { kind, text, at: -1, length: 0 };
}

/** Control characters would break the rows or turn their direction: their pictures stand for them. */
export function showControls(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => {
    const code = character.charCodeAt(0);
    if (code === 9) return character;
    return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? "\u2421" : "\ufffd";
  });
}

/** The text of a whole line. */
export function lineText(
  source: LineSource,
  line: number,
  from = 0,
  to: number = source.width(line),
): string {
  return source.paint(line, from, to).map(({ text }) => text).join("");
}
