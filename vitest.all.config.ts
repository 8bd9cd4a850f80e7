/**
 * `npm run test:all`: what `npm test` leaves out. It needs Chromium, a network namespace, Redis, nginx, git, curl, openssl,
 * Python, PHP, Go, litmus and Apache, which `.ci/run` installs; nothing is skipped where one is missing.
 * @module
 */
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { ALONE, COST, PATIENT, SHIPPED } from "./test/support/projects.ts";

const USUAL = {
  expect: PATIENT,
  globalSetup: ["test/support/build.ts"],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};

export default defineConfig({
  test: {
    globalSetup: ["test/support/apps.ts"],
    // With four, browsers and servers of others hold each other up.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...USUAL,
          name: "console",
          include: ["test/console-e2e/*.test.ts", "test/browser/*.test.ts"],
          exclude: COST,
        },
      },
      { test: { ...USUAL, name: "attacks", include: ["test/attacks/*.test.ts"] } },
      { test: { ...USUAL, name: "stores", include: ["test/stores/*.test.ts"] } },
      {
        test: {
          ...USUAL,
          name: "shipped",
          include: ["test/shipped/*.test.ts", "test/apps/*.test.ts"],
          exclude: [...SHIPPED],
          maxConcurrency: 8,
        },
      },
      {
        test: {
          ...USUAL,
          name: "conformance",
          include: [
            "test/conformance/all/*.test.ts",
            "test/conformance/table.test.ts",
            "test/engines/workerd.test.ts",
            ...ALONE,
          ],
          maxConcurrency: 8,
        },
      },
      // They compare times and memory, so nothing runs beside them; and the engines run files side by side by themselves.
      {
        test: {
          ...USUAL,
          name: "engines",
          include: ["test/engines/decisions.test.ts"],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...USUAL,
          name: "cost",
          include: COST,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
