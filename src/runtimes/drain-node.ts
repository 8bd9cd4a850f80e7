/**
 * The end of a `node:http` server: what is in flight is finished, and nothing else is waited for.
 * @module
 */

import type { IncomingMessage, Server } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";

const POLL_MS = 50;

/**
 * Watches a server, so that it can be drained: connections that become idle are closed at once, and those that have
 * brought no request yet, as browsers open some ahead. `close` alone leaves both open until they time out.
 *
 * @returns stops accepting, and settles when every request has been answered
 */
export function watchConnections(server: Server): () => Promise<void> {
  const silent = new Set<Socket>();
  const isHeard = ({ socket }: IncomingMessage) => void silent.delete(socket);
  for (const event of ["request", "upgrade", "connect"]) server.on(event, isHeard);
  server.on(server instanceof SecureServer ? "secureConnection" : "connection", (socket: Socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  return () => {
    const timer = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of silent) socket.destroy();
    }, POLL_MS);
    return new Promise((resolve) =>
      server.close(() => {
        clearInterval(timer);
        resolve();
      })
    );
  };
}
