/**
 * A caller's TLS connection on Deno (2.9), with `node:tls`.
 *
 * `Deno.listenTls` takes less CPU time, but `close` of its connections leaves the descriptor open until the handshake is
 * complete, so a caller that never begins a handshake would hold the descriptor for ever.
 * @module
 */

import { type SecureContext, TLSSocket } from "node:tls";
import type { WireWatch } from "../../wire/contract.ts";
import { SocketWire } from "../../wire/server/socket-wire.ts";
import { Carrier } from "./carrier.ts";
import type { Conn } from "./wire.ts";

/** A connection whose TLS handshake is yet to come. */
export class DenoSecureWire extends SocketWire {
  readonly #carrier: Carrier;
  /** Reports when everything has been sent, like other Deno wires; a socket emits `drain` only after its buffer was full. */
  readonly #onSent: () => void;

  constructor(conn: Conn, address: string, secureContext: SecureContext, watch: WireWatch) {
    const carrier = new Carrier(conn, address);
    const socket = new TLSSocket(carrier, { isServer: true, secureContext });
    super(socket, watch, { carrier });
    this.#carrier = carrier;
    this.#onSent = () => void (socket.writableLength > 0 || watch.onDrain());
    socket.once("secure", () => watch.onOpen());
  }

  override get takenBytes(): number {
    return this.#carrier.takenBytes;
  }

  override write(bytes: Uint8Array | string, encoding?: "latin1"): boolean {
    return this.socket.write(bytes, encoding, this.#onSent);
  }

  override pause(): void {
    this.#carrier.hold();
    super.pause();
  }

  override resume(): void {
    super.resume();
    this.#carrier.goOn();
  }

  override cut(): void {
    this.destroy();
  }

  override destroy(): void {
    super.destroy();
    this.#carrier.destroy();
  }
}
