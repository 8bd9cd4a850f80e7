/**
 * A caller's TLS connection on Deno (2.9), with `node:tls`.
 *
 * `Deno.listenTls` takes less CPU time, but `close` of its connections leaves the descriptor open until the handshake is
 * complete, so a caller that never begins a handshake would hold the descriptor for ever.
 * @module
 */

import { Buffer } from "node:buffer";
import { type SecureContext, TLSSocket } from "node:tls";
import type { WireWatch } from "../../wire/contract.ts";
import { SocketWire } from "../../wire/socket-wire.ts";
import { WireStream } from "../../wire/wire-stream.ts";
import { type Conn, DenoWire } from "./wire.ts";

const OPTIONS = { roomBytes: 16_384, fullBlocks: 1, isHalfOpen: true };

/** The connection below TLS. `node:tls` reads without a limit, so reading stops here when the reader of the TLS stream pauses. */
class Carrier extends WireStream {
  readonly wire: DenoWire;
  /** The caller's IP address; `undefined` after a reset, as on a `node:net` socket. */
  remoteAddress: string | undefined;
  #isHeld = false;

  constructor(wire: DenoWire, address: string) {
    super(wire, undefined);
    this.wire = wire;
    this.remoteAddress = address;
  }

  /** Stops reading. */
  hold(): void {
    this.#isHeld = true;
    this.wire.pause();
  }

  /** Resumes reading. */
  goOn(): void {
    this.#isHeld = false;
    if (this.readableLength < this.readableHighWaterMark) this.wire.resume();
  }

  override _read(): void {
    if (!this.#isHeld) super._read();
  }

  /** Sends the TLS records of one turn together. */
  override _writev(writes: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(writes.map(({ chunk }) => chunk)), "", done);
  }

  override onClose(failure: Error | undefined): void {
    if (failure) this.remoteAddress = undefined;
    super.onClose(failure);
  }
}

/** Makes the stream below TLS. */
export function carry(conn: Conn, address: string): Carrier {
  const wire = new DenoWire({
    onOpen() {},
    onBytes: (bytes) => carrier.onBytes(bytes),
    onDrain: () => carrier.onDrain(),
    onClose: (failure) => carrier.onClose(failure),
  }, OPTIONS);
  wire.adopt(conn);
  const carrier = new Carrier(wire, address);
  return carrier;
}

/** A connection whose TLS handshake is yet to come. */
export class DenoSecureWire extends SocketWire {
  readonly #carrier: Carrier;
  /** Reports when everything has been sent, like other Deno wires; a socket emits `drain` only after its buffer was full. */
  readonly #onSent: () => void;

  /** @param first the bytes that have been read already */
  constructor(carrier: Carrier, first: Buffer, secureContext: SecureContext, watch: WireWatch) {
    const socket = new TLSSocket(carrier, { isServer: true, secureContext });
    super(socket, watch, { carrier });
    this.#carrier = carrier;
    this.#onSent = () => void (socket.writableLength > 0 || watch.onDrain());
    socket.once("secure", () => watch.onOpen());
    // Behind the start of the socket, which is in the next tick: Deno (2.9) throws there if the bytes have failed it before.
    process.nextTick(() => carrier.onBytes(first));
  }

  override get takenBytes(): number {
    return this.#carrier.wire.takenBytes;
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
