/**
 * `fetchvia policy`: writes the table of targets, and the claims of a token, that allow exactly what a record of decisions
 * holds (rule 22.31).
 * @module
 */

import { isBelow } from "../core/address/path-prefix.ts";
import { MAX_TOKEN_LENGTH } from "../parts/tokens/token.ts";
import { parseArguments } from "./parse-arguments.ts";
import { add, type Seen, Tally } from "./policy-record.ts";

/** Stands in the record for what looks like a secret, and for a key of the table. */
const MASK = /\*{3}|\{\{/;
/** In characters; the rest of a token is prefix, signature, id, end and rate. */
const MOST_CLAIMS = (MAX_TOKEN_LENGTH - 300) * 3 / 4;

/**
 * Runs the command. Returns a table with comments that `TARGETS` takes; with `--json` also the claims, and all that was seen.
 *
 * @throws {Error} with a one-line message, if there is nothing that a policy could allow
 */
export async function runPolicy(words: readonly string[], note: (line: string) => void): Promise<string> {
  const { values: { prefixes, "caller-id": callerId }, isOn, positionals } = parseArguments(words, {
    flags: ["caller-id", "prefixes"],
    switches: ["json"],
    takesWords: true,
    example: "files that AUDIT wrote, and flags such as --json",
    command: "policy",
  });
  if (!/^[1-9]\d{0,5}$/.test(prefixes ?? "1")) {
    throw new Error(`Cannot use --prefixes ${prefixes}, expected a number of paths such as 20`);
  }
  const tally = new Tally();
  if (positionals.length === 0 && !process.stdin.isTTY) positionals.push("-");
  for (const file of positionals) await tally.read(file, callerId, note);
  const { refused, unused } = tally;
  const left = `${refused} refused requests and ${unused} unusable lines are left out`;
  if (tally.seen.size === 0) {
    throw new Error(`Cannot write a policy: nothing was allowed (${left}), expected files that AUDIT wrote`);
  }
  if ([...tally.seen.keys()].some((key) => MASK.test(key))) {
    note("some paths have *** in place of what looked like a secret, expected --prefixes, or a rule by hand");
  }
  const seen = prefixes === undefined ? tally.seen : widen(tally.seen, Number(prefixes));
  const { targets, claims } = makePolicy(seen);
  const $comment = [`Allows what was seen, and nothing else: ${left}.`, tellToken(claims, callerId)];
  const told = { targets, claims, seen: Object.fromEntries(seen), refused, unused };
  return JSON.stringify(isOn("json") ? told : { $comment, ...targets }, null, 2);
}

/** The table, and the claims as `mintToken` takes them, without those that a token has no room for. */
function makePolicy(seen: ReadonlyMap<string, Seen>) {
  const targets: Record<string, { $comment?: string[]; requests: string[] }> = {};
  const [methods, paths] = [new Set<string>(), new Set<string>()];
  for (const [key, { count, first, last }] of [...seen].sort(([one], [other]) => one < other ? -1 : 1)) {
    const [target = "", method = "", scheme = "", path = ""] = key.split(" ");
    const { $comment, requests } = targets[target] ??= { $comment: [], requests: [] };
    requests.push(`${method} ${scheme} ${path}`);
    $comment?.push(`${requests.at(-1)}: count ${count}, first ${first}, last ${last}`);
    methods.add(method);
    paths.add(path);
  }
  const all = { methods: [...methods], targets: Object.keys(targets), paths: [...paths] };
  const claims: Record<string, string[]> = {};
  for (const [claim, values] of Object.entries(all)) {
    if (JSON.stringify({ ...claims, [claim]: values }).length <= MOST_CLAIMS) claims[claim] = values;
  }
  return { targets: { ...targets, "*": { requests: [] } }, claims };
}

/** How to make the token, if a shell and JSON take the claims as they are between single quotes. */
function tellToken(claims: Readonly<Record<string, string[]>>, id = "agent"): string {
  const flags = Object.entries(claims).map(([claim, values]) => `--${claim} '${values.join(",")}'`);
  return Object.values(claims).flat().every((value) => /^[^,'"\\]*$/.test(value))
    ? `A token for it: npx fetchvia token --id ${id} --ttl 8h ${flags.join(" ")}`
    : "A token for it: by mintToken, with the claims of fetchvia policy --json";
}

/** Puts a directory in place of its paths where there are more than `most`, or one is masked; never the root. */
function widen(seen: ReadonlyMap<string, Seen>, most: number): Map<string, Seen> {
  const children = new Map<string, Set<string>>();
  for (const [directory, child] of [...seen.keys()].flatMap(listSteps)) {
    children.set(directory, (children.get(directory) ?? new Set()).add(child));
  }
  const isWide = (names: ReadonlySet<string>) => names.size > most || MASK.test([...names].join());
  const wide = new Set([...children.keys()].filter((directory) => isWide(children.get(directory)!)));
  const pathOf = (text: string) => text.slice(text.indexOf("/"));
  const listed = new Map<string, Seen>();
  for (const [key, one] of seen) {
    const [directory] = listSteps(key).find(([name]) => wide.has(name)) ?? [];
    const isSafe = directory !== undefined && isBelow([pathOf(directory)], pathOf(key));
    add(listed, isSafe ? directory.replace("=", "") : key, one);
  }
  return listed;
}

/** Each directory of a request but the root, from the top, and the name of what is in it. */
function listSteps(key: string): [directory: string, child: string][] {
  const names = key.split("/");
  return names.slice(2).map((name, index) => [`${names.slice(0, index + 2).join("/")}/`, name]);
}
