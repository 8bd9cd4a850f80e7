/**
 * What the attacks share: a network namespace with its sites and proxies, and a browser in it.
 * @module
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Answer, CallOptions } from "../support/client.ts";
import { NamespaceNetwork, whyNoNamespace } from "../support/namespace.ts";
import type { RuntimeName, Settings } from "../support/proxy.ts";
import type { SitePage, SitePages, Visit } from "../support/sites.ts";
import { launchInside } from "./browser.ts";

const [FIRST, SECOND] = ["93.184.216.34", "8.8.4.4"];

/** Who is where. Names that no test opens by themselves are asked for by the proxy alone. */
const NAMES = {
  "evil.test": { a: [[FIRST]] },
  "a.test": { a: [[FIRST]] },
  "b.test": { a: [[SECOND]] },
  "shop.test": { a: [[SECOND]] },
  "bank.test": { a: [[SECOND]] },
  "mixed.test": { a: [[SECOND, "127.0.0.1"]] },
  "rebind.test": { a: [["10.1.2.3"]] },
  "rebind-loopback.test": { a: [["127.0.0.1"]] },
  "rebound.test": { a: [["127.0.0.1"]] },
  "printer": { a: [["10.1.2.3"]] },
  "api.local": { a: [["10.1.2.3"]] },
};

/** A page that runs nothing by itself: the tests act in its place. */
export const BLANK: SitePage = { body: "<!doctype html><title>A page</title>" };

/** Network, proxies, sites and browser of one runtime's tests. */
export class Stage {
  readonly network: NamespaceNetwork;
  readonly #ports = new Map<string, Promise<number>>();
  readonly #contexts: BrowserContext[] = [];
  #browser: Browser | undefined;
  #isOpen = false;

  constructor(runtime: RuntimeName) {
    this.network = new NamespaceNetwork(runtime, "sites");
  }

  async start(): Promise<void> {
    const reason = whyNoNamespace();
    if (reason !== undefined) {
      throw new Error(`Cannot attack: ${reason}, expected a machine that permits network namespaces`);
    }
    await this.network.open();
    this.#isOpen = true;
    await this.network.addNames(NAMES);
    this.#browser = await launchInside(this.network);
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    if (this.#isOpen) await this.network.close();
  }

  /** Makes the stage ready for the next test. */
  async clear(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    await this.network.publish({});
    await this.network.forget();
  }

  /** The port of the proxy with these settings, which starts when it is first asked for. */
  port(settings: Settings = {}): Promise<number> {
    const key = JSON.stringify(Object.entries(settings).sort());
    const port = this.#ports.get(key) ?? this.network.start(settings);
    this.#ports.set(key, port);
    return port;
  }

  /** The plain origin of that proxy. */
  async origin(settings: Settings = {}): Promise<string> {
    return `http://localhost:${await this.port(settings)}`;
  }

  /** The origin of a label of that proxy. */
  async label(label: string, settings: Settings = {}): Promise<string> {
    return `http://${label}.w.localhost:${await this.port(settings)}`;
  }

  /** A window that shares nothing with others. */
  async open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser!.newContext(options);
    this.#contexts.push(context);
    return context.newPage();
  }

  /** Keeps a window open from one test to the next. */
  keep(page: Page): Page {
    this.#contexts.splice(this.#contexts.indexOf(page.context()), 1);
    return page;
  }

  /** A window in which a host is set by cookie, at a page of that host. */
  async openHost(host: string, { path = "/", settings = {}, ...options }: OpenOptions = {}): Promise<Page> {
    const page = await this.open(options);
    const origin = await this.origin(settings);
    await page.goto(`${origin}/__proxy__/?host=${encodeURIComponent(host)}`);
    await page.goto(origin + path);
    return page;
  }

  /** A window at a page behind a label. */
  async openLabel(label: string, settings: Settings = {}): Promise<Page> {
    const page = await this.open();
    await page.goto(`${await this.label(label, settings)}/`);
    return page;
  }

  /** Calls a proxy as a program does, without a browser. */
  async call(line: string, { settings = {}, ...options }: CallOptions & Chosen = {}): Promise<Answer> {
    return this.network.call(await this.port(settings), line, options);
  }

  /** Gives the sites their pages. */
  publish(pages: SitePages): Promise<void> {
    return this.network.publish(pages);
  }

  /** What sites were asked, by the Host that they were asked for. */
  async visits(host: string): Promise<Visit[]> {
    return (await this.network.listVisits()).filter((visit) => visit.host === host);
  }

  /** Who was reached, such as `GET 127.0.0.1:3000/admin`, by the address that was dialled. */
  async reached(dialled: RegExp): Promise<string[]> {
    const visits = (await this.network.listVisits()).filter((visit) => dialled.test(visit.dialled));
    return visits.map(({ method, dialled, path }) => `${method} ${dialled}${path}`);
  }
}

/** Which proxy. */
export interface Chosen {
  settings?: Settings;
}

/** How a window is opened. */
export type OpenOptions = BrowserContextOptions & Chosen & {
  /** Path of the first page; `/` unless given. */
  path?: string;
};

/** Services of this machine and its network. */
export const PRIVATE = /^(?:127|10)\./;

/** All values of a field in a request. */
export function valuesOf({ fields }: Visit, name: string): string[] {
  return fields.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
}
