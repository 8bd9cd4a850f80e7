/**
 * How tests are written: flat, all of them run, one file per file of src.
 * @module
 */
import {
  type Fault,
  fileRule,
  type Finding,
  isCore,
  isTest,
  type Node,
  parentsOf,
  type Place,
  type Rule,
  type Source,
} from "./source.ts";

const LOOPS = new Set([
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
]);
const LOOP_METHODS = new Set(["forEach", "map", "flatMap"]);
const SWITCHES = new Set(["skip", "only", "todo", "skipIf", "runIf"]);
const ALIASES = new Set(["xit", "xtest", "xdescribe", "fit", "fdescribe"]);

/** Files of the core without a test file of their own: re-exports and types. */
const UNTESTED = new Set([
  "src/index.ts",
  "src/core/exchange/exchange.ts",
  "src/core/exchange/findings.ts",
  "src/core/http/flow-reader.ts",
  "src/core/runtime.ts",
  "src/core/shared.ts",
  "src/core/own-part.ts",
  "src/parts/capture/capture.ts",
  "src/core/hop-watch.ts",
  "src/core/interim.ts",
  "src/core/socket-message.ts",
  "src/client/link-content.ts",
  "src/core/settings/setting.ts",
]);

/** Files made by a script, and files that tests in a real browser cover. */
const SHOWN_ELSEWHERE = /^src\/(?:parts\/console\/(?:assets|page-facts)\.ts$|console\/)/;

/** The name that a call starts from: `it` for `it(…)`, `it.each(…)(…)` and a tagged `it.each`. */
function rootOf(node: Node): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type === "CallExpression") return rootOf(node.callee);
  if (node.type === "MemberExpression") return rootOf(node.object);
  if (node.type === "TaggedTemplateExpression") return rootOf(node.tag);
  return undefined;
}

function isCallOf(node: Node, names: readonly string[]): boolean {
  return node.type === "CallExpression" && names.includes(rootOf(node) ?? "");
}

function isInTest(place: Place): boolean {
  return parentsOf(place).some((node) => isCallOf(node, ["it", "test"]));
}

function* findBranches({ places }: Source): Iterable<Fault> {
  for (const place of places) {
    if (place.node.type === "IfStatement" && isInTest(place)) yield [place.node.start, "if inside a test"];
  }
}

function isLoop(node: Node): boolean {
  if (LOOPS.has(node.type)) return true;
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { property } = node.callee;
  return property.type === "Identifier" && LOOP_METHODS.has(property.name);
}

function* findLoops({ places }: Source): Iterable<Fault> {
  for (const place of places) {
    if (!isCallOf(place.node, ["it", "test", "describe"])) continue;
    if (parentsOf(place).some(isLoop)) yield [place.node.start, "loop around a test; a table wants it.each"];
  }
}

function* findSwitches({ places }: Source): Iterable<Fault> {
  for (const { node, parent } of places) {
    if (node.type !== "Identifier") continue;
    const above = parent?.node;
    const isMember = above?.type === "MemberExpression" && above.property === node;
    const isOption = above?.type === "Property" && above.key === node && isTestOption(parent?.parent);
    if (ALIASES.has(node.name) && !isMember || SWITCHES.has(node.name) && (isMember || isOption)) {
      yield [node.start, `test switched off or singled out by ${node.name}`];
    }
  }
}

/** True for the second argument of `it(name, { … }, run)`. */
function isTestOption(place: Place | undefined): boolean {
  const call = place?.parent?.node;
  return call?.type === "CallExpression" && call.arguments[1] === place?.node &&
    isCallOf(call, ["it", "test", "describe"]);
}

function findMissingTests(sources: readonly Source[]): Finding[] {
  const paths = new Set(sources.map(({ path }) => path));
  const isWanted = (path: string) => isCore(path) && !UNTESTED.has(path) && !SHOWN_ELSEWHERE.test(path);
  return [...paths].filter(isWanted).flatMap((path) => {
    const wanted = path.replace(/^src\/(.+)\.ts$/, "test/$1.test.ts");
    return paths.has(wanted) ? [] : [{ path, line: 1, message: `has no ${wanted}` }];
  });
}

/** The rules about tests. */
export const TEST_RULES: readonly Rule[] = [
  {
    name: "tested",
    about: "every file of the core has its test file, in the same room",
    check: findMissingTests,
  },
  fileRule("test-branches", "no if inside a test", isTest, findBranches),
  fileRule("test-loops", "no loop around a test", isTest, findLoops),
  fileRule("test-switches", "no test is skipped, singled out or left to do", isTest, findSwitches),
];
