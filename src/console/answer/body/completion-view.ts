/**
 * What a language model answered, put together from the events of its stream: OpenAI (chat completions, completions,
 * responses), Anthropic (messages) and Gemini (`alt=sse`). It shows text, tool calls, tokens and times.
 * @see HTML §9.2 (server-sent events)
 * @module
 */

import { element, terms } from "../../page/dom.ts";
import { formatSpan } from "../../page/format.ts";
import {
  type Addition,
  type Block,
  type CompletionFacts,
  type Piece,
  readCompletionEvent,
} from "./completion-events.ts";
import type { Content, View } from "./view.ts";

/** What a model answered, put together. */
export function makeCompletionView(): View {
  const facts = element("dl", { class: "completion-facts" });
  const blocks = element("div", { class: "completion-blocks" });
  const made = new Map<Block, Text>();
  const completion = new Completion();
  return {
    element: element(
      "div",
      { class: "completion", tabindex: 0, role: "group", "aria-label": "Completion" },
      facts,
      blocks,
    ),
    update(content: Content) {
      completion.update(content.readText(), !content.isRunning);
      const known = listFacts(completion, content).filter((fact): fact is [string, string] =>
        fact[1] !== undefined
      );
      facts.replaceChildren(...known.map((fact) => element("div", {}, ...terms([fact]))));
      for (const block of completion.blocks.values()) drawBlock(block, blocks, made);
    },
    readAll: () => [...completion.blocks.values()].map(({ text }) => text).join("\n\n"),
  };
}

type Fact = readonly [name: string, value: string | undefined];

/** What there is to say about an answer. */
export function listFacts({ facts, pieces, firstEnd, isCut }: Completion, content: Content): Fact[] {
  const { model, stop, inputTokens, cachedTokens, outputTokens, error } = facts;
  const { firstMs, perSecond } = readPace(content, firstEnd, outputTokens ?? pieces);
  const cached = cachedTokens ? ` (${tell(cachedTokens)} cached)` : "";
  const about = outputTokens === undefined ? "about " : "";
  return [
    ["Model", model],
    ["Error", error],
    ["Ended by", stop],
    ["Input tokens", inputTokens === undefined ? undefined : tell(inputTokens) + cached],
    [
      "Output tokens",
      pieces > 0 || outputTokens !== undefined ? about + tell(outputTokens ?? pieces) : undefined,
    ],
    ["First token after", firstMs === undefined ? undefined : formatSpan(firstMs)],
    [
      "Tokens a second",
      perSecond === undefined ? undefined : about + perSecond.toFixed(perSecond < 10 ? 1 : 0),
    ],
    ["Not shown", isCut ? "the rest, which is long: see Events or Raw" : undefined],
  ];
}

/** The pace of an answer, where it is known when its parts arrived. */
function readPace(
  { times, readText }: Content,
  firstEnd: number | undefined,
  tokens: number,
): { firstMs?: number; perSecond?: number } {
  if (!times || firstEnd === undefined) return {};
  const bytes = new TextEncoder().encode(readText().slice(0, firstEnd)).length;
  const first = times.arrivals.find(([passed]) => passed >= bytes)?.[1];
  if (first === undefined) return {};
  const seconds = ((times.endMs ?? times.arrivals.at(-1)?.[1] ?? first) - first) / 1_000;
  return { firstMs: first - times.startMs, ...(seconds > 0 && { perSecond: tokens / seconds }) };
}

/** Adds what is new to a block; what is selected in it stays. */
function drawBlock(block: Block, place: HTMLElement, made: Map<Block, Text>): void {
  const { kind, name, choice, text } = block;
  let shown = made.get(block);
  if (!shown) {
    made.set(block, shown = document.createTextNode(""));
    const about = [choice > 0 && `choice ${choice + 1}`, kind, name].filter(Boolean).join(" ");
    place.append(
      element(
        "section",
        { class: kind === "thinking" ? "completion-block dim" : "completion-block" },
        (kind !== "text" || choice > 0) && element("h5", {}, about),
        element(kind === "tool call" ? "code" : "p", {}, shown),
      ),
    );
  }
  if (shown.length < text.length) shown.appendData(text.slice(shown.length));
}

function tell(count: number): string {
  return count.toLocaleString("en");
}

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
