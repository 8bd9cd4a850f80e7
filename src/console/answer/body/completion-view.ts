/**
 * The answer of a language model: its text, its tool calls, tokens and times.
 * @module
 */

import { element, terms } from "../../page/dom.ts";
import { formatSpan } from "../../page/format.ts";
import { Completion } from "./completion.ts";
import type { Block } from "./completion-events.ts";
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
