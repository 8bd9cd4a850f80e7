/**
 * Replaces a listening server with another one on the same port, on runtimes where a server can't change its certificate.
 *
 * If processes can share a port, the new server listens before the old one stops, so no connection is refused.
 * Otherwise the port is closed for some milliseconds.
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import { OpenRequests } from "../../core/exchange/open-requests.ts";
import type { Parts } from "../../core/part.ts";
import type { Shared } from "../../core/runtime.ts";
import type { Config } from "../../core/settings/config.ts";
import { findPort, sharesPorts } from "./claim-port.ts";
import type { Listener } from "./listener.ts";
import { findOwnAddresses, type OwnAddresses } from "./own-addresses.ts";
import { createParts } from "./lent.ts";
import { rereadAll } from "./reread.ts";
import { readTlsFiles, rereadTlsFiles, type TlsFiles } from "./tls-files.ts";

/** Milliseconds between attempts to listen, until the old server has closed the port. */
const AGAIN_MS = 5;

/** Where to listen. */
export interface Place {
  hostname: string;
  port: number;
  /** True if several processes share the port (Linux). */
  reusePort: boolean;
}

/** A listening server. */
export interface Served {
  readonly port: number;
  /** Stops accepting, and settles when all its connections are gone. May be called again. */
  stop(): Promise<unknown>;
  /** Stops accepting, and settles as soon as everything in flight has been answered. */
  drain(): Promise<unknown>;
  /** Uses another certificate for new connections, or throws. Absent if that requires another server. */
  renew?(tls: TlsFiles): void;
}

/** Opens a server; throws if the port or the certificate can't be used. */
export type Open = (port: number, tls: TlsFiles | undefined) => Served;

/** Returns the function that opens the servers of one proxy, given a port, a certificate and whether the port is shared. */
export type Prepare = (
  own: OwnAddresses,
  parts: Parts,
) => (port: number, tls: TlsFiles | undefined, isShared: boolean) => Served;

/**
 * Listens with a server that is replaced when its certificate changes.
 *
 * @param sockets open WebSockets, which are closed with the servers
 */
export async function listenInTurn(
  config: Config,
  shared: Shared | undefined,
  sockets: { close(): Promise<void> },
  prepare: Prepare,
): Promise<Listener> {
  const files = readTlsFiles(config);
  const own = await findOwnAddresses(config.host, () => served.port);
  const open = new OpenRequests();
  const stopped = new AbortController();
  const parts = { ...await createParts(config, shared, !own.listensOnLoopback, stopped.signal), open };
  const serve = prepare(own, parts);
  const isShared = shared !== undefined || (files !== undefined && sharesPorts());
  const port = isShared && !shared ? await findPort(config) : config.port;
  const served = new Succession(
    (port, tls) => serve(port, tls, isShared),
    isShared,
    port,
    files,
  );
  const rereads = [...rereadTlsFiles(config, files, (next) => served.replace(next)), ...parts.rereads];
  return {
    port: served.port,
    isLocal: own.listensOnLoopback,
    drain: async () => {
      stopped.abort();
      await Promise.all([served.drain(), sockets.close()]);
    },
    countOpen: () => open.size,
    cut: () => open.cut(),
    reread: () => rereadAll(rereads),
  };
}

/** The current server and the ones that it has replaced. */
export class Succession {
  readonly #open: Open;
  readonly #isShared: boolean;
  #current: Served;
  /** Replaced servers that still have requests to answer. */
  readonly #old = new Set<Served>();
  #isOver = false;

  /** @param isShared true if two servers can listen on the port together */
  constructor(open: Open, isShared: boolean, port: number, tls: TlsFiles | undefined) {
    this.#open = open;
    this.#isShared = isShared;
    this.#current = open(port, tls);
  }

  get port(): number {
    return this.#current.port;
  }

  /**
   * Uses another certificate, with another server if necessary. The old server stops accepting and finishes its requests.
   *
   * @throws {Error} (as a rejection) if the certificate can't be used: then nothing has changed
   */
  async replace(tls: TlsFiles): Promise<void> {
    if (this.#current.renew) return this.#current.renew(tls);
    const { port } = this.#current;
    if (this.#isShared) {
      const next = this.#open(port, tls);
      this.#retire();
      this.#current = next;
      return;
    }
    // First opens a server on another port, to find out whether the certificate can be used.
    await this.#open(0, tls).stop();
    this.#retire();
    while (!this.#isOver) {
      const next = attempt(() => this.#open(port, tls));
      if (next) this.#current = next;
      if (next) return;
      await sleep(AGAIN_MS);
    }
  }

  /** Stops accepting, and settles when all servers have answered everything in flight. */
  async drain(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#old, this.#current].map((served) => served.drain()));
  }

  #retire(): void {
    const old = this.#current;
    this.#old.add(old);
    void old.stop().then(() => this.#old.delete(old));
  }
}

function attempt<Value>(open: () => Value): Value | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
