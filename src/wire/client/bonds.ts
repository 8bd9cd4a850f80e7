/**
 * The connections to targets that belong to a caller's connection.
 *
 * With NTLM and Negotiate, the target attributes every request on a connection to the user who logged in on it. Such a
 * connection therefore serves only that caller, and ends with the caller's connection.
 * @module
 * @see RFC 4559 §6, RFC 9110 §3.3
 */

import type { EventEmitter } from "node:events";
import type { Bonds, Outgoing } from "../../core/runtime.ts";
import type { Connection } from "./connection.ts";

/** Maximum connections bound to one caller's connection; beyond it, the oldest idle one is closed. */
const MAX_HELD = 8;

/** State shared by all parts of one caller's connection. */
class Held {
  /** Bound connections by part and pool; absent for almost all callers. */
  bonds: Map<string, Connection> | undefined;
  isOver = false;
}

/** The connections to targets that are bound to one caller's connection. */
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

  /** The bound connection of this pool, for one request; `undefined` if there is none or it is busy. */
  take(pool: string): Connection | undefined {
    const known = this.#held.bonds?.get(this.#keyOf(pool));
    return known?.isGone || known?.isBusy ? undefined : known;
  }

  /** Keeps a connection for the next request. If the pool has one already, that one stays: a login may be under way. */
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

  /** The caller's connection is gone. Idle bound connections close now; a busy one closes when its request ends. */
  end(): void {
    this.#held.isOver = true;
    for (const one of this.#held.bonds?.values() ?? []) if (!one.isBusy && !one.isGone) one.destroy();
    this.#held.bonds = undefined;
  }

  #keyOf(pool: string): string {
    return `${this.#part}\n${pool}`;
  }
}

/** The bonds that one of our own servers has provided for a request. */
export function bondsOf({ bonds }: Pick<Outgoing, "bonds">): CallerBonds | undefined {
  return bonds as CallerBonds | undefined;
}

/** The bonds of one proxy by connection, in a `node:http` or `node:http2` server that is not ours. */
export class ConnectionBonds {
  readonly #known = new WeakMap<object, CallerBonds>();

  /**
   * The bonds of a connection.
   *
   * @param connection a socket or an HTTP/2 session, which emits `close` when it is gone
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
