/**
 * What is put into the builder: led to what is missing, readable, undone; and WebSockets, in one place.
 * Numbers of defects are those of the review that found them.
 * @module
 */
import { once } from "node:events";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { inspect, pane } from "./captured.ts";
import { findFaults } from "./axe.ts";
import { showView, type Stage } from "./stage.ts";
import { openList, rowsOf } from "./traffic.ts";

const focused = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLInputElement).value ?? document.activeElement?.id);

/** Declares the tests. */
export function describeDrafts(stage: Stage): void {
  const send = (line: string, fields = {}) =>
    stage.proxy.call(line, { fields: { proxy_host: stage.target.origin, ...fields } });

  describe("what comes into the builder", () => {
    it("leads to what was masked, whatever tab is open, and brings back what it replaced (D21, D6)", async () => {
      const page = await openList(stage);
      await send("GET /order", { authorization: "Bearer abcdefgh1234567890" });
      await showView(page, "Compose");
      await page.fill("#address", `${stage.target.origin}/half`);
      await page.click("#tab-saved");
      await showView(page, "Traffic");
      await inspect(page, "/order");
      await pane(page).getByRole("button", { name: "Edit" }).click();
      expect(await page.locator("#tab-headers").getAttribute("aria-selected")).toBe("true");
      expect(await focused(page)).toMatch(/^Bearer \*\*\*/);
      expect(await page.locator("#builder-note").textContent()).toBe("Masked, fill in: authorization");
      await page.keyboard.type("Bearer new");
      expect(await page.locator("#builder-note").textContent()).toBe("");
      await page.getByRole("button", { name: /^Bring back GET .*half/ }).click();
      expect(await page.inputValue("#address")).toBe(`${stage.target.origin}/half`);
    });

    it("has headers as rows and as text (D22)", async () => {
      const page = await stage.compose();
      await page.getByLabel("Header name").first().fill("sec-ch-ua-platform-version");
      await page.getByLabel("Header value").first().fill("a: b");
      expect(await page.getByLabel("Header name").first().getAttribute("title"))
        .toBe("sec-ch-ua-platform-version");
      await page.getByRole("button", { name: "As text" }).click();
      const text = page.getByLabel("Headers as text");
      expect(await text.inputValue()).toBe("sec-ch-ua-platform-version: a: b");
      await text.fill("x-a: 1\nx-a:2\n\nx-b");
      expect(await findFaults(page)).toEqual([]);
      await page.fill("#address", `${stage.target.origin}/order`);
      await page.getByRole("button", { name: "Send" }).click();
      await expect.poll(() => stage.target.requests.length).toBe(1);
      expect(stage.target.requests[0]!.headers.filter(([name]) => /^x-/.test(name)))
        .toEqual([["x-a", "1"], ["x-a", "2"], ["x-b", ""]]);
      await page.getByRole("button", { name: "As rows" }).click();
      expect(await page.getByLabel("Header name").nth(2).inputValue()).toBe("x-b");
    });

    it("is a WebSocket where one was captured, and its messages stand where responses do (D4, D23)", async () => {
      const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
      server.on("connection", (socket) => {
        socket.send('{"hello":["you"]}');
        socket.on("message", (data: Buffer) => socket.send(`got ${data}`));
      });
      await once(server, "listening");
      const { port } = server.address() as { port: number };
      const page = await openList(stage);
      await showView(page, "Compose");
      await page.fill("#address", `ws://127.0.0.1:${port}/chat`);
      await page.getByRole("button", { name: "Connect" }).click();
      const messages = page.locator("#answer").getByRole("list", { name: "Messages" });
      await messages.getByText('{"hello":["you"]}').click();
      await messages.getByRole("tab", { name: "Pretty" }).waitFor();
      await page.getByLabel("Message", { exact: true }).fill("hi");
      await page.keyboard.press("Enter");
      await messages.getByText("got hi").waitFor();
      expect(await page.getByText("Nothing sent yet").count()).toBe(0);
      expect(await findFaults(page)).toEqual([]);
      // Another request takes its place, and closes it.
      await page.fill("#address", `${stage.target.origin}/order`);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await expect.poll(() => server.clients.size).toBe(0);
      await showView(page, "Traffic");
      await inspect(page, "/chat");
      await pane(page).getByRole("button", { name: "Edit" }).click();
      expect(await page.inputValue("#address")).toBe(`ws://127.0.0.1:${port}/chat`);
      await page.getByRole("button", { name: "Connect" }).waitFor();
      await showView(page, "Traffic");
      await rowsOf(page).first().waitFor();
      server.close();
    });
  });
}
