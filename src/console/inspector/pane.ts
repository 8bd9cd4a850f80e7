/**
 * The pane of the inspector: its head, its tabs, and what they show.
 * @module
 */

import type { Capture } from "../../parts/capture/capture.ts";
import { button, element, say, Tabs } from "../page/dom.ts";
import { formatSpan, statusClass, tellEnd } from "../page/format.ts";
import { isKey } from "../page/page-keys.ts";
import { type BodyPanel, drawBody, drawBodyPanel } from "./body-panel.ts";
import { drawCompared } from "./compare-view.ts";
import { requestOf } from "./captured.ts";
import { countAll, drawChanges } from "./changes-view.ts";
import type { InspectedEntry, InspectorContext, Missing } from "./context.ts";
import { countCookies, drawCookies } from "./cookies-view.ts";
import { redraw } from "./head-view.ts";
import { keepPane, makeResizer, readPane } from "./resizer.ts";
import { MessagesView } from "./messages-view.ts";
import { drawMissing, drawOverview, isByProxy, tellVerdict } from "./overview.ts";
import { keepPinned } from "./pins.ts";
import { leaveRow } from "../traffic/traffic-view.ts";
import { drawTiming } from "./timing.ts";
import { drawTools } from "./tools.ts";

const TABS = [
  "Overview",
  "Request",
  "Response",
  "Changes",
  "Timing",
  "Cookies",
  "Messages",
  "Compare",
] as const;
type Tab = (typeof TABS)[number];
const MESSAGES = ["Request", "Response"] as const;
/** How often the seconds of a running request are counted, in milliseconds. */
const TICK_MS = 1_000;
/** Below this width the pane covers the list, so it takes the focus. */
const NARROW = "(max-width: 48rem)";

