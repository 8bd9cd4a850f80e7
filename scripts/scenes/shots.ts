/**
 * Pictures of the page: three widths, light and dark, to be looked at.
 * @module
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findOverflow } from "./measure.ts";
import { walkStates } from "./states.ts";
import type { Stage } from "./stage.ts";

const WIDTHS = [1440, 1024, 390];

/** Takes the pictures, and says what stands out of its card. */
export async function takeShots(stage: Stage, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const colours of ["light", "dark"] as const) {
    for (const width of WIDTHS) {
      await walkStates(stage, colours, width, async (page, name) => {
        const { pixels, what } = await findOverflow(page);
        if (pixels > 0) console.log(`${name}, ${colours}, ${width}: ${what} stands out by ${pixels} px`);
        const path = join(folder, `${width}-${colours}-${name}.png`);
        // What is fixed, and rows that are drawn when they are seen, show where they are in a window only.
        const fullPage = !/^(filter|inspector)/.test(name);
        if (fullPage) await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path, fullPage, animations: "disabled" });
      });
    }
  }
}
