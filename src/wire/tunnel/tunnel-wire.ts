/**
 * A connection to a target through a tunnel of an upstream proxy.
 * @module
 */

import type { Buffer } from "node:buffer";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { UpstreamProxy } from "../../core/address/upstream-proxy.ts";
import type { ConnectionOptions } from "../client/connection-options.ts";
import { malformed } from "../codec/head.ts";
import { connectPausable } from "../tls/pausable-tls.ts";
import { LateWire } from "../late-wire.ts";
import { explainRefusal, type Look, uncheckedOptions } from "../tls/refused-certificate.ts";
import { connectTrusted } from "../tls/target-tls.ts";
import { watchSocket } from "../watch-socket.ts";
import { CLOSED, type WireWatch } from "../contract.ts";
import { ConnectHandshake } from "./http-tunnel.ts";
import { explainEnd, type Handshake, mapTunnelFailure, type TunnelEnds } from "./tunnel-failure.ts";
import { SocksHandshake } from "./socks5.ts";

/** A wire that first opens its tunnel. It makes one attempt, to the first of the checked addresses. */
export class TunnelWire extends LateWire {
  readonly #options: ConnectionOptions;
  readonly #isSecure: boolean;
  readonly #watch: WireWatch;
  readonly #ends: TunnelEnds;
  readonly #handshake: Handshake;
  /** The connection to the proxy. */
  readonly #carrier: Socket;
  /** The connection to the target; with TLS, it wraps the carrier. */
  #socket: Socket;
  #isTunnelled = false;
  #isOver = false;

  constructor(options: ConnectionOptions, upstream: UpstreamProxy, isSecure: boolean, watch: WireWatch) {
    super();
    this.#options = options;
    this.#isSecure = isSecure;
    this.#watch = watch;
    this.#ends = { upstream, target: options.target };
    this.#handshake = createHandshake(this.#ends, options);
    this.#carrier = connectTo(upstream);
    this.#socket = this.#carrier;
    this.#open();
  }

  get socket(): Socket {
    return this.#socket;
  }

  /** True if the connection to the upstream proxy itself uses TLS. */
  get #isOwnSecure(): boolean {
    return this.#ends.upstream.kind === "https";
  }

  #open(): void {
    const carrier = this.#carrier;
    carrier.setNoDelay(true);
    carrier.once(
      this.#isOwnSecure ? "secureConnect" : "connect",
      () => carrier.write(this.#handshake.opening),
    );
    carrier.on("data", this.#read);
    carrier.on("error", this.#fail);
    carrier.on("end", () => this.#fail(CLOSED));
    carrier.on("close", () => this.#fail(CLOSED));
  }

  readonly #read = (bytes: Buffer): void => {
    try {
      const { reply, rest } = this.#handshake.read(bytes);
      if (reply) this.#carrier.write(reply);
      if (rest) this.#enter(rest);
    } catch (failure) {
      this.#fail(failure);
    }
  };

  readonly #fail = (failure: unknown): void => {
    if (this.#isOver || this.#isTunnelled) return;
    this.#isOver = true;
    this.#carrier.destroy();
    this.#watch.onClose(mapTunnelFailure(failure, this.#ends));
  };

  /** The tunnel is open: from now on, all bytes come from the target. */
  #enter(rest: Buffer): void {
    this.#isTunnelled = true;
    const carrier = this.#carrier.off("data", this.#read);
    if (this.#isSecure) return this.#secure(rest);
    watchSocket(carrier, this.#watch);
    this.#watch.onOpen();
    if (rest.length) this.#watch.onBytes(rest);
  }

  #secure(rest: Buffer): void {
    // With TLS, the target must not send anything before our handshake.
    if (rest.length) return this.#watch.onClose(malformed("bytes before TLS"));
    const secure = this.#wrap();
    if (!secure) return;
    this.#socket = secure;
    this.#watch.onConnected?.();
    // The upstream proxy may keep its connection open when the target is gone.
    secure.once("close", () => this.#carrier.destroy());
    const explain = (failure: Error) => explainRefusal(failure, this.#look);
    const carrier = this.#isOwnSecure ? this.#carrier : undefined;
    watchSocket(secure, this.#watch, { carrier, explain });
  }

  /** Inspects the certificate through a separate tunnel. */
  readonly #look: Look = (onSeen, onClose) => {
    const onOpen = () => onSeen((wire.socket as TLSSocket).getPeerX509Certificate());
    const watch = { onOpen, onBytes() {}, onDrain() {}, onClose };
    const wire = new TunnelWire(uncheckedOptions(this.#options), this.#ends.upstream, true, watch);
    wire.unref();
    return wire;
  };

  /** Starts TLS inside the tunnel; `undefined` if that has failed, and the watch knows. */
  #wrap(): TLSSocket | undefined {
    try {
      return connectTrusted(this.#options, (readTls) => this.#watch.onOpen(readTls), {
        socket: this.#carrier,
      });
    } catch (failure) {
      this.#carrier.destroy();
      this.#watch.onClose(failure as Error);
      return undefined;
    }
  }

  explainEnd(reason: unknown): unknown {
    return this.#isTunnelled ? reason : explainEnd(reason, this.#ends);
  }

  ref(): void {
    this.#carrier.ref();
  }

  unref(): void {
    this.#carrier.unref();
  }

  destroy(): void {
    this.#isOver = true;
    this.#socket.destroy();
    this.#carrier.destroy();
  }
}

function connectTo({ kind, hostname, port }: UpstreamProxy): Socket {
  const options = { host: hostname, port };
  if (kind !== "https") return connectPlain(options);
  const name = isIP(hostname) ? {} : { servername: hostname.replace(/\.$/, "") };
  return connectPausable({ ...options, ...name, ALPNProtocols: ["http/1.1"] });
}

function createHandshake(ends: TunnelEnds, { host, port, addresses }: ConnectionOptions): Handshake {
  const [asked = host] = addresses ?? [];
  if (ends.upstream.kind === "socks5") return new SocksHandshake(ends, asked, port);
  return new ConnectHandshake(ends, `${asked.includes(":") ? `[${asked}]` : asked}:${port}`);
}
