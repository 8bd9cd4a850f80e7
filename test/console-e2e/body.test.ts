/**
 * How long the views of a body take, in a page with the console's policy and nothing else.
 * @module
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { measureLongestTask } from "./long-tasks.ts";

const SOURCES = fileURLToPath(new URL("../../src/console/", import.meta.url));
/** The longest that the page may be busy in one go. */
const MAX_MS = 300;
const POLICY =
  "default-src 'none'; script-src 'nonce-n'; style-src 'nonce-n'; img-src blob: data:; media-src blob:; " +
  "require-trusted-types-for 'script'; trusted-types preview";
const PAGE =
  `<!doctype html><link rel="stylesheet" href="/page.css" nonce="n"><main class="card answer"><div id="place"></div></main>
<script nonce="n" src="/page.js"></script>`;

let browser: Browser;
let files: Record<string, string>;

beforeAll(async () => {
  const [bundle] = await Promise.all([
    build({
      stdin: {
        contents: 'import { showBody } from "./answer/body-view.ts"; globalThis.showBody = showBody;',
        resolveDir: SOURCES,
        loader: "ts",
      },
      bundle: true,
      write: false,
      format: "iife",
    }),
    launchBrowser().then((launched) => browser = launched),
  ]);
  const styles = await build({ entryPoints: [`${SOURCES}console.css`], bundle: true, write: false });
  files = {
    "/": PAGE,
    "/page.js": bundle.outputFiles[0]?.text ?? "",
    "/page.css": styles.outputFiles[0]?.text ?? "",
  };
});
afterAll(() => browser.close());

/** Opens the page; `troubles` gets what it complains of. */
async function open(troubles: string[] = []): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  page.on("console", (message) => troubles.push(message.text()));
  page.on("pageerror", ({ message }) => troubles.push(message));
  await page.route("http://localhost:1/**", (route) => {
    const path = new URL(route.request().url()).pathname;
    const type = path.endsWith(".css") ? "text/css" : path.endsWith(".js") ? "text/javascript" : "text/html";
    return route.fulfill({
      body: files[path] ?? "",
      contentType: `${type}; charset=utf-8`,
      headers: path === "/" ? { "content-security-policy": POLICY } : {},
    });
  });
  await page.goto("http://localhost:1/");
  return page;
}

interface Shown {
  unit: string;
  count: number;
  /** Put around all units. */
  ends?: [string, string];
  type: string;
  isRunning?: boolean;
}

/** What the page under test offers, and the body that is to be shown. */
interface Stage {
  showBody(place: Element | null, body: object): void;
  bytes: Uint8Array;
}

/** Makes a body in the page, as a step of its own: what it costs is not the view's. */
const prepare = (page: Page, shown: Shown) =>
  page.evaluate(({ unit, count, ends = ["", ""] }) => {
    const all = ends[0] ? `${unit},`.repeat(count - 1) + unit : unit.repeat(count);
    (globalThis as unknown as Stage).bytes = new TextEncoder().encode(ends[0] + all + ends[1]);
  }, shown);

/**
 * Shows the body that was made, and waits until all is read.
 *
 * @throws {Error} if the next frame does not show it
 */
const showPrepared = (page: Page, { type, isRunning = false }: Shown) =>
  page.evaluate(async ({ type, isRunning }) => {
    const { showBody, bytes } = globalThis as unknown as Stage;
    showBody(document.querySelector("#place"), {
      bytes,
      type,
      encoding: "",
      name: "n",
      size: bytes.length,
      isRunning,
    });
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    if (!document.querySelector(".body-row")) throw new Error("nothing was painted");
    // The view reads on by tasks of its own, one after the other; the page is idle once all is read.
    await new Promise((resolve) => requestIdleCallback(resolve));
  }, { type, isRunning });

async function show(page: Page, shown: Shown): Promise<void> {
  await prepare(page, shown);
  await showPrepared(page, shown);
}

const textOf = async (page: Page) => (await page.locator(".body-row").allTextContents()).join("");

