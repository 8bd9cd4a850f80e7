/**
 * Defects 10, 11, 21 and 35: huge bodies, streams, previews.
 * @module
 */
import { bodyRows, openFields, pause, poll, receive, send } from "./acts.ts";
import { readWatched, watchPage } from "./measure.ts";
import { bestOf, type Scene, type Seen } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** The longest task, and the longest time from the last byte to the first line on the screen, in milliseconds. */
const MAX_MS = 300;

/** Opens a large body, and goes to its end. */
async function openLarge(stage: Stage, path: string, last: string): Promise<Seen> {
  return await bestOf(3, async () => {
    const page = await stage.open();
    await watchPage(page);
    await receive(page, stage.target.origin + path);
    await bodyRows(page).first().waitFor();
    await page.locator(".body-lines").focus();
    const end = await poll(
      async () => {
        await page.keyboard.press("End");
        return await bodyRows(page).last().textContent() ?? "";
      },
      (line) => line === last,
      30_000,
    );
    const { longestTask, firstRow, lastByte } = await readWatched(page);
    const [task, shown] = [Math.round(longestTask), Math.max(0, Math.round(firstRow - lastByte))];
    const view = await page.locator("#answer .body-bar [aria-selected=true]").textContent();
    return {
      value: Math.max(task, shown),
      isOk: task < MAX_MS && shown < MAX_MS && end === last,
      figure: `${view}: longest task ${task} ms, lines ${shown} ms after the last byte${
        end === last ? "" : ", no end"
      }`,
    };
  });
}

async function readStream(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await send(page, `${stage.target.origin}/late`);
  await pause(1_300);
  const seconds = await page.locator(".waiting .fact").textContent() ?? "";
  await page.locator(".summary .fact", { hasText: "total" }).waitFor();
  await send(page, `${stage.target.origin}/events`);
  await bodyRows(page).first().waitFor();
  await openFields(page);
  const hasFields = (await page.locator("#answer dl").textContent() ?? "").includes("text/event-stream");
  await page.locator("#answer").getByRole("tab", { name: "Body" }).click();
  const lines = page.locator("#answer .body-lines");
  const follows = await poll(() => lines.evaluate((shown) => shown.scrollTop), (top) => top > 0);
  await lines.evaluate((shown) => shown.scrollTop = 0);
  await page.locator(".summary .fact", { hasText: "total" }).waitFor();
  const top = await lines.evaluate((shown) => shown.scrollTop);
  return {
    figure: `waiting "${seconds}"; fields ${hasFields ? "at once" : "missing"}; ${
      follows > 0 ? "follows" : "does not follow"
    }, ${top === 0 ? "stays when one reads up" : `pulled to ${top} px`}`,
    isOk: /^1\.\d s$/.test(seconds) && hasFields && follows > 0 && top === 0,
  };
}

async function previewPage(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await receive(page, `${stage.target.origin}/ordinary`);
  await page.frameLocator("#answer iframe").getByText("Ordinary").waitFor();
  await pause(500);
  return { figure: `${said.length} messages`, isOk: said.length === 0 };
}

/** The scenes. */
export const BODY_SCENES: readonly Scene[] = [
  {
    number: 10,
    title: "20 MB of short lines (8 MB are kept)",
    before: "one task of 24.8 s",
    wanted: "under 300 ms",
    run: (stage) => openLarge(stage, "/lines", lastLine()),
  },
  {
    number: 11,
    title: "JSON of 4.6 MB",
    before: "one block of text, no JSON tab",
    wanted: "pretty, under 300 ms",
    run: (stage) => openLarge(stage, "/large", "]\n"),
  },
  {
    number: 21,
    title: "streams",
    before: "pulled down, no fields, no seconds",
    wanted: "follows only at the bottom",
    run: readStream,
  },
  {
    number: 35,
    title: "ordinary HTML, preview",
    before: "13 messages of policy",
    wanted: "none",
    run: previewPage,
  },
];

/** The page keeps 8,000,000 bytes, which cut a line of 13. */
function lastLine(): string {
  return `${"a short line\n".slice(0, 8_000_000 % 13)}\n`;
}
