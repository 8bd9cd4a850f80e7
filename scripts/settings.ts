/**
 * Writes the table of settings into the README; `--check` only tells whether it is up to date.
 * @module
 */

import { readFileSync, writeFileSync } from "node:fs";
import { environmentName } from "../src/settings/config.ts";
import { SETTINGS } from "../src/settings/settings.ts";

const START = "<!-- settings -->";
const END = "<!-- /settings -->";
const file = new URL("../README.md", import.meta.url);

/** The table as Markdown, made of the one table of settings. */
export function formatSettings(): string {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, unit, effect, risk }]) => {
    const text = `${effect}${risk ? ` *${risk}*` : ""}`.replaceAll("|", "\\|");
    return `| \`${environmentName(name)}\` | ${formatFallback(fallback)} | ${unit} | ${text} |`;
  });
  return ["| setting | default | unit | effect |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function formatFallback(fallback: unknown): string {
  if (fallback === undefined || fallback === "") return "–";
  if (typeof fallback !== "object") return `\`${fallback}\``;
  return "–";
}

if (import.meta.main) {
  const readme = readFileSync(file, "utf8");
  const start = readme.indexOf(START) + START.length;
  const written = `${readme.slice(0, start)}\n\n${formatSettings()}\n\n${readme.slice(readme.indexOf(END))}`;
  if (process.argv.includes("--check") && written !== readme) {
    console.error("README.md: the settings are out of date, expected `bun scripts/settings.ts` to be run");
    process.exit(1);
  }
  if (written !== readme) writeFileSync(file, written);
}
