/**
 * A proxy between ours and the targets: CONNECT over TCP or TLS, and SOCKS 5. It connects every tunnel to loopback, whatever
 * address it is asked for, so that public addresses can be asked for without a network.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { acceptConnect } from "./tunnel-connect.ts";
import type { TunnelMode } from "./tunnel-parts.ts";
import { acceptSocks } from "./tunnel-socks.ts";

/** How a tunnel is asked for. */
export type TunnelKind = "http" | "https" | "socks5";

export interface TunnelOptions {
  kind?: TunnelKind;
  /** `user:password` that must be shown, percent-encoded as in an address. */
  login?: string;
  tls?: { cert: string; key: string };
  /** The name in its address; its IP address unless given. */
  name?: string;
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
    // With TLS these are the connections below it, also where no handshake succeeds.
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket)).on("error", () => {});
    });
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

  /** How many connections are open. */
  get open(): number {
    return this.#sockets.size;
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
    const { mode, login } = this;
    this.#connections += 1;
    socket.setNoDelay(true).on("error", () => {});
    const note = (asked: string, head?: string) => {
      this.asked.push(asked);
      if (head !== undefined) this.heads.push(head);
    };
    const wire = [...this.#sockets].find(({ remotePort }) => remotePort === socket.remotePort) ?? socket;
    if (this.kind === "socks5") acceptSocks({ socket, wire, mode, login, note });
    else acceptConnect({ socket, wire, mode, login, note });
  }
}

/** Starts a proxy; close it when the test is over. */
export function listenTunnel(options: TunnelOptions = {}): Promise<TunnelProxy> {
  return new TunnelProxy(options).listen();
}
