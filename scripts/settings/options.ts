/**
 * The type of the options of `createProxy`, as TypeScript: made from the table of settings, so that both say the same.
 * @module
 */

import { environmentName, flagName, isOption, type SettingName } from "../../src/core/settings/config.ts";
import type { Setting } from "../../src/core/settings/setting.ts";
import { EFFECTS } from "../../src/command/effects.ts";
import { SETTINGS } from "../../src/core/settings/settings.ts";

/** Maximum characters of a line of code: the formatter breaks longer ones. */
const CODE_WIDTH = 110;
const DOC_WIDTH = 100;

const HEADER = `/**
 * The options of \`createProxy\`. Written by \`npm run settings\` from the table of settings: change that one.
 * @module
 */

/**
 * The options of \`createProxy\`. Each one may be left out or \`undefined\`, and has its default then.
 *
 * Text means the same as in the environment, and blanks around it do not count. \`host\`, \`port\`, \`workers\`, \`tlsCert\`,
 * \`tlsKey\` and \`log\` are no options: your own server listens and logs. Share a \`rateStore\` in place of a
 * \`rateLimitStore\`. A file in \`audit\` is refused: pass a function.
 *
 * @example
 * \`\`\`ts
 * const options: Options = { mountPath: "/proxy", allowTargets: ["*.example.com"], timeoutMs: 10_000 };
 * \`\`\`
 */
export interface Options {
`;

/** The source of `src/core/settings/options.ts`. */
export function formatOptions(): string {
  const members = Object.entries(SETTINGS).filter(([name]) => isOption(name))
    .map(([name, setting]) => formatOption(name, setting));
  return `${HEADER}${members.join("")}}\n`;
}

/**
 * The types that an option may have.
 *
 * Finds out by parsing `true` and `1`, and by the presence of the readers for lists and objects.
 */
export function listTypes(name: string, { parse, parseEntries, parsePairs }: Setting<unknown>): string[] {
  const { type } = EFFECTS[name as SettingName];
  if (type !== undefined) return type.split(" | ");
  const types = ["string"];
  if (typeof parse("1") === "number") types.splice(0, 1, "number", "`${number}`");
  if (parse("true") === true) types.splice(0, 1, "boolean", '"true"', '"false"');
  if (parseEntries) types.push("readonly string[]");
  if (parsePairs) types.push("Readonly<Record<string, string>>");
  return types;
}

/** A value for the option as written in code, made from the example in `expected`; `undefined` if it has none. */
export function exampleOf({ expected, parseEntries, parsePairs }: Setting<unknown>): unknown {
  const text = / such as (\S+)/.exec(expected)?.[1]?.replace(/,$/, "");
  const entries = text?.split(",") ?? [];
  if (parsePairs) return Object.fromEntries(entries.map((entry) => entry.split("=")));
  return parseEntries && text ? entries : text;
}

function formatOption(name: string, setting: Setting<unknown>): string {
  const { expected, fallback } = setting;
  const { kind: [, unit], effect, risk } = EFFECTS[name as SettingName];
  const example = exampleOf(setting);
  const lines = [
    ...wrap(nameOptions(effect)),
    ...(risk ? ["", ...wrap(`**Risk:** ${nameOptions(risk)}`)] : []),
    "",
    ...wrap(`Unit: ${unit}. Expected: ${expected}.`),
    `Environment: \`${environmentName(name)}\`. Flag: \`--${flagName(name)}\`.`,
    "",
    `@default ${formatValue(fallback)}`,
    ...(example === undefined ? [] : [`@example createProxy({ ${name}: ${formatValue(example)} });`]),
  ];
  const doc = lines.map((line) => `   *${line && ` ${line}`}\n`).join("");
  return `  /**\n${doc}   */\n${formatMember(name, [...listTypes(name, setting), "undefined"])}`;
}

/** A member on one line if it fits, otherwise broken as the formatter does. */
function formatMember(name: string, types: readonly string[]): string {
  const line = `  readonly ${name}?: ${types.join(" | ")};\n`;
  if (line.length <= CODE_WIDTH) return line;
  return `  readonly ${name}?:\n${types.map((type) => `    | ${type}`).join("\n")};\n`;
}

/** Names other settings as options: `ALLOW_TARGETS` → `allowTargets`. */
function nameOptions(text: string): string {
  const names = new Map(Object.keys(SETTINGS).map((name) => [environmentName(name), name]));
  return text.replace(/(?<=`)[A-Z_]+(?=`)/g, (variable) => names.get(variable) ?? variable);
}

function formatValue(value: unknown): string {
  if (value === undefined) return "undefined";
  if (value instanceof Map) return "{}";
  if (Array.isArray(value)) return `[${value.map(formatValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, entry]) => `${key}: ${formatValue(entry)}`);
  return `{ ${entries.join(", ")} }`;
}

function wrap(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line && line.length + word.length >= DOC_WIDTH) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}
