/**
 * `fetchvia run -- <program>`: starts a proxy that keeps the keys, and a program that has base addresses and tokens in place
 * of them. Both end together (rules 22.1 to 22.8).
 * @module
 */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Config, ConfigError, readConfig } from "../../core/settings/config.ts";
import { isJson } from "../../parts/gate/gate.ts";
import { readKey } from "../../parts/gate/targets/keys.ts";
import { mintToken } from "../../parts/tokens/mint.ts";
import { TOKEN_PREFIX } from "../../parts/tokens/token.ts";
import { endWith } from "../../runtimes/process/drain.ts";
import type { Listen } from "../../runtimes/process/listener.ts";
import { loadTable } from "../../runtimes/process/targets-file.ts";
import { writeError } from "../../runtimes/process/write-log.ts";
import { hideVariables } from "./hide-environment.ts";
import { readPresets } from "./presets.ts";
import { runProgram } from "./program.ts";
import { handOn, holdsKey } from "./program-variables.ts";
import { type Order, readOrder } from "./run-order.ts";
import { addTable, findReplaced, planRun } from "./run-plan.ts";

/** What becomes of a secret that no preset and no table names. */
const WAYS = "--pass NAME hands one on; the key of an API: --preset NAME=ADDRESS";

/** Runs the command; the process ends with the exit code of the program. */
export async function run(words: readonly string[], load: () => Promise<{ listen: Listen }>): Promise<void> {
  try {
    process.exit(await serveProgram(readOrder(words), (await load()).listen));
  } catch (error) {
    await endWith(`fetchvia run: ${(error as Error).message}`, (error as { exitCode?: number }).exitCode);
  }
}

/** Starts the proxy, and beside it the program. Returns the exit code of the program. */
async function serveProgram(order: Order, listen: Listen): Promise<number> {
  const { program, pass, settings: { targets: file, ...settings }, seconds, ttl } = order;
  const environment = { ...process.env };
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !pass.has(name)));
  const plan = planRun(readPresets(order.presets), kept, readValue);
  for (const [name, value] of plan.derived) process.env[name] = value;
  if (file) addTable(plan, loadTable(file), pass);
  const isInner = Object.values(kept).some((value) => value?.startsWith(TOKEN_PREFIX));
  if (plan.tokens.size === 0 && !isInner) {
    throw new ConfigError(
      "there is no key, expected one such as OPENAI_API_KEY in the environment, --preset name=address for another API, or --targets",
    );
  }
  const targets = { ...plan.table, ...file && readEntries(file) };
  const table = loadTable(targets);
  const keys = [...table.keys.values()];
  refuseKeys(program, pass, keys);
  const signingKey = randomBytes(32).toString("base64url");
  const { port } = await listen({ ...readSettings(settings, signingKey), targets });
  const expires = Date.now() / 1_000 + seconds;
  const minted = [...plan.tokens].map(async ([name, claims]) =>
    [name, await mintToken({ ...claims, expires, rate: settings["rate-limit"] }, signingKey)] as const
  );
  const tokens = new Map(await Promise.all(minted));
  const { environment: own, withheld } = handOn(environment, {
    plan,
    keys,
    pass,
    tokens,
    origin: `http://127.0.0.1:${port}`,
  });
  hideVariables(new Set([...tokens.keys(), ...withheld]));
  const said = [`in place of ${[...tokens.keys()].join(", ")} the program has tokens, for ${ttl} at most`];
  const notes = findReplaced(plan, table);
  if (withheld.length > 0) notes.push(`not handed on: ${withheld.join(", ")} (${WAYS})`);
  const line = [...said, ...notes.map((note) => `WARNING, ${note}`)].join("; ");
  return await runProgram(program, own, () => writeError(`fetchvia: ${line}`));
}

/** The settings of the proxy: nothing of the environment but the way out, because its names are those of programs too. */
function readSettings(flags: Order["settings"], signingKey: string): Config {
  const proxies = Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$/i.test(name));
  const config = readConfig({
    ...Object.fromEntries(proxies),
    ...proxies.length > 0 && { UPSTREAM_PROXY: "env" },
    PORT: "0",
    LOG: "off",
    CONSOLE: "false",
    CALLER_TOKENS: "true",
    SIGNING_KEY: signingKey,
  }, flags);
  // The limit is that of each token: one API does not use up what is left for another.
  return { ...config, rateLimit: undefined };
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
function readEntries(file: string): Record<string, Record<string, unknown> | null> {
  const isText = isJson(file);
  const folder = isText ? "." : dirname(file);
  const table = JSON.parse(isText ? file : readFileSync(file, "utf8")) as ReturnType<typeof readEntries>;
  for (const members of Object.values(table)) {
    for (const member of ["ca", "cert", "key"]) {
      const value = members?.[member];
      if (typeof value !== "string" || value.includes("-----BEGIN")) continue;
      members![member] = resolve(folder, value);
    }
  }
  return table;
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
