/**
 * Serves callers until the process stops, in the same way on Bun, Deno and Node.
 * @module
 */

import { OpenRequests } from "../../core/exchange/record.ts";
import type { Parts } from "../../core/part.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { Runtime, Shared } from "../../core/runtime.ts";
import type { Config } from "../../core/settings/config.ts";
import { createConfiguredProxy } from "../../index.ts";
import { type Answering, Callers } from "../../wire/server/callers.ts";
import type { Taken } from "../../wire/server/server-context.ts";
import { ByteSide, formatHead } from "../../wire/websocket/bytes.ts";
import { createDialler, type DialledSocket } from "../../wire/websocket/dial.ts";
import { joinSides } from "../../wire/websocket/join.ts";
import { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import { watchSilence } from "../../wire/websocket/silence.ts";
import { bindClientAddress } from "./client-address.ts";
import type { Listener } from "./listener.ts";
import { findOwnAddresses } from "./own-addresses.ts";
import { createParts } from "./lent.ts";
import { rereadAll } from "./reread.ts";
import { readTlsFiles, rereadTlsFiles, type TlsFiles } from "./tls-files.ts";

/** Where to listen. */
export interface Place {
  hostname: string;
  port: number;
  /** True if several processes share the port (Linux). */
  reusePort: boolean;
}

/** A listening server. */
interface Served {
  readonly port: number;
  /** Stops accepting; may be called again. */
  stop(): void;
  /** Uses another certificate for new connections, or throws. Called only for https. */
  renew(tls: TlsFiles): void;
}

/** Opens the server; throws or rejects if the port or the certificate can't be used. */
export type Open = (
  place: Place,
  tls: TlsFiles | undefined,
  callers: Callers,
) => Served | Promise<Served>;

/** Joins a caller's connection to the target's WebSocket. */
export type Join = (reply: Reply, connection: Taken, sockets: OpenSockets) => void;

/**
 * Opens a server, and connects it to a proxy.
 *
 * @param runtime the runtime's capabilities
 */
export async function serveCallers(
  config: Config,
  shared: Shared | undefined,
  open: Open,
  runtime: Runtime,
  join?: Join,
): Promise<Listener> {
  const files = readTlsFiles(config);
  const own = await findOwnAddresses(config.host, () => served.port);
  const sockets = new OpenSockets(config.idleTimeoutMs);
  const requests = new OpenRequests();
  const stopped = new AbortController();
  const parts = {
    ...await createParts(config, shared, !own.listensOnLoopback, stopped.signal),
    open: requests,
  };
  const place = { hostname: config.host, port: config.port, reusePort: shared !== undefined };
  const lent = { ...runtime, upgrade: createDialler(), ...own };
  const callers = new Callers(createAnswering(config, lent, parts, sockets, join));
  const opening = async () => await open(place, files, callers);
  const served = await opening().catch((error) => {
    stopped.abort();
    throw error;
  });
  const rereads = [...rereadTlsFiles(config, files, (next) => served.renew(next)), ...parts.rereads];
  return {
    port: served.port,
    isLocal: own.listensOnLoopback,
    drain: async () => {
      served.stop();
      await Promise.all([callers.drain(), sockets.close()]);
      stopped.abort();
    },
    countOpen: () => requests.size,
    cut: () => requests.cut(),
    reread: () => rereadAll(rereads),
  };
}

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
