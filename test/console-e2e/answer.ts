/**
 * The answer in the console: what it says, how large bodies are shown, and what it keeps from one to the next.
 * @module
 */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Gate, reply, routes, silence } from "../support/answers.ts";
import { startProxy } from "../support/proxy.ts";
import type { Handler } from "../support/upstream.ts";
import { measureLongestTask } from "./long-tasks.ts";
import { readStatus, type Stage } from "./stage.ts";
import { rowsOf as tableOf } from "../support/rows.ts";

/** The longest that a page may take to show a body, and that it may be busy in one go. */
const MAX_MS = 300;
const JSON_TYPE = { "Content-Type": "application/json" };
const ITEM = '{"id":12345678901234567890,"price":1.0,"price":1e2,"tags":["a","b"],"note":null}';
const MANY = Object.fromEntries(
  Array.from({ length: 65 }, (_, index) => [`X-Field-${index}`, `value ${index}`]),
);
const EVENTS = Array.from({ length: 40 }, (_, index) => `id: ${index}\nevent: tick\ndata: line ${index}\n\n`);

/** A page as people write them, with all that a still picture has no use for. */
const ORDINARY = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<base href="https://cdn.test/"><link rel="stylesheet" href="/a.css"><link rel="preload" as="font" href="/f.woff2">
<link rel="icon" href="/favicon.ico"><script src="/app.js"></script><script>var a = 1</script>
<style>@import "theme.css"; @font-face { font-family: F; src: url(f.woff2) } body { background: url(/b.png); color: rgb(0, 128, 0) }</style>
</head><body onload="start()" style="margin:0; background-image: url(x.png)">
<img src="/logo.png" srcset="/logo2.png 2x" alt="Logo"><picture><source srcset="/a.avif"><img src="a.jpg" alt="Photo"></picture>
<video src="/v.mp4" poster="/p.jpg"></video><audio src="/a.mp3"></audio><iframe src="/frame"></iframe>
<svg><image href="/i.svg"/><use href="/sprite.svg#a"/></svg><object data="/o"></object>
<a href="javascript:void(0)" onclick="go()">Go</a><form action="/buy"><input name="n"><button>Buy</button></form>
<p id="text">Ordinary</p></body></html>`;

/** More than the page shows. */
const LONG = "a longer line\n".repeat(600_000);

/** Holds an answer back until the page has been read. */
const gate = new Gate();

/** One event at once, most of them when the gate opens, the others when it opens again. */
const sendEvents: Handler = async (_request, socket) => {
  socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
  for (const part of [EVENTS.slice(0, 1), EVENTS.slice(1, 35)]) {
    socket.write(part.join(""));
    await gate.opened();
  }
  socket.end(EVENTS.slice(35).join(""));
};

/** What the target answers. */
function answerAll(): Handler {
  const packed = gzipSync(`[${Array(200).fill('"a word"').join(",")}]`);
  return routes({
    "/long.txt": reply(200, { "Content-Type": "text/plain" }, LONG),
    "/large": reply(200, JSON_TYPE, `[${Array(57_000).fill(ITEM).join(",")}]`),
    "/item": reply(200, JSON_TYPE, ITEM),
    "/gzip": reply(200, { ...JSON_TYPE, "Content-Encoding": "gzip" }, packed),
    "/fields": reply(200, MANY, "many"),
    "/cookie": reply(
      200,
      { "Set-Cookie": "sid=1; Path=/shop; Secure", "Referrer-Policy": "no-referrer" },
      "cookie",
    ),
    "/report": reply(
      200,
      {
        "Content-Type": "text/csv",
        "Content-Disposition": "attachment; filename=\"a.csv\"; filename*=UTF-8''K%C3%B6ln%3A.csv",
      },
      "a,b\n1,2\n",
    ),
    "/export/data": reply(200, JSON_TYPE, "{}"),
    "/login": reply(401, {}, "who?"),
    "/late": gate.hold(reply(200, {}, "late")),
    "/events": sendEvents,
    "/ordinary": reply(200, { "Content-Type": "text/html" }, ORDINARY),
    "/silent": silence,
  });
}

/** Sends a GET. */
async function send(page: Page, address: string): Promise<void> {
  await page.fill("#address", address);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Sends a GET and waits until all of the answer is there. */
async function receive(page: Page, address: string): Promise<void> {
  await send(page, address);
  await page.locator(".summary .fact", { hasText: "total" }).waitFor();
}

/** The rows of the body that are elements. */
const rowsOf = (page: Page) => page.locator("#answer .body-row");

/** The tab with the fields of the answer. */
const fieldsTab = (page: Page) => page.locator("#answer").getByRole("tab", { name: /^Headers/ });

/** Declares the tests. */
export function describeAnswer(stage: Stage): void {
  describe("an answer", () => {
    let before: Handler;
    beforeAll(() => {
      before = stage.target.answer;
      stage.target.answer = answerAll();
    });
    afterAll(() => {
      stage.target.answer = before;
    });

    it("shows 4.5 MB of JSON without a long task, and to its end (defect 11)", async () => {
      const page = await stage.compose();
      const longest = await measureLongestTask(stage.browser, page, MAX_MS, async () => {
        await receive(page, `${stage.target.origin}/large`);
        await rowsOf(page).first().waitFor();
        await page.locator(".body-lines").focus();
        await expect.poll(async () => {
          await page.keyboard.press("End");
          return await rowsOf(page).last().textContent();
        }).toBe("]\n");
      });
      expect(await rowsOf(page).count()).toBeLessThan(100);
      expect(longest).toBeLessThan(MAX_MS);
      expect(stage.visit.troubles).toEqual([]);
    });

    it("shows JSON as it was typed: long numbers, doubled members, and folds it by mouse and keys", async () => {
      const page = await stage.compose();
      await receive(page, `${stage.target.origin}/item`);
      expect((await rowsOf(page).allTextContents()).join("")).toBe(
        '{\n  "id": 12345678901234567890,\n  "price": 1.0,\n  "price": 1e2,\n  "tags": [\n    "a",\n    "b"\n  ],\n  "note": null\n}\n',
      );
      await page.locator(".body-row .fold").nth(1).click();
      expect((await rowsOf(page).allTextContents()).join("")).toContain('"tags": [ … 2 … ],\n');
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowLeft");
      expect(await rowsOf(page).allTextContents()).toEqual(["{ … 5 … }\n"]);
      expect(await page.getByRole("treeitem").getAttribute("aria-expanded")).toBe("false");
      await page.getByRole("button", { name: "Unfold all" }).click();
      expect(await rowsOf(page).count()).toBe(10);
    });

    it("finds in a body, in folded blocks too, and goes from one place to the next", async () => {
      const page = await stage.compose();
      await receive(page, `${stage.target.origin}/large`);
      await page.getByRole("button", { name: "Fold all", exact: true }).click();
      await page.locator(".body-lines").focus();
      await page.keyboard.press("Control+f");
      await page.keyboard.type('"note" : NULL');
      await page.getByText("1 of 57,000").waitFor();
      await page.keyboard.press("Shift+Enter");
      await page.getByText("57,000 of 57,000").waitFor();
      expect(await page.locator("mark.current").allTextContents()).toEqual(['"note"', ":", "null"]);
      await page.keyboard.press("Escape");
      expect(await page.locator("#answer mark").count()).toBe(0);
    });

    it("says what a packed body was on the wire (defect 26)", async () => {
      const page = await stage.compose();
      await receive(page, `${stage.target.origin}/gzip`);
      expect(await page.locator(".summary").textContent()).toMatch(/size \d+ B on the wire, 1\.8 kB decoded/);
    });

    it("shows the target's own cookie beside ours, and marks what we set because we set it (defects 7 and 8)", async () => {
      const page = await stage.compose();
      await receive(page, `${stage.target.origin}/cookie`);
      expect(await page.getByText("fetchvia answered this itself").count()).toBe(0);
      await fieldsTab(page).click();
      const field = (name: string) =>
        page.locator("#answer dt", { hasText: name }).evaluateAll((terms) =>
          terms.map((
            term,
          ) => [term.querySelector("small")?.textContent ?? "", term.nextElementSibling?.textContent])
        );
      expect(await field("set-cookie"))
        .toEqual([["changed by fetchvia", "sid=1; Path=/shop; Secureas sent: sid=1; Path=/"]]);
      expect(await field("referrer-policy")).toEqual([["", "no-referrer"], ["by fetchvia", "no-referrer"]]);
    });

    it.each([{ path: "/login", count: 1 }, { path: "/item", count: 0 }])(
      "says that the browser's cookies stay away where that may be why: $path, $count",
      async ({ path, count }) => {
        const page = await stage.compose();
        await page.evaluate(() => void (document.cookie = "session=1"));
        await receive(page, stage.target.origin + path);
        expect(stage.target.requests.at(-1)?.headersNamed("cookie")).toEqual([]);
        const note = page.locator("#answer", { hasText: "The console sends only the cookies" });
        await expect.poll(() => note.count()).toBe(count);
        await page.context().clearCookies({ name: "session" });
      },
    );

    it("stays small with 65 fields (defect 27)", async () => {
      const page = await stage.compose();
      await receive(page, `${stage.target.origin}/fields`);
      await fieldsTab(page).click();
      const { height = 0 } = await page.locator("#answer").boundingBox() ?? {};
      expect(height).toBeLessThan(900);
      expect(await page.locator("#answer dt").count()).toBeGreaterThan(65);
    });

    it("keeps the chosen tabs from one answer to the next (defect 29)", async () => {
      const page = await stage.compose();
      await receive(page, `${stage.target.origin}/item`);
      await page.getByRole("tab", { name: "Hex" }).click();
      await receive(page, `${stage.target.origin}/report`);
      expect(await page.getByRole("tab", { name: "Hex" }).getAttribute("aria-selected")).toBe("true");
      expect(await rowsOf(page).first().textContent()).toContain("61 2c 62");
      await fieldsTab(page).click();
      await receive(page, `${stage.target.origin}/item`);
      expect(await fieldsTab(page).getAttribute("aria-selected")).toBe("true");
    });

    it("is told to screen readers, and its tabs follow the arrows (defect 28)", async () => {
      const page = await stage.compose();
      await receive(page, `${stage.target.origin}/item`);
      await page.getByRole("tab", { name: "Pretty" }).focus();
      await page.keyboard.press("ArrowRight");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Raw");
      expect((await rowsOf(page).allTextContents()).join("")).toBe(`${ITEM}\n`);
      await send(page, `${stage.target.origin}/late`);
      expect(await page.locator("#answer-status").textContent()).toBe("Sent, waiting for the response");
      await page.locator(".waiting .fact", { hasText: /\d\.\d s/ }).waitFor();
      gate.open();
      await page.getByText("late", { exact: true }).waitFor();
      expect(await page.locator("#answer-status").textContent()).toMatch(/^Answered 200/);
    });

    it.each([
      { path: "/report", name: "Köln_.csv", body: "a,b\n1,2\n" },
      { path: "/export/data", name: "data.json", body: "{}" },
    ])("is saved as $name, from every view (defect 25)", async ({ path, name, body }) => {
      const page = await stage.compose();
      await receive(page, stage.target.origin + path);
      for (const view of ["Raw", "Hex"]) {
        await page.getByRole("tab", { name: view }).click();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: "Save body" }).click(),
        ]);
        expect(download.suggestedFilename()).toBe(name);
        expect(await readFile(await download.path(), "utf8")).toBe(body);
      }
    });

    it.each(tableOf(["what", "method", "status", "name", "size", "asked"], [
      ["all of it, asked for again", "GET", 200, "long.txt", LONG.length, 2],
      [
        "what is here, where another request could do something twice",
        "POST",
        200,
        "long.txt.part",
        8_000_000,
        1,
      ],
      ["what is here, where it is another response now", "GET", 404, "long.txt.part", 8_000_000, 2],
    ]))("longer than what is shown is saved: $what (D7)", async ({ method, status, name, size, asked }) => {
      const page = await stage.compose();
      await page.selectOption("#method", method);
      await receive(page, `${stage.target.origin}/long.txt`);
      await page.getByText("only the first 8.0 MB are kept").waitFor();
      const shown = stage.target.answer;
      stage.target.answer = status === 200 ? shown : reply(status, {}, "gone");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save body" }).click(),
      ]);
      stage.target.answer = shown;
      expect(download.suggestedFilename()).toBe(name);
      expect(await readFile(await download.path(), "utf8")).toBe(LONG.slice(0, size));
      expect(stage.target.requests).toHaveLength(asked);
    });

    it("is a list of events as they come, with its fields at once, and stays where one reads (defect 21)", async () => {
      const page = await stage.compose();
      await send(page, `${stage.target.origin}/events`);
      await page.getByRole("treeitem", { name: /tick/ }).first().waitFor();
      expect(await rowsOf(page).first().textContent())
        .toMatch(/^#1 {2}\d\d:\d\d:\d\d\.\d{3} {2}tick {2}id 0\n$/);
      await fieldsTab(page).click();
      expect(await page.locator("#answer dl").textContent()).toContain("text/event-stream");
      await page.locator("#answer").getByRole("tab", { name: "Body" }).click();
      gate.open();
      const lines = page.locator(".body-lines");
      await expect.poll(() => lines.evaluate((shown) => shown.scrollTop)).toBeGreaterThan(0);
      await lines.evaluate((shown) => shown.scrollTop = 0);
      gate.open();
      await page.locator(".summary .fact", { hasText: "total" }).waitFor();
      expect(await lines.evaluate((shown) => shown.scrollTop)).toBe(0);
      await page.getByText("40 events").waitFor();
    });

    it("is where a phone is led (defect 13)", async () => {
      const page = await stage.compose({ viewport: { width: 390, height: 800 } });
      await receive(page, `${stage.target.origin}/item`);
      const { y = 800 } = await page.locator("#answer").boundingBox() ?? {};
      // All of it is in view then.
      expect(y).toBeLessThan(400);
    });

    it("goes when the next request is rejected (defect 19)", async () => {
      const page = await stage.compose();
      await receive(page, `${stage.target.origin}/item`);
      await send(page, "/path");
      expect(await page.locator(".summary").count()).toBe(0);
      expect(await page.locator("#answer").textContent()).toContain("Not sent: ");
    });

    it.each(tableOf(["address", "status", "cause"], [
      ["http://127.0.0.1:1/", /^502/, "The target refused the connection: nothing listens there."],
      ["http://nowhere.invalid/", /^502/, "The name of the target does not resolve."],
    ]))("says why there is none from $address (defect 17)", async ({ address, status, cause }) => {
      const page = await stage.compose();
      await receive(page, address);
      expect(await readStatus(page)).toMatch(status);
      await page.getByText(cause).waitFor();
    });

    it("says that the target hung, and which setting is about it (defect 17)", async () => {
      const other = await startProxy(stage.runtime, { LOG: "off", TIMEOUT_MS: "300" });
      const page = await stage.visitAt(other.origin, { path: "/__proxy__/#request" });
      await receive(page, `${stage.target.origin}/silent`);
      expect(await readStatus(page)).toMatch(/^504/);
      await page.getByText("The target hung").waitFor();
      await page.getByText("TIMEOUT_MS").waitFor();
      await other.stop("SIGKILL");
    });

    it("of an ordinary page is a still picture without a word of the policy (defect 35)", async () => {
      const page = await stage.compose();
      const said: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      await receive(page, `${stage.target.origin}/ordinary`);
      const text = page.frameLocator("iframe").getByText("Ordinary");
      await text.waitFor();
      expect(await text.evaluate((shown) => getComputedStyle(shown).color)).toBe("rgb(0, 128, 0)");
      await page.waitForTimeout(300);
      expect(said).toEqual([]);
      expect(stage.visit.troubles).toEqual([]);
    });
  });
}
