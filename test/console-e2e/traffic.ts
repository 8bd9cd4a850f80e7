/**
 * Live traffic in the console: what is shown, to whom.
 * @module
 */
import { describe, expect, it } from "vitest";
import { startProxy } from "../support/proxy.ts";
import type { Stage } from "./stage.ts";

/** Declares the tests. */
export function describeTraffic(stage: Stage): void {
  describe("live traffic", () => {
    it("shows requests of others as they come, without what is secret", async () => {
      const page = await stage.open();
      await page.getByText("No requests yet").or(page.locator("#traffic-rows tr").first()).waitFor();
      await stage.proxy.call("GET /order?token=s3cret", {
        fields: { proxy_host: stage.target.origin, Authorization: "Bearer s3cret" },
      });
      const row = page.locator("#traffic-rows tr", { hasText: "header" }).first();
      await row.waitFor();
      expect(await row.locator("td").allTextContents()).toEqual([
        expect.stringMatching(/^\d\d:\d\d:\d\d$/),
        "GET",
        "201",
        `http://${stage.target.host}/order…`,
        "header",
        "43 B",
        expect.stringMatching(/ ms$/),
        "Open in builder",
      ]);
      expect(await page.content()).not.toContain("s3cret");
      await row.getByRole("button").click();
      expect(await page.inputValue("#address")).toBe(`${stage.target.origin}/order`);
      expect(await page.locator("#charts figure").count()).toBe(2);
    });

    it("replays, filters and pauses", async () => {
      const page = await stage.open();
      await page.getByText("Live", { exact: true }).waitFor();
      await stage.proxy.call("GET /order", { fields: { proxy_host: stage.target.origin } });
      await page.getByRole("button", { name: `Replay GET ${stage.target.origin}/order`, exact: true }).first()
        .click();
      await expect.poll(() => stage.target.requests.length).toBe(2);
      await page.getByLabel("Filter").fill("get nothing-like-that");
      await page.getByText("No request matches the filter").waitFor();
      await page.getByLabel("Filter").fill("");
      await page.getByRole("button", { name: "Pause" }).click();
      await stage.proxy.call("GET /order", { fields: { proxy_host: stage.target.origin } });
      await page.getByRole("button", { name: "Resume (1)" }).click();
    });

    it.each([
      { settings: { PRIVATE_TARGETS: "false" }, path: "/__proxy__/", state: "Live traffic is off" },
      {
        settings: { PRIVATE_TARGETS: "false", PROXY_TOKEN: "t" },
        path: "/__proxy__/?token=t",
        state: "No requests yet",
      },
    ])("with $settings, opened at $path: $state", async ({ settings, path, state }) => {
      const other = await startProxy(stage.runtime, { ...settings, LOG: "off" });
      await stage.visitAt(other.origin, { path });
      await stage.visit.page.getByText(state).first().waitFor();
      expect(stage.visit.page.url()).toBe(`${other.origin}/__proxy__/`);
      await other.stop("SIGKILL");
    });
  });
}
