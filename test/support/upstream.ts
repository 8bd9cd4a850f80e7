/**
 * The target under our own control: a raw TCP server that records every request byte for byte and answers with
 * scripted bytes.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer, type TlsOptions } from "node:tls";
import { reply } from "./answers.ts";
import { listenInMemory, unlisten, usesMemory } from "./memory-network.ts";
import { BodyReader, framingOf, Head, type Header, splitHead } from "./http.ts";

/** One request as it arrived. */
export class Received extends Head {
  readonly method: string;
  /** The request target as it stood on the wire. */
  readonly target: string;
  /** Counts the connections of this upstream from 1, so that reuse can be seen. */
  readonly connection: number;
  readonly remoteAddress: string;
  /** `whole` once its last byte is here, `cut` where the connection closed before. */
  state: "reading" | "whole" | "cut" = "reading";
  /** When the connection closed (milliseconds, `performance.now`); `undefined` while it is open. */
  closedAt: number | undefined;
  /** Settles with `closedAt` when the connection closes. */
  readonly gone: Promise<number>;
  readonly #body: BodyReader;

  constructor(head: Head, connection: number, socket: Socket) {
    super(head.head);
    const [method = "", target = ""] = head.line.split(" ");
    this.method = method;
    this.target = target;
    this.connection = connection;
    this.remoteAddress = socket.remoteAddress ?? "";
    this.#body = new BodyReader(framingOf(head, 0));
    // A reset is an outcome here, not a fault.
    this.gone = new Promise((resolve) => socket.once("close", () => resolve(this.#close())));
  }

  /** The body so far, without its chunk framing. */
  get body(): Buffer {
    return this.#body.bytes;
  }

  /** The field lines behind the last chunk of the body. */
  get trailers(): Header[] {
    return this.#body.trailers;
  }

  /** Takes bytes of the body; gives back those that belong to the next request, `undefined` while it is not whole. */
  take(bytes: Buffer): Buffer | undefined {
    this.#body.push(bytes);
    if (!this.#body.done) return undefined;
    this.state = "whole";
    return this.#body.rest;
  }

  #close(): number {
    this.closedAt = performance.now();
    if (this.state === "reading") this.state = "cut";
    return this.closedAt;
  }
}

/** Answers a request with whatever bytes it likes. */
export type Handler = (request: Received, socket: Socket) => void | Promise<void>;

export interface ListenOptions {
  /** Address to listen on; `127.0.0.1` unless given. */
  host?: string;
  /** True for a socket even in files that use the network in memory. */
  isSocket?: boolean;
  /** Certificate and key (PEM) where the upstream speaks TLS. */
  tls?: TlsOptions & { cert: string; key: string };
}

let alias: string | undefined;

/** From now on targets on `127.0.0.1` say that they are at this address, which a proxy on the way leads to them. */
export function aliasTargets(address: string): void {
  alias = address;
}

/** The ports of targets so far: a proxy remembers for minutes how the target of an address behaved, so none comes again soon. */
const given = new Set<number>();
/** Of so many, the oldest may come again. The system chooses among fourteen thousand. */
const MOST_GIVEN = 6_000;

/** A listening target. */
export class Upstream {
  /** Called when a request is whole. */
  answer: Handler = reply(200, {}, "ok");
  /** Called when a head is here, before its body: for early answers. */
  early: Handler = () => {};
  /** Called when a connection is there, before any byte: for targets that do not wait to be asked. */
  connected: (socket: Socket) => void = () => {};
  readonly requests: Received[] = [];
  readonly #options: ListenOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;
  /** Its port in the network in memory. */
  #memoryPort: number | undefined;
  #waiting: ((request: Received) => void)[] = [];

  constructor(options: ListenOptions) {
    this.#options = options;
    const accept = (socket: Socket) => this.#accept(socket);
    this.#server = options.tls ? createTlsServer(options.tls, accept) : createServer(accept);
  }

  async listen(): Promise<this> {
    if (usesMemory() && !this.#options.tls && !this.#options.isSocket) {
      this.#memoryPort = listenInMemory((socket) => this.#accept(socket as unknown as Socket));
      return this;
    }
    for (;;) {
      this.#server.listen(0, this.#options.host ?? "127.0.0.1");
      await once(this.#server, "listening");
      if (!given.has(this.port)) break;
      await once(this.#server.close(), "close");
    }
    given.add(this.port);
    if (given.size > MOST_GIVEN) given.delete(given.values().next().value!);
    return this;
  }

  get port(): number {
    return this.#memoryPort ?? (this.#server.address() as AddressInfo).port;
  }

  /** Shows another certificate from now on, and resumes no session of before. */
  show(tls: TlsOptions & { cert: string; key: string }): void {
    (this.#server as TlsServer).setSecureContext(tls);
  }

  /** `host:port` as it stands in an address. */
  get host(): string {
    const host = this.#options.host ?? alias ?? "127.0.0.1";
    return `${host.includes(":") ? `[${host}]` : host}:${this.port}`;
  }

  get origin(): string {
    return `${this.#options.tls ? "https" : "http"}://${this.host}`;
  }

  /** The origin of a target on `127.0.0.1` as a private one, whatever address it says otherwise. */
  get privateOrigin(): string {
    return `${this.#options.tls ? "https" : "http"}://127.0.0.1:${this.port}`;
  }

  /** The one request that arrived; throws where it was none or more. */
  get request(): Received {
    const [first, ...others] = this.requests;
    if (!first || others.length > 0) throw new Error(`Expected one request, got ${this.requests.length}`);
    return first;
  }

  /** The request targets that arrived, in order. */
  get targets(): string[] {
    return this.requests.map((request) => request.target);
  }

  /** The next request whose head arrives from now on. */
  next(): Promise<Received> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** How many connections are open. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Closes all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    if (this.#memoryPort !== undefined) return unlisten(this.#memoryPort);
    this.#server.close();
    await once(this.#server, "close");
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    // A proxy that hangs up is part of many tests; `gone` and `state` tell of it.
    socket.on("error", () => {});
    this.connected(socket);
    this.#read(socket, ++this.#connections);
  }

  #read(socket: Socket, connection: number): void {
    let pending: Buffer = Buffer.alloc(0);
    let request: Received | undefined;
    // Each request of a kept connection listens for its end.
    socket.setMaxListeners(0);
    socket.on("data", (bytes) => {
      pending = Buffer.concat([pending, bytes]);
      while (pending.length > 0) {
        const start = request ? undefined : splitHead(pending);
        if (!request && !start) return;
        request ??= this.#record(new Received(start!.head, connection, socket), socket);
        const rest = request.take(start?.rest ?? pending);
        pending = rest ?? Buffer.alloc(0);
        if (!rest) return;
        run(this.answer, request, socket);
        request = undefined;
      }
    });
  }

  #record(request: Received, socket: Socket): Received {
    this.requests.push(request);
    run(this.early, request, socket);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(request);
    return request;
  }
}

/** Starts a target; close it when the test is over. */
export function listen(options: ListenOptions = {}): Promise<Upstream> {
  return new Upstream(options).listen();
}

async function run(handler: Handler, request: Received, socket: Socket): Promise<void> {
  try {
    await handler(request, socket);
  } catch (error) {
    console.error("The handler of a test threw:", error);
    socket.destroy();
  }
}
