/**
 * Live traffic on the page: charts, filter, list, and what can be done with the request that is picked.
 * @module
 */

import type { PageFacts } from "../../parts/console/page-facts.ts";
import type { CountColumn, TrafficEntry, TrafficMessage } from "../../parts/console/traffic-message.ts";
import { h, render } from "preact";
import { find, say } from "../page/dom.ts";
import { onForgotten, openStorage } from "../page/storage.ts";
import { keepListHash, readListHash } from "../page/views.ts";
import { openBodySearch } from "./body-search.ts";
import { openCaptureSwitch } from "./capture-switch.ts";
import { Brush, pathOfSpan, tellSpan } from "./brush.ts";
import { Charts } from "./charts.ts";
import { parseFilter, putTerm } from "./filter.ts";
import { openFilterBar } from "./filter-bar.ts";
import { readTimes } from "./filter-measures.ts";
import { openGroups } from "./groups-view.ts";
import { readListAddress, writeListAddress } from "./list-address.ts";
import { ListView } from "./list-view.ts";
import { COMMON_FILTERS, keepSaved, readSaved } from "./saved-filters.ts";
import { type Column, countEntries, dropOld, layColumns } from "./pulse.ts";
import { splitAddress } from "./row-route.ts";
import { type Row, TrafficStore } from "./store.ts";
import { listenToTraffic } from "./stream.ts";
import { Pace, Pulse, SavedFilters } from "./tool-row.ts";

/** How often charts and running times are drawn, in milliseconds. */
const TICK_MS = 1_000;
/** How long a change rests before it stands in the address, in milliseconds. */
const KEEP_MS = 300;

/** What the page does with the requests of the list. */
export interface TrafficActions {
  /** A request was picked, has ended since, or none is picked any more. */
  select(entry: TrafficEntry | undefined): void;
  /** True while the page holds nothing that a reload loses. */
  mayReload(): boolean;
  /** The base that requests go to by default. */
  readHost(): string | null;
}

/** Shows live traffic as it arrives. Without a ticket, says why there is none. */
export function openTraffic(
  { ticket, isAsked }: Pick<PageFacts, "ticket" | "isAsked">,
  actions: TrafficActions,
): void {
  if (ticket === null) {
    find("traffic-foot").hidden = true;
    find("traffic-notice").hidden = false;
    find("traffic-notice").textContent =
      "Live traffic is off: it needs a proxy that only this machine reaches, or a token and a page opened with it.";
    return;
  }
  for (const id of ["traffic-tools", "traffic-list"]) find(id).hidden = false;
  const view = opened = new TrafficView(ticket, actions);
  listenToTraffic(ticket, isAsked, (message, isRing) => {
    view.take(message, isRing);
    if (isRing) void showSwitch();
  }, actions.mayReload);
  const showSwitch = openCaptureSwitch(ticket, () => view.capturedKeys());
}

let opened: TrafficView | undefined;

/** Adds rows that are no live traffic, such as those of a file. */
export function addEntries(entries: readonly TrafficEntry[]): void {
  opened?.add(entries);
}

/** Picks no row any more, and gives the focus back to the list. */
export function leaveRow(): void {
  opened?.leave();
}

/** Keeps a request in the list, with a note; `undefined` lets it go. */
export function pinRow(key: string, note: string | undefined): void {
  opened?.pin(key, note);
}

