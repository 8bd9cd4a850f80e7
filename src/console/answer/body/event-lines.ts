/**
 * An event stream as a list: a line for each event with its time, name and id, and below it the lines of its data.
 * @module
 * @see HTML §9.2 (server-sent events)
 */

import { formatClock } from "../../page/format.ts";
import { filler, type LineSource, type Piece, showControls } from "./line-source.ts";
import { NumberList } from "./number-list.ts";

/** More events are left to the raw view. */
const MAX_EVENTS = 100_000;
const LINES_AT_ONCE = 256;

/** A line of the view: the head of an event, one line of its data, or a comment. */
interface Line {
  kind: "event" | "data" | "comment";
  /** Where its text stands in the stream. */
  start: number;
  end: number;
  /** Of an event's head: the text before that, and what the event is. */
  head?: Head;
}

interface Head {
  number: number;
  /** When it was seen, in Unix milliseconds; absent if that is not known. */
  time?: number;
  name: string;
  id?: string;
  retry?: string;
  /** True if the stream ended before the event: browsers leave it out. */
  isCut?: boolean;
  data: { start: number; end: number }[];
}

/** The lines of an event stream. */
export class EventLines implements LineSource {
  #text = "";
  #position = 0;
  #isOver = false;
  events = 0;
  /** The next line feed, or the end of the text. */
  #feed = 0;
  #seen = 0;
  #time: number | undefined;
  readonly #lines: Line[] = [];
  readonly #ends = new NumberList();
  readonly #starts = new NumberList();
  #open: Head = { number: 0, name: "message", data: [] };
  widest = 0;

  /**
   * Takes the text, which may only have grown at its end.
   *
   * @param time when the new part arrived, in Unix milliseconds; `undefined` if that is not known
   */
  update(text: string, isOver: boolean, time?: number): void {
    this.#text = text;
    this.#isOver = isOver;
    this.#time = time;
    if (this.#feed >= this.#seen) this.#feed = findFrom(text, "\n", this.#seen);
    this.#seen = text.length;
  }

  get isFull(): boolean {
    return this.events >= MAX_EVENTS;
  }

  get count(): number {
    return this.#lines.length;
  }

  width(line: number): number {
    return this.#pieces(line).reduce((sum, { text }) => sum + text.length, 0);
  }

  paint(line: number, from: number, to: number): Piece[] {
    let column = 0;
    return this.#pieces(line).flatMap((piece) => {
      const first = Math.max(from - column, 0);
      const last = Math.min(to - column, piece.text.length);
      column += piece.text.length;
      if (first >= last) return [];
      const at = piece.at < 0 ? -1 : piece.at + first;
      return [{ ...piece, text: piece.text.slice(first, last), at, length: at < 0 ? 0 : last - first }];
    });
  }

  lastLine(line: number): number {
    return this.#ends.at(line);
  }

  level(line: number): number {
    return this.#lines[line]?.kind === "data" ? 1 : 0;
  }

  find(at: number): { line: number; column: number } {
    const line = this.#starts.lastAtMost(at);
    return { line, column: at - this.#starts.at(line) };
  }

  summary(line: number): string {
    const data = this.#lines[line]?.head?.data ?? [];
    const [first = { start: 0, end: 0 }] = data;
    const text = showControls(this.#text.slice(first.start, Math.min(first.end, first.start + 80)));
    return `  ${text}${data.length > 1 || first.end - first.start > 80 ? " …" : ""}`;
  }

  advance(deadline: number): boolean {
    for (let count = 1; !this.isFull; count += 1) {
      const end = this.#endOfLine();
      if (end === undefined) break;
      const next = end + (this.#text.startsWith("\r\n", end) ? 2 : 1);
      this.#readLine(this.#position, end);
      this.#position = Math.min(next, this.#text.length);
      if (count % LINES_AT_ONCE === 0 && performance.now() > deadline) return false;
    }
    if (this.#isOver && this.#position >= this.#text.length) this.#dispatch(true);
    return true;
  }

  /** `undefined` if the line is not complete: a CR at the end may be half of a CR LF. */
  #endOfLine(): number | undefined {
    const text = this.#text;
    if (this.#position >= text.length) return undefined;
    if (this.#feed < this.#position) this.#feed = findFrom(text, "\n", this.#position);
    const line = text.slice(this.#position, this.#feed);
    const turn = line.indexOf("\r");
    if (turn !== -1 && (this.#isOver || this.#position + turn + 1 < text.length)) {
      return this.#position + turn;
    }
    if (this.#feed < text.length) return this.#feed;
    return this.#isOver ? text.length : undefined;
  }

  #readLine(start: number, end: number): void {
    if (start === end) return this.#dispatch();
    const from = this.#text.startsWith("\ufeff", start) ? start + 1 : start;
    const line = this.#text.slice(from, end);
    const colon = line.indexOf(":");
    if (colon === 0) return this.#addComment(from + 1, end);
    const name = colon === -1 ? line : line.slice(0, colon);
    const shift = colon === -1 ? line.length : colon + (line[colon + 1] === " " ? 2 : 1);
    const value = line.slice(shift);
    if (name === "data") this.#open.data.push({ start: from + shift, end });
    else if (name === "event") this.#open.name = value || "message";
    else if (name === "id") this.#open.id = value;
    else if (name === "retry") this.#open.retry = value;
  }

  /** Browsers dispatch no event without data; it is shown all the same if it says something. */
  #dispatch(isCut = false): void {
    const head = { ...this.#open, isCut };
    this.#open = { number: 0, name: "message", data: [] };
    const isEmpty = head.data.length === 0 && head.name === "message" && head.id === undefined;
    if (isEmpty && head.retry === undefined) return;
    head.number = this.events += 1;
    if (this.#time !== undefined) head.time = this.#time;
    const start = head.data[0]?.start ?? this.#position;
    this.#add({ kind: "event", start, end: start, head }, head.data.length);
    for (const data of head.data) this.#add({ kind: "data", ...data });
  }

  #addComment(start: number, end: number): void {
    this.events += 1;
    this.#add({ kind: "comment", start, end });
  }

  #add(line: Line, below = 0): void {
    this.#lines.push(line);
    this.#starts.push(line.start);
    this.#ends.push(this.#lines.length - 1 + below);
    this.widest = Math.max(this.widest, this.width(this.#lines.length - 1));
  }

  #pieces(index: number): Piece[] {
    const line = this.#lines[index];
    if (!line) return [];
    const { start, end, head, kind } = line;
    if (head) return headPieces(head);
    const text = showControls(this.#text.slice(start, end));
    if (kind === "data") return [filler("", "  "), { kind: "", text, at: start, length: text.length }];
    return [filler("dim", "comment"), { kind: "dim", text, at: start, length: text.length }];
  }
}

function findFrom(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found === -1 ? text.length : found;
}

function headPieces({ number, time, name, id, retry, isCut }: Head): Piece[] {
  const clock = time === undefined ? "" : `${formatClock(time)}.${String(time % 1_000).padStart(3, "0")}  `;
  return [
    filler("dim", `#${number}  ${clock}`),
    filler("name", showControls(name)),
    ...(id === undefined ? [] : [filler("dim", `  id ${showControls(id)}`)]),
    ...(retry === undefined ? [] : [filler("dim", `  retry ${showControls(retry)} ms`)]),
    ...(isCut ? [filler("dim", "  not ended")] : []),
  ];
}
