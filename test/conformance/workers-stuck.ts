/**
 * A worker that is stuck: the others answer on, and it ends with them.
 * @module
 */
import { describe, expect, it, type TestContext } from "vitest";
import type { Pool } from "../support/pool.ts";
import { isRunning, startTwo, untilGone, workersOf } from "../support/workers.ts";

/** So many calls that one of two workers gets some, but for odds of one in a million. */
const MANY = 20;

/** Stops a process as a debugger does, until the end of the test. */
function stall(pid: number, { onTestFinished }: TestContext): void {
  process.kill(pid, "SIGSTOP");
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")));
}

/** Declares the tests. */
export function describeStuckWorkers(pool: Pool): void {
  describe.concurrent("a worker that is stuck", () => {
    it("is left out of the metrics, and ends with the first process", async (context) => {
      const proxy = await startTwo(pool, { METRICS: "true" });
      const workers = workersOf(proxy);
      stall(workers[0]!, context);
      const answers = await Promise.allSettled(
        Array.from({ length: MANY }, () => proxy.call("GET /__proxy__/metrics", { timeout: 4_000 })),
      );
      const texts = answers.map((answer) => answer.status === "fulfilled" ? answer.value.text : "");
      expect(texts.filter(Boolean).length).toBeGreaterThan(0);
      expect((await proxy.stop()).code).toBe(0);
      await untilGone(workers);
      // All ten seconds of a stop pass.
    });
  });
}
