/**
 * A proxy between ours and the targets: CONNECT over TCP or TLS, and SOCKS 5. It connects every tunnel to loopback, whatever
 * address it is asked for, so that public addresses can be asked for without a network.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer as createTlsServer } from "node:tls";
import { acceptConnect } from "./tunnel-connect.ts";
import { acceptSocks } from "./tunnel-socks.ts";

/** How a tunnel is asked for. */
export type TunnelKind = "http" | "https" | "socks5";

/**
 * What the proxy does when it is asked: `open` a tunnel, `slow` (byte by byte), with an answer of the target's `early` in the
 * same bytes, with a `body` that does not count, after an `interim` response; or `refuse` it, ask for a `login`, find the
 * target `dead` or `late`, `hang`, `cut` the connection, or speak `garbage`.
 */
export type TunnelMode =
  | "open"
  | "slow"
  | "early"
  | "body"
  | "interim"
  | "refuse"
  | "login"
  | "dead"
  | "late"
  | "hang"
  | "cut"
  | "garbage";

/** What is in the mode `early` behind the proxy's own answer. */
export const EARLY = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly";

export interface TunnelOptions {
  kind?: TunnelKind;
  /** `user:password` that must be shown, percent-encoded as in an address. */
  login?: string;
  tls?: { cert: string; key: string };
  /** The name in its address; its IP address unless given. */
  name?: string;
}

/** One connection to the proxy. */
export interface Accepted {
  socket: Socket;
  proxy: TunnelProxy;
}

/** A listening proxy. */
export class TunnelProxy {
  mode: TunnelMode = "open";
  /** What tunnels were asked for, as `host:port`. */
  readonly asked: string[] = [];
  /** The heads of CONNECT requests as they came. */
  readonly heads: string[] = [];
  readonly kind: TunnelKind;
  /** `user:password`, decoded; empty if nobody needs to log in. */
  readonly login: string;
  readonly #options: TunnelOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #connections = 0;

  constructor(options: TunnelOptions) {
    this.#options = options;
    this.kind = options.kind ?? "http";
    this.login = decodeURIComponent(options.login ?? "");
    const accept = (socket: Socket) => this.#accept(socket);
    const halfOpen = { allowHalfOpen: true };
    this.#server = options.tls
      ? createTlsServer({ ...options.tls, ...halfOpen }, accept)
      : createServer(halfOpen, accept);
  }

  async listen(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  /** `host:port`, as messages name it. */
  get host(): string {
    return `${this.#options.name ?? "127.0.0.1"}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Its address for `UPSTREAM_PROXY`. */
  get address(): string {
    const { login } = this.#options;
    return `${this.kind}://${login ? `${login}@` : ""}${this.host}`;
  }

  /** How many connections there have been. */
  get connections(): number {
    return this.#connections;
  }

  /** Forgets what it was asked, and opens tunnels again. */
  reset(): void {
    this.mode = "open";
    this.asked.length = 0;
    this.heads.length = 0;
    this.#connections = 0;
  }

  /** Closes the tunnels that are open. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    this.#server.close();
    await once(this.#server, "close");
  }

  #accept(socket: Socket): void {
    this.#connections += 1;
    this.#sockets.add(socket.setNoDelay(true));
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => {});
    if (this.kind === "socks5") acceptSocks({ socket, proxy: this });
    else acceptConnect({ socket, proxy: this });
  }
}

/** Starts a proxy; close it when the test is over. */
export function listenTunnel(options: TunnelOptions = {}): Promise<TunnelProxy> {
  return new TunnelProxy(options).listen();
}

/** Connects to a target on loopback. */
export async function reach(port: number): Promise<Socket> {
  const target = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).setNoDelay(true);
  await once(target, "connect");
  return target;
}

/** Joins both ends. A reset of one is a reset of the other. */
export function join(caller: Socket, target: Socket): void {
  for (const [one, other] of [[caller, target], [target, caller]] as const) {
    // Node reports a reset right behind bytes as an end; only the missing address tells.
    one.on("end", () => one.remoteAddress || other.resetAndDestroy());
  }
  caller.pipe(target);
  target.pipe(caller);
  for (const [one, other] of [[caller, target], [target, caller]] as const) {
    one.on("error", () => other.resetAndDestroy());
    one.on("close", () => one.readableEnded && one.writableFinished || other.destroy());
  }
}

/** Writes an answer as the mode wants it. */
export async function writeSlowly(socket: Socket, bytes: Buffer, mode: TunnelMode): Promise<void> {
  if (mode !== "slow") return void socket.write(bytes);
  for (const byte of bytes) {
    socket.write(Buffer.of(byte));
    await sleep(3);
  }
}
