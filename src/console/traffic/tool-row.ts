/**
 * The parts of the filter row that change by themselves: saved filters with their counts, and the pulse of the traffic.
 * @module
 */

import { type ComponentChild, Fragment, h } from "preact";
import { formatSpan } from "../page/format.ts";
import { barPaths, drawPlot } from "./charts.ts";
import { hasTermsOf, isKept, type SavedFilter, toggleTerms } from "./saved-filters.ts";
import { type Column, readFigures } from "./pulse.ts";

/** What the saved filters show, and do. */
export interface SavedFiltersProps {
  filter: string;
  /** Each with the number of requests that it lets through. */
  saved: readonly (SavedFilter & { count: number; isOwn: boolean })[];
  apply(filter: string): void;
  keep(filter: string, isKept: boolean): void;
}

/** Saved filters: each adds its terms, or takes them away again. */
export function SavedFilters({ filter, saved, apply, keep }: SavedFiltersProps): ComponentChild {
  const text = filter.trim();
  const known = saved.find((one) => one.filter === text);
  const chips = saved.map((one) =>
    h(
      "button",
      {
        key: one.filter,
        type: "button",
        class: "preset",
        title: one.filter,
        "aria-pressed": hasTermsOf(filter, one.filter),
        onClick: () => apply(toggleTerms(filter, one.filter)),
      },
      h("span", {}, one.name),
      one.count > 0 && h("b", {}, one.count.toLocaleString("en")),
    )
  );
  const canKeep = known ? known.isOwn : isKept(text);
  const keeper = h(
    "button",
    { type: "button", class: "preset quiet", onClick: () => keep(text, !known) },
    known ? "Forget" : "Save filter",
  );
  return h(Fragment, {}, chips, canKeep && keeper);
}

/** The figures of now. */
export function Pace({ columns }: { columns: readonly Column[] }): ComponentChild {
  const { rate, median } = readFigures(columns);
  const pace = `${rate >= 10 ? Math.round(rate) : rate}/s`;
  const time = median === undefined ? "" : formatSpan(median);
  return h(
    Fragment,
    {},
    h("span", { class: "sr" }, "Charts: "),
    h("span", { class: "figures" }, time ? `${pace} · ${time}` : pace),
    h("span", { class: "unfold", "aria-hidden": true }, "▾"),
  );
}

/** The last two minutes in a line of bars, with the span that is chosen. */
export function Pulse({ columns, span }: { columns: readonly Column[]; span: string }): ComponentChild {
  return drawPlot({ span, ...barPaths(columns) });
}
