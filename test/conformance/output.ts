/**
 * Where the log goes: nobody who reads it, or does not, holds up the proxy or ends it.
 * @module
 */
import { closeSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { open, request } from "../support/client.ts";
import type { Pool } from "../support/pool.ts";
import { type Proxy, SOON_MS, startProxy } from "../support/proxy.ts";
import { waitFor } from "../support/wait.ts";

/** More lines than a pipe and its reader's buffer take. */
const BATCHES = 20;
const BATCH = 100;

/** Sends so many requests; settles when all of them are answered. */
async function flood(proxy: Proxy): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const connection = await open(proxy.port);
    for (let left = BATCH - 1; left >= 0; left -= 1) {
      connection.write(request("GET", `/p${left}`, { Host: "127.0.0.1" }));
    }
    await connection.until('"/p0"');
    connection.destroy();
  }
}

const linesOf = (proxy: Proxy) => proxy.stdout().split("\n").length - 1;

/** Declares the tests. */
export function describeOutput(pool: Pool): void {
  describe.concurrent("the log's reader", () => {
    it("may stall: requests are answered, no line is lost when it goes on, and a stop does not wait for it", async () => {
      const proxy = await startProxy(pool.runtime);
      const before = linesOf(proxy);
      proxy.process.stdout!.pause();
      await flood(proxy);
      proxy.process.stdout!.resume();
      await waitFor(() => expect(linesOf(proxy)).toBeGreaterThanOrEqual(before + BATCHES * BATCH));
      expect(() => proxy.stdout().split("\n").slice(0, -1).forEach((line) => JSON.parse(line))).not.toThrow();
      proxy.process.stdout!.pause();
      await flood(proxy);
      const exited = new Promise((resolve) => proxy.process.once("exit", resolve));
      const start = performance.now();
      proxy.process.kill("SIGTERM");
      expect(await exited).toBe(0);
      expect(performance.now() - start).toBeLessThan(SOON_MS);
      proxy.process.stdout!.resume();
    });

    it("may be a full disk: that is told once, and requests are answered", async () => {
      const stdout = openSync("/dev/full", "w");
      const proxy = await startProxy(pool.runtime, {}, { stdout });
      closeSync(stdout);
      await waitFor(() => expect(proxy.stderr()).toContain("the log fails"));
      await flood(proxy);
      const { code } = await proxy.stop();
      expect(code).toBe(0);
      expect(proxy.stderr().trim().split("\n")).toEqual([
        expect.stringContaining("fetchvia listening on "),
        "fetchvia: the log fails (ENOSPC): its lines wait, and those beyond 16 MiB are dropped",
      ]);
    });
  });
}
