/**
 * TLS connections that stop reading when they are paused.
 *
 * On Deno (2.9) a paused connection of `node:tls` goes on reading, into memory without bound, and may lose its end. So there
 * the TCP connection below is stopped, too. Node does that by itself.
 * @module
 */

import { connect, type Socket, type TcpSocketConnectOpts } from "node:net";
import process from "node:process";
import tls, { type ConnectionOptions, type TLSSocket } from "node:tls";

/** What a socket reads by. It is not public: a version without it pauses as Deno itself does. */
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
  if (options.socket) return stopBelow(tls.connect(options), options.socket as Socket);
  const carrier = connect(options as TcpSocketConnectOpts).setNoDelay(true);
  const secure = stopBelow(tls.connect({ ...options, socket: carrier }), carrier);
  carrier.on("error", (failure) => secure.destroy(failure));
  secure.once("close", () => carrier.destroy());
  return secure;
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
