/**
 * A `Deno.serve` that survives a failed accept.
 * @module
 */

import { setTimeout as sleep } from "node:timers/promises";
import { stderr } from "../process/output.ts";

/** A failed listener is reopened after this many milliseconds. */
const AGAIN_MS = 500;

/** The server that `Deno.serve` returns. */
export interface DenoServer {
  addr: { port: number };
  /** Rejects if a connection can't be accepted. */
  finished: Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * Serves until it is shut down. Without free file descriptors, Deno's server (2.9) stops for ever, and the unhandled
 * rejection would end the process and all requests in flight.
 *
 * @param serve opens the server on a port; throws if the port is not available
 */
export function keepServing(serve: (port: number) => DenoServer, port: number): Omit<DenoServer, "finished"> {
  const ends: Promise<void>[] = [];
  let isOver = false;
  let server: DenoServer | undefined = serve(port);
  const { addr } = server;
  const watch = (watched: DenoServer) =>
    void watched.finished.catch((error: Error) => replace(watched, error));
  const replace = async (failed: DenoServer, { message }: Error) => {
    if (isOver) return;
    stderr.push(`fetchvia: no connection can be taken (${message}), trying again`);
    // Requests in flight continue. Idle connections are closed, which frees their descriptors.
    ends.push(failed.shutdown());
    server = undefined;
    while (!server && !isOver) {
      await sleep(AGAIN_MS);
      if (!isOver) server = attempt(() => serve(addr.port));
    }
    if (server) watch(server);
  };
  watch(server);
  return {
    addr,
    shutdown: async () => {
      isOver = true;
      await Promise.all([...ends, server?.shutdown()]);
    },
  };
}

function attempt<Value>(open: () => Value): Value | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
