/**
 * The command `token`: makes a token for a caller, with the key of the proxy (rule 10.5).
 * @module
 */

import { mintToken } from "../parts/tokens/mint.ts";
import { readKeyFile } from "../runtimes/process/key-file.ts";
import { warnOfShortKey } from "../runtimes/process/start-line.ts";
import { parseArguments } from "./parse-arguments.ts";

/** Each claim has a flag. The key has none, because other users of the machine can see the flags of a process. */
const FLAGS = ["id", "ttl", "targets", "methods", "paths", "rate", "origins"] as const;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * Makes a token.
 *
 * @param args the flags: `--id` and `--ttl`, and optional claims
 * @param now Unix time in milliseconds
 * @param note told of what was assumed
 * @throws {Error} with a one-line message
 */
export async function runToken(
  args: readonly string[],
  now: number,
  note: (line: string) => void,
): Promise<string> {
  const example = FLAGS.map((name) => `--${name}`).join(", ");
  const { values } = parseArguments(args, { flags: FLAGS, example, command: "token" });
  const { id, ttl, targets, methods, paths, rate, origins } = values;
  if (id === undefined) throw new Error("Cannot make a token: it has no id, expected --id such as --id ci");
  const options = {
    id,
    expires: Math.floor(now / 1_000) + readSeconds(ttl),
    targets,
    methods: splitList(methods),
    paths: splitList(paths),
    rate,
    origins,
  };
  const key = readSigningKey();
  const token = await mintToken(options, key);
  warnOfShortKey(key).forEach(note);
  if (targets === undefined) note("no --targets: the token reaches everything that the settings allow");
  return token;
}

/**
 * Reads how long a token counts, such as `30m`.
 *
 * @returns seconds
 * @throws {Error} with a one-line message
 */
export function readSeconds(ttl: string | undefined): number {
  const [, time = "", unit = ""] = /^([1-9]\d{0,6})([smhd])$/.exec(ttl ?? "") ?? [];
  const seconds = Number(time) * (SECONDS[unit] ?? 0);
  if (seconds > 0) return seconds;
  const state = ttl === undefined ? "it never ends" : `--ttl is ${JSON.stringify(ttl)}`;
  throw new Error(`Cannot make a token: ${state}, expected --ttl with a time such as 30m, 1h or 90d`);
}

function splitList(text: string | undefined): string[] | undefined {
  return text?.split(",").map((entry) => entry.trim());
}

function readSigningKey(): string {
  const { SIGNING_KEY } = readKeyFile(process.env);
  if (SIGNING_KEY?.trim()) return SIGNING_KEY;
  throw new Error(
    "Cannot make a token: there is no key, expected that of the proxy in SIGNING_KEY or SIGNING_KEY_FILE",
  );
}
