/**
 * A Bun listener that accepts callers.
 * @module
 */

import { CLOSED, type WireWatch } from "../../wire/contract.ts";
import type { Place, Served } from "../process/succession.ts";
import type { TlsFiles } from "../process/tls-files.ts";
import { type Answering, Callers } from "../../wire/server/callers.ts";
import type { BunSocket, BunWire } from "./bun-wire.ts";
import { BunCallerWire } from "./caller-wire.ts";

/** Listens; throws if the address can't be used. */
export function listenForCallers(place: Place, tls: TlsFiles | undefined, answering: Answering): Served {
  const callers = new Callers(answering);
  const isSecure = tls !== undefined;
  const open = (socket: BunSocket) => {
    const connect = (watch: WireWatch) => {
      const wire = new BunCallerWire(watch, socket, isSecure);
      socket.data = wire;
      return wire;
    };
    const peer = { address: socket.remoteAddress, isSecure, isShaking: isSecure };
    callers.take(peer, connect, () => socket.terminate());
  };
  const socket = { ...HANDLERS, open };
  const options = { ...place, allowHalfOpen: true, socket };
  const listener = Bun.listen(tls ? { ...options, tls } : options);
  const drain = () => {
    listener.stop();
    return callers.drain();
  };
  return { port: listener.port, stop: drain, drain };
}

/** With a `handshake` handler, Bun (1.4) reports a connection before its TLS handshake; without one, after it or never. */
const HANDLERS: Omit<Bun.SocketHandler<BunWire, "buffer">, "open"> = {
  binaryType: "buffer",
  handshake: ({ data: wire }, isComplete) => void (isComplete && wire.watch.onOpen()),
  data: ({ data: wire }, bytes) => wire.received(bytes),
  drain: ({ data: wire }) => wire.drained(),
  end: ({ data: wire }) => (wire as BunCallerWire).ended(),
  error: ({ data: wire }, failure) => wire.watch.onClose(failure),
  close: ({ data: wire }, failure) => wire.watch.onClose(failure ?? CLOSED),
};
