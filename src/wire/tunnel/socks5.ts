/**
 * Asks a SOCKS 5 proxy for a tunnel (RFC 1928), with user name and password if it requires them (RFC 1929).
 * @module
 */

import { Buffer } from "node:buffer";
import { addressBytes } from "../../core/address/ip.ts";
import type { ErrorCode } from "../../core/http/error.ts";
import {
  type Handshake,
  misspeak,
  type Progress,
  refuse,
  refuseLogin,
  type TunnelEnds,
} from "./tunnel-failure.ts";

const VERSION = 5;
const LOGIN_VERSION = 1;
const CONNECT = 1;
/** Authentication methods. */
const NONE = 0, PASSWORD = 2;
/** Address types, and the sizes in bytes of those with a fixed size. */
const IPV4 = 1, NAME = 3, IPV6 = 4;
const ADDRESS_BYTES = new Map([[IPV4, 4], [IPV6, 16]]);
/** Maximum bytes of a name, because its length is sent in one byte. */
const MAX_NAME_BYTES = 255;
const NOTHING = Buffer.alloc(0);

/** The status codes of a reply, other than success (RFC 1928 §6). */
const FAILURES = new Map<number, readonly [state: string, code: ErrorCode]>([
  [2, [
    "refused to connect to it by its rules. Check them, or list the target in NO_UPSTREAM",
    "upstream_refused",
  ]],
  [3, ["has no route to it", "unroutable"]],
  [4, ["has no route to it", "unroutable"]],
  [5, ["could not connect to it: the connection was refused", "connection_refused"]],
  [6, ["got no response from it in time", "connection_timeout"]],
  [8, ["does not know addresses of this kind", "upstream_refused"]],
]);
const FAILED = ["could not connect to it", "upstream_refused"] as const;

type Stage = "method" | "login" | "reply";

/** Opens one tunnel through a SOCKS 5 proxy. */
export class SocksHandshake implements Handshake {
  readonly opening: Uint8Array;
  readonly #ends: TunnelEnds;
  readonly #request: Uint8Array;
  #stage: Stage = "method";
  #partial: Buffer = NOTHING;

  /** @param host the address, without brackets, or the name that the proxy must connect to */
  constructor(ends: TunnelEnds, host: string, port: number) {
    this.#ends = ends;
    if (host.length > MAX_NAME_BYTES) throw refuse(ends, "takes no name that long", "upstream_refused");
    this.#request = Buffer.from([VERSION, CONNECT, 0, ...encodeHost(host), port >> 8, port & 255]);
    const methods = ends.upstream.login ? [NONE, PASSWORD] : [NONE];
    this.opening = Uint8Array.from([VERSION, methods.length, ...methods]);
  }

  read(bytes: Buffer): Progress {
    const all = this.#partial.length ? Buffer.concat([this.#partial, bytes]) : bytes;
    this.#partial = all;
    if (this.#stage === "reply") return this.#readReply(all);
    if (all.length < 2) return {};
    // The proxy must wait for our next message, so no bytes may follow.
    if (all.length > 2) throw misspeak(this.#ends, "SOCKS 5");
    this.#partial = NOTHING;
    const [version = 0, choice = 0] = all;
    return { reply: this.#stage === "method" ? this.#choose(version, choice) : this.#enter(version, choice) };
  }

  #choose(version: number, method: number): Uint8Array {
    if (version !== VERSION) throw misspeak(this.#ends, "SOCKS 5");
    if (method === NONE) return this.#ask();
    const { login } = this.#ends.upstream;
    if (method !== PASSWORD || !login) throw refuseLogin(this.#ends);
    this.#stage = "login";
    const [username, password] = [Buffer.from(login.username), Buffer.from(login.password)];
    return Buffer.from([LOGIN_VERSION, username.length, ...username, password.length, ...password]);
  }

  /** Ignores the version: some proxies send the SOCKS version instead of the login version. */
  #enter(_version: number, status: number): Uint8Array {
    if (status !== 0) throw refuseLogin(this.#ends);
    return this.#ask();
  }

  #ask(): Uint8Array {
    this.#stage = "reply";
    return this.#request;
  }

  #readReply(bytes: Buffer): Progress {
    if (bytes.length < 2) return {};
    const [version, status = 0, , kind = 0, nameBytes = 0] = bytes;
    if (version !== VERSION) throw misspeak(this.#ends, "SOCKS 5");
    // Some proxies leave out the address in a refusal.
    if (status !== 0) throw refuse(this.#ends, ...FAILURES.get(status) ?? FAILED);
    if (bytes.length < 5) return {};
    const hostBytes = kind === NAME ? 1 + nameBytes : ADDRESS_BYTES.get(kind);
    if (hostBytes === undefined) throw misspeak(this.#ends, "SOCKS 5");
    const end = 4 + hostBytes + 2;
    return bytes.length < end ? {} : { rest: bytes.subarray(end) };
  }
}

function encodeHost(host: string): number[] {
  const bytes = addressBytes(host);
  if (bytes) return [bytes.length === 4 ? IPV4 : IPV6, ...bytes];
  return [NAME, host.length, ...Buffer.from(host, "latin1")];
}
