/**
 * Ten tasks of every day, and the most clicks and shortcuts that each may take. Typed text, and a file picked in the
 * system's own window, do not count. The most are what the quickest peer takes, or less.
 * @module
 */
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { listen } from "../support/upstream.ts";
import { Acceptor, join } from "../support/websocket.ts";
import { inspect, pane } from "./captured.ts";
import { showView, type Stage } from "./stage.ts";
import { openList, rowsOf } from "./traffic.ts";

const pick = (page: Page, text: string) => rowsOf(page).filter({ hasText: text }).first().click();

/** Presses a button that asks for a file, and picks one. */
async function pickFile(page: Page, button: Locator, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button.click()]);
  await chooser.setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

/** A task: what is done, what is seen then, and the most clicks and shortcuts that it takes. */
interface Task {
  task: string;
  most: number;
  /** What was done before, and is not counted. */
  prepare?(page: Page, stage: Stage): Promise<unknown>;
  run(page: Page, stage: Stage): Promise<unknown>;
}

const TASKS: readonly Task[] = [
  {
    task: "a. why 403?",
    most: 1,
    run: async (page) => {
      await pick(page, "/denied");
      await pane(page).getByText("403 from the target").waitFor();
      await pane(page).getByText("x-role must be admin").first().waitFor();
    },
  },
  {
    task: "b. server errors that took a while",
    most: 1,
    run: async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("status:5xx >0ms");
      await expect.poll(() => rowsOf(page).count()).toBe(1);
    },
  },
  {
    task: "c. the caller's bytes beside the target's",
    most: 2,
    run: async (page) => {
      await inspect(page, "/order");
      await pane(page).getByRole("tab", { name: /^Changes/ }).click();
      await pane(page).getByText("Host names the target").waitFor();
    },
  },
  {
    task: "d. sent again with one field changed",
    most: 3,
    run: async (page, stage) => {
      await inspect(page, "/order");
      await pane(page).getByRole("button", { name: "Edit" }).click();
      // The caret is in the first header; another one takes a click.
      await page.waitForFunction(() => document.activeElement?.matches("#header-rows input"));
      await page.keyboard.type("changed");
      await page.keyboard.press("Control+Enter");
      await expect.poll(() => JSON.stringify(stage.target.requests.at(-1)?.headers)).toContain("changed");
    },
  },
  {
    task: "e. copied as curl",
    most: 2,
    run: async (page) => {
      await inspect(page, "/order");
      await pane(page).getByRole("button", { name: "Copy as cURL" }).click();
      await pane(page).getByText("Copied", { exact: true }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl .*\/order/s);
    },
  },
  {
    task: "e. copied as Python, the second time",
    most: 2,
    prepare: async (page) => {
      await inspect(page, "/denied");
      await pane(page).getByText("Copy as…").click();
      await pane(page).getByLabel("Language").selectOption("Python");
    },
    run: async (page) => {
      await pick(page, "/order");
      // Its tabs come after its head; those of the other one are gone by then.
      await pane(page).locator("h3", { hasText: "/order" }).waitFor();
      await pane(page).getByRole("tab", { name: /^Changes/ }).waitFor();
      await pane(page).getByRole("button", { name: "Copy as Python", exact: true }).click();
      await pane(page).getByText("Copied", { exact: true }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/http\.client.*\/order/s);
    },
  },
  {
    task: "f. events watched",
    most: 1,
    run: async (page) => {
      await pick(page, "/events");
      await pane(page).getByText("an event").first().waitFor();
    },
  },
  {
    task: "f. messages of a WebSocket read",
    most: 2,
    prepare: async (_page, { proxy }) => {
      const target = await listen();
      const acceptor = new Acceptor(target);
      const { caller } = await join(proxy.port, "/chat", { proxy_host: target.origin });
      acceptor.peers[0]!.text("a message");
      await caller.next();
      caller.close(1000, "");
      await target.close();
    },
    run: async (page) => {
      await pick(page, "/chat");
      await pane(page).getByRole("tab", { name: /^Messages/ }).click();
      await pane(page).getByText("a message", { exact: true }).first().waitFor();
    },
  },
  {
    task: "g. found in a body",
    most: 2,
    run: async (page) => {
      await pick(page, "/order");
      await pane(page).getByRole("button", { name: "Find" }).last().click();
      await page.keyboard.type("teapot");
      await pane(page).getByText("1 of 1").waitFor();
    },
  },
  {
    task: "h. JSON posted",
    most: 3,
    run: async (page, stage) => {
      await showView(page, "Compose");
      await page.fill("#address", `${stage.target.origin}/order`);
      await page.click("#tab-body");
      // The caret is in the text; what is typed makes it JSON, and a POST.
      await page.keyboard.type("{}");
      await page.keyboard.press("Control+Enter");
      await expect.poll(() => stage.seen).toContainEqual(["POST", "/order", "{}"]);
      expect(stage.target.requests.at(-1)?.header("content-type")).toBe("application/json");
    },
  },
  {
    task: "h. a file uploaded",
    most: 5,
    run: async (page, stage) => {
      await showView(page, "Compose");
      await page.fill("#address", `${stage.target.origin}/order`);
      await page.click("#tab-body");
      await page.locator("#panel-body").getByText("File", { exact: true }).click();
      const button = page.getByRole("button", { name: "File…" }).last();
      await pickFile(page, button, "a.txt", "text of a file");
      await page.keyboard.press("Control+Enter");
      await expect.poll(() => stage.seen).toContainEqual(["POST", "/order", "text of a file"]);
    },
  },
  {
    task: "i. saved as HAR",
    most: 1,
    run: async (page) => {
      await expect.poll(() => page.locator("#capture-har").isEnabled()).toBe(true);
      await Promise.all([page.waitForEvent("download"), page.click("#capture-har")]);
    },
  },
  {
    task: "i. a HAR file opened",
    most: 1,
    run: async (page) => {
      const entry = {
        startedDateTime: "2030-01-02T03:04:05Z",
        time: 1,
        request: { headers: [], url: "https://shop.test/from-a-file", method: "GET" },
        response: { headers: [] },
      };
      await pickFile(page, page.locator("#har-open"), "a.har", JSON.stringify({ log: { entries: [entry] } }));
      await rowsOf(page).filter({ hasText: "/from-a-file" }).waitFor();
    },
  },
  {
    task: "j. a host set, and gone to",
    most: 2,
    run: async (page, stage) => {
      await page.fill("#host-input", stage.target.origin);
      await page.keyboard.press("Enter");
      await page.getByText("set by cookie", { exact: true }).waitFor();
      const [shop] = await Promise.all([page.context().waitForEvent("page"), page.click("#host-open")]);
      await shop.getByText("The shop").waitFor();
    },
  },
];

