/**
 * Who may import whom: arrows go down only, the core names no runtime.
 * @module
 */
import { posix } from "node:path";
import {
  type Fault,
  fileRule,
  type Finding,
  isCore,
  isSource,
  type Place,
  type Rule,
  type Source,
} from "./source.ts";
import { lineAt } from "./source.ts";

type Layer = "runtimes" | "index" | "proxy" | "routes" | "step" | "console" | "client" | "leaf";

/** The whole law: a layer that is not named in a row may not be imported there. */
const MAY_IMPORT: Readonly<Record<Layer, readonly Layer[]>> = {
  runtimes: ["runtimes", "index", "leaf"],
  index: ["proxy", "routes", "step", "client", "leaf"],
  proxy: ["routes", "step", "console", "leaf"],
  routes: ["routes", "step", "console", "leaf"],
  step: ["leaf"],
  console: ["console", "client", "leaf"],
  client: ["leaf"],
  leaf: ["leaf"],
};

/** Layers by file, beside `*-route`; everything else in src is a leaf, `config`, `runtime` and `error` too. */
const LAYERS: Readonly<Record<string, Layer>> = {
  index: "index",
  proxy: "proxy",
  routes: "routes",
  target: "step",
  access: "step",
  request: "step",
  send: "step",
  response: "step",
  client: "client",
  arrival: "routes",
  state: "routes",
};

const CLIENT_IMPORTS = ["src/arg.ts", "src/label.ts", "src/signature.ts"];

/** The only files outside src that src may import. */
const MANIFEST = /^(package|deno)\.json$/;

const RUNTIME_NAMES = new Set(["Bun", "Deno", "process", "Buffer"]);

interface Import {
  offset: number;
  specifier: string;
  /** True for `import()`, which may find nothing there. */
  isLate: boolean;
  /** The path in the project; absent for packages and built-in modules. */
  file?: string;
}

function layerOf(path: string): Layer {
  const [, name = "", ...rest] = path.split("/");
  if (name.endsWith("-route.ts")) return "routes";
  if (rest.length === 0) return LAYERS[name.replace(/\.[^.]+$/, "")] ?? "leaf";
  return name === "runtimes" || name === "routes" || name === "console" ? name : "leaf";
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
  const layer = layerOf(source.path);
  for (const { offset, specifier, file } of importsOf(source)) {
    if (layer === "client" && !CLIENT_IMPORTS.includes(file ?? specifier)) {
      yield [offset, `imports ${file ?? specifier}; the client imports arg, label and signature only`];
    } else if (file?.startsWith("src/")) {
      if (MAY_IMPORT[layer].includes(layerOf(file))) continue;
      yield [offset, `imports ${file}: ${layer} may not import ${layerOf(file)}`];
    } else if (file !== undefined && !MANIFEST.test(file)) {
      yield [offset, `imports ${file}, which is outside src`];
    }
  }
}

/** Follows imports depth first; a file met again on the way down closes a cycle, reported once. */
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

/** True for `x.process`, `{ process: 1 }` and members of a type or class: a word of the file's own. */
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
  const rule = fileRule("", "", isSource, function* (source) {
    for (const { offset, specifier, file, isLate } of importsOf(source)) {
      if (file !== undefined || /^(node|bun):|^bun$/.test(specifier)) continue;
      const name = specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
      if (!known.includes(name) && !(isLate && optional.includes(name))) {
        yield [offset, `imports ${specifier}, which is not in dependencies of package.json`];
      }
    }
  });
  return rule.check(sources);
}

/** The rules about imports and runtime names. */
export const LAYER_RULES: readonly Rule[] = [
  fileRule(
    "arrows",
    "imports go down only: runtimes, index, proxy, steps, leaves",
    isSource,
    findWrongArrows,
  ),
  { name: "cycles", about: "no file imports itself by way of others", check: findCycles },
  {
    name: "packages",
    about: "src imports dependencies only, optional ones by import()",
    check: findUnknownPackages,
  },
  fileRule("portable", "the core names no node:, Bun, Deno, process, Buffer", isCore, findRuntimeNames),
  fileRule("globals", "nothing in src assigns to globalThis", isSource, findGlobalWrites),
];
