/**
 * `npm run console`: makes src/parts/console/assets.ts from the page, the style sheets and the scripts in src/console.
 *
 * Bun and Deno run src without a build, so `npm ci` makes that file, and `npm run build` and `npm run check` remake it.
 * @module
 */
import { build, type Plugin, stop } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = resolve(import.meta.dirname, "..");
const SOURCES = join(ROOT, "src/console");
const START = join(SOURCES, "start.ts");
const ASSETS = join(ROOT, "src/parts/console/assets.ts");
/** A line of the page that stands for a file beside it. */
const PART = /^ *<!-- part: (\S+) -->$/gm;

/** The text of src/parts/console/assets.ts. */
async function makeAssets(): Promise<string> {
  const [files, page] = await Promise.all([bundle(), readPage()]);
  const hash = createHash("sha256").update(files.flat().join()).digest("base64url").slice(0, 16);
  // The memory sets the length of the blocks: what fits a file best is 0.3 % less. Level 9 packs no better here than 8.
  const pack = (text: string) =>
    [5, 6, 7, 8].map((memLevel) => gzipSync(text, { level: 8, memLevel }))
      .reduce((best, one) => one.length < best.length ? one : best).toString("base64");
  const members = files.map(([name, text]) => `  "${name}":${write(pack(text), 4)},\n`).join("");
  return `/**
 * The console's page, and its style sheets and scripts. Made of src/console by \`npm run console\`: change nothing here.
 * @module
 */

/** The page, with \`{{name}}\` where the server fills something in. */
export const PAGE: string =${write(page, 2)};

/** Style sheets and scripts (ES modules) by name: gzip, as Base64. */
export const FILES: Readonly<Record<string, string>> = {
${members}};

/** Changes with any of the files. */
export const ETAG: string = '"${hash}"';
`;
}

/** The page with its parts filled in, without indentation. */
async function readPage(): Promise<string> {
  const frame = await readFile(join(SOURCES, "console.html"), "utf8");
  const names = [...frame.matchAll(PART)].map(([, name = ""]) => name);
  const parts = new Map(
    await Promise.all(
      names.map(async (name) => [name, (await readFile(join(SOURCES, name), "utf8")).trimEnd()] as const),
    ),
  );
  return frame.replace(PART, (_, name: string) => parts.get(name) ?? "").replace(/^ +/gm, "");
}

/**
 * Each part of the script imports the start, which is there already. So all that the start needs is one file: otherwise each set of
 * modules that some parts share is a file of its own, and small files pack badly.
 */
const SHARE_START: Plugin = {
  name: "share-start",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]console[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: `import ${JSON.stringify(START)};\n${await readFile(path, "utf8")}`,
      loader: "ts",
    }));
  },
};

/** The style sheet, the script, and the parts of the script that \`import()\` loads when they are used. */
async function bundle(): Promise<[name: string, text: string][]> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      "console": START,
      "console-style": join(SOURCES, "console.css"),
      // Loaded when the pane is first opened.
      "console-inspector": join(SOURCES, "inspector/inspector.css"),
    },
    outdir: "/",
    chunkNames: "console-[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    charset: "ascii",
    legalComments: "none",
    write: false,
    plugins: [SHARE_START],
  });
  return outputFiles.map(({ path, text }): [string, string] => [
    basename(path).replace("console-style", "console"),
    text,
  ]).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The text as a literal, with the quotes and the line break that the formatter would choose. */
function write(text: string, indent: number): string {
  const literal = JSON.stringify(text);
  const count = (quote: string) => text.split(quote).length;
  const isSingle = count('"') > count("'");
  return `\n${" ".repeat(indent)}${
    isSingle ? `'${literal.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : literal
  }`;
}

/** Makes the file anew; one that is the same already is left alone. */
export async function writeAssets(): Promise<void> {
  const made = await makeAssets();
  const found = await readFile(ASSETS, "utf8").catch(() => "");
  if (made === found) return;
  // Renamed, so that nobody reads half of it.
  const scratch = `${ASSETS}.${process.pid}`;
  await writeFile(scratch, made);
  await rename(scratch, ASSETS);
  console.log(`src/parts/console/assets.ts written, ${(made.length / 1024).toFixed(1)} kB`);
}

if (import.meta.main) {
  await writeAssets();
  await stop();
}
