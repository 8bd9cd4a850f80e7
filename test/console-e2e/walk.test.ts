/**
 * One walk through the console on Bun and Deno; all of it is tested on Node (`suite.ts`).
 * @module
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RuntimeName } from "../support/proxy.ts";
import { buildPost, readStatus, showView, Stage } from "./stage.ts";

const RUNTIMES: RuntimeName[] = ["bun", "deno"];

describe.each(RUNTIMES)("the console on %s", (runtime) => {
  const stage = new Stage(runtime);
  beforeAll(() => stage.start());
  afterEach(() => stage.clear());
  afterAll(() => stage.stop());

  it("takes a host, sends, shows, replays and explains", async () => {
    const page = await stage.open();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByLabel("Base address of the host").fill(stage.target.origin);
    await page.getByRole("button", { name: "Set host" }).click();
    await page.getByText("set by cookie", { exact: true }).waitFor();
    await showView(page, "Compose");
    await buildPost(page, stage.target);
    await page.keyboard.press("Control+Enter");
    await page.locator(".summary").waitFor();
    expect(await readStatus(page)).toMatch(/^201/);
    await showView(page, "Traffic");
    await page.locator("#traffic-rows").getByRole("row", { name: /POST/ }).first().click();
    await page.locator("#inspector").getByRole("button", { name: "Replay" }).click();
    await expect.poll(() => stage.seen).toEqual(
      Array(2).fill(["POST", "/order?draft=1", '{"item":"teapot"}']),
    );
    await showView(page, "Explain");
    await page.getByLabel("Address to explain").fill(`${stage.target.origin}/order`);
    await page.getByRole("button", { name: "Explain" }).click();
    await page.locator("#explain-result").getByText("Allowed: Its addresses may be dialled").waitFor();
    expect(stage.visit.troubles).toEqual([]);
  });
});
