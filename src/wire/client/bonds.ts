/**
 * The connections to targets that belong to a caller's connection.
 *
 * With NTLM and Negotiate a target takes everybody who uses a connection for the one who has logged in on it. So such a
 * connection serves nobody else, and ends with the caller's.
 * @module
 * @see RFC 4559 §6, RFC 9110 §3.3
 */

import type { EventEmitter } from "node:events";
import type { Bonds, Outgoing } from "../../core/runtime.ts";
import type { Connection } from "./connection.ts";

/** How many connections one caller's may hold; the oldest without a request ends. */
const MAX_HELD = 8;

/** What all parts of one caller's connection share. */
class Held {
  /** By part and pool; absent for almost all callers. */
  bonds: Map<string, Connection> | undefined;
  isOver = false;
}

/** The connections that belong to one of a caller. */
export class CallerBonds implements Bonds {
  readonly #held: Held;
  readonly #part: string;

  constructor(held: Held = new Held(), part = "") {
    this.#held = held;
    this.#part = part;
  }

  part(name: string): CallerBonds {
    return new CallerBonds(this.#held, name);
  }

  /** The connection of this pool, for one request; `undefined` if there is none, or while another request is on it. */
  take(pool: string): Connection | undefined {
    const known = this.#held.bonds?.get(this.#keyOf(pool));
    return known?.isGone || known?.isBusy ? undefined : known;
  }

  /** Keeps a connection for the next request. The first one stays: a login may be under way on it. */
  keep(connection: Connection): void {
    const bonds = this.#held.bonds ??= new Map();
    const key = this.#keyOf(connection.pool);
    for (const [other, { isGone }] of bonds) if (isGone) bonds.delete(other);
    const isSecond = (bonds.get(key) ?? connection) !== connection;
    if (this.#held.isOver || isSecond) return connection.destroy();
    connection.keep(Infinity);
    bonds.delete(key);
    bonds.set(key, connection);
    if (bonds.size > MAX_HELD) [...bonds.values()].find(({ isBusy }) => !isBusy)?.destroy();
  }

  /** The caller's connection is gone. A request that is still on one of the connections ends with it, too. */
  end(): void {
    this.#held.isOver = true;
    for (const one of this.#held.bonds?.values() ?? []) if (!one.isBusy && !one.isGone) one.destroy();
    this.#held.bonds = undefined;
  }

  #keyOf(pool: string): string {
    return `${this.#part}\n${pool}`;
  }
}

/** The bonds that a server of ours has lent. */
export function bondsOf({ bonds }: Pick<Outgoing, "bonds">): CallerBonds | undefined {
  return bonds as CallerBonds | undefined;
}

/** The bonds of one proxy by connection, in a server of `node:http` or `node:http2` that others start. */
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
