/**
 * The list of live traffic, with actions for each request.
 * @module
 */

import type { TrafficEntry } from "../../traffic.ts";
import { Charts } from "./charts.ts";
import { type Child, copyButton, element, find } from "../page/dom.ts";
import { formatBytes, formatClock, formatSpan, statusClass } from "../page/format.ts";
import { ownAddress } from "../page/place.ts";

/** The actions for a request in the list. */
export interface TrafficActions {
  open(entry: TrafficEntry): void;
  replay(entry: TrafficEntry): void;
  /** True if the request can be repeated exactly. */
  canReplay(entry: TrafficEntry): boolean;
}

interface Message {
  now: number;
  entries: TrafficEntry[];
  skipped?: number;
}

const MOST_ROWS = 200;

/** Shows live traffic as it arrives. Without a ticket, says why there is none. */
export function openTraffic(ticket: string | null, actions: TrafficActions): void {
  if (ticket === null) {
    find("traffic-notice").hidden = false;
    find("traffic-notice").textContent =
      "Live traffic is off: it needs a proxy that only this machine reaches, or a token and a page opened with it.";
    return;
  }
  for (const id of ["traffic-tools", "charts", "traffic-scroll"]) find(id).hidden = false;
  const list = new TrafficList(actions);
  const charts = new Charts();
  charts.draw();
  find("traffic-clear").addEventListener("click", () => {
    list.clear();
    charts.clear();
  });
  listen(ticket, (message, isRing) => {
    if (isRing) charts.clear();
    list.add(message.entries, isRing);
    charts.add(message.entries, message.now);
  });
}

function listen(ticket: string, onMessage: (message: Message, isRing: boolean) => void): void {
  const source = new EventSource(ownAddress(`traffic?ticket=${ticket}`));
  source.addEventListener("ring", ({ data }) => {
    showState("live", "Live");
    onMessage(JSON.parse(data), true);
  });
  source.addEventListener("message", ({ data }) => onMessage(JSON.parse(data), false));
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return showState("waiting", "Reconnecting…");
    showState("off", "Ended");
    find("traffic-notice").hidden = false;
    find("traffic-notice").replaceChildren(
      "The proxy was started anew or has too many watchers. ",
      element("a", { href: ownAddress("") }, "Load the console again"),
      " to see its traffic.",
    );
  });
}

function showState(name: string, text: string): void {
  const state = find("traffic-state");
  state.className = `live ${name}`;
  state.textContent = text;
}

/** The rows, newest first. */
class TrafficList {
  readonly #actions: TrafficActions;
  readonly #rows = find("traffic-rows");
  readonly #filter = find<HTMLInputElement>("traffic-filter");
  #entries: TrafficEntry[] = [];
  #held: TrafficEntry[] = [];
  #isPaused = false;

