/**
 * Light or dark theme: the system decides until the button is used.
 * @module
 */

import { find } from "./dom.ts";

const KEY = "fetchvia.theme";

/** Makes the button work, and restores the previous choice. */
export function openTheme(): void {
  const root = document.documentElement;
  const isDark = () =>
    root.dataset["theme"]
      ? root.dataset["theme"] === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
  try {
    const stored = localStorage.getItem(KEY);
    if (stored === "light" || stored === "dark") root.dataset["theme"] = stored;
  } catch {
    // Without storage the system decides.
  }
  find("theme").hidden = false;
  find("theme").addEventListener("click", () => {
    const theme = root.dataset["theme"] = isDark() ? "light" : "dark";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice lasts as long as the page.
    }
  });
}
