/**
 * Sends a WebSocket handshake to the target on its own connection, for Node, Deno and Bun.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { Fields } from "../../http/fields.ts";
import type { Outgoing, SocketWatch, TargetSocket, Upgrade, Upstream } from "../../exchange/runtime.ts";
import type { Patience } from "../../http/gather.ts";
import { ProxyError } from "../../http/error.ts";
import { connectionOptions } from "../http1/address.ts";
import { Connection } from "../http1/connection.ts";
import { A_TURN, type HttpSenderOptions } from "../http1/sender.ts";
import { TunnelWire } from "../http1/tunnel/wire.ts";
import { connectNode } from "../http1/wire-node.ts";

/** Milliseconds of silence before TCP keep-alive probes start. */
export const KEEP_ALIVE_MS = 60_000;

/** The target's side of a WebSocket: its connection after the handshake. */
export class DialledSocket implements TargetSocket {
  readonly socket: Socket;
  readonly watch: SocketWatch;

  /** @param rest bytes received after the handshake */
  constructor(socket: Socket, rest: Buffer, watch: SocketWatch) {
    this.socket = socket;
    this.watch = watch;
    // An early error must not end the process; readers still see it.
    socket.on("error", () => {});
    socket.removeAllListeners("data").pause().setKeepAlive(true, KEEP_ALIVE_MS);
    if (rest.length) socket.unshift(rest);
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
    const connection = new Connection(options, origin.protocol === "https:", patience, connect);
    connection.run(outgoing, {
      resolve,
      reject,
      onOver: () => connection.destroy(),
      onSwitch(answered, rest) {
        const wire = connection.release();
        const socket = new DialledSocket(wire instanceof TunnelWire ? wire.socket : wire, rest, watch);
        if (!headers.has("sec-websocket-extensions") && answered.has("sec-websocket-extensions")) {
          socket.cancel();
          return reject(unaskedExtension(origin));
        }
        resolve({ status: 101, statusText: "", headers: answered, body: null, socket });
      },
    });
  });
}

function unaskedExtension({ host }: URL): ProxyError {
  const message = `Cannot open a WebSocket to ${host}: it chose an extension that was not offered`;
  return new ProxyError("upgrade_failed", message);
}
