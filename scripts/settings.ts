/**
 * `npm run settings`: writes the tables of settings into their page, the type of the options that is made from them, and the
 * members of the table of targets into its page; `--check` only tells whether they are up to date.
 * @module
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { environmentName, type SettingName } from "../src/core/settings/config.ts";
import { type Effect, EFFECTS, type Group } from "../src/command/effects.ts";
import type { Setting } from "../src/core/settings/setting.ts";
import { SETTINGS } from "../src/core/settings/settings.ts";
import { writeMembers } from "./settings/members.ts";
import { formatOptions } from "./settings/options.ts";

const START = "<!-- settings -->";
const END = "<!-- /settings -->";
const PAGE = "docs/settings.md";
const MEMBERS_PAGE = "docs/keys-and-gates.md";
const OPTIONS = "src/core/settings/options.ts";

/** The headings of the page, in its order. */
const HEADINGS: Record<Group, string> = {
  listen: "Listen",
  targets: "Targets",
  access: "Access",
  limits: "Limits",
  output: "Output",
};

/** A table for each group as Markdown, made from the table of settings in the code. */
export function formatSettings(): string {
  const rows = Object.entries(EFFECTS);
  return Object.entries(HEADINGS).map(([group, heading]) => {
    const lines = rows.filter(([, { kind }]) => kind[0] === group).map(formatRow);
    return [
      `## ${heading}`,
      "",
      "| setting | default | unit | effect |",
      "| --- | --- | --- | --- |",
      ...lines,
    ]
      .join("\n");
  }).join("\n\n");
}

function formatRow([name, { kind: [, unit], effect, risk }]: [name: string, setting: Effect]): string {
  const { fallback }: Setting<unknown> = SETTINGS[name as SettingName];
  const text = `${effect}${risk ? ` *${risk}*` : ""}`.replaceAll("|", "\\|");
  return `| \`${environmentName(name)}\` | ${formatFallback(fallback)} | ${unit} | ${text} |`;
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

function formatPage(): string {
  const page = readProjectFile(PAGE);
  const start = page.indexOf(START) + START.length;
  return `${page.slice(0, start)}\n\n${formatSettings()}\n\n${page.slice(page.indexOf(END))}`;
}

if (import.meta.main) {
  const files = [
    { path: PAGE, text: formatPage() },
    { path: OPTIONS, text: formatOptions() },
    { path: MEMBERS_PAGE, text: writeMembers(readProjectFile(MEMBERS_PAGE)) },
  ];
  for (const { path, text } of files.filter(({ path, text }) => readProjectFile(path) !== text)) {
    if (process.argv.includes("--check")) {
      console.error(`${path}: the settings are out of date, expected \`npm run settings\` to be run`);
      process.exitCode = 1;
    } else writeFileSync(urlOf(path), text);
  }
}
