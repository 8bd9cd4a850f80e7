/**
 * Connects to several addresses of a target with `node:net`.
 *
 * Node itself cancels an attempt after 250 ms, even if a long turn of the event loop merely hid its success, and never
 * retries an address that is only slow. Here an attempt lasts until another one is connected (RFC 8305 §5).
 * @module
 */

import type { Socket } from "node:net";
import { Dialling } from "./dialling.ts";
import { LateWire } from "./late-wire.ts";
import { CLOSED, type WireWatch } from "./contract.ts";

/** How one connection to several addresses is made. */
export interface Race {
  /** Begins a connection to one of the addresses. */
  connect(address: string): Socket;
  /**
   * Takes the socket that is connected first, and watches it from now on.
   *
   * @returns the socket to use for the target, such as a TLS socket; `undefined` if that failed, which the watch knows
   */
  adopt(socket: Socket): Socket | undefined;
}

/** The connection to the first address that answers. */
export class RacedWire extends LateWire {
  readonly #dialling: Dialling;
  /** The pending sockets; after the race, only the one that was connected first. */
  readonly #carriers = new Set<Socket>();
  readonly #race: Race;
  #socket: Socket | undefined;

  /** @param addresses at least one */
  constructor(addresses: readonly string[], watch: Pick<WireWatch, "onClose">, race: Race) {
    super();
    this.#race = race;
    this.#dialling = new Dialling(addresses, {
      dial: (address) => this.#try(address),
      onFailure: (failure) => watch.onClose(failure),
    });
    this.#dialling.begin();
  }

  get socket(): Socket | undefined {
    return this.#socket;
  }

  #try(address: string): void {
    let failure: Error = CLOSED;
    const carrier = this.#race.connect(address);
    const onError = (known: Error) => failure = known;
    const onClose = () => {
      this.#carriers.delete(carrier);
      this.#dialling.failed(failure);
    };
    carrier.on("error", onError).once("close", onClose);
    carrier.once("connect", () => {
      carrier.off("close", onClose);
      this.#win(carrier);
      carrier.off("error", onError);
    });
    this.#carriers.add(carrier);
  }

  #win(carrier: Socket): void {
    if (!this.#dialling.connected()) return void carrier.destroy();
    this.#carriers.delete(carrier);
    for (const late of this.#carriers) late.destroy();
    this.#carriers.clear();
    this.#carriers.add(carrier);
    this.#socket = carrier;
    this.#socket = this.#race.adopt(carrier);
  }

  ref(): void {
    for (const carrier of this.#carriers) carrier.ref();
  }

  unref(): void {
    for (const carrier of this.#carriers) carrier.unref();
  }

  destroy(): void {
    this.#dialling.cancel();
    this.#socket?.destroy();
    for (const carrier of this.#carriers) carrier.destroy();
  }
}
