/**
 * No text, however hostile, makes a regular expression take more than linear time.
 * @module
 */
import { createRequire } from "node:module";
import { type Fault, fileRule, isSource, type Rule, type Source } from "./source.ts";

type Recheck = typeof import("recheck");

/**
 * Loads recheck: its native program if there is one for this machine, in a quarter of the time of the other. It is one of
 * the packages that `npm run test:all` installs, so it is loaded only when an expression is judged.
 */
const loadRecheck = (): Recheck =>
  createRequire(new URL("../../test/apps/package.json", import.meta.url))("recheck");

/**
 * The search for slow texts is limited by steps and not by time, so that it finds the same on every machine, however busy.
 * Trying a text that was found keeps its limit of a second: without one it could take minutes.
 */
const NO_CLOCK = { timeout: null, seedingTimeout: null, incubationTimeout: null };

/** Verdicts by expression without `g`: a search takes seconds, and some expressions occur in several files. */
const verdicts = new Map<string, ReturnType<Recheck["checkSync"]>>();

/** Files with expressions that users type in their own browser; `test/foreign-texts.test.ts` measures the body search. */
const TYPED: readonly string[] = [
  "src/console/answer/body/search.ts",
  "src/console/traffic/filter.ts",
];

/** Made from the console's sources, which are judged themselves. */
const GENERATED = "src/parts/console/assets.ts";

function* findSlowExpressions({ places }: Source): Iterable<Fault> {
  for (const { node } of places) {
    if (node.type !== "Literal" || !("regex" in node)) continue;
    const { pattern, flags } = node.regex;
    const verdict = judge(pattern, flags.replace("g", ""));
    // An expression that can't be judged is reported too: it can be written more simply.
    if (verdict.status === "unknown") {
      yield [node.start, `/${pattern}/ can't be judged: ${verdict.error.kind}`];
    }
    if (verdict.status === "vulnerable") {
      yield [
        node.start,
        `/${pattern}/ takes ${verdict.complexity.summary} time for ${verdict.attack.pattern}`,
      ];
    }
  }
}

/** Finds patterns that are built at run time: a reader can't judge them. */
function* findBuiltExpressions({ places }: Source): Iterable<Fault> {
  for (const { node } of places) {
    if (node.type !== "NewExpression" && node.type !== "CallExpression") continue;
    const { callee } = node;
    if (callee.type !== "Identifier" || callee.name !== "RegExp") continue;
    yield [node.start, "a regular expression is built at run time: write it out, or search by indexOf"];
  }
}

function judge(pattern: string, flags: string): ReturnType<Recheck["checkSync"]> {
  const key = `/${pattern}/${flags}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const { checkSync } = loadRecheck();
  const parts = /\\[1-9k]/.test(pattern) ? [] : splitAlternatives(pattern);
  const search = (part: string) => checkSync(part, flags, NO_CLOCK);
  const safe = parts.length > 1 ? parts.map(search).filter(({ status }) => status === "safe") : [];
  const verdict = safe.length === parts.length && safe[0] || search(pattern);
  verdicts.set(key, verdict);
  return verdict;
}

/** Its outermost alternatives: all together take what each of them takes, and a short one is searched in far less time. */
function splitAlternatives(pattern: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const [piece] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[^]/g)) {
    depth += Number(piece === "(") - Number(piece === ")");
    if (piece === "|" && depth === 0) parts.push("");
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** The slow rule, which searches for seconds. */
export const SLOW_RULES: readonly Rule[] = [
  fileRule(
    "linear",
    "no regular expression takes more than linear time",
    (path) => isSource(path) && path !== GENERATED,
    findSlowExpressions,
  ),
];

/** The other rule about regular expressions. */
export const EXPRESSION_RULES: readonly Rule[] = [
  fileRule(
    "built",
    "no regular expression is built at run time, so each one is judged",
    (path) => isSource(path) && path !== GENERATED && !TYPED.includes(path),
    findBuiltExpressions,
  ),
];
