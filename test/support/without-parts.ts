/**
 * A copy of the project without some of its parts: their folders are gone, and with them what imports them, in the command, the
 * console's page and the tests. The files that put parts together lose the lines that name them.
 * @module
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { ROOT } from "./proxy.ts";

/** The files that put parts together. */
const MENUS: readonly string[] = [
  "src/index.ts",
  "src/parts/usual.ts",
  "test/support/parts-exchange.ts",
];
const COPIED = [
  "src",
  "test",
  "scripts",
  "docs",
  "README.md",
  "deno.json",
  "package.json",
  "tsconfig.json",
  "vitest.config.ts",
  "vitest.all.config.ts",
];

/** What goes with parts, and what is left that a change reaches. */
export interface Remains {
  /** The source files that had to go beside the folders of the parts. */
  gone: readonly string[];
  /** All that a changed file reaches by imports; the types of the others are as `npm run check` has judged them. */
  changed: readonly string[];
  /** The tests of the core and of other parts that are left. */
  tests: readonly string[];
  /** Those of them that a changed file reaches by imports; what the others load is as it was. */
  reached: readonly string[];
  /** What is gone, changed, or back again since the parts before. */
  touched: readonly string[];
}

/** A copy of the project, in a folder of its own. It is one for all parts, so what a check has read serves the next one. */
export class ProjectCopy {
  readonly folder: string = mkdtempSync(join(tmpdir(), "fetchvia-without-"));
  /** The tests of the core and of parts that load a file that puts parts together. */
  readonly tests: readonly string[];
  readonly #imports: Map<string, readonly string[]>;
  #touched: readonly string[] = [];

  constructor() {
    for (const name of COPIED) this.#copy(name);
    symlinkSync(join(ROOT, "node_modules"), join(this.folder, "node_modules"));
    this.#imports = readImports(this.folder);
    this.tests = findTests(addReaching(this.#imports, new Set(MENUS), new Set()));
  }

  /** The tests that go with a part. */
  findTestsOf(part: string): readonly string[] {
    return findTests(findDead(this.#imports, [part]));
  }

  /** Takes parts out, in place of those before. */
  takeOut(parts: readonly string[]): Remains {
    for (const path of this.#touched) this.#copy(path);
    const dead = findDead(this.#imports, parts);
    const menus = MENUS.filter((menu) => this.#imports.get(menu)?.some((path) => dead.has(path)));
    const reaching = addReaching(this.#imports, new Set(menus), new Set());
    const changed = [...reaching].filter((path) => !dead.has(path));
    for (const path of dead) rmSync(join(this.folder, path));
    for (const menu of menus) strike(this.folder, menu, dead);
    const touched = [...this.#touched, ...dead, ...menus];
    this.#touched = [...dead, ...menus];
    const isOwn = (path: string) => parts.some((part) => path.startsWith(`src/parts/${part}/`));
    return {
      gone: [...dead].filter((path) => path.startsWith("src/") && !isOwn(path)),
      changed,
      tests: this.tests.filter((path) => !dead.has(path)),
      reached: findTests(changed),
      touched,
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  #copy(path: string): void {
    const filter = (from: string) => !from.includes("node_modules");
    cpSync(join(ROOT, path), join(this.folder, path), { recursive: true, filter });
  }
}

const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** What each file imports, by its path. */
function readImports(folder: string): Map<string, readonly string[]> {
  const paths = ["src", "test", "scripts"].flatMap((room) =>
    readdirSync(join(folder, room), { recursive: true, encoding: "utf8" }).map((path) => join(room, path))
  ).filter((path) => path.endsWith(".ts"));
  return new Map(paths.map((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    return [path, [...text.matchAll(IMPORT)].map(([, to = ""]) => normalize(join(dirname(path), to)))];
  }));
}

/** Those of the paths that are tests of the core or of parts. */
function findTests(paths: Iterable<string>): readonly string[] {
  return [...paths].filter((path) => /^test\/(?:core|parts)\/.*\.test\.ts$/.test(path));
}

/** The files of the parts, and all that reach them by imports; a file that puts parts together does not. */
function findDead(imports: Map<string, readonly string[]>, parts: readonly string[]): Set<string> {
  const dead = new Set(
    [...imports.keys()].filter((path) => parts.some((part) => path.startsWith(`src/parts/${part}/`))),
  );
  return addReaching(imports, dead, new Set(MENUS));
}

/** Adds all files that reach those in the set by imports, but through none of `ends`. */
function addReaching(
  imports: Map<string, readonly string[]>,
  reached: Set<string>,
  ends: ReadonlySet<string>,
) {
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    const reach = [...imports].filter(([path, all]) =>
      !ends.has(path) && all.some((one) => reached.has(one))
    );
    for (const [path] of reach) reached.add(path);
  }
  return reached;
}

/** Strikes out the lines of a file that import what is gone, and those that use the names. */
function strike(folder: string, menu: string, dead: ReadonlySet<string>): void {
  const names = new Set<string>();
  const isStruck = (line: string) => {
    const [, to] = /from "(\.[^"]+)"/.exec(line) ?? [];
    const isImport = to !== undefined && dead.has(normalize(join(dirname(menu), to)));
    const isUse = [...names].some((name) => new RegExp(`\\b${name}\\b`).test(line));
    const [, made = ""] = (isImport ? /\{([^}]*)\}/ : /\bconst (\w+)/).exec(line) ?? [];
    for (const name of isImport || isUse ? made.match(/\b(?!type\b)\w+/g) ?? [] : []) names.add(name);
    return isImport || isUse;
  };
  const text = readFileSync(join(folder, menu), "utf8").replace(
    /, createGate(?=\))/,
    (found) => dead.has("src/parts/gate/gate.ts") ? "" : found,
  );
  writeFileSync(join(folder, menu), text.split("\n").filter((line) => !isStruck(line)).join("\n"));
}
