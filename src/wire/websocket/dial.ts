/**
 * Sends the handshake of each WebSocket to the target on a separate connection, for Node, Deno and Bun.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { SocketWatch, TargetSocket, Upgrade } from "../../core/runtime.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { Connection } from "../client/connection.ts";
import { socketOf } from "../late-wire.ts";
import { createSending, type HttpSenderOptions } from "../client/sender.ts";
import type { connectNode } from "../wire-node.ts";
import { WireStream } from "../wire-stream.ts";

/** Milliseconds of silence before TCP keep-alive probes start. */
export const KEEP_ALIVE_MS = 60_000;

/** The target's side of a WebSocket: its connection after the handshake. */
export class DialledSocket implements TargetSocket {
  readonly socket: Duplex;
  readonly watch: SocketWatch;

  /** @param rest bytes received after the handshake */
  constructor(socket: Socket | WireStream, rest: Buffer | undefined, watch: SocketWatch) {
    this.socket = socket;
    this.watch = watch;
    // An early error must not end the process; readers still see it.
    socket.on("error", () => {});
    socket.removeAllListeners("data").pause();
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    if (rest?.length) socket.unshift(rest);
  }

  cancel(): void {
    this.socket.destroy();
    this.watch.onEnd();
  }
}

/** Options for sending handshakes. A refusal is adapted to the server like any response. */
export interface DiallerOptions extends HttpSenderOptions {
  /** How to connect to targets. */
  connect?: typeof connectNode;
}

/** Makes the sender of handshakes. A login bound to the caller's connection also applies to its WebSocket. */
export function createDialler(options: DiallerOptions = {}): Upgrade {
  const send = createSending(options, false);
  return (outgoing, watch) =>
    send(outgoing, (connection, answered, rest) => {
      const socket = takeOver(connection, rest, watch);
      if (!outgoing.headers.has("sec-websocket-extensions") && answered.has("sec-websocket-extensions")) {
        socket.cancel();
        throw unaskedExtension(outgoing.origin);
      }
      return { status: 101, statusText: "", headers: answered, body: null, socket };
    });
}

/** Takes a connection over. One that was kept for a login is from the sender, so its wire may be the runtime's own kind. */
function takeOver(connection: Connection, rest: Buffer, watch: SocketWatch): DialledSocket {
  const wire = connection.release();
  if (!connection.isKept) {
    return new DialledSocket(socketOf(wire as ReturnType<typeof connectNode>), rest, watch);
  }
  const stream = new WireStream(wire, rest);
  connection.tell(stream);
  return new DialledSocket(stream, undefined, watch);
}

function unaskedExtension({ host }: URL): ProxyError {
  const message = `Cannot open a WebSocket to ${host}: it chose an extension that was not offered`;
  return new ProxyError("upgrade_failed", message);
}
