/**
 * The options of curl: which take a value, and their long names.
 * @module
 * @see curl(1)
 */

import { findIn } from "../page/format.ts";

/** What an option means to the builder. */
export type Meaning =
  | "method"
  | "header"
  | "data"
  | "data-raw"
  | "data-binary"
  | "data-urlencode"
  | "json"
  | "form"
  | "form-string"
  | "user"
  | "bearer"
  | "cookie"
  | "agent"
  | "referer"
  | "get"
  | "head"
  | "follow"
  | "compressed"
  | "url"
  | "upload"
  | "range"
  | "query"
  /** Changes how curl prints or connects: nothing is lost without it. */
  | "quiet";

interface Option {
  takesValue: boolean;
  meaning: Meaning;
}

const value = (meaning: Meaning): Option => ({ takesValue: true, meaning });
const flag = (meaning: Meaning): Option => ({ takesValue: false, meaning });

const LONG: Readonly<Record<string, Option>> = {
  request: value("method"),
  header: value("header"),
  data: value("data"),
  "data-ascii": value("data"),
  "data-raw": value("data-raw"),
  "data-binary": value("data-binary"),
  "data-urlencode": value("data-urlencode"),
  json: value("json"),
  form: value("form"),
  "form-string": value("form-string"),
  user: value("user"),
  "oauth2-bearer": value("bearer"),
  cookie: value("cookie"),
  "user-agent": value("agent"),
  referer: value("referer"),
  get: flag("get"),
  head: flag("head"),
  location: flag("follow"),
  compressed: flag("compressed"),
  url: value("url"),
  "url-query": value("query"),
  "upload-file": value("upload"),
  range: value("range"),
  insecure: flag("quiet"),
  silent: flag("quiet"),
  "show-error": flag("quiet"),
  verbose: flag("quiet"),
  include: flag("quiet"),
  "show-headers": flag("quiet"),
  fail: flag("quiet"),
  "fail-with-body": flag("quiet"),
  "no-buffer": flag("quiet"),
  globoff: flag("quiet"),
  "path-as-is": flag("quiet"),
  basic: flag("quiet"),
  http1: flag("quiet"),
  "http1.1": flag("quiet"),
  http2: flag("quiet"),
  "http2-prior-knowledge": flag("quiet"),
  http3: flag("quiet"),
  "no-progress-meter": flag("quiet"),
  "progress-bar": flag("quiet"),
  output: value("quiet"),
  "write-out": value("quiet"),
  "max-time": value("quiet"),
  "connect-timeout": value("quiet"),
  "max-redirs": value("quiet"),
};

const SHORT: Readonly<Record<string, string>> = {
  X: "request",
  H: "header",
  d: "data",
  F: "form",
  u: "user",
  b: "cookie",
  A: "user-agent",
  e: "referer",
  G: "get",
  I: "head",
  L: "location",
  T: "upload-file",
  r: "range",
  k: "insecure",
  s: "silent",
  S: "show-error",
  v: "verbose",
  i: "include",
  f: "fail",
  N: "no-buffer",
  g: "globoff",
  o: "output",
  w: "write-out",
  m: "max-time",
  "#": "progress-bar",
};

/** Options that are not for the builder, but have a value that must not be read as an address. */
const OTHERS_WITH_VALUE: ReadonlySet<string> = new Set([
  ..."cacert capath cert cert-type ciphers config connect-to cookie-jar dump-header interface key key-type"
    .split(" "),
  ..."limit-rate netrc-file noproxy pass proxy proxy-header proxy-user resolve retry retry-delay".split(" "),
  ..."retry-max-time socks5 socks5-hostname socks4 stderr tls-max trace trace-ascii unix-socket aws-sigv4"
    .split(" "),
  ..."cert-status doh-url dns-servers expect100-timeout keepalive-time local-port max-filesize pinnedpubkey"
    .split(" "),
]);
const OTHERS_SHORT: Readonly<Record<string, string>> = {
  c: "cookie-jar",
  D: "dump-header",
  E: "cert",
  K: "config",
  x: "proxy",
  U: "proxy-user",
  z: "time-cond",
  y: "speed-time",
  Y: "speed-limit",
  C: "continue-at",
  Q: "quote",
  t: "telnet-option",
  P: "ftp-port",
};

/** An option as written, with its value. */
export interface Given {
  /** As written, to be named. */
  name: string;
  /** `undefined` if the builder has nothing for it. */
  meaning: Meaning | undefined;
  value: string;
}

/** Reads the words after `curl`: options, and addresses with the name `""`. */
export function readOptions(words: readonly string[]): Given[] {
  const given: Given[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word === "--") {
      given.push(...words.slice(at + 1).map(addressOf));
      break;
    }
    if (word.startsWith("--")) at += readLong(word, words[at + 1], given);
    else if (/^-./.test(word)) at += readShort(word, words[at + 1], given);
    else given.push(addressOf(word));
  }
  return given;
}

function addressOf(value: string): Given {
  return { name: "", meaning: "url", value };
}

/** @returns how many words after it belong to it */
function readLong(word: string, next: string | undefined, given: Given[]): number {
  const [name = "", joined] = splitOnce(word.slice(2), "=");
  const option = findIn(LONG, name);
  const takesValue = option?.takesValue ?? OTHERS_WITH_VALUE.has(name);
  // Some write --request=GET, though curl itself wants a blank.
  const value = takesValue ? joined ?? next ?? "" : "";
  given.push({ name: `--${name}`, meaning: option?.meaning, value });
  return takesValue && joined === undefined ? 1 : 0;
}

/** Letters without a value may stand together: `-sSL`. A value may follow at once: `-XPOST`. */
function readShort(word: string, next: string | undefined, given: Given[]): number {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] as string;
    const long = findIn(SHORT, letter);
    const option = long === undefined ? undefined : LONG[long];
    const takesValue = option?.takesValue ?? Object.hasOwn(OTHERS_SHORT, letter);
    const rest = word.slice(at + 1);
    const value = takesValue ? rest || (next ?? "") : "";
    given.push({ name: `-${letter}`, meaning: option?.meaning, value });
    if (takesValue) return rest === "" ? 1 : 0;
  }
  return 0;
}

function splitOnce(text: string, mark: string): [before: string, after?: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