  constructor(actions: TrafficActions) {
    this.#actions = actions;
    this.#filter.addEventListener("input", () => this.#draw());
    find("traffic-pause").addEventListener("click", () => this.#togglePause());
    this.#draw();
  }

  /** Adds requests, oldest first. A ring replaces all previous ones. */
  add(entries: readonly TrafficEntry[], isRing: boolean): void {
    if (this.#isPaused && !isRing) {
      this.#held = [...this.#held, ...entries].slice(-MOST_ROWS);
      find("traffic-pause").textContent = `Resume (${this.#held.length})`;
      return;
    }
    this.#entries = isRing ? [...entries] : [...this.#entries, ...entries].slice(-MOST_ROWS);
    if (isRing) this.#draw();
    else this.#prepend(entries);
  }

  clear(): void {
    this.#entries = [];
    this.#held = [];
    this.#draw();
  }

  #togglePause(): void {
    this.#isPaused = !this.#isPaused;
    const button = find("traffic-pause");
    button.setAttribute("aria-pressed", String(this.#isPaused));
    button.textContent = this.#isPaused ? "Resume" : "Pause";
    const held = this.#held;
    this.#held = [];
    if (!this.#isPaused) this.add(held, false);
  }

  #prepend(entries: readonly TrafficEntry[]): void {
    const rows = entries.filter((entry) => this.#matches(entry)).map((entry) =>
      makeRow(entry, this.#actions)
    );
    for (const row of rows) row.classList.add("fresh");
    this.#rows.prepend(...rows.reverse());
    while (this.#rows.children.length > MOST_ROWS) this.#rows.lastElementChild?.remove();
    this.#showEmpty();
  }

  #draw(): void {
    const shown = this.#entries.filter((entry) => this.#matches(entry)).reverse();
    this.#rows.replaceChildren(...shown.map((entry) => makeRow(entry, this.#actions)));
    this.#showEmpty();
  }

  #showEmpty(): void {
    const isEmpty = this.#rows.children.length === 0;
    find("traffic-scroll").hidden = isEmpty;
    find("traffic-empty").hidden = !isEmpty;
    find("traffic-empty").textContent = this.#entries.length > 0
      ? "No request matches the filter."
      : "No requests yet. They appear here as they come, whoever sends them.";
  }

  /** True if the row contains every word of the filter. */
  #matches(entry: TrafficEntry): boolean {
    const { method, status, address, target, selector, error, callerId } = entry;
    const text = [method, status, address ?? target, selector, error, callerId]
      .join(" ")
      .toLowerCase();
    return this.#filter.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  }
}

function makeRow(entry: TrafficEntry, actions: TrafficActions): HTMLElement {
  const { method, status, bytesOut, totalMs, time, error } = entry;
  const what = `${method} ${entry.address ?? entry.target ?? "request"}`;
  const cell = (name: string, ...children: Child[]) =>
    element("td", { role: "cell", class: name }, ...children);
  return element(
    "tr",
    { role: "row" },
    cell("time", formatClock(time)),
    cell("method", method),
    cell("code", element("span", { class: `status ${statusClass(status)}`, title: error }, String(status))),
    cell("target", ...renderTarget(entry), entry.setting !== undefined && renderSetting(entry.setting)),
    cell("selector", ...renderSelector(entry)),
    cell("number bytes", formatBytes(bytesOut)),
    cell("number took", formatSpan(totalMs)),
    cell(
      "tools",
      entry.address !== undefined &&
        element(
          "button",
          {
            type: "button",
            class: "small",
            "aria-label": `Open in builder: ${what}`,
            click: () => actions.open(entry),
          },
          "Open",
          element("span", { class: "wide" }, " in builder"),
        ),
      actions.canReplay(entry) &&
        element("button", {
          type: "button",
          class: "small",
          "aria-label": `Replay ${what}`,
          click: () => actions.replay(entry),
        }, "Replay"),
    ),
  );
}

/** Names the selector, and the caller's token if there is one. */
function renderSelector({ selector = "–", callerId }: TrafficEntry): Child[] {
  return [
    element("span", { class: "chip" }, selector),
    callerId !== undefined && element("span", { class: "chip", title: "The caller's token" }, callerId),
  ];
}

/** Makes a button that copies the setting that would have allowed the request. */
function renderSetting(setting: string): HTMLElement {
  const button = copyButton(`the setting ${setting}`, () => setting);
  button.title = setting;
  return button;
}

function renderTarget({ address, target, isPartial, error }: TrafficEntry): Node[] {
  const url = address === undefined ? undefined : /^(https?:\/\/)([^/]*)(.*)/s.exec(address);
  const [, scheme = "", host = target ?? "no target", path = ""] = url ?? [];
  const parts: Node[] = [
    element("span", { class: "scheme" }, scheme === "http://" ? scheme : ""),
    element("b", {}, host),
    element("span", {}, path),
  ];
  if (isPartial) {
    parts.push(element("span", { class: "scheme", title: "A query or a secret is left out" }, "…"));
  }
  if (error) parts.push(element("span", { class: "why" }, error.replaceAll("_", " ")));
  return parts;
}
