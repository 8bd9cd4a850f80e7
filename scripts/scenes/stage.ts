/**
 * What the scenes share: Chromium, a proxy of this working tree, and a raw target.
 * @module
 */
import type { Browser, Page } from "playwright-core";
import { launchBrowser, openConsole, type Visit } from "../../test/console-e2e/browser.ts";
import { type Proxy, type RuntimeName, type Settings, startProxy } from "../../test/support/proxy.ts";
import { listen, type Received, type Upstream } from "../../test/support/upstream.ts";
import { answerAll } from "./target.ts";

type StageOptions = NonNullable<Parameters<typeof openConsole>[2]> & {
  /** The proxy whose console it is; the stage's own unless given. */
  through?: Proxy;
};

/** Chromium, proxy and target. */
export class Stage {
  readonly runtime: RuntimeName;
  browser!: Browser;
  proxy!: Proxy;
  target!: Upstream;
  /** What the page that was opened last complained of. */
  troubles: string[] = [];
  #visits: Visit[] = [];
  #proxies: Proxy[] = [];

  constructor(runtime: RuntimeName) {
    this.runtime = runtime;
  }

  /** Starts all of it. */
  async start(): Promise<void> {
    [this.browser, this.proxy, this.target] = await Promise.all([
      launchBrowser(),
      startProxy(this.runtime, { LOG: "off" }),
      listen(),
    ]);
    this.target.answer = answerAll();
  }

  /** Opens the console in a window of its own, until the scene is over. */
  async open({ through = this.proxy, ...options }: StageOptions = {}): Promise<Page> {
    const visit = await openConsole(this.browser, through.origin, options);
    this.#visits.push(visit);
    this.troubles = visit.troubles;
    return visit.page;
  }

  /** Opens a console that is connected, with the list in view. */
  async openList(options: StageOptions = {}): Promise<Page> {
    const page = await this.open(options);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.locator("#traffic-scroll").scrollIntoViewIfNeeded();
    return page;
  }

  /** Starts another proxy, until the scene is over. */
  async startProxy(settings: Settings): Promise<Proxy> {
    const proxy = await startProxy(this.runtime, { LOG: "off", ...settings });
    this.#proxies.push(proxy);
    return proxy;
  }

  /** Sends a GET to the target, as any caller does. */
  async call(path: string, proxy: Proxy = this.proxy): Promise<void> {
    await proxy.call(`GET ${path}`, { fields: { proxy_host: this.target.origin } });
  }

  /** What arrived last at the target. */
  get received(): Received | undefined {
    return this.target.requests.at(-1);
  }

  /** Makes the stage ready for the next scene. */
  async clear(): Promise<void> {
    await Promise.all(this.#visits.map(({ context }) => context.close()));
    await Promise.all(this.#proxies.map((proxy) => proxy.stop("SIGKILL")));
    this.#visits = [];
    this.#proxies = [];
    this.target.requests.length = 0;
  }

  /** Ends all of it. */
  async stop(): Promise<void> {
    await Promise.all([this.browser.close(), this.proxy.stop("SIGKILL"), this.target.close()]);
  }
}
