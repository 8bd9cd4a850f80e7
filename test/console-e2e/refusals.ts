/**
 * What the console says of a target that is refused: the line of settings that opens it, to be copied.
 * @module
 */
import { describe, expect, it } from "vitest";
import { startProxy } from "../support/proxy.ts";
import type { Stage } from "./stage.ts";

/** Reads what a copy button has put into the clipboard. */
async function copied(stage: Stage, name: string | RegExp): Promise<string> {
  const { page, context } = stage.visit;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name }).first().click();
  await page.getByText("Copied").first().waitFor();
  return await page.evaluate(() => navigator.clipboard.readText());
}

/** Declares the tests. */
export function describeRefusals(stage: Stage): void {
  describe("a target that is refused", () => {
    it("is answered with the setting that opens it", async () => {
      const page = await stage.compose({ extraHTTPHeaders: { "x-forwarded-for": "192.0.2.1" } });
      await page.fill("#address", `${stage.target.origin}/order`);
      await page.getByRole("button", { name: "Send" }).click();
      const setting = `ALLOW_TARGETS=${new URL(stage.target.origin).host}`;
      await page.locator("#answer-view").getByText(setting, { exact: true }).waitFor();
      expect(await copied(stage, "Copy the setting")).toBe(setting);
      expect(stage.target.requests).toEqual([]);
    });

    it("stands in live traffic with it", async () => {
      const other = await startProxy(stage.runtime, { PRIVATE_TARGETS: "true", LOG: "off" });
      await stage.visitAt(other.origin);
      await stage.visit.page.getByText("Live", { exact: true }).waitFor();
      const fields = { Host: `rebound.test:${other.port}`, proxy_host: stage.target.origin };
      expect((await other.call("GET /order", { fields })).status).toBe(403);
      await stage.visit.page.locator("#traffic-rows").getByRole("row", { name: stage.target.host }).click();
      expect(await copied(stage, "Copy the setting HOSTS=rebound.test")).toBe("HOSTS=rebound.test");
      await other.stop("SIGKILL");
    });
  });
}
