/**
 * Serves callers until the process stops, in the same way on Bun, Deno and Node.
 * @module
 */

import { OpenRequests } from "../../core/exchange/open-requests.ts";
import type { Parts } from "../../core/part.ts";
import type { Shared } from "../../core/runtime.ts";
import type { Config } from "../../core/settings/config.ts";
import type { Answering } from "../../wire/server/callers.ts";
import { OpenSockets } from "../../wire/websocket/open-sockets.ts";
import type { Listener } from "./listener.ts";
import { findOwnAddresses, type OwnAddresses } from "./own-addresses.ts";
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
  /** Stops accepting, and settles as soon as everything in flight has been answered. */
  drain(): Promise<unknown>;
  /** Uses another certificate for new connections, or throws. Called only for https. */
  renew(tls: TlsFiles): void;
}

/** Opens the server; throws or rejects if the port or the certificate can't be used. */
export type Open = (
  place: Place,
  tls: TlsFiles | undefined,
  answering: Answering,
) => Served | Promise<Served>;

/**
 * Opens a server, and connects it to a proxy.
 *
 * @param answer makes the proxy that answers
 */
export async function serveCallers(
  config: Config,
  shared: Shared | undefined,
  open: Open,
  answer: (own: OwnAddresses, parts: Parts, sockets: OpenSockets) => Answering,
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
  const served = await open(place, files, answer(own, parts, sockets));
  const rereads = [...rereadTlsFiles(config, files, (next) => served.renew(next)), ...parts.rereads];
  return {
    port: served.port,
    isLocal: own.listensOnLoopback,
    drain: async () => {
      stopped.abort();
      await Promise.all([served.drain(), sockets.close()]);
    },
    countOpen: () => requests.size,
    cut: () => requests.cut(),
    reread: () => rereadAll(rereads),
  };
}
