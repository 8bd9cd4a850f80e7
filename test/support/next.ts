/**
 * Next.js as the docs use it: an application at `/`, and a route handler.
 *
 * Its compiler runs as WebAssembly, which needs no package for each platform. Without these variables Next.js looks for
 * the native one in a registry, and for missing packages in our lock file.
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ROOT } from "./proxy.ts";

const require = createRequire(import.meta.url);

/** Next.js compiles before it answers: some seconds, and minutes on a machine that does much else. */
export const PATIENCE_MS = 180_000;

/** What a process needs to run Next.js without a network. */
export const NEXT_ENVIRONMENT = {
  IS_WEBPACK_TEST: "1", // Turbopack is native only.
  NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  NEXT_TEST_WASM: "1",
  NEXT_TEST_WASM_DIR: dirname(require.resolve("@next/swc-wasm-nodejs")),
};

/** Writes an application with the settings of docs/embedding.md. */
export function writeNext(folder: string): void {
  const docs = readFileSync(join(ROOT, "docs/embedding.md"), "utf8");
  const [, settings] = /^```js next\.config\.mjs\n(.*?)^```/ms.exec(docs) ?? [];
  if (!settings) throw new Error("Cannot set up Next.js: docs/embedding.md has no settings for it");
  writeFileSync(join(folder, "next.config.mjs"), settings);
  mkdirSync(join(folder, "app"));
  writeFileSync(join(folder, "app/route.js"), `export const GET = () => new Response("the application");\n`);
}

/** Adds the proxy's route handler. */
export function writeRoute(folder: string, code: string): void {
  const place = join(folder, "app/proxy/[[...path]]");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "route.js"), code);
}

/** The command that serves the application in its folder. */
export function serveNext(port: number): [string, ...string[]] {
  const next = require.resolve("next/dist/bin/next");
  return [process.execPath, next, "dev", "--hostname", "127.0.0.1", "--port", `${port}`];
}
