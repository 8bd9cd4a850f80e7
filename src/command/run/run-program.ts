/**
 * `fetchvia run -- <program>`: starts a proxy that keeps the keys, and a program that has base addresses and tokens in place
 * of them. Both end together (rules 22.1 to 22.9).
 * @module
 */

import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { decodeTargetList } from "../../core/address/target-lists.ts";
import { type Config, ConfigError, flagName, readConfig } from "../../core/settings/config.ts";
import { SETTINGS } from "../../core/settings/settings.ts";
import { isJson } from "../../parts/gate/gate.ts";
import { mintToken } from "../../parts/tokens/mint.ts";
import { TOKEN_PREFIX } from "../../parts/tokens/token.ts";
import { endWith, finishOutput } from "../../runtimes/process/drain.ts";
import type { Listen } from "../../runtimes/process/listener.ts";
import { loadTable, readEntries } from "../../runtimes/process/targets-file.ts";
import { refusePipe } from "../../runtimes/process/watch-file.ts";
import { writeError } from "../../runtimes/process/write-log.ts";
import { parseArguments } from "../parse-arguments.ts";
import { hideVariables, runProgram } from "../processes/program.ts";
import { readSeconds } from "../token-command.ts";
import { addPreset, PRESETS } from "./presets.ts";
import * as plan from "./run-plan.ts";

/** Settings that a run decides itself: who listens where, who may ask, and what is written between the program's lines. */
const DECIDED =
  /^(?:host|port|workers|mountPath|tls(?:Cert|Key)|proxyToken|signingKey|callerTokens|rateLimitStore|log|console|capture(?:Bytes)?)$/;
/** What `--report` sets, unless a flag says otherwise (rule 22.9). */
const REPORT = { gate: "report", audit: "fetchvia-audit.jsonl" };

