/**
 * What the tests of one runtime share: a browser and proxies.
 * @module
 */
import type { Browser, BrowserContext } from "playwright-core";
import { launchBrowser } from "../console-e2e/browser.ts";
import { type Proxy, type RuntimeName, startProxy } from "../support/proxy.ts";
import { encodeLabel } from "../../src/core/address/label.ts";

/** How the browser names its host. */
export type Way = "cookie" | "label";

/** The way as a table of tests has it. */
export const WAYS: { way: Way }[] = [{ way: "cookie" }, { way: "label" }];

/** Browser and proxies. */
export class Stage {
  readonly runtime: RuntimeName;
  browser!: Browser;
  /** With the settings that are there by default. */
  plain!: Proxy;
  /** Tells targets under which address it was called. */
  telling!: Proxy;
  /** Reads addresses in the form of Scalar's proxy. */
  formed!: Proxy;

  constructor(runtime: RuntimeName) {
    this.runtime = runtime;
  }

  async start(): Promise<void> {
    [this.browser, this.plain, this.telling, this.formed] = await Promise.all([
      launchBrowser(),
      startProxy(this.runtime, { LOG: "off" }),
      startProxy(this.runtime, { LOG: "off", FORWARD_CLIENT: "true" }),
      startProxy(this.runtime, { LOG: "off", ADDRESS_FORMS: "scalar" }),
    ]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.browser.close(), this.plain.stop(), this.telling.stop(), this.formed.stop()]);
  }

  /** A window without a past; what does not come within 10 s fails there and not with the whole test. */
  async open(): Promise<BrowserContext> {
    const context = await this.browser.newContext();
    context.setDefaultTimeout(10_000);
    return context;
  }
}

/** The origin at which a browser finds a site. */
export function originOf(site: string, way: Way, { port }: Proxy): string {
  return way === "cookie" ? `http://localhost:${port}` : `http://${encodeLabel(site)}.w.localhost:${port}`;
}

/** Opens a site by its host link or its label. */
export async function enter(context: BrowserContext, site: string, way: Way, proxy: Proxy) {
  const page = await context.newPage();
  const origin = originOf(site, way, proxy);
  if (way === "cookie") await page.goto(`${origin}/__proxy__/?host=${site}`);
  await page.goto(`${origin}/`);
  return page;
}
