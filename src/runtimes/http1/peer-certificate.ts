/**
 * Reads a target's certificate and compares its name once, as long as the target shows the same one.
 *
 * Deno (2.9) does both with each connection, also where a session is resumed. That takes an eighth of the CPU time of a new
 * connection.
 * @module
 */

import { Buffer } from "node:buffer";
import {
  checkServerIdentity,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type TLSSocket,
} from "node:tls";

/** What a socket of Deno shows beside its certificate. It is not public: without it, certificates are read each time. */
interface Shown {
  _handle?: { getPeerCertificateChain?(): { certificates?: readonly Uint8Array[] } | null } | null;
}

/** A certificate that was read, and the DER bytes of it and of those behind it. */
interface Read {
  chain: readonly Uint8Array[];
  certificate: DetailedPeerCertificate;
}

/** Names whose certificates are kept, and bytes of one with those behind it: a target may show what it likes. */
const MAX_NAMES = 100;
const MAX_BYTES = 16_384;

/** What was read, by the name that it was read for. */
export class PeerCertificates {
  readonly #read = new Map<string, Read>();
  /** The name that a certificate has been found to be for. */
  readonly #fitting = new WeakMap<PeerCertificate, string>();

  /** Compares a name with a certificate, as `tls.connect` wants it: the failure if it is for another one. */
  readonly checkIdentity = (name: string, certificate: PeerCertificate): Error | undefined => {
    if (this.#fitting.get(certificate) === name) return undefined;
    const failure = checkServerIdentity(name, certificate);
    if (!failure) this.#fitting.set(certificate, name);
    return failure;
  };

  /** Lets a connection that expects this name take the certificate from here, if its bytes and all behind it are the same. */
  serve(socket: TLSSocket, name: string): void {
    const read: TLSSocket["getPeerCertificate"] = socket.getPeerCertificate.bind(socket);
    const show = (isDetailed?: boolean) =>
      isDetailed ? this.#take(socket, name, () => read(true)) : read(false);
    socket.getPeerCertificate = show as TLSSocket["getPeerCertificate"];
  }

  #take(socket: TLSSocket, name: string, read: () => DetailedPeerCertificate): DetailedPeerCertificate {
    const chain = (socket as Shown)._handle?.getPeerCertificateChain?.()?.certificates;
    const known = this.#read.get(name);
    if (known && chain && isSameChain(chain, known.chain)) return known.certificate;
    const certificate = read();
    if (chain && isShort(chain)) this.#keep(name, { chain, certificate });
    return certificate;
  }

  #keep(name: string, read: Read): void {
    if (this.#read.size >= MAX_NAMES) this.#read.clear();
    this.#read.set(name, read);
  }
}

function isShort(chain: readonly Uint8Array[]): boolean {
  const size = chain.reduce((sum, { length }) => sum + length, 0);
  return size > 0 && size <= MAX_BYTES;
}

function isSameChain(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((bytes, at) => Buffer.compare(bytes, others[at]!) === 0);
}
