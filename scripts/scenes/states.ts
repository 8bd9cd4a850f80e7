/**
 * The states of the page that are looked at: by axe for faults, and in pictures.
 * @module
 */
import type { Page } from "playwright-core";
import { findFaults } from "../../test/console-e2e/axe.ts";
import { chooseBody, fillRows, receive, trafficRows } from "./acts.ts";
import type { Proxy } from "../../test/support/proxy.ts";
import type { Stage } from "./stage.ts";

type Colours = "light" | "dark";

/** One state, and how the page gets into it from the one before. */
interface State {
  name: string;
  enter(page: Page, scene: { stage: Stage; proxy: Proxy }): Promise<unknown>;
}

const TOKEN = "a-token-of-the-scenes";
const BUILDER_TABS = ["params", "headers", "auth", "body", "options", "saved"];
const INSPECTOR_TABS = ["Overview", "Request", "Answer", "Changes", "Timing", "Cookies"];

const STATES: readonly State[] = [
  { name: "rest", enter: () => Promise.resolve() },
  {
    name: "answer",
    async enter(page, { stage }) {
      await fillRows(page, "Header", [["x-a", "1"], ["Host", "evil.test"]]);
      await receive(page, `${stage.target.origin}/item`);
    },
  },
  {
    name: "fields",
    enter: (page) => page.locator("#answer").getByRole("tab", { name: /^Headers/ }).click(),
  },
  ...BUILDER_TABS.map((name) => ({
    name: `builder-${name}`,
    enter: (page: Page) => page.locator(`#tab-${name}`).click(),
  })),
  ...["Form", "Multipart", "File"].map((kind) => ({
    name: `body-${kind.toLowerCase()}`,
    enter: (page: Page) => chooseBody(page, kind),
  })),
  { name: "share", enter: (page) => page.locator("#take > summary").click() },
  {
    name: "refused",
    async enter(page) {
      await chooseBody(page, "None");
      await receive(page, "http://127.0.0.1:1/");
    },
  },
  {
    name: "explain",
    async enter(page) {
      await page.fill("#explain-address", "http://nowhere.invalid/");
      await page.getByRole("button", { name: "Explain" }).click();
      await page.locator("#explain-result dd").first().waitFor();
    },
  },
  {
    name: "filter",
    async enter(page, { stage, proxy }) {
      for (const path of ["/order?a=1", "/cookie", "/nothing", "/gzip"]) await stage.call(path, proxy);
      await page.getByLabel("Filter", { exact: true }).fill("status:2xx hots:x host:127");
      await page.locator("#traffic-scroll").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "inspector",
    async enter(page) {
      await page.getByLabel("Filter", { exact: true }).fill("path:/cookie");
      await page.locator("#traffic-scroll").scrollIntoViewIfNeeded();
      await trafficRows(page).first().click();
      await page.getByRole("region", { name: "Inspected request" }).waitFor();
    },
  },
  ...INSPECTOR_TABS.map((name) => ({
    name: `inspector-${name.toLowerCase()}`,
    enter: (page: Page) =>
      page.locator("#inspector").getByRole("tab", { name: new RegExp(`^${name}`) }).click(),
  })),
];

/** Goes through all states, and the sign-in page; `look` sees each. */
export async function walkStates(
  stage: Stage,
  colours: Colours,
  width: number,
  look: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const viewport = { width, height: 900 };
  const proxy = await stage.startProxy({ CAPTURE: "64KiB" });
  const page = await stage.open({ through: proxy, colorScheme: colours, viewport });
  for (const { name, enter } of STATES) {
    try {
      await enter(page, { stage, proxy });
    } catch (error) {
      console.error(`Cannot show ${name}: ${String(error).split("\n")[0]}`);
      continue;
    }
    await look(page, name);
  }
  const closed = await stage.startProxy({ PROXY_TOKEN: TOKEN });
  await look(await stage.open({ through: closed, colorScheme: colours, viewport }), "sign-in");
  await stage.clear();
}

/** What axe finds at fault, in all states, light and dark, in two widths. */
export async function listFaults(stage: Stage): Promise<string[]> {
  const faults: string[] = [];
  for (const colours of ["light", "dark"] as const) {
    for (const width of [1440, 390]) {
      await walkStates(stage, colours, width, async (page, name) => {
        for (const fault of await findFaults(page)) faults.push(`${name}, ${colours}, ${width}: ${fault}`);
      });
    }
  }
  return faults;
}
