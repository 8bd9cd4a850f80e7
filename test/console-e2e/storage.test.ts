/**
 * What a target's page, which may share the console's origin, finds in the browser: no secret of what was typed there. The
 * page is the same with every runtime.
 * @module
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import {
  SECRET_ADDRESSES,
  SECRET_BODIES,
  SECRET_FIELDS,
  SECRET_PARAMETERS,
} from "../support/secret-names.ts";
import { openShares, Stage } from "./stage.ts";

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
}

async function setHost(page: Page, host: string): Promise<void> {
  await page.fill("#host-input", host);
  await page.click("#host-form .primary");
  // The whole text: the host before may begin with this one.
  await expect.poll(() => page.locator("#host-target").textContent()).toBe(`to ${host}`);
}

/** Everything that a script can read of the browser's memory. */
async function readStores(): Promise<string> {
  const { navigation } = window as unknown as {
    navigation: { entries(): { url: string; getState(): unknown }[] };
  };
  const cached = (await caches.keys()).map(async (name) =>
    (await (await caches.open(name)).keys()).map(String)
  );
  return JSON.stringify({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await Promise.all(cached),
    history: [history.state, ...navigation.entries().map((entry) => [entry.url, entry.getState()])],
    window: [location.href, document.referrer, document.cookie, name],
    asked: performance.getEntries().map((entry) => entry.name),
  });
}

it("finds no value of any name in the table, wherever it was typed", async () => {
  const page = await stage.open();
  await openShares(page);
  await page.getByRole("tab", { name: "Saved" }).click();
  for (const [name, command] of plant(stage.target.origin)) {
    await load(page, command);
    await save(page, name);
  }
  await page.getByLabel("Variable name").first().fill("sid");
  await page.getByLabel("Variable value").first().fill("PLANTED");
  await page.getByLabel("Variable name").nth(1).fill("base");
  await page.getByLabel("Variable value").nth(1).fill("https://me:PLANTED@a.test");
  await load(page, `curl '${stage.target.origin}/order' -H 'x-rapidapi-key: PLANTED'`);
  await page.click("#send");
  await page.locator(".summary").waitFor();
  expect(stage.target.requests.at(-1)?.header("x-rapidapi-key")).toBe("PLANTED");
  await page.getByRole("searchbox").fill("PLANTED");
  await setHost(page, `${stage.target.origin}/bot12345:PLANTED-0123456789abcdefghi`);
  await setHost(page, stage.target.origin);

  await page.goto(`${stage.proxy.origin}/`);
  expect(await page.title()).toBe("Shop");
  const found = await page.evaluate(readStores);
  expect(found).toMatch(/fields.*x-rapidapi-key/s);
  expect(found).toContain(stage.target.origin);
  expect(found.split("PLANTED").slice(1)).toEqual([]);
});
