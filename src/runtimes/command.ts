/**
 * The command line: runs the proxy until it is told to stop, or one of the small commands.
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import {
  type Config,
  ConfigError,
  environmentName,
  flagName,
  readConfig,
  SETTINGS,
  VERSION,
} from "../index.ts";
import { formatHelp } from "./help.ts";
import type { Listen, Listener } from "./listener.ts";
import { runTool } from "./tools.ts";

/** What is in flight may take this many milliseconds to finish. */
const DRAIN_MS = 10_000;

/**
 * Runs what the arguments ask for; without any, the proxy.
 *
 * @param runtime name and version, for the start line
 */
export async function runCommand(runtime: string, listen: Listen): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) return console.log(formatHelp());
  if (args.includes("--version") || args.includes("-v")) return console.log(VERSION);
  const [tool, ...words] = args;
  if (tool === "encode" || tool === "decode") return print(() => runTool(tool, words));
  await serve(runtime, listen, args);
}

function print(write: () => string): void {
  try {
    console.log(write());
  } catch (error) {
    writeError(`fetchvia: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** Not by `console.error`: Bun's makes every line red. */
function writeError(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function serve(runtime: string, listen: Listen, args: string[]): Promise<void> {
  let config: Config | undefined;
  try {
    config = readConfig(process.env, readFlags(args));
    const listener = await listen(config);
    const facts = `(${runtime}, ${describePrivate(config, listener)})${describeOpening(config, listener)}`;
    writeError(`fetchvia listening on ${address(config, listener.port)} ${facts}`);
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => void stop(listener.drain()));
    }
  } catch (error) {
    writeError(`fetchvia cannot start: ${explain(error, config)}`);
    process.exit(1);
  }
}

/** Others can reach the proxy: the line says whether they need a token. */
function describeOpening({ proxyToken }: Config, { isLocal }: Listener): string {
  if (isLocal) return "";
  return proxyToken ? ", token required" : ", no token required";
}

function describePrivate({ privateTargets }: Config, { isLocal }: Listener): string {
  return `private targets ${(privateTargets === "auto" ? isLocal : privateTargets) ? "allowed" : "refused"}`;
}

async function stop(drained: Promise<void>): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  await Promise.race([drained, limit]);
  process.exit(0);
}

function readFlags(args: string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(
    Object.keys(SETTINGS).map((name) => [flagName(name), { type: "string" as const }]),
  );
  return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
}

function address({ host, tlsCert }: Config, port: number): string {
  return `${tlsCert ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** One line, without a stack: what is wrong with which setting. */
function explain(error: unknown, config: Config | undefined): string {
  if (error instanceof ConfigError) return error.message;
  const { code, message = String(error) } = error as { code?: string; message?: string };
  if (code === "EADDRINUSE" || /address (?:already )?in use/i.test(message)) {
    return `${environmentName("port")} ${config?.port} is in use, expected a free port`;
  }
  if (code?.startsWith("ERR_PARSE_ARGS")) {
    return `${message.split(". ")[0]}, expected flags such as --port 8080 (see --help)`;
  }
  return `${
    environmentName("host")
  } ${config?.host} can't be listened on, expected an address of this machine`;
}
