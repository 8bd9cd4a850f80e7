/**
 * `fetchvia sign`: makes a link that needs no token, signed with the key of the proxy.
 * @module
 */

import { warnOfShortKey } from "../runtimes/process/start-line.ts";
import { decodeAddress, decodeBase } from "../core/address/address.ts";
import { decodeBase64 } from "../core/address/arg.ts";
import { findAddressFault, findBaseFault } from "../core/address/fault.ts";
import { readAddressParameter, readParameter } from "../core/address/query.ts";
import { signLink } from "../core/address/signature.ts";
import { type Note, packArgument } from "./read-argument.ts";
import { formatTime, readExpiry } from "./expiry.ts";
import { readInput } from "./input.ts";
import { parseArguments } from "./parse-arguments.ts";
import { type ProxyLink, readLink } from "./take-apart.ts";

const DEFAULT_BASE = "http://localhost:8080";
const EXPECTED = "a link of the proxy, an address, or a JSON object with a url";

/**
 * Signs a link, or makes one from an address or the JSON of a request. A link keeps its expiry unless another is given.
 *
 * @param key `""` for none
 * @param now Unix time in seconds
 * @param note told of what was assumed
 * @throws {Error} with a one-line message
 */
export async function sign(
  words: readonly string[],
  key: string,
  now: number = Date.now() / 1000,
  note: Note = () => {},
): Promise<string> {
  refuseKey(words);
  const { values: { expires, base }, positionals } = parseArguments(words, {
    flags: ["expires", "base"],
    takesWords: true,
    example: "flags such as --expires 1h",
    command: "sign",
  });
  if (!key) {
    throw new Error(
      "Cannot sign: there is no key, expected the environment variable SIGNING_KEY or SIGNING_KEY_FILE",
    );
  }
  const text = await readInput("sign", positionals);
  const link = readLink(text);
  const end = expires === undefined ? link?.exp : readExpiry(expires, now);
  if (end !== undefined && end <= now) {
    throw new Error(`Cannot sign the link: it expired at ${formatTime(end)}, expected --expires such as 1h`);
  }
  const path = link ? await rewrite(link, note) : await write(text, note);
  if (expires === undefined) note(tellExpiry(end));
  warnOfShortKey(key).forEach(note);
  const signed = end === undefined ? path : `${path}&exp=${end}`;
  return `${place(link, base, note)}${signed}&sig=${await signLink(signed, key)}`;
}

function tellExpiry(end: number | undefined): string {
  return end === undefined
    ? "the link never expires, only another signing key ends it; --expires 1h changes that"
    : `the link expires at ${formatTime(end)}, as it did before; --expires changes that`;
}

function refuseKey(words: readonly string[]): void {
  if (words.some((word) => /^--(?:signing-)?key(?:=|$)/.test(word))) {
    throw new Error("Cannot take the key as a flag: others see it in the process list, expected SIGNING_KEY");
  }
}

/** The address of the proxy, with its mount path: from the flag, else from the link, else the default. */
function place(link: ProxyLink | undefined, flag: string | undefined, note: Note): string {
  if (flag !== undefined) return readBase(flag);
  const base = link?.base ?? "";
  if (base !== "" && !base.startsWith("/")) return base;
  note(`the link is for ${DEFAULT_BASE}; --base changes that`);
  return DEFAULT_BASE + base;
}

/**
 * Reads `--base`: the address of the proxy, with its mount path, without a slash at the end.
 *
 * @throws {Error} with a one-line message
 */
export function readBase(flag: string): string {
  const base = decodeBase(flag);
  if (base) return base.origin.origin + base.path;
  throw new Error(
    `Cannot use --base: it ${findBaseFault(flag)}, expected an address such as ${DEFAULT_BASE}`,
  );
}

/** Rewrites the path of a link in the one spelling that every client sends unchanged. */
async function rewrite({ isFetch, query }: ProxyLink, note: Note): Promise<string> {
  if (isFetch) return await writeArgument(readParameter(query, "arg") ?? "", note);
  const url = readAddressParameter(query);
  if (typeof url === "string") return writeAddress(url);
  throw new Error("Cannot sign the link: it names no url and no arg, and no other link can be signed");
}

async function write(text: string, note: Note): Promise<string> {
  if (text.startsWith("{")) return await writeJson(text, note);
  return decodeBase64(text) ? await writeArgument(text, note) : writeAddress(text);
}

async function writeJson(json: string, note: Note): Promise<string> {
  return `/__proxy__/fetch?arg=${await packArgument(json, note)}`;
}

async function writeArgument(arg: string, note: Note): Promise<string> {
  const bytes = decodeBase64(arg);
  if (!bytes?.length) throw new Error(`Cannot sign this: its arg is not Base64, expected ${EXPECTED}`);
  return await writeJson(new TextDecoder().decode(bytes), note);
}

function writeAddress(text: string): string {
  if (!decodeAddress(text.replace(/^ws(s?):/i, "http$1:"))) {
    throw new Error(`Cannot sign this: it ${findAddressFault(text)}, expected ${EXPECTED}`);
  }
  // Some clients change a raw `'` in a query, which would break the signature.
  return `/__proxy__/?url=${encodeURIComponent(text).replaceAll("'", "%27")}`;
}
