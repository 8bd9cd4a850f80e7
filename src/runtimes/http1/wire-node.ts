/**
 * Connections to targets by `node:net` and `node:tls`, which every runtime has.
 * @module
 */

import { connect as connectPlain, type Socket } from "node:net";
import { explainRefusal, type Look, uncheckedOptions } from "./refused-certificate.ts";
import { connectTls, connectTrusted } from "./target-tls.ts";
import { TunnelWire } from "./tunnel/wire.ts";
import { watchSocket } from "./watch-socket.ts";
import type { Connect, WireWatch } from "./wire.ts";
import type { ConnectionOptions } from "./address.ts";

/** Connects to the addresses of a target in turn, with TLS by its name; or as its route says. */
export const connectNode: Connect<Socket | TunnelWire> = (options, isSecure, watch) => {
  if (options.route?.upstream) return new TunnelWire(options, options.route.upstream, isSecure, watch);
  return isSecure ? connectSecure(options, watch) : connectOpen(options, watch);
};

function connectOpen(options: ConnectionOptions, watch: WireWatch): Socket {
  const socket = connectPlain(options).setNoDelay(true);
  socket.once("connect", () => watch.onOpen());
  watchSocket(socket, watch);
  return socket;
}

function connectSecure(options: ConnectionOptions, watch: WireWatch): Socket {
  const socket = connectTrusted(options, () => watch.onOpen());
  socket.setNoDelay(true);
  socket.once("connect", () => watch.onConnected?.());
  watchSocket(socket, watch, { explain: (failure) => explainRefusal(failure, lookAt(options)) });
  return socket;
}

/** A look at the certificate on a connection of its own. */
function lookAt(options: ConnectionOptions): Look {
  return (onSeen, onClose) => {
    const socket = connectTls(uncheckedOptions(options));
    socket.once("secureConnect", () => onSeen(socket.getPeerX509Certificate()));
    socket.on("error", onClose).once("close", onClose);
    return socket.unref();
  };
}
