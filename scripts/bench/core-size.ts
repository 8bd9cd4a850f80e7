/**
 * How large the core is where it is bundled, as for an edge runtime.
 * @module
 */
import { build } from "esbuild";
import { ROOT } from "./peers.ts";

/** Bytes of the core as esbuild minifies it, without the console; with or without the packages that it imports. */
export async function measureCore(packages: "external" | "bundle"): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["src/index.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    packages,
    external: ["./console/*"],
    logLevel: "silent",
    write: false,
  });
  return outputFiles[0]?.contents.length ?? 0;
}
