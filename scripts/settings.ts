/**
 * Writes the table of settings into the README, the type of the options that is made from it, and the members of the table
 * of targets into its page; `--check` only tells whether they are up to date.
 * @module
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { environmentName, type SettingName } from "../src/core/settings/config.ts";
import { EFFECTS } from "../src/core/settings/effects.ts";
import { SETTINGS } from "../src/core/settings/settings.ts";
import { writeMembers } from "./settings/members.ts";
import { formatOptions } from "./settings/options.ts";

const START = "<!-- settings -->";
const END = "<!-- /settings -->";
const README = "README.md";
const MEMBERS_PAGE = "docs/keys-and-gates.md";
const OPTIONS = "src/core/settings/options.ts";

/** The table as Markdown, made from the table of settings in the code. */
export function formatSettings(): string {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, unit }]) => {
    const { effect, risk } = EFFECTS[name as SettingName];
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

function readProjectFile(path: string): string {
  const file = urlOf(path);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function urlOf(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}

function formatReadme(): string {
  const readme = readProjectFile(README);
  const start = readme.indexOf(START) + START.length;
  return `${readme.slice(0, start)}\n\n${formatSettings()}\n\n${readme.slice(readme.indexOf(END))}`;
}

if (import.meta.main) {
  const files = [
    { path: README, text: formatReadme() },
    { path: OPTIONS, text: formatOptions() },
    { path: MEMBERS_PAGE, text: writeMembers(readProjectFile(MEMBERS_PAGE)) },
  ];
  for (const { path, text } of files.filter(({ path, text }) => readProjectFile(path) !== text)) {
    if (process.argv.includes("--check")) {
      console.error(`${path}: the settings are out of date, expected \`bun scripts/settings.ts\` to be run`);
      process.exitCode = 1;
    } else writeFileSync(urlOf(path), text);
  }
}
