/**
 * `npm run console`: makes src/pages/console/assets.ts of the page, the style sheet and the script in src/pages/console/browser.
 *
 * The page's script is TypeScript and uses the proxy's own encoders, but Bun and Deno run src without a build; so its
 * bundle is checked in, and `npm run check` makes it anew and compares (`--check`).
 * @module
 */
import { build, stop } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const SOURCES = join(ROOT, "src/pages/console/browser");
const ASSETS = join(ROOT, "src/pages/console/assets.ts");

/** The text of src/pages/console/assets.ts as it must be. */
async function makeAssets(): Promise<string> {
  const [script, style, page] = await Promise.all([
    bundle("main.ts"),
    bundle("console.css"),
    readFile(join(SOURCES, "console.html"), "utf8"),
  ]);
  const hash = createHash("sha256").update(script + style).digest("base64url").slice(0, 16);
  return `/**
 * The console's page, style sheet and script. Made of src/pages/console/browser by \`npm run console\`: change nothing here.
 * @module
 */

/** The page, with \`{{name}}\` where the server fills something in. */
export const PAGE: string =${write(page)};

/** The style sheet. */
export const STYLE: string =${write(style)};

/** The script, an ES module. */
export const SCRIPT: string =${write(script)};

/** Changes with style sheet and script. */
export const ETAG: string = '"${hash}"';
`;
}

async function bundle(name: string): Promise<string> {
  const { outputFiles: [file] } = await build({
    absWorkingDir: ROOT,
    entryPoints: [join(SOURCES, name)],
    bundle: true,
    minify: true,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    charset: "ascii",
    legalComments: "none",
    write: false,
  });
  return file?.text ?? "";
}

/** The text as a literal, in the quotes and on the line where the formatter would put it. */
function write(text: string): string {
  const literal = JSON.stringify(text);
  const count = (quote: string) => text.split(quote).length;
  const isSingle = count('"') > count("'");
  return `\n  ${
    isSingle ? `'${literal.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : literal
  }`;
}

const made = await makeAssets();
const found = await readFile(ASSETS, "utf8").catch(() => "");
if (process.argv.includes("--check")) {
  if (made !== found) {
    console.error(
      "src/pages/console/assets.ts is not what src/pages/console/browser makes: run npm run console",
    );
    process.exitCode = 1;
  }
} else if (made !== found) {
  await writeFile(ASSETS, made);
  console.log(`src/pages/console/assets.ts written, ${(made.length / 1024).toFixed(1)} kB`);
}
await stop();
