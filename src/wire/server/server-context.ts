/**
 * What the connections of one server share, and what they are to it.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Reply } from "../../core/http/reply.ts";
import type { CallerWire } from "../contract.ts";
import type { Times } from "./connection-limits.ts";
import type { ReceivedRequest } from "./received-request.ts";
import type { WireStream } from "../wire-stream.ts";

/** The other end of a connection. */
export interface Peer {
  /** Its IP address. */
  readonly address: string;
  /** True if it came by https. */
  readonly isSecure: boolean;
  /** True if its TLS handshake is not complete yet: then the wire reports that it is open. */
  readonly isShaking?: boolean;
}

/** A connection that a server has taken. */
export interface Taken {
  /** The caller's IP address. */
  readonly address: string;
  /** Hands the connection over, for another protocol. The bytes that have arrived are the first of it. */
  release(): { wire: CallerWire; rest: Buffer | undefined };
  /** The same as a stream, for wires that go on reporting to this connection. */
  releaseStream(): WireStream;
}

/** What all connections of a server share. */
export interface Host {
  /** Answers a request. A rejection is answered with 500. */
  answer(request: ReceivedRequest, connection: Taken): Promise<Reply>;
  /** Joins a WebSocket to the connection: the reply has a socket. */
  join(reply: Reply, connection: Taken): void;
  readonly times: Times;
  /** True once no connection may be used again. */
  readonly isDraining: boolean;
  /** The connection is gone. */
  onGone(connection: Taken): void;
}
