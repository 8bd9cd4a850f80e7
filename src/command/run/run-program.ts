/**
 * `fetchvia run -- <program>`: starts a proxy that keeps the keys, and a program that has base addresses and tokens in place
 * of them. Both end together (rules 22.1 to 22.8).
 * @module
 */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  type Config,
  ConfigError,
  flagName,
  readConfig,
  type SettingName,
} from "../../core/settings/config.ts";
import { SETTINGS } from "../../core/settings/settings.ts";
import { isJson } from "../../parts/gate/gate.ts";
import { readKey } from "../../parts/gate/targets/keys.ts";
import { isEntryName } from "../../parts/gate/targets/table.ts";
import { mintToken } from "../../parts/tokens/mint.ts";
import { TOKEN_PREFIX } from "../../parts/tokens/token.ts";
import { endWith } from "../../runtimes/process/drain.ts";
import type { Listen } from "../../runtimes/process/listener.ts";
import { loadTable } from "../../runtimes/process/targets-file.ts";
import { writeError } from "../../runtimes/process/write-log.ts";
import { parseArguments } from "../parse-arguments.ts";
import { readSeconds } from "../token-command.ts";
import { handOn, holdsKey } from "./program-variables.ts";
import { hideVariables } from "./hide-environment.ts";
import { type Plan, planRun } from "./run-plan.ts";
import { readPresets } from "./presets.ts";
import { setReport } from "./report.ts";
import { checkProgram, type ProgramError, runProgram } from "./program.ts";

/** Settings that a run decides itself: who listens where, who may ask, and what is written between the program's lines. */
const DECIDED: readonly SettingName[] = [
  "host",
  "port",
  "workers",
  "mountPath",
  "tlsCert",
  "tlsKey",
  "proxyToken",
  "signingKey",
  "callerTokens",
  "log",
  "console",
  "capture",
  "captureBytes",
];
/** How long the tokens count, unless `--ttl` says otherwise. */
const TTL = "8h";

/** Runs the command; the process ends with the exit code of the program. */
export async function run(words: readonly string[], load: () => Promise<{ listen: Listen }>): Promise<void> {
  try {
    process.exit(await serveProgram(readOrder(words), (await load()).listen));
  } catch (error) {
    await endWith(`fetchvia run: ${(error as Error).message}`, (error as Partial<ProgramError>).exitCode);
  }
}

/** What the command line asks for. */
interface Order {
  program: readonly string[];
  /** Settings of the proxy. */
  settings: Readonly<Record<string, string | undefined>>;
  presets: readonly string[];
  pass: ReadonlySet<string>;
  /** How long the tokens count, in seconds. */
  seconds: number;
  ttl: string;
}

/** @throws {ConfigError} for bad flags, or if there is no program */
function readOrder(words: readonly string[]): Order {
  const cut = words.indexOf("--");
  const flags = (Object.keys(SETTINGS) as SettingName[]).filter((name) => !DECIDED.includes(name)).map(
    flagName,
  );
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
    settings: parsed.isOn("report") ? setReport(settings) : settings,
    presets: parsed.listOf("preset"),
    pass: new Set(pass),
    seconds: readSeconds(ttl),
    ttl,
  };
}

/** Starts the proxy, and in it the program. Returns the exit code of the program. */
async function serveProgram(order: Order, listen: Listen): Promise<number> {
  const { program, pass, settings: { targets: file, ...settings }, seconds } = order;
  const environment = { ...process.env };
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !pass.has(name)));
  checkProgram(program[0]!, environment["PATH"] ?? "");
  const plan = planRun(
    readPresets(order.presets),
    kept,
    readValue,
    file ? loadTable(file) : undefined,
  );
  if (
    plan.tokens.size === 0 && !Object.values(kept).some((value) => value?.startsWith(TOKEN_PREFIX))
  ) {
    throw new ConfigError(
      "there is no key, expected one such as OPENAI_API_KEY in the environment, or --targets",
    );
  }
  for (const [name, value] of plan.derived) process.env[name] = value;
  const targets = { ...plan.table, ...file && readEntries(file) };
  const keys = [...loadTable(targets).keys.values()];
  refuseKeys(program, pass, keys);
  const signingKey = randomBytes(32).toString("base64url");
  const { port } = await listen({ ...readSettings(settings, signingKey), targets });
  const tokens = await mintTokens(plan, Date.now() / 1_000 + seconds, signingKey);
  const origin = `http://127.0.0.1:${port}`;
  const handed = handOn(environment, { plan, keys, pass, tokens, origin });
  hideVariables(new Set([...tokens.keys(), ...handed.withheld]));
  writeError(tell(order, [...tokens.keys()], handed.withheld));
  return await runProgram(program, handed.environment);
}

/** The settings of the proxy: nothing of the environment but the way out, because its names are those of programs too. */
function readSettings(flags: Order["settings"], signingKey: string): Config {
  const proxies = Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name));
  return readConfig({
    ...Object.fromEntries(proxies),
    ...proxies.length > 0 && { UPSTREAM_PROXY: "env" },
    PORT: "0",
    LOG: "off",
    CONSOLE: "false",
    CALLER_TOKENS: "true",
    SIGNING_KEY: signingKey,
  }, flags);
}

function readValue(name: string): string {
  const read = readKey(name, {
    variable: (variable) => process.env[variable],
    readFile: (path) => readFileSync(path, "utf8"),
  });
  if ("fault" in read) throw new ConfigError(read.fault);
  return read.value;
}

/** The entries of a table that is good, with files of certificates as they are found from anywhere. */
function readEntries(file: string): Record<string, object> {
  const isText = isJson(file);
  const table = JSON.parse(isText ? file : readFileSync(file, "utf8")) as Record<
    string,
    Record<string, unknown>
  >;
  const folder = isText ? "." : dirname(file);
  return Object.fromEntries(
    Object.entries(table).filter(([name]) => isEntryName(name)).map(([name, members]) => {
      const files = ["ca", "cert", "key"].flatMap((member) => {
        const value = members[member];
        return typeof value !== "string" || value.includes("-----BEGIN")
          ? []
          : [[member, resolve(folder, value)]];
      });
      return [name, { ...members, ...Object.fromEntries(files) }];
    }),
  );
}

/** Refuses to hand a key on in an argument or a variable that was written for the program. */
function refuseKeys(program: readonly string[], pass: ReadonlySet<string>, keys: readonly string[]): void {
  const argument = program.findIndex((word) => holdsKey(word, keys));
  if (argument >= 0) {
    throw new ConfigError(
      `argument ${argument} of the program holds a key, expected the variable that has the token`,
    );
  }
  const variable = [...pass].find((name) => holdsKey(process.env[name] ?? "", keys));
  if (variable === undefined) return;
  throw new ConfigError(
    `--pass names ${variable}, which holds a key of the proxy, expected another variable`,
  );
}

async function mintTokens(
  { tokens }: Plan,
  expires: number,
  signingKey: string,
): Promise<ReadonlyMap<string, string>> {
  const minted = [...tokens].map(async ([name, { id, targets }]) => {
    return [name, await mintToken({ id, expires, targets }, signingKey)] as const;
  });
  return new Map(await Promise.all(minted));
}

/** The only line: what the program has, and what it does not get. */
function tell({ ttl }: Order, tokens: readonly string[], withheld: readonly string[]): string {
  const has = `in place of ${tokens.join(", ")} the program has tokens, for ${ttl} at most`;
  return `fetchvia: ${has}${
    withheld.length > 0 ? `; WARNING, not handed on: ${withheld.join(", ")} (--pass NAME hands one on)` : ""
  }`;
}
