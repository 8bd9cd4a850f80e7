/**
 * The rules of `docs/specification.md` and of the pages below it: each has a test that proves it, and every rule that a comment
 * cites exists.
 * @module
 */
import {
  type Fault,
  fileRule,
  type Finding,
  isTypeScript,
  lineAt,
  type Rule,
  type Source,
} from "./source.ts";

/** The pages that hold the rules. */
const SPECIFICATION = /^docs\/specification(?:\/[\w-]+)?\.md$/;

/** Its table of reports cites tests in the same way. */
const GUIDE = "test/README.md";

/** One rule, with its continuation lines, and its proofs: each a file of `test`, and words of a title in it. */
const ITEM = /^- \*\*(\d+\.\d+)\*\* (?:.*\n(?: {2}.*\n)*)/gm;
const PROOFS = /(?: \[[\w./-]+: [^\]]+\])+\n$/;
const PROOF = /\[([\w./-]+): ([^\]]+)\]/g;
/** `rule 4.1`, `rules 5.9 and 5.10`, `rules 4.1 to 4.5` */
const CITATION = /\brules? (\d+\.\d+)(?: (?:and|to) (\d+\.\d+))?/g;

interface Item {
  name: string;
  offset: number;
  text: string;
}

function itemsOf({ text }: Source): Item[] {
  return [...text.matchAll(ITEM)].map(({ 0: text, 1: name = "", index: offset }) => ({ name, offset, text }));
}

/** The first citation of a test that is not there. */
function findStale(
  cited: Iterable<RegExpExecArray>,
  sources: readonly Source[],
): RegExpExecArray | undefined {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  return [...cited].find(([, file = "", words = ""]) => !texts.get(`test/${file}.ts`)?.includes(words));
}

function checkGuide(sources: readonly Source[]): Finding[] {
  const find = function* ({ text }: Source): Iterable<Fault> {
    const stale = findStale(text.matchAll(PROOF), sources);
    if (stale) yield [stale.index, `cites ${stale[0]}, which no test has`];
  };
  return fileRule("", "", (path) => path === GUIDE, find).check(sources);
}

const pagesOf = (sources: readonly Source[]) => sources.filter(({ path }) => SPECIFICATION.test(path));

function findUnproved(sources: readonly Source[]): Finding[] {
  const items = pagesOf(sources).flatMap((page) => itemsOf(page).map((item) => ({ ...item, page })));
  return items.flatMap(({ name, offset, text, page }) => {
    const [proofs = ""] = PROOFS.exec(text.replaceAll("\n  ", " ")) ?? [];
    const cited = [...proofs.matchAll(PROOF)];
    const stale = findStale(cited, sources);
    if (cited.length > 0 && !stale) return [];
    const message = stale
      ? `rule ${name} cites ${stale[0]}, which no test has`
      : `rule ${name} has no test that proves it, expected [file: words of a title] at its end`;
    return [{ path: page.path, line: lineAt(page, offset), message }];
  });
}

function findUnknown(sources: readonly Source[]): Finding[] {
  const known = new Set(pagesOf(sources).flatMap(itemsOf).map(({ name }) => name));
  const rule = fileRule("", "", isTypeScript, function* ({ comments }): Iterable<Fault> {
    for (const { value, start } of comments) {
      for (const { 1: first = "", 2: last = first, index } of value.matchAll(CITATION)) {
        const unknown = [first, last].find((name) => !known.has(name));
        if (unknown) yield [start + index, `cites rule ${unknown}, which the specification does not have`];
      }
    }
  });
  return rule.check(sources);
}

/** The rules about the specification. */
export const SPECIFICATION_RULES: readonly Rule[] = [
  { name: "proved", about: "each rule of the specification has a test that proves it", check: findUnproved },
  { name: "guide", about: "tests that the guide to the tests cites are there", check: checkGuide },
  { name: "cited", about: "comments cite rules that are there", check: findUnknown },
];
