/**
 * The field of the filter, the terms that are active, and examples of what it understands.
 * @module
 */

import { button, element, find, say } from "../page/dom.ts";
import { isKey, onKey } from "../page/page-keys.ts";
import { onForgotten } from "../page/storage.ts";
import { showView } from "../page/views.ts";
import { dropTerm, parseFilter, type Term } from "./filter.ts";
import { filterBefore, forgetFilters, rememberFilter } from "./saved-filters.ts";

/** What the filter understands: an example, and its meaning. */
const EXAMPLES: readonly [term: string, meaning: string][] = [
  ["status:5xx", "also status:404 or status:400-499"],
  ["-method:GET", "a minus negates a term"],
  ["host:api", "part of the host; path: is part of the path and of the query in the row"],
  ["route:api.test/users/:id", "this host and route, as By route has them"],
  ["selector:cookie,label", "one or the other"],
  [">100ms", "a longer duration, also so far; <2s a shorter one"],
  ["since:1m", "ran in the last minute; also since:30s and since:2h"],
  ["time:15:04-15:05", "ran at that time of the day, here"],
  ["<2kb", "bytes of the response"],
  ["error:*", "any error; error:timeout is one"],
  ["token:ci", "the caller's token"],
  ["running", "not over yet; captured is kept in full"],
  ["body:token", "in a body that is kept"],
  ["/v[12]\\//", "a regular expression"],
  ['"not found"', "words, in any column"],
];

/** What the filter tells. */
export interface FilterActions {
  change(text: string): void;
  /** The keyboard goes on to the list. */
  leave(): void;
}

/**
 * Shows the filter.
 *
 * @param initial the filter to begin with
 * @returns what sets it
 */
export function openFilterBar(initial: string, { change, leave }: FilterActions): (text: string) => void {
  const field = find<HTMLInputElement>("traffic-filter");
  let before = "";
  const apply = (text: string) => {
    if (text === "") rememberFilter(before);
    before = text;
    if (field.value !== text) field.value = text;
    const terms = parseFilter(text);
    showTerms(terms, (place) => {
      apply(dropTerm(field.value, place));
      field.focus();
    });
    const wrong = terms.find(({ problem }) => problem !== undefined);
    field.toggleAttribute("aria-invalid", wrong !== undefined);
    find("traffic-filter-problem").textContent = wrong ? `${wrong.text} ${wrong.problem}` : "";
    change(text);
  };
  field.addEventListener("input", () => apply(field.value));
  onForgotten(forgetFilters);
  field.addEventListener("change", () => rememberFilter(field.value));
  field.addEventListener("keydown", (event) => {
    const recalled = isKey(event, "recall") ? filterBefore(field.value) : undefined;
    if (isKey(event, "down")) leave();
    else if (isKey(event, "leave") && field.value !== "") apply("");
    else if (recalled !== undefined) {
      apply(recalled);
      say(recalled);
    } else return;
    event.preventDefault();
  });
  showExamples((term) => apply(`${field.value.trim()} ${term}`.trim()));
  onKey("filter", () => {
    showView("traffic");
    field.focus();
  });
  // A browser may have kept what was typed before a reload.
  if (initial || field.value) apply(initial || field.value);
  closeByItself(document.querySelector<HTMLDetailsElement>(".examples")!);
  return apply;
}

/** Closes a box that lies over the list by Escape, and when the pointer or the focus goes on. */
function closeByItself(box: HTMLDetailsElement): void {
  const leave = ({ target }: Event) => {
    if (!box.contains(target as Node)) box.open = false;
  };
  for (const kind of ["pointerdown", "focusin"]) document.addEventListener(kind, leave);
  box.addEventListener("keydown", (event) => {
    if (!isKey(event, "leave") || !box.open) return;
    box.open = false;
    box.querySelector("summary")?.focus();
  });
}

function showExamples(add: (term: string) => void): void {
  const choose = (term: string) => {
    add(term);
    say(`Filter: ${find<HTMLInputElement>("traffic-filter").value}`);
  };
  find("traffic-examples").replaceChildren(
    ...EXAMPLES.map(([term, meaning]) =>
      element("li", {}, button(term, () => choose(term)), element("span", {}, meaning))
    ),
  );
}

function showTerms(terms: readonly Term[], drop: (place: number) => void): void {
  const place = find("traffic-terms");
  find("traffic-active").hidden = terms.length === 0;
  place.replaceChildren(...terms.map(({ text, problem }, index) => {
    const term = button(text, () => drop(index), {
      class: problem === undefined ? "chip" : "chip bad",
      "aria-label": `Remove the filter ${text}`,
      title: problem === undefined ? "Remove" : `${text} ${problem}`,
    });
    term.append(element("span", { "aria-hidden": "true" }, " ×"));
    return term;
  }));
}
