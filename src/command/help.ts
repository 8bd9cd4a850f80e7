/**
 * The texts of `--help`; the text for the proxy itself is built from the table of settings.
 * @module
 */

import { flagName, type SettingName } from "../core/settings/config.ts";
import { type Effect, EFFECTS, type Group } from "./effects.ts";
import type { Setting } from "../core/settings/setting.ts";
import { SETTINGS } from "../core/settings/settings.ts";
import { VERSION } from "../core/settings/version.ts";
import { COMMANDS } from "./parse-arguments.ts";
import { PRESETS } from "./run/presets.ts";

/** The headings of the settings, in their order. */
const HEADINGS: Readonly<Record<Group, string>> = {
  listen: "Where it listens",
  targets: "Targets, and the way to them",
  access: "Who may reach what",
  limits: "Limits",
  output: "Output: log, metrics, console",
};

/** The help of each small command. */
const PAGES: Readonly<Record<(typeof COMMANDS)[number], string>> = {
  encode: `fetchvia encode [--at] [--base <address>] [what]

Writes the host label of a base address, or the arg of a JSON object. It refuses what the proxy would refuse.
Without an argument, or with -, it reads stdin.

  --at                writes the address that stands for a base address, for programs that do not resolve *.localhost
  --base <address>    the same, and where the proxy is, with its mount path (http://127.0.0.1:8080)

  fetchvia encode https://api.example.com                                  api-example-com
  fetchvia encode '{"url":"https://example.com/","method":"POST"}'         the arg, in Base64url
  fetchvia encode --at https://api.example.com/v1                          http://127.0.0.1:8080/__proxy__/at/api-example-com/v1
  fetchvia encode < request.json                                           the same from a file`,

  decode: `fetchvia decode [what]

Writes the base address of a host label, the JSON of an arg, for a whole link to a proxy its target, when it expires and
whether it is signed, and for a token of a caller its id, when it expires and its claims. With SIGNING_KEY or SIGNING_KEY_FILE in
the environment it also says whether the signature is right, and with REVOKED_TOKENS whether the token is revoked.
Without an argument, or with -, it reads stdin.

  fetchvia decode api-example-com                                          https://api.example.com
  fetchvia decode eyJ1cmwiOiJodHRwczovL2V4YW1wbGUuY29tLyJ9                  the JSON
  fetchvia decode 'https://proxy.example.com/__proxy__/?url=…&exp=…&sig=…'  what the link says
  fetchvia decode fv1.eyJpZCI6ImNpIiwiZXhwIjo…                              what the token may do`,

  sign: `fetchvia sign [--expires <when>] [--base <address>] [what]

Writes a signed link, which needs no token. What is signed: a link to the proxy, an address, an arg, or a JSON object.
Without an argument, or with -, it reads stdin. The key comes from the environment: SIGNING_KEY, or the file that
SIGNING_KEY_FILE names. A flag would show it in the process list.

  --expires <when>    when the link expires: a duration (30s, 15m, 1h, 7d) or a time (2030-01-01T00:00:00Z); never by default
  --base <address>    where the proxy is, with its mount path (http://localhost:8080, or where the link leads)

  SIGNING_KEY_FILE=key.txt fetchvia sign --expires 1h https://example.com/
  SIGNING_KEY_FILE=key.txt fetchvia sign --base https://proxy.example.com < request.json`,

  token: `fetchvia token --id <id> --ttl <time> [flags]

Writes a token for a caller. It says what the caller may do, and only narrows what the settings allow. The key comes from the
environment: SIGNING_KEY, or the file that SIGNING_KEY_FILE names.

  --id <id>            whose it is; the log names it, and REVOKED_TOKENS ends it
  --ttl <time>         how long it counts: 30m, 1h, 90d
  --targets <list>     the only targets, as in ALLOW_TARGETS
  --methods <list>     the only methods
  --paths <list>       the only path prefixes
  --rate <rate>        requests per time window, as in RATE_LIMIT
  --origins <list>     the only origins whose pages may use it, as in CORS_ORIGINS

  SIGNING_KEY_FILE=key.txt fetchvia token --id ci --targets api.openai.com --methods POST --ttl 1h`,

  check: `fetchvia check <file>

Checks a table of targets (TARGETS) as the start would, with the keys of the environment: exits with 0 if it is good, else
with 1 and one line that names entry, member and what was expected.

  OPENAI_KEY_FILE=key.txt fetchvia check targets.json`,

  explain:
    `fetchvia explain <what> [--method <method>] [--header '<name>: <value>']... [--token <token>] [flags]

Tells what a proxy with the same flags or environment would do with a request, and sends nothing: whether it is allowed and
why, what the table of targets says of it, and what becomes of redirects and cookies. What is asked about: an address, an arg,
a link to a proxy, or a path. Names are looked up here. The request is judged as one of a program on this machine, which
shows PROXY_TOKEN or the token of a caller in --token, and sends the headers in --header.
Writes JSON; exits with 0 if the request is allowed, else with 1.

  fetchvia explain https://api.example.com/v1/items
  fetchvia explain /users --header 'proxy_host: https://api.example.com' --header 'Origin: https://app.example.com'
  fetchvia explain http://192.168.1.7/ --method POST --private-targets false`,

  policy: `fetchvia policy [--json] [--caller-id <id>] [--prefixes <count>] [files]

Writes the table of targets that allows what a record of decisions (AUDIT) holds, and nothing else: each target with its port, and
each method, scheme and path. Comments say how often and when each was seen, and how to make a token with the same limits. What was
refused is left out; what GATE=report let pass is in it. Without a file, or with -, it reads stdin.

  --json               the table, the claims of the token, and what was seen, for machines
  --caller-id <id>     only what the caller with this token did
  --prefixes <count>   where more paths than this are in one directory, or one is masked, all below the directory is allowed

  fetchvia policy audit.jsonl > targets.json
  fetchvia policy --caller-id ci --json audit.jsonl.1 audit.jsonl`,

  health: `fetchvia health [flags]

Checks a running proxy with the same flags or environment: exits with 0 if it answers, else with 1.

  fetchvia health --port 9000`,

  run: `fetchvia run [flags] -- <program> [arguments]

Runs a program that must not hold your keys. A proxy on a free port of this machine keeps the keys of the environment; the
program has a token in place of each key, for its API alone, and base addresses such as OPENAI_BASE_URL that lead through
the proxy. Both end together, with the exit code of the program. Other secrets of the environment are named and not handed on:
--preset <name>=<address> makes the key of another API one of those that the proxy keeps.
It is no sandbox: see docs/agents.md.

  --ttl <time>         how long the tokens count: 30m, 8h (8h)
  --targets <file>     a table of targets: its keys are kept too
  --preset <name>      an API that must have a key: ${listPresets()}
  --preset <name>=<address>[,key=<variable>][,header=<name>][,scheme=<scheme>][,variable=<variable>]
                       an API of your own, or another address for one
  --pass <variable>    hands a variable on as it is
  --rate-limit <rate>  requests with each token per time window, such as 100/60s
  --report             does what the table or a token would refuse, and records it (GATE=report, AUDIT=fetchvia-audit.jsonl)
  Settings of the proxy are flags too, such as --metrics true, but those that the run decides.

  fetchvia run -- node app.js
  fetchvia run --ttl 1h --pass DATABASE_URL -- npm test
  fetchvia run --preset acme=https://api.acme.com/v1 -- python agent.py      the key in ACME_API_KEY, the address in ACME_BASE_URL`,
};

