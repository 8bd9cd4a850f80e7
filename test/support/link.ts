/**
 * A caller, the proxy and a target of its own for every test, joined by the `proxy_host` header.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Socket } from "node:net";
import { beforeEach } from "vitest";
import { type Answer, type CallOptions, type Connection, type Ending, open, request } from "./client.ts";
import { type Fields, type Header, pairsOf } from "./http.ts";
import type { Pool, Shared } from "./pool.ts";
import type { Settings } from "./proxy.ts";
import { type Handler, listen, type ListenOptions, type Received, type Upstream } from "./upstream.ts";
import { ask, type AskOptions, type Selector } from "./ways.ts";

/** What a request has beside its line. */
export interface BeginOptions {
  fields?: Fields;
  /** What is written of the body; framing is up to the fields. */
  body?: string | Buffer;
}

/** A request under way. */
export interface Begun {
  connection: Connection;
  /** The request as the target has it so far. */
  received: Received;
}

/** The three of them. */
export class Link {
  readonly proxy: Shared;
  /** Called when the target has a head, before its body: for early answers. */
  early: Handler = () => {};
  readonly #ends = new WeakMap<Received, Promise<true>>();
  #upstream: Upstream | undefined;

  constructor(proxy: Shared) {
    this.proxy = proxy;
  }

  get upstream(): Upstream {
    if (!this.#upstream) {
      throw new Error("Cannot use the target: it is not listening, expected a test to run");
    }
    return this.#upstream;
  }

  /** Starts a target; gives back what closes it. */
  async listen(options: ListenOptions): Promise<() => Promise<void>> {
    const upstream = await listen(options);
    this.#upstream = upstream;
    this.early = () => {};
    upstream.early = (request, socket) => {
      this.#ends.set(request, new Promise((resolve) => socket.once("close", () => resolve(true))));
      // It rejects where the connection is reset, which is one way to close here.
      request.gone.catch(() => {});
      return this.early(request, socket);
    };
    return () => upstream.close();
  }

  /** Settles, with `true`, when the target's connection of a request is closed, by whatever means. */
  async end(request: Received): Promise<true> {
    return await this.#ends.get(request)!;
  }

  /** The fields of every request here, and those given. */
  fields(given: Fields = {}): Header[] {
    return [["proxy_host", this.upstream.origin], ...pairsOf(given)];
  }

  /** Sends one request and reads the answer. */
  call(line: string, options: CallOptions = {}): Promise<Answer> {
    return this.proxy.call(line, { ...options, fields: this.fields(options.fields) });
  }

  /** The bytes of a request; the body is only what is given. */
  bytes(line: string, { fields, body }: BeginOptions = {}): Buffer {
    const [method = "", path = ""] = line.split(" ");
    return request(method, path, [["Host", `127.0.0.1:${this.proxy.port}`], ...this.fields(fields)], body);
  }

  /** Opens a connection to the proxy. */
  open(): Promise<Connection> {
    return open(this.proxy.port);
  }

  /** Opens a connection and writes a request. */
  async write(line: string, options: BeginOptions = {}): Promise<Connection> {
    const connection = await open(this.proxy.port);
    connection.write(this.bytes(line, options));
    return connection;
  }

  /** The same, and waits until the target has the head. */
  async begin(line: string, options: BeginOptions = {}): Promise<Begun> {
    const arrived = this.upstream.next();
    return { connection: await this.write(line, options), received: await arrived };
  }

  /** The same, and hands over the target's side of the connection, so that a test answers byte by byte. */
  async hold(line: string, options: BeginOptions = {}): Promise<Begun & { socket: Socket }> {
    const taken = new Promise<Socket>((resolve) => {
      this.early = (_request, socket) => resolve(socket);
    });
    this.upstream.answer = () => {};
    const begun = await this.begin(line, options);
    return { ...begun, socket: await taken };
  }
}

/** Gives every test of the `describe` around it a target of its own. */
export function useLink(pool: Pool, settings: Settings = {}, options: ListenOptions = {}): Link {
  const link = new Link(pool.with(settings));
  beforeEach(() => link.listen(options));
  return link;
}

/** A target of its own for every test of the `describe` around it. */
export function useUpstream(options: ListenOptions = {}): Upstream {
  let current: Upstream | undefined;
  beforeEach(async () => {
    const own = await listen(options);
    current = own;
    return () => own.close();
  });
  return new Proxy({} as Upstream, {
    get: (_, key) => {
      const value: unknown = Reflect.get(current!, key, current);
      return typeof value === "function" ? value.bind(current) : value;
    },
    set: (_, key, value) => Reflect.set(current!, key, value, current),
  });
}

/** A proxy, a target of its own for every test, and the ways from the one to the other. */
export interface Target {
  proxy: Shared;
  upstream: Upstream;
  /** Asks the target, for `/p` with GET unless given. */
  askBy: (selector: Selector, line?: string, options?: AskOptions) => Promise<Answer>;
}

/** Declares them for the `describe` around it. */
export function useTarget(pool: Pool, settings: Settings = {}, options: ListenOptions = {}): Target {
  const proxy = pool.with(settings);
  const upstream = useUpstream(options);
  return {
    proxy,
    upstream,
    askBy: (selector, line, asked) => ask(proxy, selector, upstream.origin, line, asked),
  };
}

/** What matters of an answer, short enough to be read where it differs. */
export function seen(answer: Answer): { status: number; text: string; ended: Ending } {
  const { status, text, ended } = answer;
  return { status, text: text.length > 200 ? `${text.length} characters` : text, ended };
}

/** A whole answer, as `seen` tells of it. */
export function whole(status: number, text: string): ReturnType<typeof seen> {
  return { status, text, ended: "end" };
}

/** Waits until a number no longer grows; gives its last value. */
export async function settled(read: () => number, quietMs = 300): Promise<number> {
  for (let before = -1, now = read();; before = now, now = read()) {
    if (before === now) return now;
    await sleep(quietMs);
  }
}
