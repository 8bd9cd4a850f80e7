/**
 * The proxies that a suite shares: one for each combination of settings, all started before the first test.
 * @module
 */
import { beforeAll, vi } from "vitest";
import type { Answer, CallOptions } from "./client.ts";
import { killLeft, Proxy, type RuntimeName, type Settings, startProxy } from "./proxy.ts";
import { usesMemory } from "./memory-network.ts";
import { MemoryProxy } from "./memory-proxy.ts";
import { START_MS } from "./turns.ts";

/** A proxy that runs: a process or, in files that use the network in memory, none. */
export type Running = Pick<Proxy, "port" | "origin" | "call" | "stdout" | "stderr"> & {
  stop(): Promise<unknown>;
};

async function start(runtime: RuntimeName, settings: Settings): Promise<Running> {
  if (usesMemory()) return await MemoryProxy.start(settings);
  const proxy = await startProxy(runtime, settings);
  // Tests of the log count from here, and a line is written some time after its answer.
  const isLogged = () => proxy.stdout().split("\n").length > proxy.answered;
  if (settings.LOG !== "off") await vi.waitUntil(isLogged, { timeout: 20_000, interval: 10 });
  return proxy;
}

/** A proxy of the pool: named while the tests are collected, running while they run. */
export class Shared {
  readonly settings: Settings;
  #proxy: Running | undefined;
  #started: Promise<void> | undefined;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  get proxy(): Running {
    if (!this.#proxy) {
      throw new Error("Cannot use the proxy: it is not started, expected beforeAll to have run");
    }
    return this.#proxy;
  }

  /** The process, for what only one has. */
  get child(): Proxy {
    const { proxy } = this;
    if (!(proxy instanceof Proxy)) throw new Error("Expected a process, but the proxy is in memory");
    return proxy;
  }

  get port(): number {
    return this.proxy.port;
  }

  get origin(): string {
    return this.proxy.origin;
  }

  /** Sends one request, `GET /path` as `line`. */
  call(line: string, options: CallOptions = {}): Promise<Answer> {
    return this.proxy.call(line, options);
  }

  start(runtime: RuntimeName, complete: Complete): Promise<void> {
    return this.#started ??= this.#start(runtime, complete);
  }

  async #start(runtime: RuntimeName, complete: Complete): Promise<void> {
    this.#proxy = await start(runtime, await complete(this.settings));
  }

  async stop(): Promise<void> {
    await this.#proxy?.stop();
  }
}

/** Adds to the settings of a proxy what all of a pool have. */
export type Complete = (settings: Settings) => Promise<Settings>;

/** The proxies of one runtime. */
export class Pool {
  readonly runtime: RuntimeName;
  readonly #complete: Complete;
  readonly #shared = new Map<string, Shared>();

  /** @param complete is asked when they are started */
  constructor(runtime: RuntimeName, complete: Complete = (settings) => Promise.resolve(settings)) {
    this.runtime = runtime;
    this.#complete = complete;
  }

  /**
   * The proxy with exactly these settings; asked for while tests are collected. It starts before the first test of the
   * group that asks for it, so one test alone starts what it needs.
   */
  with(settings: Settings = {}): Shared {
    const key = JSON.stringify(Object.entries(settings).sort());
    const shared = this.#shared.get(key) ?? new Shared(settings);
    this.#shared.set(key, shared);
    beforeAll(() => shared.start(this.runtime, this.#complete), START_MS);
    return shared;
  }

  /** A process of the test's own, which stops it. */
  async own(): Promise<Proxy> {
    return await startProxy(this.runtime, await this.#complete({}));
  }

  /** A proxy with settings that are known only while tests run; the test stops it. */
  async begin(settings: Settings): Promise<Running> {
    return await start(this.runtime, await this.#complete(settings));
  }

  /** Stops them, and whatever the tests have left running. */
  async stop(): Promise<void> {
    killLeft();
    await Promise.all([...this.#shared.values()].map((shared) => shared.stop()));
  }
}
