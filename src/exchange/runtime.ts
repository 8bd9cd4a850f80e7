/**
 * What a runtime lends to the core: types only. Every capability is handed in, never looked up.
 * @module
 */

import type { Body } from "../http/body.ts";
import type { Signal } from "../http/cancellation.ts";
import type { FieldReader } from "../http/fields.ts";
import type { TargetSocket } from "../http/reply.ts";

export type { Body } from "../http/body.ts";

/** A body as a server or a sender hands it in: a web stream is taken over at the border of the core. */
export type HandedBody = Body | ReadableStream<Uint8Array>;
export type { TargetSocket } from "../http/reply.ts";

/** The part of a `Request` that the core reads, as an entry hands it in. */
export interface Incoming extends Pick<Request, "method" | "url"> {
  /** Fields as they came; names are lower-case. */
  readonly headers: FieldReader;
  /** `null` where the request has no content. */
  readonly body: Body;
  /** True if the body was already read, so that it can't be forwarded. */
  readonly bodyUsed?: boolean;
  /** Bytes of all fields, names included; absent where the runtime's own server bounds them. */
  readonly fieldBytes?: number;
  /** Aborted when the caller leaves. */
  readonly signal: Signal;
}

/** The request that goes to the target. */
export interface Outgoing {
  /** The method token as it goes on the wire (case-sensitive, RFC 9110 §9.1). */
  method: string;
  /** Scheme, host and port of the target; its path and query are not used. */
  origin: URL;
  /** Path and query as they go on the wire: starts with `/`, holds no fragment and no byte outside 0x21–0x7E. */
  path: string;
  /** All fields that go out, `host` included. Nothing else may be added that says something of the runtime. */
  headers: FieldReader;
  /**
   * `null` where the request has no content, and never read before; `stream()` of one that is no `Uint8Array` gives a web
   * stream. Framing follows `content-length` in `headers`, else chunked.
   */
  body: Body;
  /** The only addresses that may be dialled, in order of preference; `undefined` if none were checked. */
  addresses: readonly string[] | undefined;
  /** Aborts the request, before its answer and in the middle of it. */
  signal: Signal;
}

/** The target's answer. Its headers describe the bytes of its body exactly: nothing is decoded. */
export interface Upstream {
  /** From 200 on: interim answers (1xx) are not handed over. 101 comes with a `socket` only. */
  status: number;
  /** The reason as the target sent it, `""` for none. */
  statusText: string;
  /** Fields as they came; names are lower-case. */
  headers: FieldReader;
  /** `null` where the answer has no content. */
  body: HandedBody;
  /** True when a stream holds the whole body already, so that there is nothing to wait for. */
  isWhole?: boolean;
  /**
   * With status 101: the target's side of a WebSocket.
   *
   * @internal
   */
  socket?: TargetSocket;
}

/**
 * Told of a WebSocket while it is open.
 *
 * @internal
 */
export interface SocketWatch {
  /** Bytes from the caller. */
  onIn(bytes: number): void;
  /** Bytes to the caller. */
  onOut(bytes: number): void;
  /** Called once when it is over, joined or not; `failure` where the target broke off. */
  onEnd(failure?: unknown): void;
}

/**
 * Sends a handshake once, under the law of `Send`. A 101 brings a `socket`; every other answer is one like any other.
 * Takes `sec-websocket-extensions` out of the handshake where the runtime reads and writes the frames itself.
 *
 * @internal
 */
export type Upgrade = (outgoing: Outgoing, watch: SocketWatch) => Promise<Upstream>;

/**
 * Sends the outgoing request once (no retry after a byte has left) and settles when the head of the answer is here.
 * One law: the headers of the answer describe the bytes of its body.
 *
 * Rejects with the runtime's own error, whose `code` (`ECONNREFUSED` and the like) chooses the answer, or with a
 * `ProxyError`. It must dial `outgoing.addresses` only: those have been judged.
 *
 * @example
 * ```ts
 * const logged: Send = (outgoing) => {
 *   console.log(outgoing.method, outgoing.origin.host);
 *   return send(outgoing);
 * };
 * ```
 */
export type Send = (outgoing: Outgoing) => Promise<Upstream>;

/**
 * How often a caller has asked in its time.
 *
 * @internal
 */
export interface RateCount {
  /** Includes the request that was just counted. */
  requests: number;
  /** Milliseconds until the next window. */
  msLeft: number;
}

/**
 * Counts requests for `RATE_LIMIT`. Processes that share one share the limit.
 *
 * @example
 * ```ts
 * const rateStore: RateStore = {
 *   count: async (caller, seconds) => ({ requests: await add(caller, seconds), msLeft: seconds * 1_000 }),
 * };
 * createProxy({ rateLimit: "100/60s" }, { rateStore });
 * ```
 */
export interface RateStore {
  /**
   * Counts one request. The first one of a caller begins a time of so many seconds.
   *
   * Where it rejects, each process counts by itself.
   *
   * @param caller what the caller is counted by: its address
   * @returns the requests so far, this one among them, and the milliseconds until counting begins anew
   */
  count(caller: string, seconds: number): Promise<RateCount>;
}

/** What several processes of one proxy share. Every field is optional; a process without any of it stands alone. */
export interface Shared {
  /** What tells the proxy from others in `CDN-Loop` (RFC 8586). Random by default, so each process is a proxy of its own. */
  id?: string;
  /** What a browser shows to watch live traffic. Random by default. Whoever has it sees every request: keep it secret. */
  ticket?: string;
  /** Counts in memory where absent. */
  rateStore?: RateStore;
  /** Takes how the metrics of this process are read, and gives how those of all are. */
  shareMetrics?(read: () => string): () => Promise<readonly string[]>;
  /** Takes how live traffic of other processes comes in, and gives how that of this one goes out: plain data. */
  shareTraffic?(take: (entries: readonly never[]) => void): (entries: readonly object[]) => void;
}

/**
 * What one runtime lends for one request. Every field is optional: what is missing is done in a portable way, or refused.
 *
 * The entries export one; add what your server knows of the caller.
 *
 * @example
 * ```ts
 * import { runtime } from "fetchvia/node";
 *
 * const lent: Runtime = { ...runtime, clientAddress: "192.0.2.1" };
 * ```
 */
export interface Runtime {
  /** Name and version, logged only. */
  name?: string;
  /** The peer's IP address, without brackets or port. */
  clientAddress?: string;
  /** True while the listener is bound to loopback addresses only; absent when unknown. */
  listensOnLoopback?: boolean;
  /** True for an address and port that reach the proxy's own listener. */
  isOwnAddress?(address: string, port: number): boolean;
  /** True where the platform itself keeps requests out of private networks, so that names need not be resolved here. */
  filtersEgress?: boolean;
  /** True where a timer outlives the request that set it, so that one may serve many; elsewhere it ends with the request. */
  keepsTimers?: boolean;
  /**
   * All addresses of a name, A and AAAA. Rejects with a `code` of `ENOTFOUND` where there are none.
   *
   * @param isComplete true where an address that is left out would let a denied name in: an AAAA that is late is waited for,
   * and one that is not answered is a failure (`ETIMEOUT`)
   */
  resolve?(hostname: string, isComplete?: boolean): Promise<string[]>;
  /** Sends the outgoing request; the portable sender over `fetch` where absent. */
  send?: Send;
  /**
   * Joins WebSockets; 501 where absent. Only an entry that takes `Reply.socket` may lend it.
   *
   * @internal
   */
  upgrade?: Upgrade;
}
