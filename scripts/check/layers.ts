/**
 * Which room may import which: a room is a folder, imports go down only, the core names no runtime.
 * @module
 */
import { posix } from "node:path";
import {
  type Fault,
  fileRule,
  type Finding,
  isCore,
  isSource,
  lineAt,
  type Place,
  type Rule,
  type Source,
} from "./source.ts";
import { MAX_ENTRIES, MAY_IMPORT, STRANGERS } from "./law.ts";

/** The only files outside src that src may import. */
const MANIFEST = /^(package|deno)\.json$/;

const RUNTIME_NAMES = new Set(["Bun", "Deno", "process", "Buffer"]);
/** What code reads to find out which runtime it runs on. */
const QUESTIONS = new Set(["Bun", "Deno", "versions"]);

interface Import {
  offset: number;
  specifier: string;
  /** True for `import()`, whose file may be missing. */
  isLate: boolean;
  /** The path in the project; absent for packages and built-in modules. */
  file?: string;
}

/** The room of a file in src: the longest folder of the table, or the name of a file beside the folders. */
function roomOf(path: string): string {
  const inside = path.slice("src/".length).replace(/\.[^./]+$/, "");
  if (!inside.includes("/")) return inside;
  let folder = posix.dirname(inside);
  while (!(folder in MAY_IMPORT) && folder.includes("/")) folder = posix.dirname(folder);
  return folder;
}

function* importsOf(source: Source): Iterable<Import> {
  for (const { node } of source.places) {
    if (!("source" in node) || node.source?.type !== "Literal" || typeof node.source.value !== "string") {
      continue;
    }
    const specifier = node.source.value;
    const file = specifier.startsWith(".") ? posix.join(posix.dirname(source.path), specifier) : undefined;
    yield { offset: node.start, specifier, file, isLate: node.type === "ImportExpression" };
  }
}

function* findWrongArrows(source: Source): Iterable<Fault> {
  const room = roomOf(source.path);
  const allowed = [room, ...MAY_IMPORT[room] ?? []];
  for (const { offset, specifier, file } of importsOf(source)) {
    if (file?.startsWith("src/")) {
      const isStranger = roomOf(file) === room && STRANGERS.includes(room);
      const names = [roomOf(file), file.slice("src/".length).replace(/\.ts$/, "")];
      if (isStranger || !names.some((name) => allowed.includes(name))) {
        yield [offset, `imports ${file}: ${room} may not import ${roomOf(file)}`];
      }
    } else if (file !== undefined && !MANIFEST.test(file)) {
      yield [offset, `imports ${file}, which is outside src`];
    } else if (file === undefined && room === "client") {
      yield [offset, `imports ${specifier}; the client imports a few files of the core only`];
    }
  }
}

/** Counts the files and folders directly inside the rooms that have a limit. */
function findCrowds(sources: readonly Source[]): Finding[] {
  return Object.entries(MAX_ENTRIES).flatMap(([path, limit]) => {
    const inside = sources.filter((source) => source.path.startsWith(`${path}/`));
    const entries = new Set(inside.map((source) => source.path.slice(path.length + 1).split("/")[0]));
    const message = `${entries.size} files and folders side by side, at most ${limit} are wanted`;
    return entries.size > limit ? [{ path: inside.at(-1)?.path ?? path, line: 1, message }] : [];
  });
}

/** Follows imports depth first; a file that is met again on the way down closes a cycle, which is reported once. */
function findCycles(sources: readonly Source[]): Finding[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const findings: Finding[] = [];
  const visit = (source: Source, way: readonly string[]): void => {
    if (done.has(source.path)) return;
    for (const { offset, file } of importsOf(source)) {
      const next = file === undefined ? undefined : byPath.get(file);
      if (!next) continue;
      const down = [...way, source.path];
      const start = down.indexOf(next.path);
      if (start < 0) visit(next, down);
      else {
        const message = `closes the cycle ${[...down.slice(start), next.path].join(" → ")}`;
        findings.push({ path: source.path, line: lineAt(source, offset), message });
      }
    }
    done.add(source.path);
  };
  for (const source of sources) if (isSource(source.path)) visit(source, []);
  return findings;
}

