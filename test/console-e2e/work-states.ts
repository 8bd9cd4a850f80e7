/**
 * States of whoever works with the list all day: dialogs, groups, a span of time, and what the pane does with several requests.
 * @module
 */
import type { Page } from "playwright-core";
import { inspect, pane } from "./captured.ts";
import { fillList, type Walk } from "./states.ts";
import { typedRows } from "../support/rows.ts";

const list = (page: Page) => page.getByRole("grid", { name: "Live traffic" });
const tool = (page: Page, name: string) => pane(page).getByRole("button", { name, exact: true });

/** The walks. */
export const WORK_WALKS: readonly Walk[] = typedRows<Walk>(["part", "start", "states"], [
  ["dialogs, groups and a span of time", fillList, [
    {
      about: "all actions",
      show: async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: "Action" }).waitFor();
      },
    },
    {
      about: "the keys",
      show: async (page) => {
        await page.keyboard.press("Escape");
        await list(page).press("?");
        await page.getByRole("dialog", { name: "Keys" }).waitFor();
      },
    },
    {
      about: "the settings",
      show: async (page) => {
        await page.keyboard.press("Escape");
        await list(page).press(",");
        await page.getByRole("dialog", { name: "Settings" }).waitFor();
      },
    },
    {
      about: "the settings with nothing kept",
      show: async (page) => {
        await page.getByLabel("Colours", { exact: true }).selectOption("light");
        await page.keyboard.press("Escape");
        await list(page).press(",");
        await page.getByRole("button", { name: "Forget all of it" }).press("Enter");
        await page.getByRole("button", { name: "Press again to forget it" }).press("Enter");
        await page.getByText("Forgotten: ").waitFor();
      },
    },
    {
      about: "routes",
      show: async (page) => {
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "By route" }).click();
        await page.locator("#traffic-groups tbody tr").first().waitFor();
      },
    },
    {
      about: "a span of time",
      show: async (page) => {
        await page.getByRole("button", { name: "By route" }).click();
        await page.getByRole("slider", { name: "Time line" }).focus();
        for (const key of ["End", "Shift+ArrowLeft", "Shift+ArrowLeft"]) await page.keyboard.press(key);
        await page.locator("#traffic-brush .span").waitFor({ state: "attached" });
      },
    },
  ]],
  ["a request beside others", fillList, [
    {
      about: "one that is pinned, with a note",
      show: async (page) => {
        await inspect(page, "/order");
        await tool(page, "Pin").press("Enter");
        await page.keyboard.type("The cup");
      },
    },
    {
      about: "Markdown to share",
      show: async (page) => {
        await pane(page).getByText("Copy as…").click();
        await pane(page).getByLabel("Language").selectOption("Markdown");
        await pane(page).getByText("### Request").waitFor();
      },
    },
    { about: "one that is marked", show: (page) => tool(page, "Mark to compare").press("Enter") },
    {
      about: "one that is compared",
      show: async (page) => {
        await inspect(page, "/moved");
        await tool(page, "Compare with marked").press("Enter");
        await pane(page).getByRole("tabpanel", { name: "Compare" }).waitFor();
      },
    },
  ]],
]);
