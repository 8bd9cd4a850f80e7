/**
 * The command line: the proxy, or one of the small commands, each of which is loaded only when it is used.
 * @module
 */

import { VERSION } from "../core/settings/version.ts";
import type { Listen } from "../runtimes/process/listener.ts";
import { FLAGS_VARIABLE } from "./processes/secondary.ts";
import { writeResult } from "./write-result.ts";

/**
 * Runs the command that the arguments name; without one, the proxy.
 *
 * @param runtime name and version of the runtime, for the start line
 * @param load loads the server of this runtime
 */
export async function runCommand(runtime: string, load: () => Promise<{ listen: Listen }>): Promise<void> {
  const mark = process.env[FLAGS_VARIABLE];
  const given: string[] = mark ? JSON.parse(mark) : process.argv.slice(2);
  // pnpm and yarn hand it on from "pnpm start -- --port 9000"; Bun drops it itself, right behind the name of a script.
  const args = given[0] === "--" ? given.slice(1) : given;
  const [command = "", ...words] = args;
  // What stands behind -- is for the program that `run` starts.
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (own.includes("--help") || own.includes("-h")) {
    return writeResult((await import("./help.ts")).formatHelp(command));
  }
  if (own.includes("--version") || own.includes("-v")) return writeResult(VERSION);
  if (command === "run") return await (await import("./run/run-program.ts")).run(words, load);
  if (/^\w/.test(command)) {
    const run = (await import("./small-commands.ts")).findCommand(command);
    if (run) return await run(words);
  }
  const [{ serve }, { listen }] = await Promise.all([import("./run-proxy.ts"), load()]);
  await serve(runtime, listen, args);
}
