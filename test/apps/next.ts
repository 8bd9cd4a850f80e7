/**
 * Next.js as the docs use it: an application at `/`, and a route handler.
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resolveApp } from "../support/apps.ts";
import { ROOT } from "../support/proxy.ts";

/** Next.js compiles before it answers: some seconds, and minutes on a machine that does much else. */
export const PATIENCE_MS = 180_000;

/** What compiles the application. Turbopack is Next.js's default. */
export type Bundler = "webpack" | "turbopack";

/** What a process needs to run Next.js without a network. */
export function nextEnvironment(bundler: Bundler = "webpack"): Record<string, string> {
  return {
    IS_WEBPACK_TEST: bundler === "webpack" ? "1" : "",
    NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

/** Writes an application with the settings of docs/full-stack.md. */
export function writeNext(folder: string, bundler: Bundler = "webpack"): void {
  const docs = readFileSync(join(ROOT, "docs/full-stack.md"), "utf8");
  const [, settings] = /^```js next\.config\.mjs\n(.*?)^```/ms.exec(docs) ?? [];
  if (!settings) throw new Error("Cannot set up Next.js: docs/full-stack.md has no settings for it");
  // Turbopack reads nothing outside its root, which is the application's folder unless it is told.
  const root = `export default { turbopack: { root: ${JSON.stringify(ROOT)} },`;
  const own = bundler === "webpack" ? settings : settings.replace("export default {", root);
  writeFileSync(join(folder, "next.config.mjs"), own);
  mkdirSync(join(folder, "app"));
  writeFileSync(join(folder, "app/route.js"), `export const GET = () => new Response("the application");\n`);
}

/** Adds the proxy's route handler. */
export function writeRoute(folder: string, code: string): void {
  const place = join(folder, "app/proxy/[[...path]]");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "route.js"), code);
}

/** The command that serves the application in its folder; `built`: in production, once it is built. */
export function serveNext(port: number, built = false): [string, ...string[]] {
  const [build, way] = built ? [`"$0" "$1" build && `, "start"] : ["", "dev"];
  const serve = `${build}exec "$0" "$1" ${way} --hostname 127.0.0.1 --port ${port}`;
  return ["sh", "-c", serve, process.execPath, resolveApp("next/dist/bin/next")];
}
