/**
 * Settings, in a dialog: the colours, what this browser stores of the console, and what the page knows of its proxy.
 * @module
 */

import type { PageFacts } from "../../parts/console/page-facts.ts";
import { readSaved as readRequests } from "../builder/saved.ts";
import { readRecents } from "../host/recents.ts";
import { readPane } from "../inspector/resizer.ts";
import { readSaved as readFilters, recentFilters } from "../traffic/saved-filters.ts";
import { button, element, find, hint } from "./dom.ts";
import { openSheet } from "./sheet.ts";
import { forgetStored, openStorage, type Shelf } from "./storage.ts";
import { readTheme, setTheme, shownTheme, type Theme, THEMES } from "./theme.ts";

type Fact = [name: string, value: string];

const AGAIN = "Press again to forget it";
const ELSEWHERE = "This tab keeps draft and filter until it is closed. The bar clears host and sign-in.";

/** Shows them. */
export function openSettings(facts: PageFacts): void {
  const colours = element(
    "select",
    { class: "small", "aria-label": "Colours", change: () => setTheme(colours.value as Theme) },
    ...THEMES.map((theme) => element("option", { selected: theme === shownTheme() }, theme)),
  );
  const stored = listStored(openStorage(), recentFilters());
  const names = stored.map(([name]) => name.toLowerCase()).join(", ");
  const forget = button("Forget all of it", () => {
    if (forget.textContent !== AGAIN) {
      forget.textContent = AGAIN;
      return;
    }
    forgetStored();
    colours.value = shownTheme();
    const gone = element("p", { tabindex: -1 }, `Forgotten: ${names}`);
    forget.previousElementSibling!.remove();
    forget.replaceWith(gone);
    gone.focus();
  });
  const said = (id: string) => find(id).textContent ?? "";
  const host = `${said("host-target")}, ${said("host-selector")}`;
  void openSheet("Settings", [
    { name: "This page", rows: [["Colours", colours]] },
    {
      name: "Kept in this browser",
      rows: stored,
      more: [stored.length > 0 && forget, hint(ELSEWHERE)],
    },
    { name: "This proxy", rows: listFacts(facts, host, said("capture-line")) },
  ]);
}

/** What this browser stores of the console, and the last filters, which only this page knows. */
export function listStored(shelf: Shelf | undefined, filters: readonly string[]): Fact[] {
  const { requests, variables } = readRequests(shelf);
  const kept: [name: string, kept: readonly string[]][] = [
    ["Saved requests", requests.map(({ name }) => name)],
    ["Variables", variables.flatMap(([, values]) => values.map(([name]) => name))],
    ["Saved filters", readFilters(shelf)],
    ["Last filters", filters],
    ["Recent hosts", readRecents(shelf)],
    ["Colours", [readTheme(shelf) ?? []].flat()],
    ["Request pane", Object.keys(readPane(shelf))],
  ];
  return kept.filter(([, names]) => names.length > 0).map(([name, names]) => [name, names.join(", ")]);
}

/** What the page knows of its proxy. */
export function listFacts(
  { version, domain, labels, needsToken }: Pick<PageFacts, "version" | "domain" | "labels" | "needsToken">,
  host: string,
  capture: string,
): Fact[] {
  return [
    ["Version", version],
    ["Requests go", host],
    ["Domain", domain],
    ["Labels", labels.map(([label, base]) => `${label}: ${base}`).join(", ") || "none"],
    ["Callers", needsToken ? "need a token" : "need no token"],
    ["Capture", capture || "cannot be seen from here"],
  ];
}
