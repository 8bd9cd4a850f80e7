/**
 * Sends a WebSocket handshake to the target on its own connection, for Node, Deno and Bun.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Fields } from "../../http/fields.ts";
import type { Outgoing, SocketWatch, TargetSocket, Upgrade, Upstream } from "../../exchange/runtime.ts";
import type { Patience } from "../../http/gather.ts";
import { ProxyError } from "../../http/error.ts";
import { connectionOptions } from "../http1/address.ts";
import { bondsOf, giveBack } from "../http1/bonds.ts";
import { Connection } from "../http1/connection.ts";
import { socketOf } from "../http1/late-wire.ts";
import { A_TURN, type HttpSenderOptions } from "../http1/sender.ts";
import { connectNode } from "../http1/wire-node.ts";
import { WireStream } from "../http1/wire-stream.ts";

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
export interface DiallerOptions extends Pick<HttpSenderOptions, "patience" | "finish"> {
  /** How it connects. */
  connect?: typeof connectNode;
  /** Whether extensions can be negotiated, because bytes pass unchanged. */
  keepsExtensions: boolean;
}

/** Makes the sender of handshakes. */
export function createDialler(
  { keepsExtensions, connect = connectNode, patience = A_TURN, finish }: DiallerOptions,
): Upgrade {
  return async (outgoing, watch) => {
    const headers = new Fields(outgoing.headers);
    if (!keepsExtensions) headers.delete("sec-websocket-extensions");
    const answer = await dial({ ...outgoing, headers }, watch, patience, connect);
    return finish && !answer.socket ? finish(answer) : answer;
  };
}

function dial(
  outgoing: Outgoing,
  watch: SocketWatch,
  patience: Patience,
  connect: typeof connectNode,
): Promise<Upstream> {
  const { origin, headers, signal } = outgoing;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const options = connectionOptions(outgoing);
    const bonds = bondsOf(outgoing);
    // A login on the caller's connection holds for its WebSocket too.
    const bound = bonds?.take(options.pool);
    if (bound) outgoing.watch?.onReused();
    const isSecure = origin.protocol === "https:";
    const fresh = bound ? undefined : new Connection(options, isSecure, patience, connect);
    const connection: Connection = bound ?? fresh!;
    connection.run(outgoing, {
      resolve,
      reject,
      onOver(idleMs) {
        if (connection.isBound) giveBack(connection, options.pool, bonds, idleMs);
        else connection.destroy();
      },
      onSwitch(answered, rest) {
        bonds?.forget(options.pool, connection);
        const socket = fresh
          ? new DialledSocket(socketOf(fresh.release()), rest, watch)
          : new DialledSocket(toStream(connection, rest), undefined, watch);
        if (!headers.has("sec-websocket-extensions") && answered.has("sec-websocket-extensions")) {
          socket.cancel();
          return reject(unaskedExtension(origin));
        }
        resolve({ status: 101, statusText: "", headers: answered, body: null, socket });
      },
    });
  });
}

/** The connection of a login, which the runtime's own client may have made. */
function toStream(connection: Connection, rest: Buffer): WireStream {
  const wire = connection.release();
  const stream = new WireStream(wire, rest);
  connection.tell(stream);
  return stream;
}

function unaskedExtension({ host }: URL): ProxyError {
  const message = `Cannot open a WebSocket to ${host}: it chose an extension that was not offered`;
  return new ProxyError("upgrade_failed", message);
}
