/**
 * `npm run compile`: the whole proxy as one executable file, `bin/fetchvia`, for machines without Bun, Node or npm.
 * @module
 */
import { mkdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeAssets } from "./console.ts";

const ROOT = resolve(import.meta.dirname, "..");

/**
 * Writes the executable file.
 *
 * @param target the machine that it is for, such as `bun-linux-arm64`; this one if it is absent. Bun downloads its runtime for
 *   another machine once
 * @throws {AggregateError} if it does not compile, or that runtime cannot be had
 */
export async function compile(file: string, target?: Bun.Build.CompileTarget): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await Bun.build({
    entrypoints: [join(ROOT, "src/command/main.ts")],
    minify: true,
    compile: {
      outfile: file,
      ...(target && { target }),
      // Files in the working directory must not change what the program does.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
}

if (import.meta.main) {
  const started = performance.now();
  const file = join(ROOT, "bin/fetchvia");
  await writeAssets();
  await compile(file);
  const size = ((await stat(file)).size / 2 ** 20).toFixed(1);
  console.log(`bin/fetchvia ${size} MiB (${Math.round(performance.now() - started)} ms)`);
}
