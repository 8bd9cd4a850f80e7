/** A record holds every request at full speed, and a long one costs `fetchvia policy` memory for what is distinct in it. @module */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { listenQuick } from "../../support/busy.ts";
import { expectAll, sendMany } from "../../support/in-turn.ts";
import { commandOf, ROOT } from "../../support/proxy.ts";
import { readDecisions } from "../../support/recorded.ts";
import { waitFor } from "../../support/wait.ts";
import { startTwo } from "../../support/workers.ts";
import { linesOf, sentOf } from "../../support/record.ts";

/** The record is far larger. */
const HEAP_MIB = 48;

it("costs memory for distinct requests alone", async () => {
  const block = linesOf(
    Array.from({ length: 1_000 }, (_, n) => sentOf(`GET https://a.test/items/${n % 50}`)),
  );
  const [command, ...args] = commandOf("node");
  const child = spawn(command, [`--max-old-space-size=${HEAP_MIB}`, ...args, "policy", "--json"], {
    cwd: ROOT,
  });
  const [written] = await Promise.all([
    text(child.stdout),
    pipeline(Readable.from(Array<string>(1_000).fill(block)), child.stdin),
  ]);
  expect(block.length * 1_000).toBeGreaterThan(3 * HEAP_MIB * 2 ** 20);
  const { seen, unused } = JSON.parse(written);
  expect([Object.keys(seen).length, unused]).toEqual([50, 0]);
  expect(seen["a.test:443 GET https =/items/7"].count).toBe(20_000);
});

it.each(["bun", "deno", "node"] as const)(
  "on %s loses none of 10,000 requests to two processes, more than a thousand a second, while it is renamed",
  async (runtime) => {
    const folder = mkdtempSync(join(tmpdir(), "fetchvia-record-"));
    const file = join(folder, "audit.jsonl");
    const names = [1, 2, 3].map((count) => `${file}.${count}`);
    const [proxy, target] = [await startTwo({ runtime }, { LOG: "off", AUDIT: file }), await listenQuick()];
    let isOver = false;
    const start = performance.now();
    const sent = sendMany(proxy, target, (turn) => turn < 500 || !isOver);
    for (const name of names) {
      await waitFor(() => expect(statSync(file).size).toBeGreaterThan(0));
      renameSync(file, name);
      proxy.process.kill("SIGHUP");
    }
    await waitFor(() => expect(statSync(file).size).toBeGreaterThan(0));
    isOver = true;
    const counts = await sent;
    const all = counts.reduce((sum, count) => sum + count);
    console.log(`${runtime}: ${Math.round(1_000 * all / (performance.now() - start))} requests a second`);
    expect(counts.filter((count) => count < 500)).toEqual([]);
    const lines = [...names, file].flatMap((name) => readFileSync(name, "utf8").split("\n").slice(0, -1));
    expectAll(readDecisions(lines), counts);
    target.close();
    await proxy.stop();
    rmSync(folder, { recursive: true });
  },
  300_000,
);