function* findRuntimeNames(source: Source): Iterable<Fault> {
  for (const { offset, specifier } of importsOf(source)) {
    if (/^(node|bun|deno|cloudflare):|^bun$/.test(specifier)) yield [offset, `imports ${specifier}`];
  }
  for (const place of source.places) {
    const { node } = place;
    if (node.type === "ImportExpression" && node.source.type !== "Literal") {
      yield [node.start, "imports a computed path, which no rule can judge"];
    }
    if (node.type !== "Identifier" || !RUNTIME_NAMES.has(node.name)) continue;
    if (!isPropertyName(place) || isGlobalProperty(place)) yield [node.start, `names ${node.name}`];
  }
}

function* findQuestions({ places }: Source): Iterable<Fault> {
  for (const { node } of places) {
    if (node.type === "Identifier" && QUESTIONS.has(node.name)) yield [node.start, `names ${node.name}`];
  }
}

/** True for `x.process`, `{ process: 1 }` and members of a type or class: names that the file itself defines. */
function isPropertyName({ node, parent }: Place): boolean {
  const above = parent?.node;
  if (above?.type === "MemberExpression") return above.property === node && !above.computed;
  return above !== undefined && "key" in above && above.key === node &&
    !("computed" in above && above.computed);
}

function isGlobalProperty({ parent }: Place): boolean {
  const above = parent?.node;
  return above?.type === "MemberExpression" && above.object.type === "Identifier" &&
    above.object.name === "globalThis";
}

function* findGlobalWrites({ places }: Source): Iterable<Fault> {
  for (const { node } of places) {
    if (node.type !== "AssignmentExpression" || node.left.type !== "MemberExpression") continue;
    const { object } = node.left;
    if (object.type === "Identifier" && object.name === "globalThis") {
      yield [node.start, "assigns to globalThis; a capability is handed in"];
    }
  }
}

function findUnknownPackages(sources: readonly Source[]): Finding[] {
  const manifest = JSON.parse(sources.find(({ path }) => path === "package.json")?.text ?? "{}");
  const known = Object.keys(manifest.dependencies ?? {});
  const optional = Object.keys(manifest.peerDependencies ?? {});
  // The console's page is a bundle: its imports are built in.
  const bundled = Object.keys(manifest.devDependencies ?? {});
  const rule = fileRule("", "", isSource, function* (source) {
    for (const { offset, specifier, file, isLate } of importsOf(source)) {
      if (file !== undefined || /^(node|bun):|^bun$/.test(specifier)) continue;
      const name = specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
      if (source.path.startsWith("src/console/") && bundled.includes(name)) continue;
      if (!known.includes(name) && !(isLate && optional.includes(name))) {
        yield [offset, `imports ${specifier}, which is not in dependencies of package.json`];
      }
    }
  });
  return rule.check(sources);
}

/** The rules about imports and runtime names. */
export const LAYER_RULES: readonly Rule[] = [
  fileRule("arrows", "imports go down only, room by room", isSource, findWrongArrows),
  { name: "rooms", about: "src has at most 8 entries, src/runtimes 10, src/core/steps 5", check: findCrowds },
  { name: "cycles", about: "no file imports itself by way of others", check: findCycles },
  {
    name: "packages",
    about: "src imports dependencies only, optional ones by import()",
    check: findUnknownPackages,
  },
  fileRule("portable", "the core names no node:, Bun, Deno, process, Buffer", isCore, findRuntimeNames),
  fileRule(
    "unasked",
    "the wire asks no runtime what it is: src/wire/runtime-traits.ts has what is true of it",
    (path) => path.startsWith("src/wire/"),
    findQuestions,
  ),
  fileRule("globals", "nothing in src assigns to globalThis", isSource, findGlobalWrites),
];
