/**
 * What the browser stores of the console, where a target's page may share its origin: no secret of what was typed there,
 * unless the user says so for that one request. The page is the same with every runtime.
 * @module
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { SECRET_ADDRESSES, SECRET_BODIES } from "../support/secret-names.ts";
import { SECRET_FIELDS, SECRET_PARAMETERS } from "../support/secret-names.ts";
import { findFaults } from "./axe.ts";
import { openShares, showView, Stage } from "./stage.ts";

const stage = new Stage("bun");
beforeAll(() => stage.start());
afterEach(() => stage.clear());
afterAll(() => stage.stop());

const MEMBERS = Object.fromEntries(SECRET_PARAMETERS.map((name) => [name, "PLANTED"]));
const FORM = new URLSearchParams(MEMBERS).toString();

/** Curl commands that plant every name of the table in every part of a request, by the names to save them under. */
function plant(origin: string): [name: string, command: string][] {
  const address = `${origin.replace("://", "://me:PLANTED@")}/order?a=1&${FORM}#access_token=PLANTED`;
  const fields = SECRET_FIELDS.map((name) => `-H '${name}: a=PLANTED'`).join(" ");
  const texts = [SECRET_ADDRESSES.map(({ address }) => address), SECRET_BODIES.map(({ body }) => body)];
  const json = JSON.stringify({ ...MEMBERS, texts });
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    ["fields", `curl '${origin}/order' ${fields}`],
    ["parameters", `curl '${address}' --data-raw '${FORM}'`],
    ["members", `curl '${origin}/order' -H 'content-type: application/json' --data-raw ${quote(json)}`],
    ["parts", `curl '${origin}/order' ${SECRET_PARAMETERS.map((name) => `-F '${name}=PLANTED'`).join(" ")}`],
  ];
}

/** Puts a command into the builder. */
async function load(page: Page, command: string): Promise<void> {
  await page.fill("#address", command);
  await page.click("#send");
  await page.waitForFunction(() =>
    !document.querySelector<HTMLInputElement>("#address")!.value.startsWith("curl")
  );
}

async function save(page: Page, name: string): Promise<void> {
  await page.fill("#save-name", name);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name, exact: true }).waitFor();
}

async function setHost(page: Page, host: string): Promise<void> {
  await page.fill("#host-input", host);
  await page.click("#host-form .primary");
  // The whole text: the host before may begin with this one.
  await expect.poll(() => page.locator("#host-target").textContent()).toBe(`to ${host}`);
}

/** Everything that a script can read of what the browser stores. */
async function readStores(): Promise<string> {
  const { navigation } = window as unknown as {
    navigation: { entries(): { url: string; getState(): unknown }[] };
  };
  return JSON.stringify({
    local: { ...localStorage },
    session: { ...sessionStorage },
    unused: [await indexedDB.databases(), await caches.keys()],
    history: [history.state, ...navigation.entries().map((entry) => [entry.url, entry.getState()])],
    window: [location.href, document.referrer, document.cookie, name],
  });
}

/** Loads the console again, and reads what outlived that. */
async function reload(page: Page): Promise<string> {
  await page.reload();
  await page.locator("#address").waitFor();
  return await page.evaluate(readStores) + JSON.stringify(await page.context().cookies());
}

const noteOf = (page: Page) => page.locator("#builder-note");

