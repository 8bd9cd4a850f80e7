/**
 * One row of the list, and the row of its columns.
 * @module
 */

import { Component, type ComponentChild, type ComponentChildren, h } from "preact";
import {
  CLOSED_BY_CALLER,
  formatBytes,
  formatClock,
  formatSpan,
  statusClass,
  tellEnd,
} from "../page/format.ts";
import { lasted, LIST_COLUMNS, type Sort } from "./columns.ts";
import { splitAddress } from "./row-route.ts";
import type { ListedEntry } from "./store.ts";

/** How a row stands in the list. */
export interface Standing {
  entry: ListedEntry;
  index: number;
  isCurrent: boolean;
  isPicked: boolean;
  /** The proxy's clock, in Unix milliseconds. */
  now: number;
  /** The host that requests go to by default: it is said once, above the list. */
  home: string;
  /** When the bars of the page begin to count, in Unix milliseconds: style sheets read no large numbers. */
  base: number;
}

type Told = Omit<Standing, "index" | "isCurrent" | "isPicked">;

/** The id of the element of a request. */
export function idOfRow(key: string): string {
  return `row-${key}`;
}

/** A row. What it says is drawn anew only for another request, or each second of one that runs. */
export class LogRow extends Component<Standing> {
  override shouldComponentUpdate(next: Standing): boolean {
    const { index, isCurrent, isPicked } = this.props;
    return next.index !== index || next.isCurrent !== isCurrent || next.isPicked !== isPicked ||
      hasChanged(this.props, next);
  }

  override render({ index, isCurrent, isPicked, ...told }: Standing): ComponentChild {
    const { key, isRunning } = told.entry;
    return h("div", {
      role: "row",
      id: idOfRow(key),
      "data-key": key,
      class: `log-row${isRunning ? " running" : ""}${isCurrent ? " current" : ""}`,
      // The row of names is the first.
      "aria-rowindex": index + 2,
      "aria-selected": isPicked,
      style: { transform: `translateY(calc(${index} * var(--row)))` },
    }, h(Cells, told));
  }
}

class Cells extends Component<Told> {
  override shouldComponentUpdate(next: Told): boolean {
    return hasChanged(this.props, next);
  }

  override render({ entry, now, base, home }: Told): ComponentChildren {
    const { time, method, status, selector = "–", callerId, bytesOut, isRunning, totalMs } = entry;
    const face = status === 0 ? "waits" : statusClass(status);
    const bar = { "--s": String(time - base), "--d": String(lasted(entry, now)) };
    return [
      cell(
        "time",
        formatClock(time),
        h("span", { class: "ms" }, `.${String(time % 1_000).padStart(3, "0")}`),
      ),
      cell("method", method),
      cell("code", h("span", { class: `status ${face}` }, status === 0 ? "waits" : String(status))),
      drawTarget(entry, home),
      cell(
        "selector",
        selector,
        callerId && h("span", { class: "chip", title: "The caller's token" }, callerId),
      ),
      cell("number bytes", formatBytes(bytesOut)),
      cell("number took", isRunning ? formatRunning(now - time) : formatSpan(totalMs)),
      cell("timeline", h("i", { class: face, style: bar })),
    ];
  }
}

/** The names of the columns: a click sorts. */
export function LogHead({ sort, turn }: { sort: Sort; turn(column: string): void }): ComponentChild {
  const cells = LIST_COLUMNS.map(({ name, title, read }) => {
    const isSorted = sort.column === name;
    const order = isSorted ? sort.isUp ? "ascending" : "descending" : undefined;
    const arrow = isSorted && h("span", { "aria-hidden": true }, sort.isUp ? " ↑" : " ↓");
    const button = h("button", { type: "button", onClick: () => turn(name) }, title, arrow);
    return h("span", { role: "columnheader", class: name, "aria-sort": order }, read ? button : title);
  });
  return h("div", { role: "row", class: "log-row", "aria-rowindex": 1 }, cells);
}

/** The path first: it is what differs. The host is last, and gives way. */
function drawTarget(entry: ListedEntry, home: string): ComponentChild {
  const { address, target, isPartial, operation, setting } = entry;
  const { host, path, query: own } = splitAddress(address, target);
  const query = entry.query ?? (isPartial ? `${own}…` : own);
  const left = isPartial ? " (a query or a secret is left out)" : "";
  const why = tellEnd(entry);
  return h(
    "span",
    { role: "gridcell", class: "target", title: `${address ?? target ?? "no target"}${entry.query ?? left}` },
    h(
      "span",
      { class: "path" },
      path || (host ? "" : "no target"),
      h("span", { class: "query" }, query),
    ),
    operation && h("span", { class: "operation" }, operation),
    entry.note !== undefined && h("span", { class: "operation" }, `★ ${entry.note || "pinned"}`),
    why && h("span", { class: why === CLOSED_BY_CALLER ? "why soft" : "why", title: setting }, why),
    host !== home && h("span", { class: "host-name" }, host),
  );
}

function hasChanged(before: Told, { entry, now, home }: Told): boolean {
  const isLater = entry.isRunning === true && Math.floor(now / 1_000) !== Math.floor(before.now / 1_000);
  return entry !== before.entry || home !== before.home || isLater;
}

function cell(name: string, ...children: ComponentChild[]): ComponentChild {
  return h("span", { role: "gridcell", class: name }, children);
}

/** Whole seconds, so that figures beside each other change together. */
function formatRunning(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s…`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min…` : `${Math.floor(minutes / 60)} h…`;
}
