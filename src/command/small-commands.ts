/**
 * The small commands: each does one thing and ends.
 * @module
 */

import { readConfig } from "../core/settings/config.ts";
import { checkTable } from "./check.ts";
import { decode } from "./decode.ts";
import { runEncode } from "./encode.ts";
import { explainRequest } from "./explain-command.ts";
import { readCommand } from "./flags.ts";
import { findHealthFault } from "./health.ts";
import { readInput } from "./input.ts";
import { type COMMANDS, parseArguments } from "./parse-arguments.ts";
import { runPolicy } from "./policy.ts";
import { sign } from "./sign.ts";
import { explain } from "../runtimes/process/start-error.ts";
import { endWith } from "../runtimes/process/drain.ts";
import { readKeyFile } from "../runtimes/process/key-file.ts";
import { listRevoked } from "../runtimes/process/revoked-file.ts";
import { writeError } from "../runtimes/process/write-log.ts";
import { runToken } from "./token-command.ts";
import { writeResult } from "./write-result.ts";

type Writer = Exclude<(typeof COMMANDS)[number], "health" | "run">;

const NO_FLAGS = { flags: [], takesWords: true, example: "no flag" };

/** The commands that write a text and end, by name. */
const WRITERS: Readonly<Record<Writer | "help", (words: string[]) => Promise<string>>> = {
  help: async (words) => (await import("./help.ts")).formatTopic(words),
  encode: (words) => runEncode(words, note),
  decode: async (words) => {
    const { positionals } = parseArguments(words, { ...NO_FLAGS, command: "decode" });
    return await decode(await readInput("decode", positionals), readKey(), undefined, readRevoked);
  },
  sign: async (words) => await sign(words, readKey(), undefined, note),
  token: (words) => runToken(words, Date.now(), note),
  explain: async (words) => {
    const { text, isAllowed } = await explainRequest(words, process.env);
    if (!isAllowed) process.exitCode = 1;
    return text;
  },
  policy: (words) => runPolicy(words, note),
  check: async (words) => {
    const { positionals } = parseArguments(words, { ...NO_FLAGS, command: "check" });
    return await checkTable(positionals, readConfig(process.env));
  },
};

/** Writes a line to stderr, because stdout is for the result alone. */
function note(line: string): void {
  writeError(`fetchvia: ${showControls(line)}`);
}

/** Finds a command by name; `undefined` if there is none. */
export function findCommand(name: string): ((words: string[]) => Promise<void>) | undefined {
  if (name === "health") return tellHealth;
  const write = Object.hasOwn(WRITERS, name) ? WRITERS[name as Writer] : undefined;
  return write && ((words) => print(() => write(words)));
}

async function tellHealth(args: string[]): Promise<void> {
  try {
    const fault = await findHealthFault(
      readConfig(process.env, readCommand(args, { flags: [], command: "health" }).values),
    );
    writeResult(fault ? `not healthy: ${fault}` : "healthy");
    process.exit(fault ? 1 : undefined);
  } catch (error) {
    await endWith(`fetchvia: ${explain(error, undefined)}`);
  }
}

async function print(write: () => Promise<string>): Promise<void> {
  try {
    writeResult(showControls(await write()));
  } catch (error) {
    note((error as Error).message);
    process.exitCode = 1;
  }
}

/** Characters that a terminal obeys, or that change the order of others: what is decoded may be hostile. */
const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_C}]/gu;

function showControls(text: string): string {
  return text.replace(CONTROLS, (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The ids of revoked tokens; `undefined` if the environment names none. */
function readRevoked(): ReadonlySet<string> | undefined {
  const { revokedTokens } = readConfig({ REVOKED_TOKENS: process.env["REVOKED_TOKENS"] });
  return revokedTokens.length > 0 ? new Set(listRevoked(revokedTokens)) : undefined;
}

/** The key of signed links; `""` for none. */
function readKey(): string {
  const { SIGNING_KEY } = readKeyFile(process.env);
  return readConfig({ SIGNING_KEY }).signingKey;
}
