/**
 * What the list does for whoever works with it all day: actions by name, keys, groups, and a span of time.
 * @module
 */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { act, type Stage } from "./stage.ts";
import { openList, rowsOf } from "./traffic.ts";

const filterOf = (page: Page) => page.getByLabel("Filter", { exact: true });
const focusOf = (page: Page) => page.evaluate(() => document.activeElement?.id);

function describeDialogs(stage: Stage): void {
  describe("dialogs", () => {
    it("do any action by keyboard alone, and give the focus back", async () => {
      const page = await openList(stage);
      await stage.proxy.call("GET /order", { fields: { proxy_host: stage.target.origin } });
      await rowsOf(page).first().waitFor();
      await page.getByRole("grid", { name: "Live traffic" }).focus();
      await page.keyboard.press("Control+k");
      const field = page.getByRole("combobox", { name: "Action" });
      await field.waitFor();
      await page.keyboard.press("Escape");
      await field.waitFor({ state: "detached" });
      expect(await focusOf(page)).toBe("traffic-scroll");
      await act(page, "list clear");
      await page.getByText("No requests yet").waitFor();
      expect(await focusOf(page)).toBe("traffic-scroll");
      await page.keyboard.press("Control+k");
      await field.fill("filter: ");
      await page.locator("#palette-list > *").first().waitFor();
      await page.keyboard.press("ArrowDown");
      expect(await page.locator('[role="option"][aria-selected="true"]').textContent())
        .toMatch(/^Filter: 5xx/);
      await page.keyboard.press("Enter");
      expect(await filterOf(page).inputValue()).toBe("status:5xx");
      await page.keyboard.press("Control+k");
      await field.fill("no such thing");
      await page.keyboard.press("Enter");
      await field.fill("go to the filter");
      await page.locator("#palette-list > *").first().waitFor();
      await page.keyboard.press("Enter");
      expect(await focusOf(page)).toBe("traffic-filter");
      await act(page, "go compose");
      await page.locator("#address").waitFor();
      expect(stage.visit.troubles).toEqual([]);
    });

    it("copy the picked request as curl, and pin it", async () => {
      const page = await openList(stage, { permissions: ["clipboard-read", "clipboard-write"] });
      await stage.proxy.call("GET /order", { fields: { proxy_host: stage.target.origin } });
      await rowsOf(page).first().click();
      await page.locator("#inspector .copy-as").waitFor();
      await act(page, "copy curl");
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toMatch(/^curl .*\/order/s);
      await act(page, "request pin");
      await rowsOf(page).getByText("★ pinned").waitFor();
    });

    it("keep what is typed while they load", async () => {
      const page = await openList(stage);
      let load = () => {};
      const loading = new Promise<void>((resolve) => (load = resolve));
      await page.route(/console-after-paint/, (route) => loading.then(() => route.continue()));
      await page.reload({ waitUntil: "commit" });
      await page.getByText("Nothing sent yet").waitFor({ state: "attached" });
      await page.keyboard.press("Control+k");
      await page.keyboard.type("go compose");
      load();
      await page.getByRole("option", { name: "Go to Compose" }).waitFor();
      await page.keyboard.press("Enter");
      await page.locator("#address").waitFor();
    });

    it("answer what was asked of Explain while it loads", async () => {
      const page = await stage.open();
      let load = () => {};
      const loading = new Promise<void>((resolve) => (load = resolve));
      await page.route(/console-after-paint/, (route) => loading.then(() => route.continue()));
      await page.goto(`${stage.proxy.origin}/__proxy__/#explain`, { waitUntil: "commit" });
      await page.reload({ waitUntil: "commit" });
      await page.getByText("Nothing sent yet").waitFor({ state: "attached" });
      await page.getByLabel("Address to explain").fill(stage.target.origin);
      await page.getByRole("button", { name: "Explain" }).click();
      load();
      await page.locator("#explain-result").getByText("Allowed: Its addresses may be dialled").waitFor();
    });

    it("show all keys at ?, but not to whoever types one", async () => {
      const page = await openList(stage);
      await filterOf(page).press("?");
      expect(await filterOf(page).inputValue()).toBe("?");
      expect(await page.locator("dialog").count()).toBe(0);
      await page.getByRole("grid", { name: "Live traffic" }).press("?");
      const help = page.getByRole("dialog", { name: "Keys" });
      await help.waitFor();
      expect(await help.locator("kbd").allTextContents())
        .toEqual(expect.arrayContaining(["Ctrl+K", "?", "/"]));
      await page.keyboard.press("Escape");
      await help.waitFor({ state: "detached" });
      expect(await focusOf(page)).toBe("traffic-scroll");
    });

    it("show and change the settings, and what the proxy is", async () => {
      const page = await openList(stage);
      const list = page.getByRole("grid", { name: "Live traffic" });
      await list.press(",");
      const settings = page.getByRole("dialog", { name: "Settings" });
      await settings.getByText("need no token").waitFor();
      await settings.getByText(/^to .+, /).waitFor();
      await settings.getByLabel("Colours").selectOption("dark");
      expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
      await page.keyboard.press("Escape");
      await settings.waitFor({ state: "detached" });
      expect(await focusOf(page)).toBe("traffic-scroll");
      await page.getByRole("button", { name: "Colours: dark" }).click();
      await list.focus();
      await act(page, "settings");
      expect(await settings.getByLabel("Colours").inputValue()).toBe("system");
      await page.keyboard.press("Escape");
      await settings.waitFor({ state: "detached" });
      expect(await focusOf(page)).toBe("traffic-scroll");
    });

    it("forget what the browser stores of the console, in every tab, and nothing else", async () => {
      const page = await openList(stage);
      await page.evaluate(() => {
        localStorage.setItem("fetchvia.filters", '["path:/kept"]');
        localStorage.setItem("fetchvia.hosts", '["https://kept.test"]');
        localStorage.setItem("fetchvia.saved", '{"variables":[["*",[["kept","1"]]]]}');
        localStorage.setItem("fetchvia.theme", "dark");
        localStorage.setItem("of a target", "1");
      });
      await page.reload();
      const chip = (one: Page) => one.getByRole("button", { name: "path:/kept" });
      await chip(page).waitFor();
      const other = await page.context().newPage();
      await other.goto(page.url());
      await chip(other).waitFor();
      const list = page.getByRole("grid", { name: "Live traffic" });
      const forget = page.getByRole("button", { name: "Forget all of it" });
      const again = page.getByRole("button", { name: "Press again to forget it" });
      for (const end of ["Escape", "Enter"]) {
        await list.press(",");
        await page.getByText("https://kept.test").waitFor();
        await forget.press("Enter");
        await again.press(end);
      }
      await page.getByText("Forgotten: variables, saved filters, recent hosts, colours").waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Forgotten/);
      await page.keyboard.press("Escape");
      for (const tab of [page, other]) await chip(tab).waitFor({ state: "detached" });
      expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ "of a target": "1" });
      expect(await page.locator("#recents-list li").count()).toBe(0);
      expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBeUndefined();
      await other.close();
      expect(stage.visit.troubles).toEqual([]);
    });
  });
}

