/**
 * Asks an HTTP proxy for a tunnel (RFC 9110 §9.3.6).
 * @module
 */

import { Buffer } from "node:buffer";
import { readHead } from "../codec/head.ts";
import {
  type Handshake,
  misspeak,
  type Progress,
  refuse,
  refuseLogin,
  type TunnelEnds,
} from "./tunnel-failure.ts";

const NOTHING = Buffer.alloc(0);

/** A CONNECT request and its response. */
export class ConnectHandshake implements Handshake {
  readonly opening: Uint8Array;
  readonly #ends: TunnelEnds;
  #partial: Buffer = NOTHING;

  /** @param authority host and port that the proxy must connect to; IPv6 in brackets */
  constructor(ends: TunnelEnds, authority: string) {
    this.#ends = ends;
    const { login } = ends.upstream;
    const basic = login && Buffer.from(`${login.username}:${login.password}`).toString("base64");
    const authorization = basic ? `Proxy-Authorization: Basic ${basic}\r\n` : "";
    this.opening = Buffer.from(
      `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`,
      "latin1",
    );
  }

  read(bytes: Buffer): Progress {
    let rest = this.#partial.length ? Buffer.concat([this.#partial, bytes]) : bytes;
    for (;;) {
      const read = this.#readHead(rest);
      if (!read) {
        this.#partial = rest;
        return {};
      }
      rest = rest.subarray(read.size);
      const { status } = read.head;
      // A successful response to CONNECT has no body, whatever its headers say.
      if (status >= 200 && status < 300) return { rest };
      if (status >= 200 || status === 101) throw this.#refuse(status);
    }
  }

  #readHead(bytes: Buffer): ReturnType<typeof readHead> {
    try {
      return readHead(bytes);
    } catch {
      throw misspeak(this.#ends, "HTTP");
    }
  }

  #refuse(status: number): Error {
    if (status === 407) return refuseLogin(this.#ends);
    if (status === 504) {
      return refuse(this.#ends, "got no response from it in time (504)", "connection_timeout");
    }
    const state = status === 502 || status === 503
      ? `could not connect to it (${status})`
      : `refused to connect to it (${status}). Check its rules, or list the target in NO_UPSTREAM`;
    return refuse(this.#ends, state, "upstream_refused");
  }
}
