/**
 * The network of the access tests: one of their own, in which they own every address that they use. No packet leaves it.
 * @module
 */
import type { Answer, CallOptions } from "./client.ts";
import type { NameTable } from "./dns.ts";
import { InjectedNetwork } from "./injected-network.ts";
import { usesMemory } from "./memory-network.ts";
import { NamespaceNetwork, whyNoNamespace } from "./namespace.ts";
import { Shared } from "./pool.ts";
import type { RuntimeName, Settings } from "./proxy.ts";
import type { Heard, Sight } from "./sentinel.ts";
import { inTurns } from "./turns.ts";

/** What a network can do: one behind a process in a namespace, one made of injected functions. */
export interface Network {
  /** Where the assertions run, for the title. */
  readonly name: string;
  open(): Promise<void>;
  close(): Promise<void>;
  /** Starts a proxy; gives its port. */
  start(settings: Settings): Promise<number>;
  call(port: number, line: string, options: CallOptions): Promise<Answer>;
  addNames(table: NameTable): Promise<void>;
  countQueries(name: string): Promise<number>;
  look(): Promise<Sight>;
  hear(): Promise<Heard[]>;
  listOutput(port: number): Promise<string>;
  forget(): Promise<void>;
}

/** A proxy in such a network. */
export class Member extends Shared {
  readonly #network: Network;
  #port: number | undefined;

  constructor(network: Network, settings: Settings) {
    super(settings);
    this.#network = network;
  }

  override get port(): number {
    if (this.#port === undefined) {
      throw new Error("Cannot use the proxy: it is not started, expected beforeAll to have run");
    }
    return this.#port;
  }

  override get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  override call(line: string, options: CallOptions = {}): Promise<Answer> {
    return this.#network.call(this.port, line, options);
  }

  override async start(): Promise<void> {
    this.#port = await this.#network.start(this.settings);
  }

  override async stop(): Promise<void> {}
}

/** The network of one runtime, its proxies and its names. */
export class World {
  readonly network: Network;
  readonly #members = new Map<string, Member>();

  constructor(runtime: RuntimeName) {
    const reason = usesMemory() ? "this file uses the network in memory" : whyNoNamespace();
    this.network = reason === undefined ? new NamespaceNetwork(runtime) : new InjectedNetwork(reason);
  }

  /** The proxy with exactly these settings; asked for while tests are collected. A `name` keeps equal ones apart. */
  with(settings: Settings = {}, name = ""): Shared {
    const key = `${name} ${JSON.stringify(Object.entries(settings).sort())}`;
    const member = this.#members.get(key) ?? new Member(this.network, settings);
    this.#members.set(key, member);
    return member;
  }

  async start(): Promise<void> {
    await this.network.open();
    await inTurns(this.#members.values(), (member) => member.start());
  }

  stop(): Promise<void> {
    return this.network.close();
  }

  /** Adds names to the name server. */
  names(table: NameTable): Promise<void> {
    return this.network.addNames(table);
  }

  /** How many times a name was looked up, A and AAAA together. */
  queries(name: string): Promise<number> {
    return this.network.countQueries(name);
  }

  /** What the targets have seen since `forget`. */
  seen(): Promise<Sight> {
    return this.network.look();
  }

  /** All that the targets were sent since `forget`, byte by byte. */
  heard(): Promise<Heard[]> {
    return this.network.hear();
  }

  /** What a proxy has written, and its command line; `""` where it is no process. */
  outputOf({ port }: Shared): Promise<string> {
    return this.network.listOutput(port);
  }

  forget(): Promise<void> {
    return this.network.forget();
  }
}