function describeGroups(stage: Stage): void {
  it("the list is grouped by route, and one of them is opened", async () => {
    const page = await openList(stage);
    const fields = { proxy_host: stage.target.origin };
    for (const path of ["/users/1", "/users/2", "/users/3", "/order"]) {
      await stage.proxy.call(`GET ${path}`, { fields });
    }
    await rowsOf(page).nth(3).waitFor();
    await page.getByRole("button", { name: "By route" }).click();
    const groups = page.locator("#traffic-groups tbody tr");
    const told = () =>
      groups.evaluateAll((rows) =>
        rows.map((row) => [...row.children].slice(0, 3).map((one) => one.textContent))
      );
    const { host } = stage.target;
    const [users, order] = [[`${host}/users/:id`, "3", "3"], [`${host}/order`, "1", "0"]];
    await expect.poll(told).toEqual([users, order]);
    await page.getByRole("columnheader", { name: "Count" }).getByRole("button").press("Enter");
    await expect.poll(told).toEqual([order, users]);
    expect(await page.getByRole("columnheader", { name: "Count" }).getAttribute("aria-sort"))
      .toBe("ascending");
    await page.getByRole("button", { name: `${host}/users/:id` }).click();
    expect(await filterOf(page).inputValue()).toBe(`route:${host}/users/:id`);
    await expect.poll(() => page.locator("#traffic-rows .path").allTextContents())
      .toEqual(["/users/3", "/users/2", "/users/1"]);
    expect(await focusOf(page)).toBe("traffic-scroll");
  });
}

