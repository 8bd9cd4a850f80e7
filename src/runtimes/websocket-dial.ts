/**
 * Sends the handshake of a WebSocket to the target over `node:http(s)`, for Node, Deno and Bun: judged addresses only.
 * @module
 */

import type { Buffer } from "node:buffer";
import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import {
  Fields,
  type Outgoing,
  ProxyError,
  type SocketWatch,
  type TargetSocket,
  type Upgrade,
  type Upstream,
} from "../index.ts";
import { connectionOptions } from "./connection.ts";
import { createBody } from "./node-body.ts";

/** A connection that is silent this many milliseconds is asked whether its other end is still there. */
export const KEEP_ALIVE_MS = 60_000;

/** Heads of answers up to this many bytes are read; larger ones are an error (`HPE_HEADER_OVERFLOW`). */
const MAX_HEAD_BYTES = 65_536;

/** The target's side of a WebSocket: its connection, past the handshake. */
export class DialledSocket implements TargetSocket {
  readonly socket: Socket;
  readonly watch: SocketWatch;

  constructor(socket: Socket, watch: SocketWatch) {
    this.socket = socket;
    this.watch = watch;
    // A failure that comes before anyone reads must not take the process along; readers see it all the same.
    socket.on("error", () => {});
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS).setTimeout(0);
  }

  cancel(): void {
    this.socket.destroy();
    this.watch.onEnd();
  }
}

/**
 * Makes the sender of handshakes.
 *
 * @param keepsExtensions whether what the caller and the target agree on reaches both untouched
 */
export function createDialler({ keepsExtensions }: { keepsExtensions: boolean }): Upgrade {
  return (outgoing, watch) => {
    const headers = new Fields(outgoing.headers);
    if (!keepsExtensions) headers.delete("sec-websocket-extensions");
    return dial({ ...outgoing, headers }, watch);
  };
}

function dial(outgoing: Outgoing, watch: SocketWatch): Promise<Upstream> {
  const { origin, headers, signal } = outgoing;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = (origin.protocol === "https:" ? https : http).request(requestOptions(outgoing));
    const abort = () =>
      request.destroy(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
    const release = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort, { once: true });
    let failure: Error | undefined;
    request.on("error", (error) => {
      failure = error;
      reject(error);
    });
    request.once("close", release);
    request.once("response", (response) => resolve(readRefusal(response, () => failure)));
    // A 101 without Upgrade is an interim answer to `node:http`, and nothing follows it.
    request.on("information", ({ statusCode }) => statusCode === 101 && request.destroy(badUpgrade(origin)));
    request.once("upgrade", (response: http.IncomingMessage, socket: Socket, head: Buffer) => {
      // From now on the caller's signal is not about this: Deno (2.9) aborts it once the caller is joined.
      release();
      const dialled = new DialledSocket(socket, watch);
      if (head.length) socket.unshift(head);
      const answered = readFields(response);
      if (!headers.has("sec-websocket-extensions") && answered.has("sec-websocket-extensions")) {
        dialled.cancel();
        return reject(badUpgrade(origin));
      }
      resolve({ status: 101, statusText: "", headers: answered, body: null, socket: dialled });
    });
    request.end();
  });
}

function badUpgrade({ host }: URL): ProxyError {
  const message =
    `Cannot join a WebSocket of ${host}: its 101 does not fit, expected one as it was asked for`;
  return new ProxyError("upgrade_failed", message);
}

function requestOptions({ origin, path, headers, addresses }: Outgoing): https.RequestOptions {
  return {
    ...connectionOptions(origin, addresses),
    maxHeaderSize: MAX_HEAD_BYTES,
    agent: false,
    method: "GET",
    path,
    headers: Object.fromEntries(headers),
    setHost: false,
  };
}

function readRefusal(response: http.IncomingMessage, failure: () => Error | undefined): Upstream {
  const { statusCode: status = 0, statusMessage: statusText = "" } = response;
  return {
    status,
    statusText: /^[\t\x20-\x7e\x80-\xff]*$/.test(statusText) ? statusText : "",
    headers: readFields(response),
    body: createBody(response, { failure }),
  };
}

function readFields({ rawHeaders }: http.IncomingMessage): Fields {
  const fields = new Fields();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    fields.append((rawHeaders[i] ?? "").toLowerCase(), rawHeaders[i + 1] ?? "");
  }
  return fields;
}
