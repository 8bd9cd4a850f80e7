/**
 * The capabilities that a runtime provides to the core: types only. They are passed in, never looked up.
 * @module
 */

import type { Addresses } from "./address/dns-cache.ts";
import type { Route } from "./address/route.ts";
import type { HopWatch } from "./hop-watch.ts";
import type { Continuation, Interim } from "./interim.ts";
import type { SocketMessage } from "./socket-message.ts";
import type { Body } from "./http/body.ts";
import type { Signal } from "./http/cancellation.ts";
import type { ProxyError } from "./http/error.ts";
import type { FieldReader } from "./http/fields.ts";
import type { TargetSocket } from "./http/reply.ts";

export type { Body } from "./http/body.ts";
export type { RateCount, RateStore, Shared } from "./shared.ts";

/** A body as a server or a sender passes it in. `web-standard.ts` converts web streams. */
export type HandedBody = Body | ReadableStream<Uint8Array>;
export type { TargetSocket } from "./http/reply.ts";

/** The part of a `Request` that the core reads. */
export interface Incoming extends Pick<Request, "method" | "url"> {
  /** True if the request line had a whole address; absent if the server does not tell (RFC 9112 §3.2.2). */
  readonly isAbsolute?: boolean | undefined;
  /** True if the request came in plain http to a listener that speaks https. @internal */
  readonly needsHttps?: boolean | undefined;
  /** Why its head can't be read; then nothing else of it is known. @internal */
  readonly fault?: ProxyError | undefined;
  /** Fields as received; names are lower-case. */
  readonly headers: FieldReader;
  /** Alternating names and values as they were on the wire; absent if the runtime's own server hides them. */
  readonly lines?: readonly string[] | undefined;
  /** `null` if the request has no content. */
  readonly body: Body;
  /** True if the body was already read, so that it can't be forwarded. */
  readonly bodyUsed?: boolean | undefined;
  /** Bytes of all fields, names included; absent if the runtime's own server limits them. */
  readonly fieldBytes?: number | undefined;
  /** Aborted when the caller disconnects. */
  readonly signal: Signal;
  /** The version that the caller speaks, such as `HTTP/2`; absent if its server does not tell. For capture. @internal */
  readonly httpVersion?: string | undefined;
  /** The logins bound to the caller's connection; absent if that connection can't be identified. @internal */
  readonly bonds?: Bonds | undefined;
  /**
   * Sends an interim response (RFC 9110 §15.2); absent if the caller or its server accepts none. False if it was left out.
   *
   * @internal
   */
  readonly sendInterim?: ((interim: Interim) => boolean) | undefined;
  /** True if the caller says `TE: trailers` (RFC 9110 §10.1.4). Absent if its server sends none. @internal */
  readonly takesTrailers?: boolean | undefined;
  /** Present while the caller waits for a 100 (Continue). @internal */
  readonly continuation?: Continuation | undefined;
}

/**
 * The logins bound to one connection of a caller (RFC 4559 §6). Only senders know its other members.
 *
 * @internal
 */
export interface Bonds {
  /** The logins of one user, if several users share the connection. */
  part(name: string): Bonds;
}

/** The request to the target. */
export interface Outgoing {
  /** The method token as sent on the wire (case-sensitive, RFC 9110 §9.1). */
  method: string;
  /** Scheme, host and port of the target; its path and query are not used. */
  origin: URL;
  /** Path and query as sent on the wire: they start with `/`, and contain no fragment and no byte outside 0x21–0x7E. */
  path: string;
  /** All fields to send, `host` included. A sender must not add fields that reveal the runtime. */
  headers: FieldReader;
  /**
   * The unread body; `null` for none. If it is not a `Uint8Array`, `stream()` returns a web stream. The length is
   * `content-length` in `headers`; without that field, the body is sent chunked.
   */
  body: Body;
  /** The only addresses that may be dialled, in order of preference; `undefined` if none were checked. */
  addresses: readonly string[] | undefined;
  /**
   * How the connection is made; `undefined` for a direct one with the usual TLS. Present only if the runtime `obeysRoute`.
   *
   * @internal
   */
  route?: Route | undefined;
  /**
   * Told of the connection and the first byte, for capture; a sender that can't observe them ignores it.
   *
   * @internal
   */
  watch?: HopWatch | undefined;
  /**
   * The logins that this request may use or begin. Without them, a connection with a login is closed after the response.
   *
   * @internal
   */
  bonds?: Bonds | undefined;
  /**
   * Takes each interim response except 100 and 101. A sender that can't observe them gives it none.
   *
   * @internal
   */
  interims?: { take(interim: Interim): void } | undefined;
  /**
   * Present if the caller waits for a 100: the sender asks the target, and reads `body` only when the target wants it. A
   * sender that can't ask reads `body` at once.
   *
   * @internal
   */
  continuation?: Continuation | undefined;
  /** Aborts the request, before and during its response. */
  signal: Signal;
}