interface Counted {
  counted: number;
}

/** Runs in the page: counts clicks, and keys that type no text where text is typed. */
function countSteps(): void {
  const here = globalThis as unknown as Counted;
  here.counted = 0;
  const count = () => void (here.counted += 1);
  document.addEventListener("pointerdown", count, true);
  document.addEventListener("keydown", ({ key, ctrlKey, target }) => {
    const isField = target instanceof Element && target.matches("input, textarea");
    const isText = isField && !ctrlKey && key.length === 1;
    if (!isText && key !== "Control") count();
  }, true);
}

/** Declares the tests. */
export function describeTasks(stage: Stage): void {
  describe("a task of every day", () => {
    it.each(TASKS)("$task takes $most clicks and shortcuts at most", async ({ task, most, prepare, run }) => {
      const page = await openList(stage, { permissions: ["clipboard-read", "clipboard-write"] });
      const before = stage.target.answer;
      stage.target.answer = routes({
        "/": reply(200, { "Content-Type": "text/html" }, "<h1>The shop</h1>"),
        "/order": reply(201, { "Content-Type": "application/json" }, '{"item":"teapot"}'),
        "/denied": reply(403, { "Content-Type": "application/json" }, '{"message":"x-role must be admin"}'),
        "/broken": reply(500, {}, "broken"),
        "/events": reply(200, { "Content-Type": "text/event-stream" }, "data: an event\n\n"),
      });
      for (const path of ["/order", "/denied", "/broken", "/events"]) {
        const fields = { "x-first": "1", proxy_host: stage.target.origin };
        await stage.proxy.call(`GET ${path}`, { fields });
      }
      await rowsOf(page).nth(3).waitFor();
      await prepare?.(page, stage);
      await page.evaluate(countSteps);
      await run(page, stage);
      const { counted } = await page.evaluate(() => ({
        counted: (globalThis as unknown as Counted).counted,
      }));
      stage.target.answer = before;
      console.log(`${task}: ${counted}`);
      expect(counted).toBeGreaterThan(0);
      expect(counted).toBeLessThanOrEqual(most);
    });
  });
}
