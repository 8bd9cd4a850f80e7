/**
 * Reads the flags of the command line.
 * @module
 */

import { ConfigError, flagName } from "../core/settings/config.ts";
import type { Setting } from "../core/settings/setting.ts";
import { SETTINGS } from "../core/settings/settings.ts";
import { parseArguments, type Taken } from "./parse-arguments.ts";

/** Flags and their values, without dashes. */
export type Flags = Record<string, string | undefined>;

/**
 * Reads the settings among the arguments.
 *
 * @throws {ConfigError} for an unknown argument, and if npm took flags for its own
 */
export function readFlags(args: readonly string[], environment: NodeJS.ProcessEnv = process.env): Flags {
  return readCommand(args, { flags: [] }, environment).values;
}

/**
 * Reads the arguments of a command that takes the settings too.
 *
 * @throws {ConfigError} as `readFlags`
 */
export function readCommand<Name extends string>(
  args: readonly string[],
  taken: Omit<Taken<Name>, "example">,
  environment: NodeJS.ProcessEnv = process.env,
) {
  refuseTaken(environment);
  const flags = [...Object.keys(SETTINGS).map(flagName), ...taken.flags];
  return parseArguments<string>(joinValues(args), { ...taken, flags, example: "flags such as --port 8080" });
}

/** Joins a value that starts with a dash, as in `--port -1`, to its flag, so it is not read as a flag. */
function joinValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const flag = joined.at(-1);
    if (/^-[^-]/.test(arg) && flag && /^--[\w-]+$/.test(flag)) joined.splice(-1, 1, `${flag}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/**
 * Refuses to start if npm took flags for its own: `npm start --proxy-token=x` would serve without a token. npm passes such
 * flags to its scripts as `npm_config_proxy_token`. Only this package's start scripts are checked, because scripts of other
 * packages may have flags of the same names.
 */
function refuseTaken(environment: NodeJS.ProcessEnv): void {
  const { npm_package_name: name, npm_lifecycle_event: script = "" } = environment;
  if (name !== "fetchvia" || !/^start(?::|$)/.test(script)) return;
  const taken = Object.entries(SETTINGS).flatMap(([name, setting]) => {
    const value = readTaken(flagName(name), environment);
    return value === undefined ? [] : [{ flag: `--${flagName(name)}`, value: showValue(value, setting) }];
  });
  if (taken.length === 0) return;
  const flags = taken.map(({ flag }) => flag).join(", ");
  const typed = taken.map(({ flag, value }) => `${flag}=${value}`).join(" ");
  const command = script === "start" ? script : `run ${script}`;
  throw new ConfigError(
    `npm took ${flags} for its own, expected -- in front of ${
      taken.length > 1 ? "them" : "it"
    }: npm ${command} -- ${typed}`,
  );
}

/** Values that are no setting of npm: native builds read a version from `target`, and npm's own `audit` is true or false. */
const OURS: Readonly<Record<string, RegExp>> = { target: /^https?:/i, audit: /^(?!(?:true|false)?$)/ };

/** The value of a flag that npm took; `undefined` if npm did not take it. */
function readTaken(flag: string, environment: NodeJS.ProcessEnv): string | undefined {
  const value = environment[`npm_config_${flag.replaceAll("-", "_")}`];
  return !Object.hasOwn(OURS, flag) || OURS[flag]?.test(value ?? "") ? value : undefined;
}

/** The value to show in the message, or `…` if it is secret, missing or would need quoting in a shell. */
function showValue(value: string, { isSecret, parse }: Setting<unknown>): string {
  // For `--port 9000`, npm keeps only `true`.
  const isNone = value === "true" && parse("true") !== true;
  return isSecret || isNone || !/^[\w.,:/-]+$/.test(value) ? "…" : value;
}
