/**
 * The command line: the proxy, or one of the small commands.
 * @module
 */

import process from "node:process";
import { readConfig } from "../../settings/config.ts";
import { VERSION } from "../../settings/version.ts";
import { checkTable } from "./check.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";
import { explainRequest } from "./explain.ts";
import { readFlags } from "./flags.ts";
import { isHealthy } from "./health.ts";
import { formatHelp } from "./help.ts";
import { readInput } from "./input.ts";
import { serve } from "./serve.ts";
import { sign } from "./sign.ts";
import { explain } from "./start-error.ts";
import { endWith } from "../process/drain.ts";
import { readKeyFile } from "../process/key-file.ts";
import type { Listen } from "../process/listener.ts";
import { writeError } from "../process/log.ts";
import { runToken } from "./token.ts";
import { FLAGS_VARIABLE } from "../processes/secondary.ts";

/** The commands that write a text and end, by name. */
const WRITERS: Readonly<Record<string, (words: string[]) => Promise<string>>> = {
  encode: async (words) => await encode(await readInput("encode", words)),
  decode: async (words) => await decode(await readInput("decode", words), readKey()),
  sign: async (words) => await sign(words, readKey()),
  token: (words) => runToken(words, Date.now()),
  explain: async (words) => {
    const { text, isAllowed } = await explainRequest(words, process.env);
    if (!isAllowed) process.exitCode = 1;
    return text;
  },
  check: (words) => Promise.resolve().then(() => checkTable(words, readConfig(process.env))),
};

/**
 * Runs the command in the arguments; without one, the proxy.
 *
 * @param runtime name and version, for the start line
 */
export async function runCommand(runtime: string, listen: Listen): Promise<void> {
  const mark = process.env[FLAGS_VARIABLE];
  const args: string[] = mark ? JSON.parse(mark) : process.argv.slice(2);
  const [command = "", ...words] = args;
  if (args.includes("--help") || args.includes("-h")) return console.log(formatHelp(command));
  if (args.includes("--version") || args.includes("-v")) return console.log(VERSION);
  if (command === "health") return await tellHealth(words);
  const write = Object.hasOwn(WRITERS, command) ? WRITERS[command] : undefined;
  await (write ? print(() => write(words)) : serve(runtime, listen, args));
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

async function print(write: () => Promise<string>): Promise<void> {
  try {
    console.log(await write());
  } catch (error) {
    writeError(`fetchvia: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}

/** The key of signed links; `""` for none. */
function readKey(): string {
  const { SIGNING_KEY } = readKeyFile(process.env);
  return readConfig({ SIGNING_KEY }).signingKey;
}
