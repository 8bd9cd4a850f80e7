/**
 * Three projects: pure unit tests, the conformance suite against each runtime's real entry (which needs the build), and
 * the console in a real Chromium. The last one runs where there is one, and always in CI, which installs it.
 * @module
 */
import { existsSync } from "node:fs";
import process from "node:process";
import { defineConfig } from "vitest/config";

const BROWSER = "/usr/bin/chromium";
const hasBrowser = existsSync(BROWSER) || process.env.CI !== undefined;

const CONSOLE = {
  test: {
    name: "console",
    include: ["test/console-e2e/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
};

if (!hasBrowser) console.error(`The console is not tested in a browser: there is no ${BROWSER}`);

export default defineConfig({
  test: {
    // The suite mostly waits for sockets, so its three files run side by side even on two cores.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/runtimes/**", "test/console-e2e/**"],
        },
      },
      ...(hasBrowser ? [CONSOLE] : []),
      {
        test: {
          name: "runtimes",
          include: ["test/runtimes/*.test.ts"],
          globalSetup: ["test/support/build.ts"],
          testTimeout: 15_000,
          hookTimeout: 30_000,
          // Start and stop tests wait for processes of their own, so they run side by side within a file too.
          maxConcurrency: 8,
        },
      },
    ],
  },
});