/** The target's response. Its headers describe the bytes of its body exactly: nothing is decoded. */
export interface Upstream {
  /** 200 or more. 101 only with a `socket`. */
  status: number;
  /** The target's reason phrase, `""` for none. */
  statusText: string;
  /** Fields as received; names are lower-case. */
  headers: FieldReader;
  /** `null` if the response has no content. */
  body: HandedBody;
  /** True if the stream already holds the whole body, so there is no wait. */
  isWhole?: boolean | undefined;
  /**
   * With status 101: the target's side of a WebSocket.
   *
   * @internal
   */
  socket?: TargetSocket | undefined;
}

/**
 * Observes an open WebSocket.
 *
 * @internal
 */
export interface SocketWatch {
  /** Bytes from the caller. */
  onIn(bytes: number): void;
  /** Bytes to the caller. */
  onOut(bytes: number): void;
  /** Called once when the WebSocket ends, whether or not it was joined; with `failure` if the target broke it off. */
  onEnd(failure?: unknown): void;
  /** Called with each message that has passed, for capture. Never called if the runtime itself handles both sides. */
  onMessage?: ((message: SocketMessage) => void) | undefined;
  /** How many bytes of each message `onMessage` wants. */
  messageBytes?: number | undefined;
  /** The most messages of one read that `onMessage` wants: the newest ones. */
  mostMessages?: number | undefined;
}

/**
 * Sends a handshake once, by the rules of `Send`. A 101 has a `socket`; any other status is an ordinary response.
 * Removes `sec-websocket-extensions` from the handshake if the runtime handles the frames itself.
 *
 * @internal
 */
export type Upgrade = (outgoing: Outgoing, watch: SocketWatch) => Promise<Upstream>;

/**
 * Sends the outgoing request once (no retry after a byte has been sent) and settles when the response headers have
 * arrived. One rule: the headers of the response describe the bytes of its body.
 *
 * Rejects with the runtime's own error, whose `code` (such as `ECONNREFUSED`) chooses the response, or with a
 * `ProxyError`. It must dial only `outgoing.addresses`: those were checked.
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
 * The capabilities of a runtime for one request. Every field is optional: a missing one is replaced in a portable way,
 * or requests that need it are refused.
 *
 * The entries export one; add what your server knows about the caller.
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
  name?: string | undefined;
  /** The peer's IP address, without brackets or port. */
  clientAddress?: string | undefined;
  /** True while the listener is bound to loopback addresses only; absent when unknown. */
  listensOnLoopback?: boolean | undefined;
  /** True for an address and port that reach the proxy's own listener. */
  isOwnAddress?(address: string, port: number): boolean;
  /** True if the platform itself keeps requests out of private networks, so names need not be resolved here. */
  filtersEgress?: boolean | undefined;
  /**
   * Settles when the event loop has read every connection that is ready in this turn. The requests of one turn then go on
   * to their targets together, which is faster than one after the other. If absent, each request goes on at once.
   *
   * @internal
   */
  untilTurnEnd?(): Promise<void>;
  /** True if a timer outlives the request that set it, so one timer can serve many requests. */
  keepsTimers?: boolean | undefined;
  /**
   * All addresses of a name, A and AAAA. Rejects with the `code` `ENOTFOUND` if there are none.
   *
   * @param isComplete true if a missing address could let a denied target through: then the look-up waits for a late AAAA
   * response, and fails without one (`ETIMEOUT`)
   * @returns the addresses; `ttlMs` of the list may say for how many milliseconds they are valid, 30 seconds at most
   */
  resolve?(hostname: string, isComplete?: boolean): Promise<Addresses>;
  /** Sends the outgoing request; by default the portable sender over `fetch`. */
  send?: Send | undefined;
  /**
   * True if `send` obeys `upstreamProxy`, and `upstream` and the certificates of `targets`, as in most entries. Without it
   * such requests are refused (501). Your own `send` may keep it if it passes the whole `outgoing` on to an entry's `send`.
   */
  obeysRoute?: boolean | undefined;
  /**
   * True if the operator asks, on the command line: then explanations may look up any name.
   *
   * @internal
   */
  isOperator?: boolean | undefined;
  /**
   * Opens WebSockets; 501 if absent. Only for entries that handle `Reply.socket`.
   *
   * @internal
   */
  upgrade?: Upgrade | undefined;
}
