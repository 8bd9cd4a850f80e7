/**
 * What the command line of `fetchvia run` asks for.
 * @module
 */

import { ConfigError, flagName, type SettingName } from "../../core/settings/config.ts";
import { SETTINGS } from "../../core/settings/settings.ts";
import { parseArguments } from "../parse-arguments.ts";
import { readSeconds } from "../token-command.ts";

/** Settings that a run decides itself: who listens where, who may ask, and what is written between the program's lines. */
const WHERE: readonly SettingName[] = ["host", "port", "workers", "mountPath", "tlsCert", "tlsKey"];
const WHO: readonly SettingName[] = ["proxyToken", "signingKey", "callerTokens"];
const OUTPUT: readonly SettingName[] = ["log", "console", "capture", "captureBytes"];
const DECIDED: ReadonlySet<string> = new Set([...WHERE, ...WHO, ...OUTPUT]);
/** How long the tokens count, unless `--ttl` says otherwise. */
const TTL = "8h";
/** What `--report` sets, unless a flag says otherwise (rule 22.9). */
const REPORT = { gate: "report", audit: "fetchvia-audit.jsonl" };

/** What the command line asks for. */
export interface Order {
  program: readonly string[];
  /** Settings of the proxy. */
  settings: Readonly<Record<string, string | undefined>>;
  presets: readonly string[];
  pass: ReadonlySet<string>;
  /** How long the tokens count, in seconds. */
  seconds: number;
  ttl: string;
}

/**
 * Reads the command line.
 *
 * @throws {ConfigError} for bad flags, or if there is no program
 */
export function readOrder(words: readonly string[]): Order {
  const cut = words.indexOf("--");
  const flags = (Object.keys(SETTINGS) as SettingName[]).filter((name) => !DECIDED.has(name)).map(flagName);
  const parsed = parseArguments(cut < 0 ? words : words.slice(0, cut), {
    flags: [...flags, "ttl"],
    switches: ["report"],
    lists: ["preset", "pass"],
    example: "-- and the program, such as -- node app.js",
    command: "run",
  });
  const program = cut < 0 ? [] : words.slice(cut + 1);
  if (program.length === 0) {
    throw new ConfigError("there is no program, expected it behind --: fetchvia run -- node app.js");
  }
  const { ttl = TTL, ...settings } = parsed.values;
  const pass = parsed.listOf("pass");
  const missing = pass.find((name) => process.env[name] === undefined);
  if (missing !== undefined) {
    throw new ConfigError(`--pass names ${missing}, expected a variable that is set`);
  }
  return {
    program,
    settings: { ...parsed.isOn("report") && REPORT, ...settings },
    presets: parsed.listOf("preset"),
    pass: new Set(pass),
    seconds: readSeconds(ttl),
    ttl,
  };
}
