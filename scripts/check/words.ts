/**
 * The words around the code: doc comments, names, and words that must not be left behind.
 * @module
 */
import {
  type Comment,
  type Fault,
  fileRule,
  isSource,
  isTypeScript,
  type Node,
  type Rule,
  type Source,
} from "./source.ts";

const SUPPRESSIONS = /@ts-(ignore|expect-error|nocheck)|deno-lint-ignore|eslint-disable/;
const LEFTOVERS = /\b(TODO|FIXME|XXX|HACK)\b/;
/** Rooms that name no runtime, not even in comments; the console's browser code has DOM `Node`s of its own. */
const ROOMS = /^src\/(?:core|parts)\/(?!console\/assets\.ts$|settings\/options\.ts$)/;
const RUNTIMES = /\b(Bun|Deno|Node|workerd|Workers?|Cloudflare)\b/;
const EMPTY_NAMES = /(^|\/)(utils?|helpers?|types?|commons?|misc)(\.test)?(\.[a-z]+|\/)/;

/** A bullet with its bold beginning, or a row, with the address that it begins with. */
const TOLD = /^(?:- (\*\*.+?\*\*).*|\| (`\/.*?) \|.*|\| .{20,})$/gm;

/** A command line of a shell that begins with the bare command: it is found only where the package is installed for all. */
const BARE_COMMAND = /(?:^|[$&|;]\(? *)(?:[A-Z_]+=\S+ )*fetchvia(?= |$)/m;

const isDoc = (comment: Comment): boolean => comment.type === "Block" && comment.value.startsWith("*");

function* findMissingHeader({ text, comments }: Source): Iterable<Fault> {
  const start = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0;
  const first = comments.find((comment) => comment.start === start);
  if (first === undefined || !isDoc(first)) yield [0, "does not open with a doc comment"];
  else if (!/\w[^]*@module\b/.test(first.value)) {
    yield [0, "opens with a comment without a sentence and @module"];
  }
}

/** Exported statements; follows `export { name }` to the statement that declares the name. */
function* exportsOf({ statements }: Source): Iterable<{ node: Node; name: string }> {
  const declared = new Map(statements.flatMap((node) => namesOf(node).map((name) => [name, node] as const)));
  for (const node of statements) {
    // A runtime requires a default export of its entry, which may be an expression; the file's header documents it.
    if (node.type === "ExportDefaultDeclaration" && node.declaration.type.endsWith("Declaration")) {
      yield { node, name: "default" };
    }
    if (node.type !== "ExportNamedDeclaration" || node.source) continue;
    if (node.declaration) yield { node, name: namesOf(node.declaration).join(", ") };
    for (const { local } of node.specifiers) {
      const declaration = local.type === "Identifier" ? declared.get(local.name) : undefined;
      if (declaration && local.type === "Identifier") yield { node: declaration, name: local.name };
    }
  }
}

function namesOf(node: Node): string[] {
  if (node.type === "VariableDeclaration") {
    return node.declarations.map(({ id }) => id.type === "Identifier" ? id.name : "…");
  }
  return "id" in node && node.id?.type === "Identifier" ? [node.id.name] : [];
}

function* findMissingDocs(source: Source): Iterable<Fault> {
  const documented = new Set<string>();
  for (const { node, name } of exportsOf(source)) {
    const above = source.comments.findLast((comment) => comment.end <= node.start);
    const touches = above !== undefined && source.text.slice(above.end, node.start).trim() === "";
    if (touches && isDoc(above) && !above.value.includes("@module")) documented.add(name);
    // Overloads follow each other: the first one documents all.
    if (!documented.has(name)) yield [node.start, `export ${name} has no doc comment`];
  }
}

function* findWords({ comments }: Source, words: RegExp): Iterable<Fault> {
  for (const { value, start } of comments) {
    const match = words.exec(value);
    if (match) yield [start + match.index, `comment with ${match[0]}`];
  }
}

/** Rows and bullets that stand twice below one heading, as a merge leaves them; what a bullet or an address is about counts. */
function* findTwice({ text }: Source): Iterable<Fault> {
  for (const { 0: section, index } of text.matchAll(/^#.*\n(?:(?!#).*\n)*/gm)) {
    const seen = new Set<string>();
    for (const match of section.matchAll(TOLD)) {
      const topic = match[1] ?? match[2] ?? match[0];
      if (seen.has(topic)) yield [index + match.index, `says twice: ${topic}`];
      seen.add(topic);
    }
  }
}

/** Lines to paste that begin with `fetchvia`. */
function* findBareCommands({ text }: Source): Iterable<Fault> {
  for (const { 0: block, index } of text.matchAll(/^```(?:sh|bash|shell)\n[^]*?^```/gm)) {
    const found = BARE_COMMAND.exec(block);
    if (found) yield [index + found.index, "calls fetchvia itself, expected npx fetchvia"];
  }
}

/** The rules about docs, names and leftovers. */
export const WORD_RULES: readonly Rule[] = [
  fileRule("header", "a file of src opens with its @module comment", isSource, findMissingHeader),
  fileRule("docs", "every export of src has a doc comment", isSource, findMissingDocs),
  fileRule(
    "suppressions",
    "no check is switched off by a comment",
    isTypeScript,
    (source) => findWords(source, SUPPRESSIONS),
  ),
  fileRule(
    "leftovers",
    "no TODO or FIXME",
    (path) => /^(src|test|scripts)\//.test(path) && !path.endsWith(".json"),
    (source) => findWords(source, LEFTOVERS),
  ),
  fileRule("twice", "no page of docs says a thing twice", (path) => /^docs\/.*\.md$/.test(path), findTwice),
  fileRule(
    "npx",
    "commands to paste begin with npx fetchvia",
    (path) => /^(?:README|docs\/.*)\.md$/.test(path),
    findBareCommands,
  ),
  fileRule(
    "quirks",
    "comments of the core's rooms name no runtime: what is true of one lives in its own room",
    (path) => ROOMS.test(path),
    (source) => findWords(source, RUNTIMES),
  ),
  fileRule(
    "names",
    "no file named utils, helpers, types, common",
    (path) => EMPTY_NAMES.test(path),
    () => [[0, "has a name that says nothing"]],
  ),
];
