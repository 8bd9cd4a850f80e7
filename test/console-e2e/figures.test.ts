/**
 * What live traffic costs the page: processor time, tasks, memory. Numbers of defects are those of the review that found
 * them.
 * @module
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { flow } from "../support/traffic.ts";
import { entryOf } from "../console/traffic/entries.ts";
import { measureLongestTask } from "./long-tasks.ts";
import { listPlainly, type Measured, measureWhile } from "./measure.ts";
import { Stage } from "./stage.ts";
import { openList, rowsOf, startQuick } from "./traffic.ts";

/** Requests a second, and for how many milliseconds. */
const LOAD = 200;
const LOAD_MS = 4_000;
const PLAIN = { perSecond: LOAD, ms: LOAD_MS, entry: JSON.stringify(entryOf()) };
/** About half of what a table of 2,000 rows takes, in milliseconds. */
const MOST_MS = 50;
/** Below this share of what the table costs one round is enough: the machine does not add so much. */
const CLEAR = 0.7;
/** The width at which rows have two lines. */
const PHONE = { width: 390, height: 844 };

/** The stream of traffic in the page, as the test writes it. */
interface Scripted {
  scripted: EventTarget;
}

/** Runs in the page before its script: the test says what comes. */
function scriptStream(): void {
  globalThis.EventSource = class extends EventTarget {
    constructor() {
      super();
      (globalThis as unknown as Scripted).scripted = this;
    }
  } as unknown as typeof EventSource;
}

/** Lets requests come, so many in each frame of the screen, with keys of their own. */
async function pour(page: Page, from: number, many: number): Promise<void> {
  await page.evaluate(async ({ from, many, entry }) => {
    const { scripted } = globalThis as unknown as Scripted;
    for (let at = from; at < from + many; at += 500) {
      const now = Date.now();
      const entries = Array.from({ length: 500 }, (_, index) => ({
        ...entry,
        key: `k${at + index}`,
        time: now,
        address: `${entry.address}/${at + index}`,
      }));
      const data = JSON.stringify({ now, entries, skipped: 0, running: [] });
      scripted.dispatchEvent(new MessageEvent("message", { data }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, { from, many, entry: entryOf() });
  await rowsOf(page).filter({ hasText: `/${from + many - 1}` }).waitFor();
}

describe("the figures of live traffic", () => {
  const stage = new Stage("node");
  beforeAll(() => stage.start());
  afterEach(() => stage.clear());
  afterAll(() => stage.stop());

  it.each([
    { about: "on a large screen", viewport: { width: 1_440, height: 900 } },
    { about: "on a phone", viewport: PHONE },
  ])(
    `defects 12 and 23: ${LOAD} requests a second cost less than an ordinary table of them, and move nothing, $about`,
    async ({ viewport }) => {
      const target = await startQuick();
      const page = await openList(stage, { viewport });
      // What the page itself costs comes in each round; what the machine adds, does not.
      const rounds: Measured[] = [];
      const plain: Measured[] = [];
      const least = (measured: readonly Measured[]) => Math.min(...measured.map(({ busy }) => busy));
      while (rounds.length < 3 && !(least(rounds) < CLEAR * least(plain))) {
        rounds.push(await measureWhile(page, () => flow(stage.proxy.port, target.origin, LOAD, LOAD_MS)));
        plain.push(await measureWhile(page, () => page.evaluate(listPlainly, PLAIN)));
      }
      const shift = Math.max(...rounds.map((round) => round.shift));
      console.log(
        `${(least(rounds) * 100).toFixed(1)} % of a core, ${(least(plain) * 100).toFixed(1)} % plainly`,
      );
      expect(least(rounds)).toBeLessThan(least(plain));
      expect(shift).toBeLessThan(0.1);
      expect(await rowsOf(page).first().innerText()).toContain("/flow");
    },
  );

  it("has no task that takes half as long as a table of 2,000 rows", async () => {
    const target = await startQuick();
    const page = await openList(stage, { viewport: { width: 1_440, height: 900 } });
    const load = () => flow(stage.proxy.port, target.origin, LOAD, LOAD_MS);
    const longest = await measureLongestTask(stage.browser, page, MOST_MS, load);
    console.log(`longest task: ${longest.toFixed(0)} ms`);
    expect(longest).toBeLessThan(MOST_MS);
  });

  it("holds no more memory after 100,000 requests than after 50,000", async () => {
    const page = await stage.open();
    await page.addInitScript(scriptStream);
    await page.reload();
    await page.locator("#traffic-list").waitFor();
    const session = await page.context().newCDPSession(page);
    const readHeap = async () => {
      await session.send("HeapProfiler.collectGarbage");
      const [{ usedSize }, { nodes }] = await Promise.all([
        session.send("Runtime.getHeapUsage"),
        session.send("Memory.getDOMCounters"),
      ]);
      return { usedSize, nodes };
    };
    await pour(page, 0, 50_000);
    const half = await readHeap();
    await pour(page, 50_000, 50_000);
    const whole = await readHeap();
    console.log(`heap: ${half.usedSize} and ${whole.usedSize} bytes`);
    // A request takes about 600 bytes: 50,000 of them would be 30 MB more. What is being collected differs by 2 MB.
    expect(whole.usedSize - half.usedSize).toBeLessThan(6_000_000);
    expect(whole.nodes).toBeLessThan(half.nodes * 1.2);
  });
});
