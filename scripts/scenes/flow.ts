/**
 * Defects 12, 22 and 23: what traffic costs the page, and that nothing moves under the hand.
 * @module
 */
import type { Page } from "playwright-core";
import { pause, poll, trafficRows } from "./acts.ts";
import { sendLoad, startQuickTarget } from "./load.ts";
import { measureShare, readWatched, watchPage } from "./measure.ts";
import { bestOf, type Scene, type Seen } from "./scene.ts";
import type { Stage } from "./stage.ts";

const BUSY_RATE = 200;
const MAX_SHARE = 0.15;
const SHARE_SECONDS = 10;
const MAX_SHIFT = 0.1;
const SLOW_RATE = 16;

/** Opens a console on a proxy of its own, with traffic at this rate while `act` runs. */
async function withTraffic(
  stage: Stage,
  { rate, seconds }: { rate: number; seconds: number },
  act: (page: Page, traffic: () => Promise<unknown>) => Promise<Seen>,
): Promise<Seen> {
  const [proxy, target] = [await stage.startProxy({}), await startQuickTarget()];
  const { port } = proxy;
  const { origin } = target;
  try {
    const page = await stage.open({ through: proxy });
    await watchPage(page);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("#traffic-scroll").scrollIntoViewIfNeeded();
    return await act(page, () => sendLoad({ port, origin, many: rate * seconds, rate }));
  } finally {
    target.close();
  }
}

function measureCost(stage: Stage): Promise<Seen> {
  return withTraffic(
    stage,
    { rate: BUSY_RATE, seconds: SHARE_SECONDS },
    (page, traffic) =>
      bestOf(3, async () => {
        const value = await measureShare(page, traffic);
        return { value, isOk: value < MAX_SHARE, figure: `${(value * 100).toFixed(1)} %` };
      }),
  );
}

function measureShift(stage: Stage): Promise<Seen> {
  return withTraffic(stage, { rate: BUSY_RATE, seconds: 5 }, async (page, traffic) => {
    await traffic();
    const { shift } = await readWatched(page);
    return { figure: shift.toFixed(3), isOk: shift < MAX_SHIFT };
  });
}

function holdRow(stage: Stage): Promise<Seen> {
  return withTraffic(stage, { rate: SLOW_RATE, seconds: 6 }, async (page, traffic) => {
    const running = traffic();
    await poll(() => trafficRows(page).count(), (count) => count >= 8);
    const place = (await trafficRows(page).nth(3).boundingBox())!;
    const point = { x: place.x + 40, y: place.y + 8 };
    // A hand moves in steps; of the very first event browsers know no movement.
    await page.mouse.move(point.x, point.y, { steps: 4 });
    await pause(300);
    const under = new Set<string | undefined>();
    for (let looks = 0; looks < 10; looks += 1) {
      under.add(
        await page.evaluate(
          ({ x, y }) => document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-key]")?.dataset["key"],
          point,
        ),
      );
      await pause(200);
    }
    await page.mouse.click(point.x, point.y);
    await page.getByRole("region", { name: "Inspected request" }).waitFor();
    await page.locator("#traffic-scroll").focus();
    await page.mouse.move(0, 0);
    await running;
    const focus = await page.evaluate(() => document.activeElement?.id);
    return {
      figure: `${under.size} row under it in 2 s, focus on ${focus || "the body"}`,
      isOk: under.size === 1 && !under.has(undefined) && focus === "traffic-scroll",
    };
  });
}

/** The scenes. */
export const FLOW_SCENES: readonly Scene[] = [
  {
    number: 12,
    title: `${BUSY_RATE} requests/s for ${SHARE_SECONDS} s, main thread`,
    before: "98 %",
    wanted: "under 15 %",
    run: measureCost,
  },
  {
    number: 22,
    title: `${SLOW_RATE} requests/s, pointer at rest on a row`,
    before: "another row each time, focus lost",
    wanted: "held",
    run: holdRow,
  },
  { number: 23, title: "traffic flows: CLS", before: "3.8 to 4.3", wanted: "under 0.1", run: measureShift },
];
