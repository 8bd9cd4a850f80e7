/**
 * Global setup of the conformance suite: builds `dist` once, because Node 20 runs the built entry.
 * @module
 */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { ROOT } from "./proxy.ts";

/** Builds `dist`, once for all projects of a run; a failed build fails the run. */
export default function setup(): void {
  if (process.env.FETCHVIA_BUILT) return;
  process.env.FETCHVIA_BUILT = "true";
  execFileSync("node_modules/.bin/bun", ["scripts/build.ts"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
