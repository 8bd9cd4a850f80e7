/**
 * Bundles modules that are loaded together into few files.
 * @module
 */

import type { Plugin } from "esbuild";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path/posix";

/** The rooms that the servers of all runtimes share. */
const SHARED_ROOMS = /^(?:runtimes\/process|wire(?!\/server\/))\//;
/** Files that are loaded with those rooms: each server, and each part of the command. The Worker has rooms of its own. */
const SERVERS = /^(?:runtimes\/(?!worker)|wire\/|command\/)/;
const ROOMS = "fetchvia:rooms";

/**
 * Makes each file that is loaded later import the core, and those of the runtimes also the rooms that they share.
 *
 * Most of that is loaded by then, so nothing changes at run time. But esbuild makes a chunk for each set of entries that
 * share a file: without this plugin there are forty small files, and a start reads them one by one.
 *
 * @param root the folder of the sources
 * @param entries more files that import the shared rooms, from the root; none by default
 */
export function keepWhole(root: string, entries: readonly string[] = []): Plugin {
  const importOf = (path: string) => `import ${JSON.stringify(join(root, path))};`;
  const core = importOf("index.ts");
  const files = listFiles(root);
  const pieces = findPieces(root, files);
  const servers = [...pieces, ...entries].filter((path) => SERVERS.test(path) && !SHARED_ROOMS.test(path));
  const shared = files.filter((path) => SHARED_ROOMS.test(path) && !pieces.has(path))
    .map(importOf).join("\n");
  const added = new Map([
    // The core loads alone too, without the parts.
    ...[...pieces].map((path) =>
      [join(root, path), path.startsWith("core/") ? importOf("core/proxy.ts") : core] as const
    ),
    ...servers.map((path) => [join(root, path), `${core} import ${JSON.stringify(ROOMS)};`] as const),
  ]);
  return {
    name: "keep-whole",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^fetchvia:rooms$/ }, () => ({ path: ROOMS, namespace: ROOMS }));
      onLoad({ filter: /./, namespace: ROOMS }, () => ({ contents: shared, resolveDir: root }));
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const imports = added.get(path);
        // On the first line, so that source maps stay true.
        return imports === undefined
          ? undefined
          : { contents: `${imports} ${await readFile(path, "utf8")}`, loader: "ts" };
      });
    },
  };
}

/** The files that others load by `import()`, relative to the root. */
export function findPieces(root: string, files: readonly string[] = listFiles(root)): Set<string> {
  return new Set(files.flatMap((path) => {
    const imports = readFileSync(join(root, path), "utf8").matchAll(/(?<!typeof )\bimport\("(\.[^"]+)"\)/g);
    return [...imports].map(([, specifier = ""]) =>
      resolve("/", dirname(path), specifier).slice(1).replaceAll("\\", "/")
    );
  }));
}

/** All sources except those of the console's page, which is a separate bundle. */
function listFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.startsWith("console/"));
}
