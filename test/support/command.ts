/**
 * A small command of the proxy, with what comes on its stdin.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { commandOf, ROOT, type RuntimeName, type Settings } from "./proxy.ts";

/** What a command wrote, and how it ended. */
export interface Written {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command on a runtime until it ends, from the root of the project or another folder.
 *
 * @param hear called with all that it has written to stdout so far, whenever there is more
 */
export async function runCommandWith(
  runtime: RuntimeName,
  words: readonly string[],
  input: string | Buffer = "",
  settings: Settings = {},
  cwd: string = ROOT,
  hear: (stdout: string) => void = () => {},
): Promise<Written> {
  const [command, ...args] = commandOf(runtime);
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(command, [...args, ...words], {
    cwd,
    env: { PATH, HOME, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...settings },
    timeout: 60_000,
  });
  // A command that does not read may end first.
  child.stdin.on("error", () => {}).end(input);
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => hear(stdout += more));
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}