const WAYS = "--pass NAME hands one on; the key of an API: --preset NAME=ADDRESS";
const HOLDS = "holds a key of the proxy, expected the variable that has the token";
/** What no variable can stand for in a table: a password for `upstream`, a private key. */
const TELLING = /:\/\/[^"/]*@|PRIVATE KEY-----/;
const IN_FLAG = "--targets holds a key, which the program can read in a flag, expected {{NAME}} or a file";
const OF_OUTER = "the program has the tokens of the run that this one is inside of";
const NO_KEY =
  "there is no key, expected one such as OPENAI_API_KEY in the environment, --preset name=address for another API, or --targets";

type Settings = Readonly<Record<string, string | undefined>>;

/** Reads the command line. Throws a `ConfigError` for bad flags, or if there is no program. */
export function readOrder(words: readonly string[]) {
  const cut = words.indexOf("--");
  const program = cut < 0 ? [] : words.slice(cut + 1);
  const { values, isOn, listOf } = parseArguments(cut < 0 ? words : words.slice(0, cut), {
    flags: [...Object.keys(SETTINGS).filter((name) => !DECIDED.test(name)).map(flagName), "ttl"],
    switches: ["report"],
    lists: ["preset", "pass"],
    example: "-- and the program, such as -- node app.js",
    command: "run",
  });
  if (!program[0]) {
    throw new ConfigError("there is no program, expected it behind --: fetchvia run -- node app.js");
  }
  const { ttl = "8h", targets, ...flags } = values;
  const settings: Settings = { ...isOn("report") && REPORT, ...flags };
  const presets = listOf("preset").reduce(addPreset, PRESETS);
  const pass = new Set(listOf("pass"));
  return { program, targets, settings, presets, pass, ttl, seconds: readSeconds(ttl) };
}

/** Runs the command; the process ends with the exit code of the program. */
export async function run(words: readonly string[], load: () => Promise<{ listen: Listen }>): Promise<void> {
  try {
    const exitCode = await serveProgram(readOrder(words), (await load()).listen);
    await finishOutput();
    process.exit(exitCode);
  } catch (error) {
    await endWith(`fetchvia run: ${(error as Error).message}`, (error as { exitCode?: number }).exitCode);
  }
}

/** Starts the proxy, and beside it the program. Returns the exit code of the program. */
async function serveProgram(order: ReturnType<typeof readOrder>, listen: Listen): Promise<number> {
  const { program, pass, settings, seconds, ttl, targets: file } = order;
  const environment = { ...process.env };
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !pass.has(name)));
  const presets = plan.usePresets(order.presets, kept);
  const without = new Set(pass);
  for (const { cloned, keyName, keys: [key], origin: { host } } of presets) {
    if (cloned === undefined) continue;
    // git shows a key as a password.
    const { keys } = loadTable({ [host]: { set: { authorization: `{{${key}}}` } } }, refusePipe);
    process.env[keyName] = Buffer.from(`x-access-token:${keys.get(key!)}`).toString("base64");
    without.add(keyName);
  }
  const uses = [...presets, ...file ? plan.useTable(loadTable(file, refusePipe), without) : []];
  const isInner = Object.values(kept).some((value) => value?.startsWith(TOKEN_PREFIX));
  if (!isInner && uses.every(({ keys }) => keys.length === 0)) throw new ConfigError(NO_KEY);
  const targets = { ...plan.makeEntries(presets), ...file && readEntries(file) };
  const table = loadTable(targets, refusePipe);
  const keys = plan.listKeyValues(table);
  refuseKeys(program, pass, keys);
  const tellsKey = file && isJson(file) && (plan.holdsKey(file, keys) || TELLING.test(file));
  if (tellsKey) throw new ConfigError(IN_FLAG);
  const signingKey = randomBytes(32).toString("base64url");
  const { port } = await listen({ ...readSettings(settings, signingKey), targets });
  const claims = { expires: Date.now() / 1_000 + seconds, rate: settings["rate-limit"] };
  const tokens = new Map<string, string>();
  for (const id of new Set(uses.flatMap((use) => use.keys))) {
    const own = new Set(uses.flatMap((use) => use.keys.includes(id) ? use.target : []));
    tokens.set(id, await mintToken({ ...claims, id, targets: [...own] }, signingKey));
  }
  const origin = `http://127.0.0.1:${port}`;
  const { handed, withheld } = plan.handOn(environment, { uses, keys, pass, tokens, origin });
  hideVariables(new Set([...tokens.keys(), ...withheld]));
  const names = [...tokens.keys()].join(", ");
  const told = names ? `in place of ${names} the program has tokens, for ${ttl} at most` : OF_OUTER;
  const lines = [`fetchvia: ${told}`, ...plan.findReplaced(presets, table)];
  if (withheld.length > 0) lines.push(`not handed on: ${withheld.join(", ")} (${WAYS})`);
  return await runProgram(program, handed, () => writeError(lines.join("; WARNING, ")));
}

/** The settings of the proxy: nothing of the environment but the way out, because its names are those of programs too. */
function readSettings(flags: Settings, signingKey: string): Config {
  const proxies = Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name))
    .map(([name, value = ""]) => [name, /^no/i.test(name) ? dropUnread(value) : value]);
  const own = { PORT: "0", LOG: "off", CONSOLE: "false", CALLER_TOKENS: "true", SIGNING_KEY: signingKey };
  const config = readConfig({ ...Object.fromEntries(proxies), UPSTREAM_PROXY: "env", ...own }, flags);
  // The limit is that of each token: one API does not use up what is left for another.
  return { ...config, rateLimit: undefined };
}

/** `NO_PROXY` without what can't be read, such as `10.*`: nobody wrote it for this proxy, and other programs pass over that too. */
function dropUnread(list: string): string {
  return list.split(/[\s,]+/).filter((entry) => decodeTargetList([entry.replace(/^\./, "*.")])).join();
}

/** Refuses to hand a key on in an argument or a variable that was written for the program, and variables that are not set. */
function refuseKeys(program: readonly string[], pass: ReadonlySet<string>, keys: readonly string[]): void {
  const argument = program.findIndex((word) => plan.holdsKey(word, keys));
  if (argument >= 0) throw new ConfigError(`argument ${argument} of the program ${HOLDS}`);
  for (const name of pass) {
    const value = process.env[name];
    if (value === undefined) throw new ConfigError(`--pass names ${name}, expected a variable that is set`);
    if (plan.holdsKey(value, keys)) throw new ConfigError(`--pass names ${name}, which ${HOLDS}`);
  }
}