class TrafficView {
  readonly #store = new TrafficStore();
  readonly #counts = new Map<number, CountColumn>();
  readonly #actions: TrafficActions;
  readonly #list: ListView;
  readonly #brush: Brush;
  readonly #drawGroups: () => void;
  #columns: readonly Column[] = [];
  readonly #shelf = openStorage();
  /** Filters that this browser keeps. */
  #own: readonly string[] = readSaved(this.#shelf);
  #filter = "";
  #apply: (text: string) => void;
  /** The request that is picked, and how it was when that was told. */
  #picked: Row | undefined;
  #told: TrafficEntry | undefined;
  /** The request in the address, until the list has come. */
  #wanted: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ticket: string, actions: TrafficActions) {
    this.#actions = actions;
    this.#list = new ListView({
      rows: () => this.#store.shown(),
      now: () => this.#store.now,
      home: () => splitAddress(actions.readHost() ?? "").host,
      pick: (row) => this.#pick(row),
    });
    this.#brush = this.#openBrush();
    this.#drawGroups = openGroups(() => this.#store.shown().map(({ entry }) => entry), (route) => {
      this.#put("route", route);
      this.#list.focus();
    });
    const search = this.#openBodySearch(ticket);
    const kept = readListHash();
    const { filter, request } = readListAddress(kept || location.hash, kept !== "");
    const cleared: unknown = history.state?.cleared;
    if (typeof cleared === "number") this.#store.clear(cleared);
    this.#apply = openFilterBar(filter, {
      change: (text) => {
        this.#filter = text;
        this.#keep();
        this.#store.filter(text);
        search(this.#store.terms);
        this.#list.refresh();
        this.#tick();
      },
      leave: () => find("traffic-groups").hidden ? this.#list.enter() : find("traffic-groups").focus(),
    });
    this.#connectButtons();
    onForgotten(() => void (this.#own = readSaved(this.#shelf)));
    this.#wanted = request;
    const view = find("traffic").closest<HTMLElement>("[data-view]");
    setInterval(() => document.hidden || view?.hidden || this.#tick(), TICK_MS);
    this.#tick();
  }

  /** Takes a message; `isRing` is true for one that says all that is kept. */
  take(message: TrafficMessage, isRing: boolean): void {
    this.#store.add(message, isRing);
    if (isRing) this.#counts.clear();
    for (const column of message.counts ?? []) this.#counts.set(column[0], column);
    this.#list.scheduleNews();
    // The first row must not stand beside the words that there is none.
    if (isRing || !find("traffic-empty").hidden) this.#tick();
    this.#follow();
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (wanted !== undefined && !this.#list.choose(wanted)) {
      find("har-said").textContent = "The request in this address is no longer in the list.";
    }
  }

  add(entries: readonly TrafficEntry[]): void {
    this.#store.addListed(entries);
    this.#list.refresh();
    this.#tick();
  }

  pin(key: string, note: string | undefined): void {
    this.#store.pin(key, note);
    this.#list.refresh();
  }

  /** The captured requests that the filter lets through, newest first; `undefined` without a filter. */
  capturedKeys(): string[] | undefined {
    const { terms } = this.#store;
    if (terms.length === 0) return undefined;
    return this.#store.shown().filter(({ entry }) => entry.isCaptured).map(({ key }) => key);
  }

  leave(): void {
    this.#list.drop();
    this.#list.focus();
  }

  /** Draws the saved filters, each with how many it lets through. */
  #drawSaved(): void {
    const own = this.#own.map((filter) => ({ name: filter, filter, isOwn: true }));
    const saved = [...COMMON_FILTERS.map((one) => ({ ...one, isOwn: false })), ...own]
      .map((one) => ({ ...one, count: this.#store.find(one.filter).length }));
    const keep = (filter: string, isKept: boolean) => {
      // Another tab may have saved one since.
      const known = this.#shelf ? readSaved(this.#shelf) : this.#own;
      this.#own = [...known.filter((one) => one !== filter), ...isKept ? [filter] : []];
      keepSaved(this.#shelf, this.#own);
      this.#drawSaved();
      say(isKept ? "Filter saved" : "Filter forgotten");
    };
    const props = { filter: this.#filter, saved, apply: (text: string) => this.#apply(text), keep };
    render(h(SavedFilters, props), find("traffic-presets"));
  }

  #openBodySearch(ticket: string) {
    return openBodySearch(ticket, (text, keys) => {
      this.#store.learnBodies(text, keys ?? []);
      if (!keys) {
        find("traffic-filter-problem").textContent = "body: cannot be searched, as the proxy keeps no bodies";
      }
      this.#list.schedule();
      this.#tell();
    });
  }

  #openBrush(): Brush {
    return new Brush(find("traffic-brush"), {
      columns: () => this.#columns,
      choose: (span) => this.#put("time", span && tellSpan(span)),
      draw: () => this.#drawBrush(),
    });
  }

  #drawBrush(): void {
    const term = this.#store.terms.find(({ text }) => /^time:/i.test(text));
    const chosen = readTimes(term?.text.slice("time:".length).replaceAll('"', "") ?? "");
    const { span } = this.#brush;
    const isIn = ({ startSecond: second }: Column) =>
      span
        ? second >= span[0] && second <= span[1]
        : typeof chosen === "function" && chosen(second * 1_000, second * 1_000);
    render(
      h(Pulse, { columns: this.#columns, span: pathOfSpan(this.#columns, isIn) }),
      find("traffic-brush"),
    );
    this.#brush.tell();
  }

  /** Puts a term into the filter in place of one of its field, or takes that away. */
  #put(field: string, value?: string): void {
    this.#apply(putTerm(this.#filter, field, value));
  }

  #connectButtons(): void {
    const pulse = find("traffic-pulse");
    pulse.addEventListener("click", () => {
      find("charts").hidden = !find("charts").hidden;
      pulse.setAttribute("aria-expanded", String(!find("charts").hidden));
      this.#tick();
    });
    const hold = find("traffic-hold");
    hold.addEventListener("click", () => {
      const isHeld = hold.getAttribute("aria-pressed") !== "true";
      hold.setAttribute("aria-pressed", String(isHeld));
      this.#list.pause(isHeld);
    });
    find("traffic-clear").addEventListener("click", () => {
      this.#store.clear();
      history.replaceState({ ...history.state, cleared: this.#store.now }, "");
      this.#list.refresh();
      this.#tick();
    });
  }

  /** Draws what changes by itself: charts, and how long requests run. */
  #tick(): void {
    const { now } = this.#store;
    dropOld(this.#counts, now);
    // The line of bars goes on beside the span that is chosen on it.
    const others = putTerm(this.#filter, "time");
    const isAll = parseFilter(others).length === 0;
    const ended = () =>
      this.#store.find(others).map(({ entry }) => entry).filter(({ isRunning }) => !isRunning);
    const columns = isAll ? layColumns(this.#counts, now) : countEntries(ended(), now);
    this.#columns = columns;
    render(h(Pace, { columns }), find("traffic-pulse"));
    this.#drawBrush();
    this.#drawGroups();
    this.#drawSaved();
    const source = isAll ? "" : "listed and filtered: ";
    if (!find("charts").hidden) render(h(Charts, { columns, source }), find("charts"));
    this.#tell();
    this.#list.schedule();
  }

  /** Says how many there are, and why the list may be empty. */
  #tell(): void {
    const { size, skipped, runningCount, terms } = this.#store;
    const shown = this.#store.shown().length;
    const number = (count: number) => count.toLocaleString("en");
    find("traffic-count").textContent = [
      `${terms.length > 0 ? `${number(shown)} of ` : ""}${number(size)} ${
        size === 1 ? "request" : "requests"
      }`,
      runningCount > 0 && `${number(runningCount)} running`,
      skipped > 0 && `${number(skipped)} not listed, but counted`,
    ].filter(Boolean).join(" · ");
    find("traffic-empty").hidden = shown > 0;
    find("traffic-empty").textContent = this.#store.isSearching
      ? "Searching the bodies…"
      : size > 0
      ? "No request matches the filter."
      : "No requests yet. They appear here as they come.";
  }

  #pick(row: Row | undefined): void {
    this.#picked = row;
    this.#told = row?.entry;
    this.#keep();
    this.#actions.select(row?.entry);
  }

  /** Puts filter and picked request into the address, not at every key that is typed. */
  #keep(): void {
    this.#timer ??= setTimeout(() => this.#write(), KEEP_MS);
  }

  #write(): void {
    this.#timer = undefined;
    keepListHash(
      writeListAddress({ filter: this.#filter, request: this.#picked?.key ?? this.#wanted }),
    );
  }

  /** Tells that the request that is picked has its answer, or has ended. */
  #follow(): void {
    const entry = this.#picked?.entry;
    const told = this.#told;
    if (!entry || !told || (entry.status === told.status && entry.isRunning === told.isRunning)) return;
    this.#pick(this.#picked);
  }
}
