/**
 * Drains a `node:http` server: it waits only for requests in flight.
 * @module
 */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as SecureServer } from "node:https";
import type { Socket } from "node:net";

const POLL_MS = 50;

/**
 * Watches a server, so that it can be drained. Draining closes connections without a request in flight at once,
 * including those without any request yet (browsers open some ahead) and those with part of a head. `close` alone
 * leaves them open until they time out, and cuts an answer whose last bytes its caller has yet to read.
 *
 * @returns a function that stops accepting, and settles when every request has been answered
 */
export function watchConnections(server: Server): () => Promise<void> {
  /** Connection → its last request, because responses keep the order of requests; `undefined` if that has ended. */
  const connections = new Map<Socket, IncomingMessage | undefined>();
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    connections.set(socket, incoming);
    outgoing.once("close", () => {
      // A connection that still sends a body would be reset if closed now, and could lose the response.
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
  // `close` calls it too. Node's own (20) takes an answer for sent that is still in memory.
  server.closeIdleConnections = () => {
    for (const [socket, incoming] of connections) if (!incoming) socket.destroy();
  };
  return () => {
    const timer = setInterval(() => server.closeIdleConnections(), POLL_MS);
    return new Promise((resolve) =>
      server.close(() => {
        clearInterval(timer);
        resolve();
      })
    );
  };
}