/**
 * Formats the help that `fetchvia help` shows.
 *
 * @throws {Error} with a one-line message, for what has no help
 */
export function formatTopic(words: readonly string[]): string {
  const topics: readonly string[] = ["", "help", ...COMMANDS];
  if (words.length < 2 && topics.includes(words[0] ?? "")) return formatHelp(words[0]);
  throw new Error(
    `Cannot help with ${JSON.stringify(words.join(" "))}, expected one of ${COMMANDS.join(", ")}`,
  );
}

/**
 * Formats the help.
 *
 * @param command the name of a small command; any other text gives the help of the proxy
 */
export function formatHelp(command = ""): string {
  const page = COMMANDS.find((name) => name === command);
  if (page) return PAGES[page];
  return `fetchvia ${VERSION}: a forwarding proxy reached over plain HTTP

fetchvia [flags]              starts the proxy
fetchvia encode [what]        turns a base address into a host label, or JSON into an arg
fetchvia decode [what]        tells what a host label, an arg, a link or a token says
fetchvia sign [what]          signs a link with SIGNING_KEY
fetchvia token [flags]        makes a token for a caller with SIGNING_KEY
fetchvia explain <what>       tells what the proxy would do with a request, and sends nothing
fetchvia check <file>         checks a table of targets, as the start would
fetchvia run [-- program]     runs a program that must not hold your keys
fetchvia policy [files]       writes the table of targets that allows what a record holds, and nothing else
fetchvia health [flags]       checks a running proxy with the same flags: exits with 0 or 1
fetchvia help [command]       shows this help, or that of a command; so do --help and -h
fetchvia --version, -v        shows the version

Each flag is also an environment variable: --proxy-domain is PROXY_DOMAIN. SIGNING_KEY_FILE names a file with SIGNING_KEY.

${Object.entries(HEADINGS).map(([group, heading]) => `${heading}\n\n${formatGroup(group)}`).join("\n\n")}`;
}

function formatGroup(group: string): string {
  const named = Object.entries(EFFECTS).filter(([, { kind }]) => kind[0] === group);
  return named.map(([name, setting]) => formatSetting(name as SettingName, setting)).join("\n");
}

function formatSetting(name: SettingName, { kind: [, unit], effect }: Effect): string {
  const { fallback }: Setting<unknown> = SETTINGS[name];
  const standard = typeof fallback === "object" || fallback === undefined || fallback === ""
    ? ""
    : ` (${String(fallback)})`;
  return `  --${flagName(name)} <${unit}>${standard}\n      ${effect.replaceAll("`", "")}`;
}

/** The names of the presets, in two lines. */
function listPresets(): string {
  const names = [...new Set(PRESETS.map(({ name }) => name))];
  const half = Math.ceil(names.length / 2);
  return `${names.slice(0, half).join(", ")},\n                       ${names.slice(half).join(", ")}`;
}
