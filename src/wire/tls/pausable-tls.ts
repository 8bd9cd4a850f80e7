/**
 * TLS connections that stop reading when they are paused, and say so when what came was no TLS.
 *
 * On Deno (2.9) a paused connection of `node:tls` goes on reading, into memory without bound, and may lose its end. So there
 * the TCP connection below is stopped, too. And one whose first bytes come together with its end only ends, whatever the
 * bytes were. Node does both by itself.
 * @module
 */

import { connect, type Socket, type TcpSocketConnectOpts } from "node:net";
import tls, { type ConnectionOptions, type TLSSocket } from "node:tls";

/**
 * What a socket reads by. It is not public. A version without it would pause as Deno itself does, which
 * `test/conformance/secure-targets.ts` finds.
 */
interface Reading {
  _handle?: { readStop?(): void; readStart?(): void } | null;
}

const keepsReading = "deno" in process.versions;
/** The TCP connections below TLS connections. */
const carriers = new WeakMap<Socket, Socket>();

/**
 * `tls.connect`, for a connection that can be paused.
 *
 * @param options `socket` is the connection to wrap, where it goes through a tunnel
 */
export function connectPausable(options: ConnectionOptions): TLSSocket {
  if (!keepsReading) return tls.connect(options);
  if (options.socket) return stopBelow(wrap(options, options.socket as Socket), options.socket as Socket);
  const carrier = connect(options as TcpSocketConnectOpts).setNoDelay(true);
  const secure = stopBelow(wrap(options, carrier), carrier);
  carrier.on("error", (failure) => secure.destroy(failure));
  secure.once("close", () => carrier.destroy());
  return secure;
}

/** Wraps a connection. One that ends after some bytes, before its handshake is complete, has failed. */
function wrap(options: ConnectionOptions, carrier: Socket): TLSSocket {
  const before = carrier.bytesRead;
  const secure = tls.connect({ ...options, socket: carrier });
  const fail = () => {
    if (carrier.bytesRead > before) secure.emit("error", unfinished());
  };
  return secure.once("end", fail).once("secureConnect", () => secure.off("end", fail));
}

function unfinished(): Error {
  return Object.assign(new Error("end within the handshake"), { code: "EPROTO" });
}

/**
 * Lets a pause stop what is below, so that no byte comes while TLS is paused. Neither of the two keeps the process running
 * alone.
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
