/**
 * Makes the elements of a row, with the places that a search found.
 * @module
 */

import { element } from "../../page/dom.ts";
import type { Piece } from "./line-source.ts";
import type { Search } from "./search.ts";

/** A stretch of a row: one colour, and marked or not. */
interface Stretch {
  kind: string;
  text: string;
  mark: "" | "found" | "found current";
}

/** What is marked in a view. */
export interface Marks {
  search: Search;
  /** The number of the place that is looked at. */
  current: number;
}

/** Cuts pieces at the marks, and joins neighbours that look alike. */
export function markPieces(pieces: readonly Piece[], marks: Marks | undefined): Stretch[] {
  const stretches: Stretch[] = [];
  const add = (kind: string, text: string, mark: Stretch["mark"]) => {
    const last = stretches.at(-1);
    if (last && last.kind === kind && last.mark === mark) last.text += text;
    else if (text !== "") stretches.push({ kind, text, mark });
  };
  for (const piece of pieces) {
    if (!marks || piece.at < 0 || marks.search.starts.length === 0) add(piece.kind, piece.text, "");
    else cutPiece(piece, marks, add);
  }
  return stretches;
}

function cutPiece(
  { kind, text, at, length }: Piece,
  { search: { starts, ends }, current }: Marks,
  add: (kind: string, text: string, mark: Stretch["mark"]) => void,
): void {
  const isExact = text.length === length;
  const end = at + length;
  let done = at;
  for (let index = starts.lastAtMost(at); index < starts.length && starts.at(index) < end; index += 1) {
    if (ends.at(index) <= at) continue;
    const mark = index === current ? "found current" : "found";
    if (!isExact) return add(kind, text, mark);
    const from = Math.max(starts.at(index), done);
    const to = Math.min(ends.at(index), end);
    add(kind, text.slice(done - at, from - at), "");
    add(kind, text.slice(from - at, to - at), mark);
    done = to;
  }
  add(kind, isExact ? text.slice(done - at) : text, "");
}

/** Makes the nodes of stretches. */
export function paintStretches(stretches: readonly Stretch[]): (Node | string)[] {
  return stretches.map(({ kind, text, mark }) => {
    if (mark) return element("mark", { class: `${mark} ${kind}`.trim() }, text);
    return kind ? element("span", { class: kind }, text) : text;
  });
}
