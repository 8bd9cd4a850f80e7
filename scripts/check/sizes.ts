/**
 * How long a file and a function may be.
 * @module
 */
import { type Fault, fileRule, isSource, isTypeScript, lineAt, type Rule, type Source } from "./source.ts";

const ENTRY = /^src\/runtimes\/(bun|deno|node|worker)\.ts$/;
const MAX_ENTRY_LINES = 40;
const MAX_PROXY_LINES = 100;
const MAX_FILE_LINES = 250;
const MAX_FUNCTION_LINES = 40;
const MAX_PAGE_LINES = 200;

/** Written by `scripts/settings.ts`: as long as the table from which it is made. */
const WRITTEN = "src/core/settings/options.ts";

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

const isMeasured = (path: string): boolean =>
  isTypeScript(path) && /^(src|scripts)\//.test(path) && !/^src\/(?:parts\/)?console\//.test(path) &&
  path !== WRITTEN;

/** Number of lines that hold more than blanks and comments. */
function countCodeLines({ text, comments }: Source): number {
  let code = text;
  for (const { start, end } of comments) {
    const blank = text.slice(start, end).replace(/[^\n]/g, " ");
    code = code.slice(0, start) + blank + code.slice(end);
  }
  return code.split("\n").filter((line) => line.trim() !== "").length;
}

function countLines(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

function* findLongFunctions(source: Source): Iterable<Fault> {
  for (const { node } of source.places) {
    if (!FUNCTIONS.has(node.type)) continue;
    const lines = lineAt(source, node.end) - lineAt(source, node.start) + 1;
    if (lines > MAX_FUNCTION_LINES) yield [node.start, `function of ${lines} lines`];
  }
}

function* judge(lines: number, limit: number): Iterable<Fault> {
  if (lines > limit) yield [0, `${lines} lines`];
}

/** The rules about length. */
export const SIZE_RULES: readonly Rule[] = [
  fileRule(
    "entry-size",
    `entries of runtimes have at most ${MAX_ENTRY_LINES} lines of code`,
    (path) => ENTRY.test(path),
    (source) => judge(countCodeLines(source), MAX_ENTRY_LINES),
  ),
  fileRule(
    "proxy-size",
    `proxy.ts has at most ${MAX_PROXY_LINES} lines`,
    (path) => path === "src/core/proxy.ts",
    ({ text }) => judge(countLines(text), MAX_PROXY_LINES),
  ),
  fileRule(
    "file-size",
    `files of src and scripts have at most ${MAX_FILE_LINES} lines (the console and ${WRITTEN} apart)`,
    isMeasured,
    ({ text }) => judge(countLines(text), MAX_FILE_LINES),
  ),
  fileRule(
    "page-size",
    `pages of docs have at most ${MAX_PAGE_LINES} lines`,
    (path) => /^docs\/.+\.md$/.test(path),
    ({ text }) => judge(countLines(text), MAX_PAGE_LINES),
  ),
  fileRule(
    "function-size",
    `functions of src and scripts have at most ${MAX_FUNCTION_LINES} lines`,
    (path) => isSource(path) || isMeasured(path),
    findLongFunctions,
  ),
];
