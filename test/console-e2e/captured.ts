/**
 * Captured requests as they are used every day: over a reload, a restart and several tabs, in files, and while they are cut.
 * Numbers of defects are those of the review that found them.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createBrotliCompress, gzipSync } from "node:zlib";
import type { Download, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { raw, reply, routes } from "../support/answers.ts";
import { startProxy } from "../support/proxy.ts";
import { showView, type Stage } from "./stage.ts";
import { openList, rowsOf } from "./traffic.ts";

export const pane = (page: Page) => page.getByRole("region", { name: "Inspected request" });
const panel = (page: Page) => pane(page).getByRole("tabpanel").first();
const tab = (page: Page, name: string) =>
  pane(page).getByRole("tab", { name: new RegExp(`^${name}`) }).first();

/** Opens the row of a request in the inspector, once it is there in full. The list stands still then: later rows wait. */
export async function inspect(page: Page, text: string): Promise<void> {
  await rowsOf(page).filter({ hasText: text }).first().click();
  await tab(page, "Changes").waitFor();
}

async function download(page: Page, click: () => Promise<void>): Promise<{ saved: Download; text: string }> {
  const [saved] = await Promise.all([page.waitForEvent("download"), click()]);
  return { saved, text: await readFile(await saved.path(), "utf8") };
}

