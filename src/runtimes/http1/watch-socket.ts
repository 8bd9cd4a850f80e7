/**
 * Tells a watch what happens on a socket.
 * @module
 */

import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { CLOSED, type WireWatch } from "./wire.ts";

/** What is special about a socket. */
export interface Special {
  /** What the bytes come from, if the socket wraps it. */
  carrier?: Pick<Socket, "remoteAddress">;
  /** Finds out more of a failure; gives nothing where there is no more to know. */
  explain?(failure: Error): Promise<Error> | undefined;
}

/** Passes on the events of a socket, except that it is open. */
export function watchSocket(
  socket: Socket,
  watch: WireWatch,
  { carrier = socket, explain }: Special = {},
): void {
  let isExplained = false;
  socket.on("data", (bytes: Buffer) => watch.onBytes(bytes));
  socket.on("drain", () => watch.onDrain());
  socket.on("error", (failure: Error) => {
    const explained = explain?.(failure);
    if (!explained) return watch.onClose(failure);
    isExplained = true;
    void explained.then((known) => watch.onClose(known));
  });
  // Node reports a reset right after bytes as an end (libuv), and Deno every reset with TLS. Only after a reset the
  // socket has no `remoteAddress`.
  socket.on("end", () => watch.onClose(carrier.remoteAddress ? undefined : CLOSED));
  socket.on("close", () => void (isExplained || watch.onClose(CLOSED)));
}
