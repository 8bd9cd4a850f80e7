/**
 * TLS connections that stop reading when paused, and that report an error if the peer did not speak TLS.
 *
 * Where the runtime does neither, this module also stops the TCP connection below, and reports the error.
 * @module
 */

import { connect, type Socket, type TcpSocketConnectOpts } from "node:net";
import type { ConnectionOptions, TLSSocket } from "node:tls";
import { traits } from "../runtime-traits.ts";
import { nodeTls } from "./late-modules.ts";

/**
 * The internal handle that a socket reads with. It is not public: in a version without it, pausing would behave as in
 * the runtime itself, and `test/conformance/secure-targets.ts` would fail.
 */
interface Reading {
  _handle?: { readStop?(): void; readStart?(): void } | null;
}

/** The TCP connections below TLS connections. */
const carriers = new WeakMap<Socket, Socket>();

/**
 * Like `tls.connect`, but the connection can be paused.
 *
 * @param options `socket` is the connection to wrap, if it goes through a tunnel
 */
export function connectPausable(options: ConnectionOptions): TLSSocket {
  if (!traits.readsWhilePaused) return nodeTls().connect(options);
  if (options.socket) return stopBelow(wrap(options, options.socket as Socket), options.socket as Socket);
  const carrier = connect(options as TcpSocketConnectOpts).setNoDelay(true);
  const secure = stopBelow(wrap(options, carrier), carrier);
  carrier.on("error", (failure) => secure.destroy(failure));
  secure.once("close", () => carrier.destroy());
  return secure;
}

/** Wraps a connection in TLS. It fails if the connection ends after some bytes, but before the handshake is complete. */
function wrap(options: ConnectionOptions, carrier: Socket): TLSSocket {
  const before = carrier.bytesRead;
  const secure = nodeTls().connect({ ...options, socket: carrier });
  const fail = () => {
    if (carrier.bytesRead > before) secure.emit("error", unfinished());
  };
  return secure.once("end", fail).once("secureConnect", () => secure.off("end", fail));
}

function unfinished(): Error {
  return Object.assign(new Error("end within the handshake"), { code: "EPROTO" });
}

/**
 * Makes `pause` also stop the TCP connection below, so that no byte arrives while TLS is paused. `ref` and `unref` apply to
 * both connections.
 */
function stopBelow(secure: TLSSocket, below: Socket): TLSSocket {
  const carrier = carriers.get(below) ?? below;
  carriers.set(secure, carrier);
  const { pause, resume, ref, unref } = secure;
  const handle = () => (carrier as Reading)._handle;
  let isStopped = false;
  return Object.assign(secure, {
    pause() {
      isStopped = true;
      handle()?.readStop?.();
      return pause.call(secure);
    },
    resume() {
      resume.call(secure);
      if (isStopped) handle()?.readStart?.();
      isStopped = false;
      return secure;
    },
    ref() {
      carrier.ref();
      return ref.call(secure);
    },
    unref() {
      carrier.unref();
      return unref.call(secure);
    },
  });
}
