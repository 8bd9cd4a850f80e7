/**
 * What a language model answered, put together from the events of its stream: OpenAI (chat completions, completions,
 * responses), Anthropic (messages) and Gemini (`alt=sse`).
 * @module
 * @see HTML §9.2 (server-sent events)
 */

import {
  type Addition,
  type Block,
  type CompletionFacts,
  type Piece,
  readCompletionEvent,
} from "./completion-events.ts";

/** More blocks, and more text in all, are left to the other views: the page would stand still. */
const MOST_BLOCKS = 1_000;
const MOST_CHARACTERS = 1_000_000;
const BLANK_LINE = /\r\n\r\n|\n\n|\r\r/g;

/** Reads a stream while it grows. */
export class Completion {
  readonly facts: CompletionFacts = {};
  readonly blocks = new Map<string, Block>();
  /** Events that brought a part of the answer. */
  pieces = 0;
  /** The character at which the first of them ended. */
  firstEnd: number | undefined;
  /** True once a part of the answer was left out. */
  isCut = false;
  #position = 0;
  #characters = 0;

  /** Takes the text so far, which may only have grown at its end. */
  update(text: string, isOver: boolean): void {
    BLANK_LINE.lastIndex = this.#position;
    for (let blank = BLANK_LINE.exec(text); blank; blank = BLANK_LINE.exec(text)) {
      this.#take(text.slice(this.#position, blank.index), blank.index);
      this.#position = blank.index + blank[0].length;
    }
    if (!isOver) return;
    this.#take(text.slice(this.#position), text.length);
    this.#position = text.length;
  }

  #take(event: string, end: number): void {
    const { pieces = [], ...facts } = readEvent(event);
    for (const [name, value] of Object.entries(facts)) {
      if (value !== undefined) Object.assign(this.facts, { [name]: value });
    }
    for (const piece of pieces) this.#add(piece);
    if (!pieces.some(({ text }) => text !== "")) return;
    this.pieces += 1;
    this.firstEnd ??= end;
  }

  #add({ key, ...piece }: Piece): void {
    const block = this.blocks.get(key);
    if (!block && this.blocks.size >= MOST_BLOCKS) {
      this.isCut = true;
      return;
    }
    const text = piece.text.slice(0, MOST_CHARACTERS - this.#characters);
    this.isCut ||= text.length < piece.text.length;
    this.#characters += text.length;
    if (block) block.text += text;
    else this.blocks.set(key, { ...piece, text });
  }
}

/** What an event adds; nothing if its data is no JSON, or none that a model sends. */
function readEvent(event: string): Addition {
  const lines = event.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:"));
  try {
    return readCompletionEvent(JSON.parse(lines.map((line) => line.slice("data:".length)).join("\n")));
  } catch {
    return {};
  }
}
