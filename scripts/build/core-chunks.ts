/**
 * Keeps the core in few files.
 * @module
 */

import type { Plugin } from "esbuild";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/**
 * Makes each piece that the core loads later import the core.
 *
 * It is loaded by then, so nothing changes when it runs. But esbuild gives each set of pieces that share a file a chunk of
 * its own: without this the core is cut into forty files, and a start reads them one by one.
 *
 * @param root the folder of the sources
 */
export function keepCoreWhole(root: string): Plugin {
  const core = JSON.stringify(join(root, "index.ts"));
  const pieces = findPieces(root);
  return {
    name: "core-chunks",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!pieces.has(path)) return undefined;
        // On the first line, so that source maps stay true.
        return { contents: `import ${core}; ${await readFile(path, "utf8")}`, loader: "ts" };
      });
    },
  };
}

/** The files that files of the core load by `import()`. */
export function findPieces(root: string): Set<string> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !/^(?:runtimes|pages\/console\/browser)\//.test(path));
  return new Set(files.flatMap((path) => {
    const file = join(root, path);
    const imports = readFileSync(file, "utf8").matchAll(/(?<!typeof )\bimport\("(\.[^"]+)"\)/g);
    return [...imports].map(([, specifier = ""]) => resolve(dirname(file), specifier));
  }));
}
