/**
 * Connections to targets by `node:net` and `node:tls`, which every runtime has.
 * @module
 */

import type { Buffer } from "node:buffer";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { explainRefusal } from "./refused-certificate.ts";
import { closed, type Connect } from "./wire.ts";

/** Connects to the addresses of a target in turn, with TLS by its name. */
export const connectNode: Connect<Socket> = (options, isSecure, watch) => {
  const socket = isSecure
    ? connectSecure({ ...options, ALPNProtocols: ["http/1.1"] })
    : connectPlain(options);
  socket.setNoDelay(true);
  socket.once(isSecure ? "secureConnect" : "connect", () => watch.onOpen());
  socket.on("data", (bytes: Buffer) => watch.onBytes(bytes));
  socket.on("drain", () => watch.onDrain());
  let isExplained = false;
  socket.on("error", (failure: Error) => {
    const explained = isSecure ? explainRefusal(failure, options) : undefined;
    if (!explained) return watch.onClose(failure);
    isExplained = true;
    void explained.then((known) => watch.onClose(known));
  });
  // Node reports a reset right after bytes as an end (libuv), and Deno every reset with TLS. Only after a reset the
  // socket has no `remoteAddress`.
  socket.on("end", () => watch.onClose(socket.remoteAddress ? undefined : closed()));
  socket.on("close", () => void (isExplained || watch.onClose(closed())));
  return socket;
};
