/**
 * Connections to targets over `node:net` and `node:tls`, which every runtime provides.
 * @module
 */

import { connect as connectPlain, type LookupFunction, type Socket } from "node:net";
import type { LateWire } from "./late-wire.ts";
import { RacedWire } from "./raced-wire.ts";
import { explainRefusal, type Look, uncheckedOptions } from "./tls/refused-certificate.ts";
import { connectTls, connectTrusted } from "./tls/target-tls.ts";
import { TunnelWire } from "./tunnel/tunnel-wire.ts";
import { watchSocket } from "./socket-wire.ts";
import type { Connect, WireWatch } from "./contract.ts";
import type { ConnectionOptions } from "./client/connection-options.ts";

/** Opens the TCP connection to one address. */
export type Open = (address: { host: string; port: number; lookup?: LookupFunction }) => Socket;

/** Connects to the addresses of a target, with TLS verified against its name; or through the proxy in its route. */
export const connectNode: Connect<Socket | LateWire> = (options, isSecure, watch) => {
  if (options.route?.upstream) return new TunnelWire(options, options.route.upstream, isSecure, watch);
  if (!isSecure) return connectOpen(options, watch, connectPlain);
  return race(options, watch, connectPlain, (carrier) => {
    watch.onConnected?.();
    return adoptSecure(options, watch, carrier);
  }) ?? connectSecure(options, watch);
};

/** Connects without TLS. */
export function connectOpen(options: ConnectionOptions, watch: WireWatch, open: Open): Socket | LateWire {
  const adopt = (socket: Socket) => {
    watchSocket(socket, watch);
    watch.onOpen();
    return socket;
  };
  const raced = race(options, watch, open, adopt);
  if (raced) return raced;
  const socket = open(options).setNoDelay(true);
  socket.once("connect", () => watch.onOpen());
  watchSocket(socket, watch);
  return socket;
}

/** Races the addresses of a target; `undefined` if there are fewer than two. */
function race(
  { addresses = [], port }: ConnectionOptions,
  watch: WireWatch,
  open: Open,
  adopt: (socket: Socket) => Socket | undefined,
): RacedWire | undefined {
  if (addresses.length < 2) return undefined;
  return new RacedWire(addresses, watch, { connect: (host) => open({ host, port }).setNoDelay(true), adopt });
}

function adoptSecure(options: ConnectionOptions, watch: WireWatch, carrier: Socket): Socket | undefined {
  try {
    const socket = connectSecure(options, watch, carrier);
    socket.once("close", () => carrier.destroy());
    return socket;
  } catch (failure) {
    carrier.destroy();
    watch.onClose(failure as Error);
    return undefined;
  }
}

function connectSecure(options: ConnectionOptions, watch: WireWatch, carrier?: Socket): Socket {
  const socket = connectTrusted(options, (readTls) => watch.onOpen(readTls), carrier && { socket: carrier });
  socket.setNoDelay(true);
  if (!carrier) socket.once("connect", () => watch.onConnected?.());
  watchSocket(socket, watch, { explain: (failure) => explainRefusal(failure, lookAt(options)) });
  return socket;
}

/** Inspects the certificate on a separate connection. */
function lookAt(options: ConnectionOptions): Look {
  return (onSeen, onClose) => {
    const socket = connectTls(uncheckedOptions(options));
    socket.once("secureConnect", () => onSeen(socket.getPeerX509Certificate()));
    socket.on("error", onClose).once("close", onClose);
    return socket.unref();
  };
}