/** Declares the tests. */
export function describeCaptured(stage: Stage): void {
  const to = () => ({ proxy_host: stage.target.origin });
  const send = (line: string, fields = {}, body?: string) =>
    stage.proxy.call(line, { fields: { ...to(), ...fields }, ...(body && { body }) });

  describe("what was captured", () => {
    it("stays over a reload: request, filter and emptiness (D18)", async () => {
      const page = await openList(stage);
      await send("GET /order?kept");
      await send("GET /page?other");
      await rowsOf(page).nth(1).waitFor();
      await inspect(page, "/order");
      await rowsOf(page).locator(".query", { hasText: /^\?kept$/ }).waitFor();
      await page.getByLabel("Filter", { exact: true }).fill("path:/order");
      await expect.poll(() => page.url()).toMatch(/#r=[0-9a-f]{12}&f=path%3A%2Forder$/);
      await page.reload();
      await tab(page, "Changes").waitFor();
      expect(await pane(page).locator("h3").textContent()).toContain("/order");
      expect(await rowsOf(page).count()).toBe(1);
      await page.getByLabel("Filter", { exact: true }).fill("");
      await rowsOf(page).nth(1).waitFor();
      await expect.poll(() => page.url()).toMatch(/#r=[0-9a-f]{12}$/);
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await page.reload();
      await page.getByText("Live", { exact: true }).waitFor();
      await page.getByText("No requests yet").waitFor();
      expect(await rowsOf(page).count()).toBe(0);
    });

    it("is live again after a restart, and its own tries are no traffic (D8)", async () => {
      const first = await startProxy(stage.runtime, { LOG: "off" });
      const page = await stage.visitAt(first.origin);
      await page.getByText("Live", { exact: true }).waitFor();
      await first.stop("SIGKILL");
      await page.getByText("Reconnecting…").waitFor();
      const reloaded = page.waitForEvent("load");
      const second = await startProxy(stage.runtime, { LOG: "off" }, { port: first.port });
      await reloaded;
      await page.getByText("Live", { exact: true }).waitFor();
      expect(await rowsOf(page).count()).toBe(0);
      // What a reload would lose stays.
      await showView(page, "Compose");
      await page.getByLabel("Header name").first().fill("authorization");
      await page.getByLabel("Header value").first().fill("Bearer abc");
      await second.stop("SIGKILL");
      await page.getByText("Reconnecting…").waitFor();
      const third = await startProxy(stage.runtime, { LOG: "off" }, { port: first.port });
      await page.getByText("Load the console again").waitFor();
      expect(await page.getByLabel("Header value").first().inputValue()).toBe("Bearer abc");
      await third.stop("SIGKILL");
    });

    it("goes to the host that another tab has set (D10)", async () => {
      const page = await stage.compose();
      const other = await stage.visit.context.newPage();
      await other.goto(page.url());
      await other.fill("#host-input", stage.target.origin);
      await other.press("#host-input", "Enter");
      await expect.poll(() => page.locator("#host-target").textContent()).toBe(`to ${stage.target.origin}`);
      await page.fill("#address", "/order");
      await page.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => stage.seen).toContainEqual(["GET", "/order", ""]);
    });

    it("is saved as the filter has it, with targets that were refused (D15, D16)", async () => {
      const page = await openList(stage);
      await send("GET /order?saved");
      await send("GET /page");
      await stage.proxy.call("GET /x", { fields: { proxy_host: "http://169.254.169.254" } });
      await stage.proxy.call("GET /__proxy__/?host=http://a.test");
      await rowsOf(page).nth(2).waitFor();
      const save = () => page.getByRole("button", { name: "Save HAR" }).first().click();
      const urls = async () =>
        JSON.parse((await download(page, save)).text).log.entries.map((entry: { request: { url: string } }) =>
          entry.request.url
        );
      await expect.poll(() => page.locator("#capture-har").isEnabled()).toBe(true);
      expect(await urls()).toEqual(expect.arrayContaining([`${stage.target.origin}/page`]));
      expect(await urls()).not.toContainEqual(expect.stringContaining("__proxy__"));
      await page.getByLabel("Filter", { exact: true }).fill("host:169.254");
      await expect.poll(() => rowsOf(page).count()).toBe(1);
      expect(await urls()).toEqual(["http://169.254.169.254/x"]);
    });

    it("is saved by itself, without its secrets", async () => {
      const page = await openList(stage);
      await send("GET /order?alone", { Authorization: "Bearer s3cret-value" });
      await send("GET /page");
      await rowsOf(page).nth(1).waitFor();
      await inspect(page, "?alone");
      const save = () => pane(page).getByRole("button", { name: "Save HAR" }).click();
      const { text } = await download(page, save);
      expect(JSON.parse(text).log.entries)
        .toMatchObject([{ request: { url: `${stage.target.origin}/order?alone` } }]);
      expect(text).not.toContain("s3cret");
    });

    it("is named by what its body asks for, and shows request and response at once", async () => {
      const page = await openList(stage);
      const asked = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "add" } };
      await send("POST /mcp", { "Content-Type": "application/json" }, JSON.stringify(asked));
      const row = rowsOf(page).filter({ hasText: "/mcp" });
      await row.locator(".operation").waitFor();
      expect(await row.locator(".operation").textContent()).toBe("tools/call add");
      await inspect(page, "/mcp");
      for (const name of ["Request to the target", "Response of the target"]) {
        const box = await pane(page).getByRole("heading", { name, exact: true }).boundingBox();
        expect(box!.y + box!.height).toBeLessThan(page.viewportSize()!.height);
      }
    });

    it("is found in packed bodies, which are said to be searched meanwhile (D9), and read (D1)", async () => {
      const brotli = createBrotliCompress();
      brotli.end('{"in":"brotli"}');
      const packed = Buffer.concat(await brotli.toArray());
      const type = { "Content-Type": "application/json" };
      stage.target.answer = routes({
        "/br": reply(200, { ...type, "Content-Encoding": "br" }, packed),
        "/gz": reply(200, { ...type, "Content-Encoding": "gzip" }, gzipSync('{"a":"hello world"}')),
      });
      const page = await openList(stage);
      await send("GET /br");
      await send("GET /gz");
      await rowsOf(page).nth(1).waitFor();
      await inspect(page, "/br");
      await tab(page, "Response").click();
      await panel(page).getByText('"brotli"').waitFor();
      await page.getByLabel("Filter", { exact: true }).fill('body:"hello world"');
      await page.getByText("Searching the bodies…").waitFor();
      await rowsOf(page).filter({ hasText: "/br" }).waitFor({ state: "detached" });
      await rowsOf(page).filter({ hasText: "/gz" }).waitFor();
      expect(await rowsOf(page).count()).toBe(1);
      stage.resetTarget();
    });

    it("says where the body is that it was cut, and saves it as a part (D13, D7)", async () => {
      const page = await openList(stage);
      stage.target.answer = raw(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n7 bytes",
      );
      const sent = send("GET /cut").catch(() => {});
      await inspect(page, "/cut");
      await tab(page, "Response").click();
      await panel(page).getByText("7 B so far.").waitFor();
      // Not before its head has gone on: a response that ends sooner is a 502.
      stage.target.cut();
      await sent;
      await panel(page).getByText("7 B. Ended early: connection terminated.").waitFor();
      stage.target.answer = reply(200, { "Content-Type": "text/plain" }, "x".repeat(100_000));
      await send("GET /long.txt");
      await inspect(page, "/long.txt");
      await tab(page, "Response").click();
      const { saved, text } = await download(
        page,
        () => panel(page).getByRole("button", { name: "Save body" }).click(),
      );
      expect(saved.suggestedFilename()).toBe("response.part");
      expect(text).toBe("x".repeat(65_536));
      stage.resetTarget();
    });

    it("shows the parts of a form with files (D24)", async () => {
      const page = await openList(stage);
      const body = [
        '--b\r\nContent-Disposition: form-data; name="who"\r\n\r\nKöln\r\n',
        '--b\r\nContent-Disposition: form-data; name="doc"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n',
        "--b--\r\n",
      ].join("");
      await send("POST /up", { "Content-Type": "multipart/form-data; boundary=b" }, body);
      await inspect(page, "/up");
      await tab(page, "Request").click();
      const fields = panel(page).getByLabel("Fields of the form");
      expect(await fields.locator("dt").allTextContents()).toEqual(["who", "doc"]);
      expect(await fields.locator("dd").allTextContents()).toEqual(["Köln", "a.txt, text/plain, 5 B"]);
    });
  });
}
