/**
 * Both registries publish the same: package.json (npm) and deno.json (JSR) agree, and the code knows its version.
 * @module
 */
import type { Finding, Rule, Source } from "./source.ts";

const VERSION_FILE = "src/core/settings/version.ts";

/** An export of npm: types and code, made from the same source. */
interface Entry {
  types?: string;
  default?: string;
}

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
  exports?: Record<string, string | Entry>;
}

function readManifest(sources: readonly Source[], path: string): Manifest {
  return JSON.parse(sources.find((source) => source.path === path)?.text ?? "{}");
}

/** The facts that must be equal, by name; the built files of npm count as their source in JSR. */
function factsOf({ name, version, license, exports = {} }: Manifest): Map<string, string | undefined> {
  const files = Object.entries(exports).map(([key, entry]) => [`exports "${key}"`, sourceOf(entry)] as const);
  return new Map([["name", name?.split("/").at(-1)], ["version", version], ["license", license], ...files]);
}

/** The source of an export; both sources if types and code have different ones. */
function sourceOf(entry: string | Entry): string {
  if (typeof entry === "string") return entry;
  const { types = "no types", default: code = "no code" } = entry;
  const sources = [types, code].map((path) =>
    path.replace(/^\.\/dist\/(.+?)(?:\.d\.ts|\.js)$/, "./src/$1.ts")
  );
  return [...new Set(sources)].join(" and ");
}

function findDifferences(sources: readonly Source[]): Finding[] {
  const [npm, jsr] = ["package.json", "deno.json"].map((path) => factsOf(readManifest(sources, path)));
  const keys = new Set([...npm?.keys() ?? [], ...jsr?.keys() ?? []]);
  return [...keys].filter((key) => npm?.get(key) !== jsr?.get(key)).map((key) => {
    const message = `${key} is ${jsr?.get(key) ?? "absent"}, but ${
      npm?.get(key) ?? "absent"
    } in package.json`;
    return { path: "deno.json", line: 1, message };
  });
}

function findOtherVersions(sources: readonly Source[]): Finding[] {
  const { version } = readManifest(sources, "package.json");
  return sources.filter(({ path }) => path === VERSION_FILE).flatMap(({ path, text }) => {
    const written = /VERSION = "(.*)"/.exec(text)?.[1];
    const message = `VERSION is ${written}, but ${version} in package.json`;
    return written === version ? [] : [{ path, line: 1, message }];
  });
}

/** The rules about manifests. */
export const MANIFEST_RULES: readonly Rule[] = [
  { name: "manifests", about: "package.json and deno.json agree", check: findDifferences },
  { name: "version", about: `${VERSION_FILE} and package.json agree`, check: findOtherVersions },
];
