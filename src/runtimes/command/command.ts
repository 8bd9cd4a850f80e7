/**
 * The command line: runs the proxy until it is stopped, or one of the small commands.
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { type Config, flagName, readConfig } from "../../settings/config.ts";
import { SETTINGS } from "../../settings/settings.ts";
import { VERSION } from "../../settings/version.ts";
import { explain } from "./start-error.ts";
import { isHealthy } from "./health.ts";
import { listRefusedBases } from "../../exchange/refused-bases.ts";
import { opensPrivate } from "../../exchange/rights.ts";
import { formatHelp } from "./help.ts";
import { endWith, stopWhenDrained } from "../process/drain.ts";
import type { Listen, Listener } from "../process/listener.ts";
import { writeError } from "../process/log.ts";
import { watchHangup } from "../process/reread.ts";
import { runCodec } from "./codec.ts";
import { FLAGS_VARIABLE, serveAsSecondary } from "../processes/secondary.ts";
import { startProcesses } from "../processes/primary.ts";

/**
 * Runs the command in the arguments; without one, the proxy.
 *
 * @param runtime name and version, for the start line
 */
export async function runCommand(runtime: string, listen: Listen): Promise<void> {
  const mark = process.env[FLAGS_VARIABLE];
  const args: string[] = mark ? JSON.parse(mark) : process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) return console.log(formatHelp());
  if (args.includes("--version") || args.includes("-v")) return console.log(VERSION);
  const [command, ...words] = args;
  if (command === "encode" || command === "decode") return print(() => runCodec(command, words));
  if (command === "health") return await tellHealth(words);
  await serve(runtime, listen, args);
}

async function tellHealth(args: string[]): Promise<void> {
  try {
    const state = await isHealthy(readConfig(process.env, readFlags(args)));
    console.log(state ? "healthy" : "not healthy");
    process.exit(state ? 0 : 1);
  } catch (error) {
    await endWith(`fetchvia: ${explain(error, undefined)}`);
  }
}

function print(write: () => string): void {
  try {
    console.log(write());
  } catch (error) {
    writeError(`fetchvia: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

async function serve(runtime: string, listen: Listen, args: string[]): Promise<void> {
  let config: Config | undefined;
  try {
    config = readConfig(process.env, readFlags(args));
    if (process.env[FLAGS_VARIABLE]) return await serveAsSecondary(config, listen);
    const listening = config.workers > 1 ? startProcesses(config) : listen(config);
    // The proxy may already serve callers during the start, so a signal must drain it then too.
    let stopped: Promise<void> | undefined;
    const stop = () => void (stopped ??= stopWhenDrained(listening));
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      // A terminal and a service manager signal the whole group, and npm forwards its own signal, so repeated signals
      // are ignored.
      process.on(signal, stop);
    }
    watchHangup(listening, stop);
    const listener = await listening;
    for (const line of listRefusedBases(config, listener.isLocal)) writeError(`fetchvia: WARNING, ${line}`);
    const facts = `(${runtime}, ${describeProcesses(config)}${describePrivate(config, listener)})${
      describeOpening(config, listener)
    }${describeTrust(process.env)}`;
    writeError(`fetchvia listening on ${address(config, listener.port)} ${facts}`);
  } catch (error) {
    await endWith(`fetchvia cannot start: ${explain(error, config)}`);
  }
}

/**
 * If other machines can reach the proxy, the start line says whether they need a token, and warns if they reach private
 * targets without one.
 */
function describeOpening(config: Config, { isLocal }: Listener): string {
  if (isLocal) return "";
  if (config.proxyToken) return ", token required";
  const warning = opensPrivate(config)
    ? ": WARNING, other machines can reach private targets without a token"
    : "";
  return `, no token required${warning}`;
}

/** The start line warns if the environment turns off the check of targets' certificates, as each runtime reads it. */
function describeTrust({ NODE_TLS_REJECT_UNAUTHORIZED }: NodeJS.ProcessEnv): string {
  const isOff = NODE_TLS_REJECT_UNAUTHORIZED === "0";
  return isOff ? ": WARNING, certificates of targets are not checked (NODE_TLS_REJECT_UNAUTHORIZED=0)" : "";
}

function describePrivate({ privateTargets }: Config, { isLocal }: Listener): string {
  const isAllowed = typeof privateTargets === "boolean" ? privateTargets : isLocal;
  return `private targets ${isAllowed ? "allowed" : "refused"}`;
}

function describeProcesses({ workers }: Config): string {
  return workers > 1 ? `${workers} workers, ` : "";
}

function readFlags(args: string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(
    Object.keys(SETTINGS).map((name) => [flagName(name), { type: "string" as const }]),
  );
  return parseArgs({ args: joinValues(args), options, strict: true, allowPositionals: false }).values;
}

/** Joins a value that starts with a dash, as in `--port -1`, to its flag, so it is not read as a flag. */
function joinValues(args: string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const flag = joined.at(-1);
    if (/^-[^-]/.test(arg) && flag && /^--[\w-]+$/.test(flag)) joined.splice(-1, 1, `${flag}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

function address({ host, tlsCert }: Config, port: number): string {
  return `${tlsCert ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
