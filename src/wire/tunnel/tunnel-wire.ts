/**
 * A connection to a target through a tunnel of an upstream proxy.
 * @module
 */

import type { Buffer } from "node:buffer";
import dns, { type LookupAddress } from "node:dns";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { UpstreamProxy } from "../../core/address/upstream-proxy.ts";
import type { ConnectionOptions } from "../client/connection-options.ts";
import { malformed } from "../codec/head.ts";
import { connectPausable } from "../tls/pausable-tls.ts";
import { LateWire } from "../late-wire.ts";
import { RacedWire } from "../raced-wire.ts";
import { explainRefusal, type Look, uncheckedOptions } from "../tls/refused-certificate.ts";
import { connectTrusted } from "../tls/target-tls.ts";
import { watchSocket } from "../socket-wire.ts";
import { CLOSED, type WireWatch } from "../contract.ts";
import { ConnectHandshake } from "./http-tunnel.ts";
import { explainEnd, type Handshake, mapTunnelFailure, type TunnelEnds } from "./tunnel-failure.ts";
import { SocksHandshake } from "./socks5.ts";

/** A wire that first opens its tunnel. It asks for it once, to the first of the checked addresses. */
export class TunnelWire extends LateWire {
  readonly #options: ConnectionOptions;
  readonly #isSecure: boolean;
  readonly #watch: WireWatch;
  readonly #ends: TunnelEnds;
  readonly #handshake: Handshake;
  /** The attempts to connect to the proxy, once its name is resolved. */
  #race: RacedWire | undefined;
  /** The connection to the proxy, once there is one. */
  #carrier!: Socket;
  /** The connection to the target; with TLS, it wraps the carrier. */
  #socket: Socket | undefined;
  #isTunnelled = false;
  #isUnref = false;
  #isOver = false;

  constructor(options: ConnectionOptions, upstream: UpstreamProxy, isSecure: boolean, watch: WireWatch) {
    super();
    this.#options = options;
    this.#isSecure = isSecure;
    this.#watch = watch;
    this.#ends = { upstream, target: options.target };
    this.#handshake = createHandshake(this.#ends, options);
    dns.lookup(upstream.hostname, { all: true }, (failure, found) => {
      if (failure) return this.#fail(failure);
      if (this.#isOver) return;
      this.#race = this.#connect(found);
      if (this.#isUnref) this.#race.unref();
    });
  }

  get socket(): Socket | undefined {
    return this.#socket;
  }

  /** True if the connection to the upstream proxy itself uses TLS. */
  get #isOwnSecure(): boolean {
    return this.#ends.upstream.kind === "https";
  }

  #connect(found: readonly LookupAddress[]): RacedWire {
    const { port } = this.#ends.upstream;
    const addresses = found.map(({ address }) => address);
    return new RacedWire(addresses, { onClose: this.#fail }, {
      connect: (host) => connectPlain({ host, port }).setNoDelay(true),
      adopt: (plain) => this.#open(plain),
    });
  }

  #open(plain: Socket): Socket {
    const carrier = this.#isOwnSecure ? secure(plain, this.#ends.upstream) : plain;
    this.#carrier = this.#socket = carrier;
    const ask = () => void carrier.write(this.#handshake.opening);
    if (carrier === plain) ask();
    else carrier.once("secureConnect", ask).once("close", () => plain.destroy());
    carrier.on("data", this.#read);
    carrier.on("error", this.#fail);
    carrier.on("end", () => this.#fail(CLOSED));
    carrier.on("close", () => this.#fail(CLOSED));
    return carrier;
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
    this.#race?.destroy();
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
    this.#isUnref = false;
    this.#race?.ref();
  }

  unref(): void {
    this.#isUnref = true;
    this.#race?.unref();
  }

  destroy(): void {
    this.#isOver = true;
    this.#socket?.destroy();
    this.#race?.destroy();
  }
}

function secure(socket: Socket, { hostname: host }: UpstreamProxy): Socket {
  const name = isIP(host) ? {} : { servername: host.replace(/\.$/, "") };
  return connectPausable({ socket, host, ...name, ALPNProtocols: ["http/1.1"] });
}

function createHandshake(ends: TunnelEnds, { host, port, addresses }: ConnectionOptions): Handshake {
  const [asked = host] = addresses ?? [];
  if (ends.upstream.kind === "socks5") return new SocksHandshake(ends, asked, port);
  return new ConnectHandshake(ends, `${asked.includes(":") ? `[${asked}]` : asked}:${port}`);
}
