/**
 * Global setup of the conformance suite: builds `dist` where something has changed, because Node 20 runs the built entry.
 * @module
 */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { ROOT } from "./proxy.ts";

/** Builds `dist`, once for all projects of a run; a failed build fails the run. */
export default function setup(): void {
  if (process.env.FETCHVIA_BUILT) return;
  process.env.FETCHVIA_BUILT = "true";
  // As `npm run start:node` does, which then builds nothing more.
  execFileSync(process.execPath, ["scripts/start-node.mjs", "--version"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
