/**
 * `npm test`: what needs Node and npm alone. Pure units; what decides, in memory, once; and what carries bytes, over real
 * sockets on Bun, Deno, Node and workerd. `npm run test:all` (`vitest.all.config.ts`) runs the rest.
 * @module
 */
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { ALONE, ATTACHED, COST, ISOLATED, PATIENT, SHIPPED } from "./test/support/projects.ts";

console.error(
  "npm test leaves to npm run test:all (20 to 35 minutes): web pages and attacks in Chromium, who is dialled, the core alone, decisions " +
    "inside Bun and Deno and in Workers, capture and other proxies on the way, memory and floods, apps, SDKs and tools of others, and Redis.",
);

export default defineConfig({
  test: {
    // Much of it waits for sockets, so its files run side by side even on two cores.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    // What one project has transformed serves the others, and the next run.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          name: "unit",
          expect: PATIENT,
          include: ["test/**/*.test.ts"],
          exclude: [...ATTACHED, ...COST, ...ISOLATED],
          // Nothing here keeps anything at module level, so the files of a worker share what they import.
          isolate: false,
          unstubGlobals: true,
          // Some go through all texts of a kind, which takes its time on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "isolated",
          expect: PATIENT,
          include: ISOLATED,
          exclude: ALONE,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "runtimes",
          expect: PATIENT,
          include: ["test/conformance/on/**/*.test.ts", ...SHIPPED],
          globalSetup: ["test/support/build.ts"],
          isolate: false,
          // Eight at a time on a busy machine: two thousand requests took more than a minute beside two busy loops.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          // Start and stop tests wait for processes of their own, so they run side by side within a file too.
          maxConcurrency: 8,
        },
      },
    ],
  },
});
