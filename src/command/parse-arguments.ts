/**
 * Parses the arguments of a command. `parseArgs` itself writes messages of several lines, and suggests what does not exist.
 * @module
 */

import { parseArgs, type ParseArgsConfig } from "node:util";
import { ConfigError } from "../core/settings/config.ts";
import { findNearest } from "../core/settings/nearest.ts";

/** The small commands. */
export const COMMANDS = [
  "encode",
  "decode",
  "sign",
  "token",
  "explain",
  "check",
  "policy",
  "run",
  "health",
] as const;

/** The flags and other words among the arguments. */
interface Parsed<Name extends string> {
  values: { [K in Name]?: string };
  /** True for a switch that is set. */
  isOn(name: string): boolean;
  /** All values of a flag that may be repeated, in order. */
  listOf(name: string): readonly string[];
  positionals: string[];
}

/** What a command takes. */
export interface Taken<Name extends string> {
  /** Names of flags, without dashes. Each has a value. */
  flags: readonly Name[];
  /** Names of flags without a value. */
  switches?: readonly string[];
  /** Names of flags that may be repeated. */
  lists?: readonly string[];
  /** True if other words are taken too. */
  takesWords?: boolean;
  /** What is expected where no known flag is near. */
  example: string;
  /** The command whose help tells more; that of the proxy by default. */
  command?: (typeof COMMANDS)[number];
}

/**
 * Parses the arguments of a command.
 *
 * @throws {ConfigError} one line that names the bad argument, and the flag or command that is nearest to it
 */
export function parseArguments<Name extends string>(
  args: readonly string[],
  taken: Taken<Name>,
): Parsed<Name> {
  const { flags, switches = [], lists = [], takesWords = false } = taken;
  const options: ParseArgsConfig["options"] = Object.fromEntries([
    ...[...flags, ...lists].map((name) => [name, { type: "string", multiple: true }]),
    ...switches.map((name) => [name, { type: "boolean" }]),
  ]);
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: takesWords });
    const known = parsed.values as Readonly<Record<string, unknown>>;
    const listOf = (name: string) => (known[name] ?? []) as string[];
    const twice = flags.find((flag) => listOf(flag).length > 1);
    if (twice !== undefined) throw new Error(`Option '--${twice}' is there twice`);
    const values = Object.fromEntries(flags.flatMap((flag) => listOf(flag).map((value) => [flag, value])));
    return {
      values: values as Parsed<Name>["values"],
      isOn: (name) => known[name] === true,
      listOf,
      positionals: parsed.positionals,
    };
  } catch (error) {
    throw new ConfigError(explain((error as Error).message, taken));
  }
}

function explain(
  message: string,
  { flags, switches = [], lists = [], example, command }: Taken<string>,
): string {
  const [, flag = ""] = /^Unknown option '--?([^']*)'/.exec(message) ?? [];
  const [, word = ""] = /^Unexpected argument '([^']*)'/.exec(message) ?? [];
  const near = findNearest(flag, [...flags, ...switches, ...lists]);
  const nearCommand = findNearest(word, COMMANDS);
  const lacks = / argument (?:missing|is ambiguous)/.test(message);
  const known = near
    ? `--${near}`
    : lacks
    ? "a value behind it"
    : /^https?:/i.test(word)
    ? "flags such as --target https://example.com"
    : example;
  const expected = nearCommand ? `the command ${nearCommand}, or ${known}` : known;
  // An address may hold a password or a key, and this line may be logged.
  const fault = /:\/\//.test(word) ? "Unexpected argument: an address" : message.split(/\.\s/)[0];
  return `${fault}, expected ${expected} (see ${command ? `fetchvia ${command} ` : ""}--help)`;
}
