/**
 * Connects our own server to a proxy: the proxy answers its requests, and its WebSockets are joined.
 * @module
 */

import type { Config } from "../core/settings/config.ts";
import { createConfiguredProxy } from "../index.ts";
import type { Parts } from "../core/part.ts";
import type { Runtime } from "../core/runtime.ts";
import type { Reply } from "../core/http/reply.ts";
import { bindClientAddress } from "./process/client-address.ts";
import { ByteSide, formatHead } from "../wire/websocket/bytes.ts";
import type { DialledSocket } from "../wire/websocket/dial.ts";
import { joinSides } from "../wire/websocket/join.ts";
import type { OpenSockets } from "../wire/websocket/open-sockets.ts";
import { watchSilence } from "../wire/websocket/silence.ts";
import type { Answering } from "../wire/server/callers.ts";
import type { Taken } from "../wire/server/server-context.ts";

/** Joins a caller's connection to the target's WebSocket. */
export type Join = (reply: Reply, connection: Taken, sockets: OpenSockets) => void;

/**
 * Makes the proxy, as the callbacks of our own server.
 *
 * @param runtime the runtime's capabilities, with the addresses of the listener
 * @param sockets the open WebSockets; the proxy closes when they do
 */
export function createAnswering(
  config: Config,
  runtime: Runtime,
  parts: Parts,
  sockets: OpenSockets,
  join: Join = joinStream,
): Answering {
  const proxy = createConfiguredProxy(config, parts);
  sockets.onClose(() => proxy.close());
  const runtimeFor = bindClientAddress(runtime);
  return {
    idleTimeoutMs: config.idleTimeoutMs,
    answer: (request, { address }) => proxy.reply(request, runtimeFor(address)),
    join: (reply, connection) => join(reply, connection, sockets),
  };
}

function joinStream(reply: Reply, connection: Taken, sockets: OpenSockets): void {
  const { socket, watch } = reply.socket as DialledSocket;
  const stream = connection.releaseStream();
  stream.write(formatHead(reply), "latin1");
  const side = new ByteSide(stream, false);
  joinSides(side, new ByteSide(socket, true), watch, sockets);
  watchSilence(stream, side);
}
