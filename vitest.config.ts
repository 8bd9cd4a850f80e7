/**
 * Two projects: pure unit tests, and the conformance suite against each runtime's real entry (which needs the build).
 * @module
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // The suite mostly waits for sockets, so its three files run side by side even on two cores.
    maxWorkers: 3,
    projects: [
      {
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/runtimes/**"] },
      },
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
