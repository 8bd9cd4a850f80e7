/**
 * Bytes as lines: offset, hexadecimal, characters.
 * @module
 */

import { filler, FlatLines, type LineSource, type Piece } from "./line-source.ts";

/** Bytes of a line where there is room. */
export const HEX_BYTES = 16;

/** The lines of a dump. */
export class HexSource extends FlatLines implements LineSource {
  #bytes: Uint8Array = new Uint8Array();
  step = HEX_BYTES;

  /** Takes the bytes, which may only have grown at their end. */
  update(bytes: Uint8Array): void {
    this.#bytes = bytes;
  }

  get count(): number {
    return Math.max(1, Math.ceil(this.#bytes.length / this.step));
  }

  /** A dump is as wide as it is: its lines are not broken. */
  get widest(): number {
    return 0;
  }

  /** Bytes and not characters: less than any window has columns. */
  width(line: number): number {
    return Math.max(0, Math.min(this.step, this.#bytes.length - line * this.step));
  }

  paint(line: number): Piece[] {
    const start = line * this.step;
    const row = [...this.#bytes.subarray(start, start + this.step)];
    const digits = row.map((byte, index): Piece => ({
      kind: "",
      text: byte.toString(16).padStart(2, "0") + (index % 8 === 7 ? "  " : " "),
      at: start + index,
      length: 1,
    }));
    const missing = this.step - row.length;
    const gap = " ".repeat(missing * 3 + (missing > 0 ? 1 : 0) + (missing > 8 ? 1 : 0));
    const characters = row.map((byte, index): Piece => ({
      kind: "string",
      text: byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·",
      at: start + index,
      length: 1,
    }));
    return [
      filler("dim", `${start.toString(16).padStart(8, "0")}  `),
      ...digits,
      filler("", gap),
      ...characters,
    ];
  }

  find(at: number): { line: number; column: number } {
    return { line: Math.floor(at / this.step), column: 0 };
  }

  advance(): boolean {
    return true;
  }
}

/** Reads an offset as people write it: `1024`, `0x400`, `400h`; `undefined` for anything else. */
export function readOffset(text: string): number | undefined {
  const found = /^\s*(?:0x([\da-f]{1,12})|([\da-f]{1,12})h|(\d{1,15}))\s*$/i.exec(text);
  if (!found) return undefined;
  const digits = found[1] ?? found[2];
  return digits === undefined ? Number(found[3]) : Number.parseInt(digits, 16);
}
