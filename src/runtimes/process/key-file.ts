/**
 * `SIGNING_KEY_FILE`: reads the key of signed links from a file, which is how containers provide secrets.
 * @module
 */

import { readFileSync } from "node:fs";
import { ConfigError } from "../../core/settings/config.ts";

/** The variable that names the file. */
export const KEY_FILE_VARIABLE = "SIGNING_KEY_FILE";

/**
 * The environment with `SIGNING_KEY` from the file that `SIGNING_KEY_FILE` names. One line end at the end of the file is
 * not part of the key.
 *
 * @throws {ConfigError} when the file can't be read or is empty, or when both variables are set
 */
export function readKeyFile(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { SIGNING_KEY: key, SIGNING_KEY_FILE: file } = environment;
  if (!file) return environment;
  if (key) throw new ConfigError("SIGNING_KEY and SIGNING_KEY_FILE are both set, expected one of them");
  return { ...environment, SIGNING_KEY: readKey(file) };
}

function readKey(file: string): string {
  let key = "";
  try {
    key = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file)).replace(/\r?\n$/, "");
  } catch {
    // The system's message is not shown, because it may disclose more than the file's name, which follows below.
  }
  if (key) return key;
  // What looks like no file may be the key itself.
  const shown = /^\.{0,2}[/\\]|\.\w{1,4}$/.test(file)
    ? JSON.stringify(file)
    : "not shown, as it may be the key";
  throw new ConfigError(`SIGNING_KEY_FILE is ${shown}, expected a readable file with the key in UTF-8`);
}
