/**
 * Light, dark, or as the system has it: a button goes through the three.
 * @module
 */

import { find, say } from "./dom.ts";
import { onForgotten, openStorage, type Shelf } from "./storage.ts";

const KEY = "fetchvia.theme";

/** The three. */
export const THEMES = ["system", "light", "dark"] as const;
/** One of them. */
export type Theme = (typeof THEMES)[number];

const LABELS: Readonly<Record<Theme, string>> = {
  system: "Colours: those of the system",
  light: "Colours: light",
  dark: "Colours: dark",
};

/** Makes the button work, and restores the previous choice. */
export function openTheme(): void {
  const button = find("theme");
  const restore = () => show(readTheme(openStorage()) ?? "system");
  restore();
  onForgotten(restore);
  button.hidden = false;
  button.addEventListener(
    "click",
    () => setTheme(THEMES[(THEMES.indexOf(shownTheme()) + 1) % THEMES.length] ?? "system"),
  );
}

/** The one that is shown. */
export function shownTheme(): Theme {
  return find("theme").dataset["shows"] as Theme;
}

/** Shows one, and stores it. */
export function setTheme(theme: Theme): void {
  show(theme);
  say(LABELS[theme]);
  try {
    openStorage()?.setItem(KEY, theme);
  } catch {
    // The choice lasts as long as the page.
  }
}

/** The one that is stored. */
export function readTheme(shelf: Pick<Shelf, "getItem"> | undefined): Theme | undefined {
  const stored = shelf?.getItem(KEY);
  return THEMES.find((theme) => theme === stored);
}

function show(theme: Theme): void {
  const button = find("theme");
  const { dataset } = document.documentElement;
  if (theme === "system") delete dataset["theme"];
  else dataset["theme"] = theme;
  button.setAttribute("aria-label", LABELS[theme]);
  button.title = LABELS[theme];
  button.dataset["shows"] = theme;
}
