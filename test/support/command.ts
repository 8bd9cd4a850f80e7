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

/** Runs a command on a runtime until it ends, from the root of the project or another folder. */
export async function runCommandWith(
  runtime: RuntimeName,
  words: readonly string[],
  input: string | Buffer = "",
  settings: Settings = {},
  cwd: string = ROOT,
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
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: code as number | null, stdout, stderr };
}
