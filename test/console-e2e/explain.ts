/**
 * What the console tells of a request that is not sent.
 * @module
 */
import { describe, expect, it } from "vitest";
import { placeOf } from "../support/ways.ts";
import type { Stage } from "./stage.ts";

/** Declares the tests. */
export function describeExplain(stage: Stage): void {
  describe("an explanation", () => {
    const ask = async (address: string, looksUp = false) => {
      const { page } = stage.visit;
      await page.getByLabel("Address to explain").fill(address);
      await page.getByRole("checkbox", { name: "Resolve names" }).setChecked(looksUp);
      await page.getByRole("button", { name: "Explain" }).click();
    };

    it("judges addresses of targets and of the proxy itself, and names as they are written, and asks for none", async () => {
      const result = (await stage.open({ path: "/__proxy__/#explain" })).locator("#explain-result");
      await ask(`${stage.target.origin}/order`);
      await result.getByText("Allowed: Its addresses may be dialled").waitFor();
      expect(await result.locator("dd").first().textContent()).toBe(`${stage.target.origin}/order`);
      await ask("nonsense");
      await result.getByText("Refused: Cannot use parameter url").waitFor();
      await ask(`${stage.proxy.origin}${placeOf(stage.target.origin)}/order`);
      await result.getByText("Allowed: Its addresses may be dialled").waitFor();
      expect(await result.locator("dt").first().textContent()).toBe("at");
      await ask("http://fetchvia.invalid/");
      await result.getByText("its addresses are judged when it is dialled").waitFor();
      await ask("http://fetchvia.invalid/", true);
      await result.getByText("its name does not resolve").waitFor();
      expect(stage.target.requests).toEqual([]);
    });

    it("tells why it is refused, and the setting that opens it", async () => {
      const page = await stage.open({
        path: "/__proxy__/#explain",
        extraHTTPHeaders: { "x-forwarded-for": "192.0.2.1" },
      });
      await ask(`${stage.target.origin}/order`);
      await page.locator("#explain-result").getByText("Refused: Cannot reach").waitFor();
      const setting = `ALLOW_TARGETS=${new URL(stage.target.origin).host}`;
      await page.getByRole("button", { name: `Copy the setting ${setting}` }).waitFor();
      expect(stage.target.requests).toEqual([]);
    });
  });
}
