/**
 * Suites of others judge their own server alike through the proxy and directly, case by case; `docs/conformance.md` has the
 * figures, and what differs.
 * @module
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FOREIGN } from "../conformance/table/foreign.ts";
import { type Proxy, type RuntimeName, startProxy } from "../support/proxy.ts";
import { differencesOf, START, type Suite, sumOf, type Verdicts } from "../support/suites.ts";

const RUNTIMES: readonly RuntimeName[] = ["bun", "deno", "node"];
/** The cases of caches wait for what they keep to become stale. */
const TIMEOUT_MS = 120_000;

describe.each(FOREIGN)("$name", ({ name, direct, through, otherwise }) => {
  let suite: Suite;
  let proxies: Proxy[];
  let alone: Verdicts;
  let passedOn: Verdicts[];
  beforeAll(async () => {
    suite = await START[name]();
    proxies = await Promise.all(RUNTIMES.map((runtime) => startProxy(runtime, { TARGET: suite.origin })));
    [alone = {}, ...passedOn] = await Promise.all([
      suite.run(suite.origin, "direct"),
      ...proxies.map((proxy, at) => suite.run(proxy.origin, RUNTIMES[at]!)),
    ]);
  }, TIMEOUT_MS);
  afterAll(() => Promise.all([suite.stop(), ...proxies.map((proxy) => proxy.stop("SIGKILL"))]));

  it("passes directly as the document says", () => expect(sumOf(alone)).toBe(direct));

  it.each(RUNTIMES.map((runtime, at) => ({ runtime, at })))("says the same through $runtime", ({ at }) => {
    const said = passedOn[at]!;
    expect({ passed: sumOf(said), otherwise: differencesOf(alone, said) })
      .toEqual({ passed: through, otherwise });
  });
});
