/**
 * The views that are made of lines: text, JSON, events and bytes.
 * @module
 */

import { button, element } from "../../page/dom.ts";
import { EventLines } from "./event-lines.ts";
import { HEX_BYTES, HexSource, readOffset } from "./hex-source.ts";
import { JsonSource } from "./json-source.ts";
import { type Haystack, later, readBytes, SLICE_MS } from "./search.ts";
import { readAll } from "./line-selection.ts";
import type { LineSource } from "./line-source.ts";
import { TextSource } from "./text-source.ts";
import type { Content, View } from "./view.ts";
import { VirtualLines } from "./virtual-lines.ts";

/** A dump with fewer columns shows half as many bytes. */
const HEX_COLUMNS = 76;
/** Text that comes in for longer than this is watched at its end. */
const SLOW_MS = 1_000;

class LineView<T extends LineSource> implements View {
  readonly lines: VirtualLines;
  readonly source: T;
  tools: HTMLElement[] = [];
  onProgress = () => {};
  readonly #feed: (source: T, content: Content) => void;
  readonly #kind: Haystack["kind"];
  #content: Content | undefined;
  #isWorking = false;
  readonly #since = performance.now();

  constructor(
    source: T,
    label: string,
    kind: Haystack["kind"],
    isTree: boolean,
    feed: (source: T, content: Content) => void,
  ) {
    this.source = source;
    this.lines = new VirtualLines(source, label, isTree);
    this.#kind = kind;
    this.#feed = feed;
  }

  get element(): HTMLElement {
    return this.lines.element;
  }

  update(content: Content): void {
    this.#content = content;
    this.#feed(this.source, content);
    const isStream = /event-stream|ndjson|jsonl/.test(content.type);
    const isSlow = performance.now() - this.#since > SLOW_MS;
    this.lines.follows = content.isRunning && (isStream || isSlow);
    if (!this.#isWorking) void this.#work();
  }

  readHaystack(): Haystack {
    const { bytes = new Uint8Array(), readText = () => "" } = this.#content ?? {};
    return { kind: this.#kind, text: this.#kind === "bytes" ? readBytes(bytes) : readText() };
  }

  readAll(): string {
    return readAll(this.source);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (;;) {
      const isDone = this.source.advance(performance.now() + SLICE_MS);
      this.lines.refresh();
      this.onProgress();
      if (isDone) break;
      await later();
    }
    this.#isWorking = false;
  }
}

/** A text as it is. */
export function makeTextView(): View {
  const view = new LineView(
    new TextSource(),
    "Body",
    "text",
    false,
    (source, { readText }) => source.update(readText()),
  );
  return Object.assign(view, { readAll: () => view.readHaystack().text });
}

/** Bytes. */
export function makeHexView(): View {
  const source = new HexSource();
  const view = new LineView(source, "Bytes", "bytes", false, (source, { bytes }) => source.update(bytes));
  view.lines.element.classList.add("hex");
  view.lines.onColumns = (columns) => source.step = columns < HEX_COLUMNS ? HEX_BYTES / 2 : HEX_BYTES;
  const offset = element("input", {
    class: "small",
    size: 9,
    placeholder: "offset",
    "aria-label": "Offset to go to",
    autocomplete: "off",
    spellcheck: "false",
  });
  offset.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const at = readOffset(offset.value);
    offset.toggleAttribute("aria-invalid", at === undefined);
    if (at !== undefined) view.lines.reveal(at);
  });
  view.tools = [offset];
  return view;
}

/** Indented JSON. */
export function makeJsonView(): View {
  const view = new LineView(
    new JsonSource(),
    "Body",
    "json",
    true,
    (source, { readText, isWhole }) => source.update(readText(), isWhole),
  );
  view.tools = foldTools(view.lines, 1);
  const readNote = () => {
    const { fault } = view.source;
    if (!fault) return "";
    const line = view.readHaystack().text.slice(0, fault.at).split("\n").length;
    return `No JSON from character ${
      fault.at + 1
    } on (line ${line}): expected ${fault.expected}. The rest is in Raw.`;
  };
  return Object.assign(view, { readNote });
}

/** The events of a stream. */
export function makeEventView(): View {
  const view = new LineView(
    new EventLines(),
    "Events",
    "text",
    true,
    (source, { readText, isRunning, time }) => source.update(readText(), !isRunning, time),
  );
  view.tools = foldTools(view.lines, 0);
  const readNote = () => {
    const { events, isFull } = view.source;
    return `${events.toLocaleString("en")} ${events === 1 ? "event" : "events"}${
      isFull ? "; the rest is in Raw" : ""
    }`;
  };
  return Object.assign(view, { readNote });
}

function foldTools(lines: VirtualLines, level: number): HTMLElement[] {
  const quiet = { class: "quiet small" };
  return [
    button("Fold all", () => lines.foldAll(level), quiet),
    button("Unfold all", () => lines.unfoldAll(), quiet),
  ];
}