it("holds no value of any name in the table, wherever it was typed", async () => {
  const page = await stage.compose();
  await page.getByRole("tab", { name: "Saved" }).click();
  for (const [name, command] of plant(stage.target.origin)) {
    await load(page, command);
    await save(page, name);
    const kept = await reload(page);
    expect(kept).toMatch(new RegExp(`${name}.*"unused":\\[\\[\\],\\[\\]\\].*"fetchvia":\\{`));
    expect(kept.split("PLANTED").slice(1)).toEqual([]);
    expect(await noteOf(page).textContent()).toMatch(/^Fill in: /);
  }
  await openShares(page);
  await page.fill("#address", `curl -u me:PLANTED ${stage.target.origin}`);
  expect(await reload(page)).not.toContain("PLANTED");
  await page.getByLabel("Variable name").first().fill("sid");
  await page.getByLabel("Variable value").first().fill("PLANTED");
  await page.getByLabel("Variable name").nth(1).fill("base");
  await page.getByLabel("Variable value").nth(1).fill("https://me:PLANTED@a.test");
  await load(page, `curl '${stage.target.origin}/order' -H 'x-rapidapi-key: PLANTED'`);
  await page.click("#send");
  await page.locator(".summary").waitFor();
  expect(stage.target.requests.at(-1)?.header("x-rapidapi-key")).toBe("PLANTED");
  await showView(page, "Traffic");
  const filter = page.getByRole("searchbox");
  await filter.fill("path:/order");
  await page.getByRole("button", { name: "Save filter" }).click();
  await filter.fill(`path:/order?${FORM}`);
  await page.getByRole("button", { name: "Save filter" }).waitFor({ state: "hidden" });
  await filter.fill("PLANTED");
  await setHost(page, `${stage.target.origin}/bot12345:PLANTED-0123456789abcdefghi`);
  await setHost(page, stage.target.origin);

  await page.goto(`${stage.proxy.origin}/`);
  expect(await page.title()).toBe("Shop");
  const found = await page.evaluate(readStores);
  expect(found).toMatch(/fields.*x-rapidapi-key/s);
  expect(found).toContain("path:/order");
  expect(found).toContain(stage.target.origin);
  expect(found.split("PLANTED").slice(1)).toEqual([]);
});

it("holds the values of one request where the user says so, and names what others lack", async () => {
  const page = await stage.compose();
  await page.getByRole("tab", { name: "Saved" }).click();
  const command = `curl '${stage.target.origin}/order?sid=PLANTED' -H 'x-key: PLANTED' -H 'x-a: 1'`;
  await load(page, command);
  await page.fill("#save-name", "whole");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  expect(await page.getByLabel(/^Keep the values of its secrets in this browser/).isChecked()).toBe(true);
  expect(await page.locator("#panel-saved .check").textContent()).toMatch(/any page of a target/);
  expect(await findFaults(page)).toEqual([]);
  await save(page, "whole");
  await save(page, "names");
  expect((await reload(page)).split("PLANTED")).toHaveLength(3);

  await page.getByRole("button", { name: "names", exact: true }).click();
  expect(await noteOf(page).textContent()).toBe("Fill in: x-key, sid");
  await page.getByRole("tab", { name: "Headers" }).click();
  await page.getByLabel("Header value").first().fill("2");
  expect(await noteOf(page).textContent()).toBe("Fill in: sid");
  await page.fill("#address", `${stage.target.origin}/order?sid=2`);
  expect(await noteOf(page).textContent()).toBe("");
  await page.getByRole("tab", { name: "Saved" }).click();
  await page.getByText("(with its secrets)").waitFor();
  await page.getByRole("button", { name: "whole", exact: true }).click();
  expect(await page.inputValue("#address")).toBe(`${stage.target.origin}/order?sid=PLANTED`);
  expect(await noteOf(page).textContent()).toBe("");
});

it("saves no more than there is room for, and says so", async () => {
  const page = await stage.compose();
  await page.getByRole("tab", { name: "Saved" }).click();
  const long = (letters: number) =>
    `curl '${stage.target.origin}/order' --data-raw '${"x ".repeat(letters / 2)}'`;
  await load(page, long(270_000));
  await page.fill("#save-name", "long");
  await page.keyboard.press("Enter");
  await page.getByText("Not saved: more than 256 KiB.").first().waitFor();
  expect(await page.locator("#save-name").inputValue()).toBe("long");
  await load(page, long(1_000));
  await save(page, "long");
  expect(await page.locator("#panel-saved [role=status]").textContent()).toBe("");
});

it("keeps what another tab has saved meanwhile", async () => {
  const tabs = [await stage.compose(), await stage.visit.context.newPage()];
  await tabs[1]!.goto(`${stage.proxy.origin}/__proxy__/#request`);
  for (const [index, page] of tabs.entries()) {
    await page.getByRole("tab", { name: "Saved" }).click();
    await save(page, `request ${index}`);
    await showView(page, "Traffic");
    await page.getByRole("searchbox").fill(`path:/${index}`);
    await page.getByRole("button", { name: "Save filter" }).click();
  }
  const kept = await tabs[0]!.evaluate(readStores);
  for (const text of ["request 0", "request 1", "path:/0", "path:/1"]) expect(kept).toContain(text);
});
