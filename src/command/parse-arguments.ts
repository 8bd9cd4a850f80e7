/**
 * Parses the arguments of a command. `parseArgs` itself writes messages of several lines, and suggests what does not exist.
 * @module
 */

import { parseArgs, type ParseArgsConfig } from "node:util";
import { ConfigError } from "../core/settings/config.ts";
import { findNearest } from "../core/settings/nearest.ts";

/** The small commands. */
export const COMMANDS = ["encode", "decode", "sign", "token", "explain", "check", "health"] as const;

/** Text options by the names of their flags, without dashes. */
type TextOptions<Name extends string> = Readonly<Record<Name, { type: "string" }>>;

/** The flags and other words among the arguments. */
interface Parsed<Name extends string> {
  values: { [K in Name]?: string };
  positionals: string[];
}

/** What a command takes. */
export interface Taken<Name extends string> {
  /** Names of flags, without dashes. Each has a value. */
  flags: readonly Name[];
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
  const options = Object.fromEntries(taken.flags.map((flag) => [flag, { type: "string" }])) as TextOptions<
    Name
  >;
  const config: ParseArgsConfig = { args: [...args], options, allowPositionals: taken.takesWords ?? false };
  try {
    return parseArgs(config) as unknown as Parsed<Name>;
  } catch (error) {
    throw new ConfigError(explain((error as Error).message, taken));
  }
}

function explain(message: string, { flags, example, command }: Taken<string>): string {
  const [, flag = ""] = /^Unknown option '-+([^']*)'/.exec(message) ?? [];
  const [, word = ""] = /^Unexpected argument '([^']*)'/.exec(message) ?? [];
  const near = findNearest(flag, flags);
  const nearCommand = findNearest(word, COMMANDS);
  const known = near
    ? `--${near}`
    : /^https?:/i.test(word)
    ? "flags such as --target https://example.com"
    : example;
  const expected = nearCommand ? `the command ${nearCommand}, or ${known}` : known;
  return `${message.split(/\.\s/)[0]}, expected ${expected} (see ${
    command ? `fetchvia ${command} ` : ""
  }--help)`;
}
