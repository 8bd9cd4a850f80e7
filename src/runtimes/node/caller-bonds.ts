/**
 * Tells the connections of callers apart in a server of `node:http` or `node:http2` that others start.
 * @module
 */

import type { EventEmitter } from "node:events";
import { CallerBonds } from "../http1/bonds.ts";

/** The bonds of one proxy, by connection. */
export class ConnectionBonds {
  readonly #known = new WeakMap<object, CallerBonds>();

  /**
   * Those of a connection.
   *
   * @param connection tells by `close` that it is gone: a socket, or a session of HTTP/2
   */
  of(connection: Pick<EventEmitter, "once">): CallerBonds {
    const known = this.#known.get(connection);
    if (known) return known;
    const bonds = new CallerBonds();
    this.#known.set(connection, bonds);
    connection.once("close", () => bonds.end());
    return bonds;
  }
}
