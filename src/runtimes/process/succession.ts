/**
 * Replaces a listening server by another one on the same port, for servers that can't change their certificate.
 *
 * Where processes can share a port, the new server listens before the old one stops, so no connection is refused.
 * Elsewhere the port is closed for some milliseconds.
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import { OpenRequests } from "../../exchange/open-requests.ts";
import type { Parts } from "../../exchange/record.ts";
import type { Shared } from "../../exchange/runtime.ts";
import type { Config } from "../../settings/config.ts";
import { findPort, sharesPorts } from "./claim-port.ts";
import type { Listener } from "./listener.ts";
import { findOwnAddresses, type OwnAddresses } from "./own-addresses.ts";
import { createParts } from "./parts.ts";
import { rereadAll } from "./reread.ts";
import { readTlsFiles, rereadTlsFiles, type TlsFiles } from "./tls-files.ts";

/** Milliseconds until an old server has closed the port, which may take several attempts. */
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
}

/** Opens a server; throws if the port or the settings can't be used. */
export type Open<Settings> = (port: number, settings: Settings) => Served;

/** Makes what opens the servers of one proxy: on a port, with a certificate, and sharing the port or not. */
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
  const served = new Succession<TlsFiles | undefined>(
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
    cut: () => open.cut(),
    reread: () => rereadAll(rereads),
  };
}

/** A server and those that it has replaced. */
export class Succession<Settings> {
  readonly #open: Open<Settings>;
  readonly #isShared: boolean;
  #current: Served;
  /** Replaced servers that still answer. */
  readonly #old = new Set<Served>();
  #isOver = false;

  /** @param isShared true if two servers can listen on the port together */
  constructor(open: Open<Settings>, isShared: boolean, port: number, settings: Settings) {
    this.#open = open;
    this.#isShared = isShared;
    this.#current = open(port, settings);
  }

  get port(): number {
    return this.#current.port;
  }

  /**
   * Opens a server with other settings. The one before accepts no more, and finishes what is in flight.
   *
   * @throws {Error} (as a rejection) if the settings can't be used: then nothing has changed
   */
  async replace(settings: Settings): Promise<void> {
    const { port } = this.#current;
    if (this.#isShared) {
      const next = this.#open(port, settings);
      this.#retire();
      this.#current = next;
      return;
    }
    // On another port first, to see whether the settings can be used.
    await this.#open(0, settings).stop();
    this.#retire();
    while (!this.#isOver) {
      const next = attempt(() => this.#open(port, settings));
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
