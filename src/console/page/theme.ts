/**
 * Light, dark, or as the system has it: a button goes through the three.
 * @module
 */

import { find, say } from "./dom.ts";

const KEY = "fetchvia.theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const LABELS: Readonly<Record<Theme, string>> = {
  system: "Colours: those of the system",
  light: "Colours: light",
  dark: "Colours: dark",
};

/** Makes the button work, and restores the previous choice. */
export function openTheme(): void {
  const button = find("theme");
  let theme = readTheme();
  const show = () => {
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset["theme"];
    else dataset["theme"] = theme;
    button.setAttribute("aria-label", LABELS[theme]);
    button.title = LABELS[theme];
    button.dataset["shows"] = theme;
  };
  show();
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
    show();
    say(LABELS[theme]);
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice lasts as long as the page.
    }
  });
}

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    // Without storage the system decides.
    return "system";
  }
}
