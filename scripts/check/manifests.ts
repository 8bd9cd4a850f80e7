/**
 * The two manifests, package.json (npm) and deno.json (JSR), say the same.
 * @module
 */
import type { Finding, Rule, Source } from "./source.ts";

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
  exports?: Record<string, string>;
}

function readManifest(sources: readonly Source[], path: string): Manifest {
  return JSON.parse(sources.find((source) => source.path === path)?.text ?? "{}");
}

/** What has to be equal, by name; the built file of npm stands for its source in JSR. */
function factsOf({ name, version, license, exports = {} }: Manifest): Map<string, string | undefined> {
  const files = Object.entries(exports).map(([key, file]) =>
    [`exports "${key}"`, file.replace(/^\.\/dist\/(.+)\.js$/, "./src/$1.ts")] as const
  );
  return new Map([["name", name?.split("/").at(-1)], ["version", version], ["license", license], ...files]);
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

/** The rule about manifests. */
export const MANIFEST_RULES: readonly Rule[] = [
  { name: "manifests", about: "package.json and deno.json agree", check: findDifferences },
];
