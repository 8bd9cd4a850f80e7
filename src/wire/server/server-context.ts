/**
 * The interfaces between a server and its connections.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Placed } from "../../core/http/open-list.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { CallerWire } from "../contract.ts";
import type { Times } from "./connection-deadlines.ts";
import type { ReceivedRequest } from "./received-request.ts";
import type { WireStream } from "../wire-stream.ts";

/** The peer of a connection. */
export interface Peer {
  /** Its IP address. */
  readonly address: string;
  /** True if the connection uses TLS. */
  readonly isSecure: boolean;
  /** True if the TLS handshake is not complete yet: then the wire reports when the connection is open. */
  readonly isShaking?: boolean;
  /** True if it speaks plain http to a server that speaks https. */
  readonly needsHttps?: boolean;
}

/** A connection that a server has taken. */
export interface Taken extends Placed {
  /** The caller's IP address. */
  readonly address: string;
  /** Hands the connection over to another protocol. `rest` is the first data of that protocol, if it has already arrived. */
  release(): { wire: CallerWire; rest: Buffer | undefined };
  /** Like `release`, but as a stream, for wires that keep reporting to this connection. */
  releaseStream(): WireStream;
}

/** What all connections of a server share. */
export interface Host {
  /** Answers a request. A rejection becomes an error response. */
  answer(request: ReceivedRequest, connection: Taken): Promise<Reply>;
  /** Joins the WebSocket in the reply's `socket` to the connection. */
  join(reply: Reply, connection: Taken): void;
  readonly times: Times;
  /** True once connections must not be reused. */
  readonly isDraining: boolean;
  /** The connection is gone. */
  onGone(connection: Taken): void;
}
