/**
 * Drains a `node:http` server: finishes requests in flight, and waits for nothing else.
 * @module
 */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";

const POLL_MS = 50;

/**
 * Watches a server, so that it can be drained: connections without a request in flight are closed at once, those among
 * them that have brought none yet, as browsers open some ahead, and those that have brought a part of a head. `close`
 * alone leaves them open until they time out.
 *
 * @returns stops accepting, and settles when every request has been answered
 */
export function watchConnections(server: Server): () => Promise<void> {
  /** Connection → its last request, as answers keep the order of requests; `undefined` where that is over. */
  const connections = new Map<Socket, IncomingMessage | undefined>();
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    connections.set(socket, incoming);
    outgoing.once("close", () => {
      // Closed now, one that still sends its body would be reset, and might lose the answer.
      if (incoming.complete && connections.get(socket) === incoming) connections.set(socket, undefined);
    });
  });
  for (const event of ["upgrade", "connect"]) {
    server.on(event, ({ socket }: IncomingMessage) => void connections.delete(socket));
  }
  server.on(server instanceof SecureServer ? "secureConnection" : "connection", (socket: Socket) => {
    connections.set(socket, undefined);
    socket.once("close", () => connections.delete(socket));
  });
  return () => {
    const timer = setInterval(() => {
      server.closeIdleConnections();
      for (const [socket, incoming] of connections) if (!incoming) socket.destroy();
    }, POLL_MS);
    return new Promise((resolve) =>
      server.close(() => {
        clearInterval(timer);
        resolve();
      })
    );
  };
}