describe("a body", () => {
  it.each([
    { about: "8 MB of short lines (defect 10)", type: "text/plain", unit: "a line\n", count: 1_142_857 },
    { about: "8 MB of line ends", type: "text/plain", unit: "\n", count: 8_000_000 },
    { about: "one line of 8 MB", type: "text/plain", unit: "word ", count: 1_600_000 },
    {
      about: "4.5 MB of JSON (defect 11)",
      type: "application/json",
      unit: '{"id":12345678901234567890,"name":"teapot","tags":["a","b"],"price":1.0}',
      count: 62_000,
      ends: ["[", "]"] as [string, string],
    },
    { about: "2 MB of brackets", type: "application/json", unit: "[", count: 2_000_000 },
    { about: "2 MB of events", type: "text/event-stream", unit: "id: 1\ndata: an event\n\n", count: 90_000 },
    { about: "8 MB of bytes", type: "application/octet-stream", unit: "\0\x01\x02\x03", count: 2_000_000 },
  ])("of $about is seen in the next frame, and the page stays free", async ({ about: _, ...shown }) => {
    const troubles: string[] = [];
    const page = await open(troubles);
    // The first one of a page pays for reading the page's script.
    await show(page, { type: "text/plain", unit: "warm\n", count: 10 });
    await prepare(page, shown);
    const longest = await measureLongestTask(browser, page, MAX_MS, () => showPrepared(page, shown));
    expect(longest).toBeLessThan(MAX_MS);
    expect(await page.locator(".body-row").count()).toBeLessThan(100);
    expect(troubles).toEqual([]);
    await page.context().close();
  });

  it("keeps view, folds, place and selection while it grows", async () => {
    const page = await open();
    const growing = {
      type: "application/json",
      unit: '{"a":[1,2,3],"b":"text"}',
      ends: ["[", ""] as [string, string],
      isRunning: true,
    };
    await show(page, { ...growing, count: 200 });
    await page.locator(".body-row .fold").nth(1).click();
    await page.locator(".body-lines").evaluate((lines) => lines.scrollTop = 40);
    await page.evaluate(() => {
      getSelection()?.selectAllChildren(document.querySelectorAll(".body-row .text")[4] as Element);
    });
    const before = await page.evaluate(() => getSelection()?.toString());
    await show(page, { ...growing, count: 400 });
    expect(await page.locator(".body-lines").evaluate((lines) => lines.scrollTop)).toBe(40);
    expect(await textOf(page)).toContain('"a": [ … 3 … ]');
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(before);
    await page.context().close();
  });

  it("stays at the place where all of it is folded, and unfolded (D26)", async () => {
    const page = await open();
    const item = '{"a":[1,2,3],"b":"text"}';
    await show(page, { type: "application/json", unit: item, count: 5_000, ends: ["[", "]"] });
    const lines = page.locator(".body-lines");
    const topLine = () =>
      lines.evaluate((lines) => {
        const { top } = lines.getBoundingClientRect();
        const rows = [...lines.querySelectorAll<HTMLElement>(".body-row")];
        return Number(rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.dataset["line"]);
      });
    await lines.evaluate((lines) => lines.scrollTop = lines.scrollHeight / 2);
    await expect.poll(topLine).toBeGreaterThan(10_000);
    const before = await topLine();
    await page.getByRole("button", { name: "Fold all", exact: true }).click();
    // An item has eight lines.
    expect(Math.abs(await topLine() - before)).toBeLessThan(8);
    await page.getByRole("button", { name: "Unfold all" }).click();
    expect(Math.abs(await topLine() - before)).toBeLessThan(8);
    await page.context().close();
  });

  it("is copied as it is: by the button, all of it by Ctrl+A, and without the breaks of the window", async () => {
    const page = await open();
    const text = `${"long ".repeat(100)}\nshort\n`;
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await show(page, { type: "text/plain", unit: text, count: 300 });
    await page.getByRole("button", { name: "Copy body" }).click();
    await page.getByText("Copied").waitFor();
    expect(await copied()).toBe(text.repeat(300));
    await page.locator(".body-lines").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    expect(await copied()).toBe(text.repeat(300).trimEnd());
    await page.evaluate(() => {
      const rows = document.querySelectorAll(".body-row .text");
      const [from, to] = [rows[0], rows[rows.length - 8]].map((row) => row?.firstChild as Node);
      getSelection()?.setBaseAndExtent(from as Node, 5, to as Node, 3);
    });
    await page.locator(".body-lines").press("Control+c");
    const part = await copied();
    expect(part.length).toBeGreaterThan(1_000);
    expect(text.repeat(300).slice(5, 5 + part.length)).toBe(part);
    await page.context().close();
  });

  it("of bytes goes to any offset, and finds bytes", async () => {
    const page = await open();
    await show(page, { type: "application/octet-stream", unit: "\0\x01\x02needle\x03", count: 100_000 });
    await page.getByLabel("Offset to go to").fill("0x7a120");
    await page.keyboard.press("Enter");
    expect(await textOf(page)).toContain("0007a120");
    await page.getByRole("button", { name: "Find" }).click();
    await page.keyboard.type("00 01 02");
    await page.getByText("1 of 100,000").waitFor();
    expect(await page.locator("mark.current").allTextContents()).toEqual(["00 01 02 ", "···"]);
    await page.context().close();
  });

  it("of a form is its fields, decoded", async () => {
    const page = await open();
    const form = {
      type: "application/x-www-form-urlencoded",
      unit: "city=K%C3%B6ln+%26+Bonn&sum=1%2B1",
      count: 1,
    };
    await show(page, form).catch(() => {});
    expect(await page.locator("#place dt").allTextContents()).toEqual(["city", "sum"]);
    expect(await page.locator("#place dd").allTextContents()).toEqual(["Köln & Bonn", "1+1"]);
    await page.context().close();
  });
});
