/**
 * Connections to targets by `node:net` and `node:tls`, which every runtime has.
 * @module
 */

import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { explainRefusal } from "./refused-certificate.ts";
import { TunnelWire } from "./tunnel/wire.ts";
import { watchSocket } from "./watch-socket.ts";
import type { Connect } from "./wire.ts";

/** Connects to the addresses of a target in turn, with TLS by its name; or as its route says. */
export const connectNode: Connect<Socket | TunnelWire> = (options, isSecure, watch) => {
  if (options.route?.upstream) return new TunnelWire(options, options.route.upstream, isSecure, watch);
  const socket = isSecure
    ? connectSecure({ ...options, ALPNProtocols: ["http/1.1"] })
    : connectPlain(options);
  socket.setNoDelay(true);
  socket.once(isSecure ? "secureConnect" : "connect", () => watch.onOpen());
  watchSocket(socket, watch, {
    explain: (failure) => isSecure ? explainRefusal(failure, options) : undefined,
  });
  return socket;
};
