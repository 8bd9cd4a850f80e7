/**
 * Which tests need what: read by the configurations of `npm test` and `npm run test:all`.
 * @module
 */
/** `expect.poll` waits for what comes, and a busy machine lets it come late. */
export const PATIENT = { poll: { timeout: 20_000 } };

/** Folders whose tests need more than a process of their own. */
export const ATTACHED: string[] = [
  "apps",
  "conformance",
  "shipped",
  "console-e2e",
  "browser",
  "attacks",
  "stores",
  "engines",
  "suites",
]
  .map((folder) => `test/${folder}/**`);

/** What users get, as far as Node and npm alone can show it. */
export const SHIPPED: string[] = [
  "alike",
  "entries",
  "keys-and-gates",
  "lost-port",
  "parts",
  "readme",
  "run",
  "several-addresses",
  "start-flags",
  "start-node",
  "upstream",
].map((name) => `test/shipped/${name}.test.ts`);

/** What compares times and memory: one file at a time, with nothing beside it. */
export const COST: string[] = [
  "test/conformance/cost/*.test.ts",
  "test/console-e2e/body.test.ts",
  "test/console-e2e/figures.test.ts",
  "test/foreign-*.test.ts",
];

/** What needs modules of its own: a network in memory, or modules in place of others. */
export const ISOLATED: string[] = [
  "test/decisions/*.test.ts",
  "test/command/run/run-program.test.ts",
  "test/console/page/own-requests.test.ts",
  "test/runtimes/deno/accept-pace.test.ts",
  "test/wire/dialling.test.ts",
  "test/two-proxies.test.ts",
  "test/plain-request.test.ts",
];

/** The rules with the core alone, beside the copies of the project without a part. */
export const ALONE: string[] = ["test/decisions/*-alone.test.ts"];
