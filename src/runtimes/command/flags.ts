/**
 * Reads the flags of the command line.
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { ConfigError, flagName } from "../../settings/config.ts";
import { SETTINGS } from "../../settings/settings.ts";

/** Flags and their values, without dashes. */
export type Flags = Record<string, string | undefined>;

/**
 * Reads the settings among the arguments.
 *
 * @throws {ConfigError} when npm took flags for itself
 * @throws {TypeError} with a code `ERR_PARSE_ARGS…` for an argument that nobody knows
 */
export function readFlags(args: readonly string[], environment: NodeJS.ProcessEnv = process.env): Flags {
  refuseTaken(environment);
  const options = Object.fromEntries(
    Object.keys(SETTINGS).map((name) => [flagName(name), { type: "string" as const }]),
  );
  return parseArgs({ args: joinValues(args), options, strict: true, allowPositionals: false }).values;
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
 * Refuses to start without the flags that npm took for its own: `npm start --proxy-token=x` would serve without a token.
 * npm tells its scripts of them as `npm_config_proxy_token`. Programs that are started by scripts of other packages see
 * flags that are none of theirs.
 */
function refuseTaken(environment: NodeJS.ProcessEnv): void {
  const { npm_package_name: name, npm_lifecycle_event: script = "" } = environment;
  if (name !== "fetchvia" || !/^start(?::|$)/.test(script)) return;
  const taken = Object.keys(SETTINGS).map(flagName).filter((flag) => isTaken(flag, environment));
  if (taken.length === 0) return;
  const flags = taken.map((flag) => `--${flag}`).join(", ");
  throw new ConfigError(
    `npm took ${flags} for its own, expected -- in front of it: npm ${
      script === "start" ? script : `run ${script}`
    } -- --${taken[0]}=…`,
  );
}

function isTaken(flag: string, environment: NodeJS.ProcessEnv): boolean {
  const value = environment[`npm_config_${flag.replaceAll("-", "_")}`];
  // Native builds read a version from `target` in `.npmrc`.
  return value !== undefined && (flag !== "target" || /^https?:/i.test(value));
}
