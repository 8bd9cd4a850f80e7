/**
 * The options of curl: which take a value, and their long names.
 * @module
 * @see curl(1)
 */

import { findIn } from "../page/format.ts";

/** Options with a value, by their long names, and what each means to the builder. */
const VALUES = {
  request: "method",
  header: "header",
  data: "data",
  "data-ascii": "data",
  "data-raw": "data-raw",
  "data-binary": "data-binary",
  "data-urlencode": "data-urlencode",
  json: "json",
  form: "form",
  "form-string": "form-string",
  user: "user",
  "oauth2-bearer": "bearer",
  cookie: "cookie",
  "user-agent": "agent",
  referer: "referer",
  url: "url",
  "url-query": "query",
  "upload-file": "upload",
  range: "range",
} as const;
const FLAGS = { get: "get", head: "head", location: "follow", compressed: "compressed" } as const;

/** What an option means. `quiet`: it changes how curl prints or connects, and nothing is lost without it. */
export type Meaning =
  | (typeof VALUES)[keyof typeof VALUES]
  | (typeof FLAGS)[keyof typeof FLAGS]
  | "quiet";

const QUIET_FLAGS = words(
  `insecure silent show-error verbose include show-headers fail fail-with-body no-buffer
  globoff path-as-is basic http1 http1.1 http2 http2-prior-knowledge http3 no-progress-meter progress-bar`,
);
const QUIET_VALUES = words("output write-out max-time connect-timeout max-redirs");
/** Options that are not for the builder, but have a value that must not be read as an address. */
const OTHER_VALUES = words(
  `cacert capath cert cert-type ciphers config connect-to cookie-jar dump-header interface
  key key-type limit-rate netrc-file noproxy pass proxy proxy-header proxy-user resolve retry retry-delay
  retry-max-time socks5 socks5-hostname socks4 stderr tls-max trace trace-ascii unix-socket aws-sigv4 cert-status
  doh-url dns-servers expect100-timeout keepalive-time local-port max-filesize pinnedpubkey time-cond speed-time
  speed-limit continue-at quote telnet-option ftp-port`,
);

/** Each letter before the long name that it stands for. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  [...words(`X:request H:header d:data F:form u:user b:cookie A:user-agent e:referer G:get I:head L:location
    T:upload-file r:range k:insecure s:silent S:show-error v:verbose i:include f:fail N:no-buffer g:globoff
    o:output w:write-out m:max-time #:progress-bar c:cookie-jar D:dump-header E:cert K:config x:proxy
    U:proxy-user z:time-cond y:speed-time Y:speed-limit C:continue-at Q:quote t:telnet-option P:ftp-port`)]
    .map((pair) => [pair.slice(0, 1), pair.slice(2)]),
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** What an option is, by its long name; a flag that means nothing to the builder if it is not known. */
function findOption(name: string): { takesValue: boolean; meaning?: Meaning } {
  const taken = findIn<Meaning>(VALUES, name) ?? (QUIET_VALUES.has(name) ? "quiet" : undefined);
  if (taken !== undefined) return { takesValue: true, meaning: taken };
  const flag = findIn<Meaning>(FLAGS, name) ?? (QUIET_FLAGS.has(name) ? "quiet" : undefined);
  return { takesValue: OTHER_VALUES.has(name), meaning: flag };
}

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
  const { takesValue, meaning } = findOption(name);
  // Some write --request=GET, though curl itself wants a blank.
  const value = takesValue ? joined ?? next ?? "" : "";
  given.push({ name: `--${name}`, meaning, value });
  return takesValue && joined === undefined ? 1 : 0;
}

/** Letters without a value may stand together: `-sSL`. A value may follow at once: `-XPOST`. */
function readShort(word: string, next: string | undefined, given: Given[]): number {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] as string;
    const { takesValue, meaning } = findOption(LETTERS.get(letter) ?? "");
    const rest = word.slice(at + 1);
    const value = takesValue ? rest || (next ?? "") : "";
    given.push({ name: `-${letter}`, meaning, value });
    if (takesValue) return rest === "" ? 1 : 0;
  }
  return 0;
}

function splitOnce(text: string, mark: string): [before: string, after?: string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
