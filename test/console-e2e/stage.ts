/**
 * What the console's tests share: a browser, a proxy of one runtime, a target, and a window that is empty when a test begins.
 * @module
 */
import type { Browser, Page } from "playwright-core";
import { reply, routes } from "../support/answers.ts";
import { type Proxy, type RuntimeName, type Settings, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { emptyWindow, launchBrowser, openConsole, reuseWindow, type Visit } from "./browser.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const ORDER = '{"id":12345678901234567890,"item":"teapot"}';

/** Browser, proxy and target of one runtime's tests. */
export class Stage {
  readonly runtime: RuntimeName;
  browser!: Browser;
  proxy!: Proxy;
  target!: Upstream;
  /** The window of the test that runs. */
  visit!: Visit;

  readonly #settings: Settings;
  /** True if the window serves the next test too. */
  #isKept = false;

  constructor(runtime: RuntimeName, settings: Settings = {}) {
    this.runtime = runtime;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    [this.browser, this.proxy, this.target] = await Promise.all([
      launchBrowser(),
      startProxy(this.runtime, { LOG: "off", ...this.#settings }),
      listen(),
    ]);
    this.resetTarget();
  }

  /** Lets the target answer as it does for most tests. */
  resetTarget(): void {
    this.target.answer = routes({
      "/": reply(200, { "Content-Type": "text/html" }, "<!doctype html><title>Shop</title><h1>The shop</h1>"),
      "/order": reply(201, JSON_TYPE, ORDER),
      "/moved": reply(302, { Location: "/order", "Set-Cookie": "sid=1" }, "over there"),
      "/page": reply(200, { "Content-Type": "text/html" }, "<h1>Page</h1><p style='color:red'>Red</p>"),
    });
  }

  /** Opens the console. */
  open(options: Parameters<typeof openConsole>[2] = {}): Promise<Page> {
    return this.visitAt(this.proxy.origin, options);
  }

  /** Opens the console with the builder in view. */
  compose(options: Parameters<typeof openConsole>[2] = {}): Promise<Page> {
    return this.open({ path: "/__proxy__/#request", ...options });
  }

  /** Opens the console of another proxy: in the window of the test before, unless options or the test before forbid it. */
  async visitAt(origin: string, options: Parameters<typeof openConsole>[2] = {}): Promise<Page> {
    const { path = "/__proxy__/", viewport, colorScheme, permissions, ...own } = options;
    const isOwn = Object.keys(own).length > 0;
    if (this.#isKept && !isOwn) {
      await reuseWindow(this.visit, origin + path, { viewport, colorScheme, permissions });
    } else {
      if (this.#isKept) await this.visit.context.close();
      this.visit = await openConsole(this.browser, origin, options);
    }
    this.#isKept = !isOwn;
    return this.visit.page;
  }

  /** What the target got: method, path and body. */
  get seen(): [method: string, path: string, body: string][] {
    return this.target.requests.map(({ method, target, body }) => [method, target, body.toString()]);
  }

  /** Makes the stage ready for the next test. */
  async clear(): Promise<void> {
    this.#isKept &&= !this.visit.page.isClosed();
    await (this.#isKept ? emptyWindow(this.visit) : this.visit.context.close());
    this.target.requests.length = 0;
  }

  async stop(): Promise<void> {
    await Promise.all([this.browser.close(), this.proxy.stop(), this.target.close()]);
  }
}

/** The status in the head of the answer. */
export function readStatus(page: Page): Promise<string | null> {
  return page.locator(".summary .status").textContent();
}

/** Fills the builder with a POST of JSON. */
export async function buildPost(page: Page, target: Upstream): Promise<void> {
  await page.selectOption("#method", "POST");
  await page.fill("#address", `${target.origin}/order?draft=1`);
  await page.getByLabel("Header name").first().fill("x-secret");
  await page.getByLabel("Header value").first().fill("it's me");
  await page.getByRole("tab", { name: "Body" }).click();
  await page.getByText("JSON", { exact: true }).click();
  await page.getByLabel("Body", { exact: true }).fill('{"item":"teapot"}');
}

/** Goes to another view of the page. */
export function showView(page: Page, name: "Traffic" | "Compose" | "Explain"): Promise<void> {
  return page.getByRole("link", { name, exact: true }).click();
}

/** Does an action by its name, once the palette lists it. */
export async function act(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Action" }).fill(name);
  await page.locator("#palette-list > *").first().waitFor();
  await page.keyboard.press("Enter");
}

/** Unfolds "Copy link or code". */
export async function openShares(page: Page): Promise<void> {
  await page.locator("#take > summary").click();
}
