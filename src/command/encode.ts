/**
 * `fetchvia encode`: makes a host label or an address by `at` from a base address, or an `arg` from the JSON of a request.
 * @module
 */

import { decodeBase } from "../core/address/address.ts";
import { findBaseFault } from "../core/address/fault.ts";
import { encodeLabel } from "../core/address/label.ts";
import { AT } from "../core/address/reserved-paths.ts";
import { readInput } from "./input.ts";
import { parseArguments } from "./parse-arguments.ts";
import { type Note, packArgument } from "./read-argument.ts";
import { readBase } from "./sign.ts";

/** An address, because the proxy does not listen on ::1, which some programs take `localhost` for. */
const DEFAULT_BASE = "http://127.0.0.1:8080";

/** Runs the command. `note` is told of what was assumed. */
export async function runEncode(words: readonly string[], note: Note): Promise<string> {
  const { values: { base }, isOn, positionals } = parseArguments(words, {
    flags: ["base"],
    switches: ["at"],
    takesWords: true,
    example: "flags such as --at",
    command: "encode",
  });
  const text = await readInput("encode", positionals);
  return isOn("at") || base !== undefined ? encodeAt(text, base) : await encode(text, note);
}

/**
 * The address that stands for a base address in programs that do not resolve `*.localhost` (rule 20.8).
 *
 * @param base the proxy's own address, with its mount path
 * @throws {Error} with a one-line message
 */
export function encodeAt(text: string, base: string = DEFAULT_BASE): string {
  const target = decodeBase(text) ?? refuse(text, "a base address such as https://example.com/v1");
  const end = text.endsWith("/") ? "/" : "";
  return `${readBase(base)}${AT}/${encodeLabel(target.origin)}${target.path}${end}`;
}

function refuse(text: string, expected: string): never {
  throw new Error(`Cannot encode this: it ${findBaseFault(text)}, expected ${expected}`);
}

/**
 * Encodes one input, and validates it as the proxy does.
 *
 * @throws {Error} with a one-line message
 */
export async function encode(text: string, note: Note = () => {}): Promise<string> {
  if (text.startsWith("{")) return await packArgument(text, note);
  if (decodeBase(text)) return encodeBase(text);
  return refuse(text, "a base address such as https://example.com, or a JSON object with a url");
}

/** The label of a base address. The address must have no path: paths follow the label in requests. */
function encodeBase(text: string): string {
  const { origin, pathname } = new URL(text);
  if (pathname === "/") return encodeLabel(text);
  throw new Error(
    `Cannot encode this: a label has no path, expected ${origin}, and the path after the label (or --at)`,
  );
}
