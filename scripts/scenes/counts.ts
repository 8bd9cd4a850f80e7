/**
 * Defects 5, 6 and 24: the charts say what was.
 * @module
 */
import type { Page } from "playwright-core";
import { COLUMNS } from "../../src/pages/console/traffic-counts.ts";
import { poll } from "./acts.ts";
import { sendLoad, startQuickTarget, type Truth } from "./load.ts";
import type { Scene, Seen } from "./scene.ts";
import type { Stage } from "./stage.ts";

const MANY = 10_000;
/** The charts' columns begin by the proxy's clock, ours by when the answers are here: this share may differ. */
const PEAK_TOLERANCE = 0.1;
const SECOND = 1_000;

/** The sum and the peak that the charts show. */
async function readCharts(page: Page): Promise<{ sum: number; peak: number }> {
  const text = await page.innerText("#charts");
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replaceAll(",", "") ?? Number.NaN);
  return { sum: number(/([\d,]+) in 2 min/), peak: number(/peak ([\d,.]+)\/s/) };
}

/** The strokes of the line of latency, and how many of their parts cross columns without requests. */
async function readCurve(page: Page): Promise<{ strokes: number; bridges: number }> {
  const curve = page.locator("#charts .curve");
  const points = [...(await curve.getAttribute("d") ?? "").matchAll(/([ML])([\d.]+) /g)];
  const column = await curve.evaluate((path: SVGPathElement) => path.ownerSVGElement!.viewBox.baseVal.width) /
    COLUMNS;
  const bridges = points.filter(([, kind, x], index) =>
    kind === "L" && Number(x) - Number(points[index - 1]?.[2]) > column * 1.5
  );
  return { strokes: points.filter(([, kind]) => kind === "M").length, bridges: bridges.length };
}

/** Sends the load through a proxy of its own, so that nothing else is counted. */
async function withLoad(
  stage: Stage,
  run: (proxy: Awaited<ReturnType<Stage["startProxy"]>>, load: () => Promise<Truth>) => Promise<Seen>,
): Promise<Seen> {
  const [proxy, target] = [await stage.startProxy({}), await startQuickTarget()];
  try {
    return await run(proxy, () => sendLoad({ port: proxy.port, origin: target.origin, many: MANY }));
  } finally {
    target.close();
  }
}

function countAll(stage: Stage): Promise<Seen> {
  return withLoad(stage, async (proxy, load) => {
    const page = await stage.openList({ through: proxy });
    const truth = await load();
    const { sum, peak } = await poll(() => readCharts(page), (charts) => charts.sum === truth.answered);
    const isPeak = Math.abs(peak / truth.peak - 1) <= PEAK_TOLERANCE;
    const name = (value: number) => Math.round(value).toLocaleString("en");
    return {
      figure: `sent ${name(truth.answered)} in ${truth.seconds.toFixed(1)} s: chart ${name(sum)}, peak ${
        name(peak)
      }/s of ${name(truth.peak)}/s`,
      isOk: sum === truth.answered && isPeak,
    };
  });
}

function countBefore(stage: Stage): Promise<Seen> {
  return withLoad(stage, async (proxy, load) => {
    const truth = await load();
    const page = await stage.openList({ through: proxy });
    const { sum } = await poll(() => readCharts(page), (charts) => charts.sum === truth.answered);
    return { figure: `${sum} in 2 min of ${truth.answered}`, isOk: sum === truth.answered };
  });
}

function readNow(stage: Stage): Promise<Seen> {
  return withLoad(stage, async (proxy, load) => {
    const page = await stage.openList({ through: proxy });
    await load();
    await new Promise((resolve) => setTimeout(resolve, 5 * SECOND));
    await stage.call("/order", proxy);
    await page.waitForTimeout(4 * SECOND);
    const headline = await page.locator("#charts strong").first().textContent() ?? "";
    const { strokes, bridges } = await readCurve(page);
    const plot = page.getByRole("slider", { name: /^Throughput/ });
    await plot.hover();
    const value = await page.locator("#charts .scale").first().textContent() ?? "";
    await page.getByLabel("Filter", { exact: true }).fill("path:/order");
    const { sum } = await poll(() => readCharts(page), (charts) => charts.sum === 1);
    const isHover = /^\d\d:\d\d:\d\d: /.test(value);
    return {
      figure:
        `"${headline}" after it, ${strokes} strokes, ${bridges} across gaps, hover "${value}", filtered ${sum}`,
      isOk: headline === "0 req/s" && strokes > 1 && bridges === 0 && isHover && sum === 1,
    };
  });
}

/** The scenes. */
export const COUNT_SCENES: readonly Scene[] = [
  {
    number: 5,
    title: "10,000 requests in some seconds",
    before: "10,781 shown as 5,228, peak halved",
    wanted: "what was",
    run: countAll,
  },
  {
    number: 6,
    title: "console opened after the requests",
    before: "205 in 2 min, of 1,200",
    wanted: "the server's own counters",
    run: countBefore,
  },
  {
    number: 24,
    title: "headline, gaps, hover, filter",
    before: "average of 2 min, drawn across gaps",
    wanted: "current, true",
    run: readNow,
  },
];