/** The pane in its place. */
export class Pane {
  readonly #place: HTMLElement;
  readonly #context: InspectorContext;
  readonly #head = element("div", { class: "inspector-head" });
  readonly #tools = element("div", { class: "tools" });
  readonly #verdict = element("p", { class: "whose" });
  readonly #state = element("p", { class: "waiting-for" });
  readonly #panels = new Map(
    TABS.map((name) => [name, element("div", { class: "pane-panel", tabindex: 0, hidden: true })]),
  );
  readonly #tabs = new Tabs<Tab>("Parts of the request", (name) => this.#panel(name), (tab) => {
    keepPane({ tab });
    this.#seat();
  });
  /** True while another request is shown beside this one. */
  #isCompared = false;
  readonly #facts = element("div");
  readonly #about = element("div");
  readonly #both = { Request: element("section"), Response: element("section") };
  /** Each is drawn once, and stands in the tab of its message or beside the other one. */
  readonly #bodies = {
    Request: element("div", { class: "pane-body" }),
    Response: element("div", { class: "pane-body" }),
  };
  readonly #close: () => void;
  #messages = new MessagesView();
  #entry!: InspectedEntry;
  #capture: Capture | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** When the request that runs arrived, by this browser's clock. */
  #start = 0;

  /** @param close ends all that belongs to the pane */
  constructor(place: HTMLElement, context: InspectorContext, close: () => void) {
    this.#place = place;
    this.#context = context;
    this.#close = close;
    this.#panel("Overview").append(this.#about, this.#both.Request, this.#both.Response, this.#facts);
    place.classList.add("inspector");
    place.setAttribute("role", "region");
    place.setAttribute("aria-label", "Inspected request");
    place.tabIndex = -1;
    place.onkeydown = (event) => this.#onKey(event);
    place.replaceChildren(
      makeResizer(place),
      this.#head,
      this.#tools,
      this.#verdict,
      this.#state,
      this.#tabs.element,
      element("div", { class: "pane-panels" }, ...this.#panels.values()),
    );
  }

  open(entry: InspectedEntry): void {
    this.#capture = undefined;
    this.#messages = new MessagesView();
    this.#panel("Messages").replaceChildren(this.#messages.element);
    this.#about.replaceChildren();
    this.#showBoth(false);
    this.#start = Date.now() - entry.totalMs;
    this.#isCompared = false;
    this.#writeTabs();
    this.update(entry);
    this.#place.hidden = false;
    this.#choose("Overview");
    if (matchMedia(NARROW).matches) this.#place.focus();
    say(`${entry.method} ${entry.address ?? entry.target ?? "request"}: details are shown`);
  }

  /** Takes newer facts of the same row. */
  update(entry: InspectedEntry): void {
    this.#entry = entry;
    redraw(
      this.#head,
      [entry.method, entry.address, entry.query, entry.target, entry.status, entry.capture?.id],
      () => this.#drawHead(),
    );
    redraw(
      this.#facts,
      [entry, this.#capture && { ...this.#capture, messages: undefined }],
      () => drawOverview(entry, this.#capture),
    );
    this.#drawTools();
    this.#drawVerdict();
    this.#count();
  }

  show(capture: Capture): void {
    const isFirst = this.#capture === undefined;
    this.#capture = capture;
    keepPinned(this.#entry.key, capture);
    this.#about.replaceChildren();
    if (capture.isRunning && isFirst) this.#start = Math.min(Date.now(), Date.now() - capture.totalMs);
    this.#writeTabs();
    this.#showBoth(true);
    this.#drawPanels(capture);
    if (isFirst) this.#choose(readPane().tab as Tab);
    this.update(this.#entry);
  }

  /** Says why there is no more than the row. */
  tell(missing: Missing): void {
    // What was read before stays: it may have left the memory of the proxy since.
    if (this.#capture && missing.problem === "missing") {
      this.#capture = { ...this.#capture, isRunning: false };
    } else this.#about.replaceChildren(...drawMissing(missing, this.#entry, this.#context));
    this.#count();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#place.hidden = true;
  }

  #drawPanels(capture: Capture): void {
    const { request, response, hops, requestBody, responseBody, isRunning } = capture;
    const sent = requestOf(capture);
    const last = hops.at(-1) ?? capture;
    const isOwn = isByProxy(this.#entry, capture);
    const got = isOwn ? response : last.response;
    this.#drawMessage("Request", { head: sent, body: requestBody, isRunning });
    this.#drawMessage("Response", {
      interims: last.interims,
      head: got,
      body: responseBody,
      isRunning,
      times: hops.at(-1)?.times,
      end: last.response ? tellEnd({ ...capture, status: last.response.status }) : "",
      isByProxy: isOwn,
    });
    const heads = [request, response, hops.map((hop) => [hop.request, hop.response])];
    redraw(this.#panel("Changes"), heads, () => drawChanges(capture));
    redraw(this.#panel("Cookies"), heads, () => drawCookies(capture));
    this.#drawTiming(capture);
    this.#messages.show(capture);
  }

  #panel(name: Tab): HTMLElement {
    return this.#panels.get(name)!;
  }

  /** Chooses a tab; one that is not there leaves the first one. */
  #choose(name: Tab): void {
    this.#tabs.choose(name);
    this.#seat();
  }

  /** The tabs for what is known of the request, with counts behind their names. */
  #writeTabs(): void {
    const capture = this.#capture;
    const messages = capture?.messages && capture.messages.length + (capture.skippedMessages ?? 0);
    const counts: Partial<Record<Tab, number>> = capture
      ? { Changes: countAll(capture), Cookies: countCookies(capture), Messages: messages }
      : {};
    const isThere = (name: Tab) => {
      if (name === "Overview") return true;
      return name === "Compare"
        ? this.#isCompared
        : capture && (name !== "Messages" || messages !== undefined);
    };
    this.#tabs.write(TABS.filter(isThere).map((name) => ({ name, mark: String(counts[name] || "") })));
  }

  /** What the request before has left there stays hidden until there is something to show. */
  #showBoth(isShown: boolean): void {
    for (const place of Object.values(this.#both)) place.hidden = !isShown;
  }

  /** Puts each body into the panel that is seen, and has room for it. */
  #seat(): void {
    for (const name of MESSAGES) {
      const isWhole = this.#tabs.chosen === name;
      const place = isWhole ? this.#panel(name) : this.#both[name];
      if (this.#bodies[name].parentElement !== place) place.append(this.#bodies[name]);
    }
  }

  /** Draws a message in a tab of its own, and in brief beside the other one. */
  #drawMessage(name: "Request" | "Response", shown: BodyPanel): void {
    drawBodyPanel(this.#panel(name), shown);
    drawBodyPanel(this.#both[name], { ...shown, more: () => this.#choose(name) });
    drawBody(this.#bodies[name], shown);
    this.#seat();
  }

  #drawTiming(capture: Capture): void {
    const nowMs = capture.isRunning ? Date.now() - this.#start : capture.totalMs;
    redraw(
      this.#panel("Timing"),
      [capture.hops.map(({ times }) => times), nowMs],
      () => drawTiming(capture, nowMs),
    );
  }

  #drawHead(): Node[] {
    const { method, address, query = "", target, status, capture } = this.#entry;
    const name = (address ?? target ?? "request") + query;
    return [
      element("h3", { tabindex: 0 }, element("b", {}, method), " ", element("span", {}, name)),
      status > 0 && element("span", { class: `status ${statusClass(status)}` }, String(status)),
      capture !== undefined && element("span", { class: "chip" }, "from file"),
      button("×", () => this.#leave(), { class: "quiet drop", "aria-label": "Close the request" }),
    ].filter((child) => child instanceof Node);
  }

  #drawTools(): void {
    const { key, address, status, setting } = this.#entry;
    const { id, requestBody, hops } = this.#capture ?? {};
    const comparing = {
      now: () => this.#capture!,
      compare: (other: Capture) => void this.#compare(other),
    };
    redraw(
      this.#tools,
      [key, address, status, setting, id, requestBody?.isOver, hops?.length],
      () => drawTools(this.#entry, this.#capture, this.#context, comparing),
    );
  }

  /** Shows the request beside another one, the older on the left. */
  async #compare(other: Capture): Promise<void> {
    const own = this.#capture!;
    const [older, newer] = [other, own].sort((one, two) => one.time - two.time);
    const drawn = await drawCompared([older!, newer!]);
    if (this.#capture?.id !== own.id) return;
    this.#panel("Compare").replaceChildren(drawn);
    this.#isCompared = true;
    this.#writeTabs();
    this.#choose("Compare");
    // It is the last, and a phone shows only the first of them.
    this.#tabs.element.scrollLeft = this.#tabs.element.scrollWidth;
    this.#panel("Compare").focus();
    say("Both requests are shown beside each other");
  }

  #drawVerdict(): void {
    const told = tellVerdict(this.#entry, this.#capture);
    this.#verdict.hidden = told === undefined;
    if (!told) return;
    this.#verdict.className = `whose ${statusClass(this.#entry.status)}`;
    redraw(this.#verdict, told, () => [
      element("b", {}, told.who),
      document.createTextNode(told.why && `: ${told.why}`),
    ]);
  }

  #count(): void {
    const isRunning = this.#capture?.isRunning ?? this.#entry.isRunning ?? false;
    this.#state.hidden = !isRunning;
    if (!isRunning) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  #tick(): void {
    const hasHead = (this.#capture?.response ?? this.#entry.status) !== undefined && this.#entry.status > 0;
    const span = formatSpan(Math.floor((Date.now() - this.#start) / 1_000) * 1_000);
    this.#state.textContent = hasHead ? `Running for ${span}` : `Waiting for the response: ${span}`;
    if (this.#capture?.isRunning) this.#drawTiming(this.#capture);
  }

  #leave(): void {
    this.#close();
    leaveRow();
  }

  /** Closes the part that is open, then the pane. */
  #onKey(event: KeyboardEvent): void {
    if (!isKey(event, "leave") || event.defaultPrevented) return;
    event.preventDefault();
    const menu = this.#tools.querySelector<HTMLDetailsElement>("details[open]");
    if (menu) {
      menu.open = false;
      menu.querySelector("summary")!.focus();
    } else if (this.#tabs.chosen === "Compare") {
      this.#isCompared = false;
      this.#writeTabs();
      this.#choose("Overview");
      this.#panel("Overview").focus();
    } else this.#leave();
  }
}
