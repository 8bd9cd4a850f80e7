/**
 * The list by host and route: a table in its place, with the figures of each route.
 * @module
 */

import { type ComponentChild, Fragment, h, render } from "preact";
import { isFailure, type TrafficEntry } from "../../parts/console/traffic-message.ts";
import { loadStyle } from "../page/sheet.ts";
import { find } from "../page/dom.ts";
import { formatSpan } from "../page/format.ts";
import { isKey } from "../page/page-keys.ts";
import { type Sort, sortBy, turnSort } from "./columns.ts";
import { routeOf } from "./row-route.ts";

/** A target chooses its paths, so there may be thousands. */
const MOST = 200;
const TITLES: Readonly<Record<string, string>> = { route: "Route", count: "Count", errors: "Errors" };

/**
 * Makes its button work.
 *
 * @param entries what is grouped
 * @param pick shows the requests of a route
 * @returns what draws the groups anew, if they are shown
 */
export function openGroups(entries: () => TrafficEntry[], pick: (route: string) => void): () => void {
  const [button, place] = [find("traffic-grouped"), find("traffic-groups")];
  let sort: Sort = { column: "count", isUp: false };
  const draw = () => {
    if (place.hidden) return;
    const turn = (column: string) => {
      sort = turnSort(sort, column, column === "route");
      draw();
    };
    const choose = (route: string) => {
      show(false);
      pick(route);
    };
    render(h(GroupTable, { groups: sortGroups(groupEntries(entries()), sort), sort, turn, choose }), place);
  };
  const show = (isShown: boolean) => {
    void loadStyle();
    button.setAttribute("aria-pressed", String(isShown));
    place.hidden = !isShown;
    find("traffic-scroll").hidden = isShown;
    draw();
  };
  button.addEventListener("click", () => show(Boolean(place.hidden)));
  place.addEventListener("keydown", (event) => {
    if (!isKey(event, "leave")) return;
    show(false);
    find("traffic-scroll").focus();
  });
  return draw;
}

interface GroupTableProps {
  groups: readonly Group[];
  sort: Sort;
  turn(column: string): void;
  choose(route: string): void;
}

function GroupTable({ groups, sort, turn, choose }: GroupTableProps): ComponentChild {
  const heads = GROUP_COLUMNS.map((name) => {
    const order = sort.column === name ? sort.isUp ? "ascending" : "descending" : undefined;
    const arrow = order !== undefined && h("span", { "aria-hidden": true }, sort.isUp ? " ↑" : " ↓");
    const button = h("button", { type: "button", onClick: () => turn(name) }, TITLES[name] ?? name, arrow);
    return h("th", { scope: "col", "aria-sort": order }, button);
  });
  const rows = groups.slice(0, MOST).map(({ route, count, errors, p50, p95 }) => {
    const name = route || "no target";
    const button = h("button", { type: "button", disabled: !route, onClick: () => choose(route) }, name);
    return h(
      "tr",
      { key: route },
      h("th", { scope: "row" }, button),
      h("td", {}, count.toLocaleString("en")),
      h("td", { class: errors > 0 ? "failed" : "" }, errors.toLocaleString("en")),
      h("td", {}, tell(p50)),
      h("td", {}, tell(p95)),
    );
  });
  const table = h("table", {}, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
  const left = groups.length - MOST;
  return h(
    Fragment,
    {},
    table,
    left > 0 && h("p", { class: "hint" }, `${left} more routes. A filter leaves less.`),
  );
}

function tell(milliseconds: number | undefined): string {
  return milliseconds === undefined ? "–" : formatSpan(milliseconds);
}

interface Group {
  /** Host and path, as `routeOf` has them. */
  route: string;
  count: number;
  /** How many have a status of 400 or more, or broke off. */
  errors: number;
  /** Milliseconds within which half of those that have ended took, and 19 of 20; `undefined` if none has. */
  p50: number | undefined;
  p95: number | undefined;
}

/** The columns of the groups, by the member that each shows. */
const GROUP_COLUMNS = ["route", "count", "errors", "p50", "p95"] as const;

/** Groups requests, in the order in which their routes come. */
export function groupEntries(entries: Iterable<TrafficEntry>): Group[] {
  const groups = new Map<string, TrafficEntry[]>();
  for (const entry of entries) {
    const route = routeOf(entry);
    const group = groups.get(route);
    if (group) group.push(entry);
    else groups.set(route, [entry]);
  }
  return [...groups].map(([route, all]) => {
    const times = all.filter(({ isRunning }) => !isRunning).map(({ totalMs }) => totalMs)
      .sort((one, other) => one - other);
    return {
      route,
      count: all.length,
      errors: all.filter((entry) => entry.status >= 400 || isFailure(entry)).length,
      p50: percentile(times, .5),
      p95: percentile(times, .95),
    };
  });
}

/** The groups in this order. */
export function sortGroups(groups: readonly Group[], { column, isUp }: Sort): Group[] {
  return sortBy(groups, isUp, (group) => group[column as keyof Group] ?? -1);
}

/** The smallest value that a share of the sorted values does not exceed (nearest rank). */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}
