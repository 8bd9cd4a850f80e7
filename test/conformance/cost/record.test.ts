/** A record holds every request at full speed, and a long one costs `fetchvia policy` memory for what is distinct in it. @module */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { expectAll, sendAll, sendAtRate } from "../../support/in-turn.ts";
import { commandOf, ROOT } from "../../support/proxy.ts";
import { readDecisions } from "../../support/recorded.ts";
import { listen } from "../../support/topic.ts";
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

/** Ways to send 10,000 requests. */
const LOADS = [
  { as: "at full speed", send: (...ends: Ends) => sendAll(...ends, (turn) => turn < 500) },
  {
    as: "that come 1,000 a second, answered or not",
    send: (...ends: Ends) => sendAtRate(...ends, { all: 10_000, perSecond: 1_000 }),
  },
];
type Ends = [proxy: { readonly port: number }, target: { readonly origin: string }];

describe.each(["bun", "deno", "node"] as const)("a record on %s", (runtime) => {
  it.each(LOADS)(
    "loses none of 10,000 requests $as",
    async ({ as, send }) => {
      const folder = mkdtempSync(join(tmpdir(), "fetchvia-record-"));
      const file = join(folder, "audit.jsonl");
      const [proxy, target] = [await startTwo({ runtime }, { LOG: "off", AUDIT: file }), await listen()];
      const start = performance.now();
      const counts = await send(proxy, target);
      const rate = Math.round(10_000_000 / (performance.now() - start));
      console.log(`${runtime}, ${as}: ${rate} requests a second`);
      expect(counts).toEqual(Array(20).fill(500));
      expectAll(readDecisions(readFileSync(file, "utf8").split("\n").slice(0, -1)), counts);
      await Promise.all([proxy.stop(), target.close()]);
      rmSync(folder, { recursive: true });
    },
    300_000,
  );
});
