/**
 * Which tests need what: read by the configurations of `npm test` and `npm run test:all`.
 * @module
 */
import process from "node:process";

/** `expect.poll` waits for what comes, and a busy machine lets it come late. */
export const PATIENT = { poll: { timeout: 10_000 } };

/**
 * What waits for real clocks, processes and browsers comes late now and then on a machine that others use too. In CI such a
 * test may show once more that it passes; a fault fails twice.
 */
export const RETRY = process.env.CI === undefined ? 0 : 1;

/** Folders whose tests need more than a process of their own. */
export const ATTACHED: string[] = ["conformance", "shipped", "console-e2e", "browser", "attacks", "stores"]
  .map((folder) => `test/${folder}/**`);

/** What users get, as far as Node and npm alone can show it. */
export const SHIPPED: string[] = [
  "entries",
  "keys-and-gates",
  "lost-port",
  "readme",
  "several-addresses",
  "silence",
  "start-flags",
  "start-node",
  "upstream",
].map((name) => `test/shipped/${name}.test.ts`);
