/**
 * `npm run compile`: the whole proxy as one executable file, `bin/fetchvia`, for machines without Bun, Node or npm.
 * @module
 */
import { mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeAssets } from "./console.ts";

const ROOT = resolve(import.meta.dirname, "..");
const FILE = join(ROOT, "bin/fetchvia");
const started = performance.now();
await mkdir(dirname(FILE), { recursive: true });
await writeAssets();
const { success, logs } = await Bun.build({
  entrypoints: [join(ROOT, "src/command/main.ts")],
  minify: true,
  compile: {
    outfile: FILE,
    // Files in the working directory must not change what the program does.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
});
for (const log of logs) console.error(String(log));
if (success) {
  const size = ((await stat(FILE)).size / 2 ** 20).toFixed(1);
  console.log(`bin/fetchvia ${size} MiB (${Math.round(performance.now() - started)} ms)`);
} else process.exitCode = 1;
