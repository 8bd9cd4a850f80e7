/**
 * A Bun listener that accepts callers.
 * @module
 */

import type { Buffer } from "node:buffer";
import { createSecureContext, type SecureContext } from "node:tls";
import { CLOSED } from "../../wire/contract.ts";
import type { Open } from "../process/serve-callers.ts";
import type { TlsFiles } from "../process/tls-files.ts";
import { HEAD_MS } from "../../wire/server/connection-deadlines.ts";
import { speaksTls } from "../../wire/server/first-bytes.ts";
import type { BunSocket } from "./bun-wire.ts";
import { BunCallerWire } from "./caller-wire.ts";

/** Listens; throws if the address can't be used. */
export const listenForCallers: Open = (place, tls, callers) => {
  let secureContext = tls && createSecureContext(tls);
  const take = (socket: BunSocket, first?: Buffer) => {
    const context = first && speaksTls(first) ? secureContext : undefined;
    const isSecure = context !== undefined;
    const peer = {
      address: socket.remoteAddress,
      isSecure,
      isShaking: isSecure,
      needsHttps: first !== undefined && !isSecure,
    };
    callers.take(peer, (watch) => {
      const wire = new BunCallerWire(watch, isSecure);
      socket.data = isSecure ? SPENT : wire;
      wire.adopt(isSecure ? upgrade(socket, wire, context, first!) : socket);
      return wire;
    }, () => socket.terminate());
    if (peer.needsHttps) socket.data.received(first!);
  };
  const plain = { ...HANDLERS, open: (socket: BunSocket) => take(socket) };
  const undecided: Handlers = {
    ...HANDLERS,
    open: (socket) => socket.timeout(HEAD_MS / 1_000),
    timeout: (socket) => socket.terminate(),
    data(socket, bytes) {
      if (socket.data) return socket.data.received(bytes);
      socket.timeout(0);
      take(socket, bytes);
    },
    end: (socket) => void (socket.data ? socket.data.ended() : socket.terminate()),
  };
  const listener = Bun.listen({ ...place, allowHalfOpen: true, socket: tls ? undecided : plain });
  const renew = (next: TlsFiles) => void (secureContext = createSecureContext(next));
  return { port: listener.port, stop: () => listener.stop(), renew };
};

type Handlers = Bun.SocketHandler<BunCallerWire, "buffer">;

/** With a `handshake` handler, Bun (1.4) reports a connection before its TLS handshake; without one, after it or never. */
const HANDLERS: Handlers = {
  binaryType: "buffer",
  handshake: ({ data: wire }, isComplete) => void (isComplete && wire.watch.onOpen()),
  data: ({ data: wire }, bytes) => wire.received(bytes),
  drain: ({ data: wire }) => wire?.drained(),
  end: ({ data: wire }) => wire.ended(),
  error: ({ data: wire }, failure) => wire?.watch.onClose(failure),
  close: ({ data: wire }, failure) => wire?.watch.onClose(failure ?? CLOSED),
};

const drop = () => {};
/** What hears of a connection below TLS. */
const SPENT = new BunCallerWire({ onOpen: drop, onBytes: drop, onDrain: drop, onClose: drop }, true);

/**
 * Begins TLS on a connection whose first bytes have been read. Bun's types lack `isServer`, `initialData` and the context, by
 * which its own `node:tls` (1.4) does the same.
 */
function upgrade(
  socket: BunSocket,
  data: BunCallerWire,
  { context: secureContext }: SecureContext,
  initialData: Buffer,
): BunSocket {
  const tls = { secureContext, requestCert: false, rejectUnauthorized: false };
  const options = { data, tls, socket: HANDLERS, isServer: true, initialData };
  return socket.upgradeTLS(options as Bun.TLSUpgradeOptions<BunCallerWire>)[1] as BunSocket;
}