function describeBrush(stage: Stage): void {
  const bars = (page: Page) => page.getByRole("slider", { name: "Time line" });
  const shade = (page: Page) => page.locator("#traffic-brush .span").getAttribute("d");

  it("a span of time is dragged on the line of bars, outlives a reload, and goes with Escape", async () => {
    const page = await openList(stage);
    await stage.proxy.call("GET /order", { fields: { proxy_host: stage.target.origin } });
    await rowsOf(page).first().waitFor();
    const { x, y, width } = (await bars(page).boundingBox())!;
    const drag = async (from: number, to: number) => {
      await page.mouse.move(x + width * from, y + 5);
      await page.mouse.down();
      await page.mouse.move(x + width * to, y + 5, { steps: 3 });
      await page.mouse.up();
    };
    // What has just come lies at the right end.
    await drag(.05, .3);
    expect(await filterOf(page).inputValue()).toMatch(/^time:\d\d:\d\d:\d\d-\d\d:\d\d:\d\d$/);
    await page.getByText("No request matches the filter").waitFor();
    await expect.poll(() => shade(page)).toMatch(/^M/);
    const kept = await filterOf(page).inputValue();
    await expect.poll(() => new URLSearchParams(new URL(page.url()).hash.slice(1)).get("f")).toBe(kept);
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    await expect.poll(() => filterOf(page).inputValue()).toBe(kept);
    await drag(.02, .99);
    expect(await filterOf(page).inputValue()).not.toBe(kept);
    await rowsOf(page).first().waitFor();
    await page.keyboard.press("Escape");
    expect(await filterOf(page).inputValue()).toBe("");
    expect(await focusOf(page)).toBe("traffic-brush");
    await expect.poll(() => shade(page)).toBe("");
  });

  it("the line of bars is used by keyboard", async () => {
    const page = await openList(stage);
    await filterOf(page).fill("status:2xx");
    await bars(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    expect(await bars(page).getAttribute("aria-valuetext")).toMatch(/^\d\d:\d\d:\d\d: \d+ requests$/);
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Shift+ArrowLeft");
    const [, first = 0, last = 0] = /^status:2xx time:(\S+)-(\S+)$/.exec(await filterOf(page).inputValue())!
      .map((text) => Date.parse(`2026-11-28T${text}Z`) / 1_000);
    // Three columns of 2 s, maybe over midnight.
    expect((last - first + 86_400) % 86_400).toBe(6);
    await page.keyboard.press("Escape");
    expect(await filterOf(page).inputValue()).toBe("status:2xx");
  });
}

/** Fragments that any page may have written; each has, in some reading, an expression that takes for ever on a long path. */
const FRAGMENTS = [
  { fragment: '/(\\S+)+! time:"/" y/', kept: '/(\\S+)+! time:"/" y/' },
  { fragment: "/(\\S+)+! time:1:00-2:00 y/", kept: "" },
  { fragment: "since:1h /(a+)+!$/ route:none", kept: "since:1h route:none" },
  { fragment: "-/(a|aa)+!$/i since:0s", kept: "since:0s" },
];

function describeFragments(stage: Stage): void {
  it.each(FRAGMENTS)("a page opened at $fragment answers", async ({ fragment, kept }) => {
    // A longer run would be masked as a secret.
    await stage.proxy.call(`GET /${"a".repeat(32)}`, { fields: { proxy_host: stage.target.origin } });
    const page = await stage.open({ path: `/__proxy__/#${new URLSearchParams({ f: fragment })}` });
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("#traffic-count").filter({ hasText: /request/ }).waitFor();
    expect(await filterOf(page).inputValue()).toBe(kept);
    // Each term in turn goes; what is left is read anew.
    const terms = page.locator("#traffic-terms button");
    for (let left = await terms.count(); left > 0; left = await terms.count()) {
      await terms.nth(Math.floor(left / 2)).click();
      await expect.poll(() => terms.count()).toBeLessThan(left);
    }
    expect(await filterOf(page).inputValue()).toBe("");
    await rowsOf(page).filter({ hasText: "aaaa" }).first().waitFor();
    expect(stage.visit.troubles).toEqual([]);
  });
}

function describeFilterHistory(stage: Stage): void {
  it("the filters before are offered by keyboard, and stored nowhere", async () => {
    const page = await openList(stage);
    const field = filterOf(page);
    await field.press("ArrowUp");
    expect(await field.inputValue()).toBe("");
    await field.fill("status:5xx");
    await field.press("Escape");
    await page.getByRole("button", { name: "4xx" }).click();
    await page.getByRole("button", { name: "Remove the filter status:4xx" }).click();
    await field.pressSequentially("password=PLANTED");
    await field.press("Enter");
    await field.press("Escape");
    const offered: string[] = [];
    for (const _ of [1, 2, 3, 4]) {
      await field.press("ArrowUp");
      offered.push(await field.inputValue());
    }
    expect(offered).toEqual(["password=PLANTED", "status:4xx", "status:5xx", "status:5xx"]);
    await page.locator("#traffic-terms").getByText("status:5xx").waitFor();
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]));
    expect(stored).not.toContain("PLANTED");
    await field.press("ArrowDown");
    expect(await focusOf(page)).toBe("traffic-scroll");
    expect(stage.visit.troubles).toEqual([]);
  });
}

/** Declares the tests. */
export function describeWorkbench(stage: Stage): void {
  describeFragments(stage);
  describeDialogs(stage);
  describeGroups(stage);
  describeBrush(stage);
  describeFilterHistory(stage);
}
