/**
 * The connections to targets that belong to a caller's connection.
 *
 * With NTLM and Negotiate a target takes everybody who uses a connection for the one who has logged in on it. So such a
 * connection serves nobody else, and ends with the caller's.
 * @module
 * @see RFC 4559 §6, RFC 9110 §3.3
 */

import type { Bonds, Outgoing } from "../../exchange/runtime.ts";
import type { Connection } from "./connection.ts";

/** How many connections one caller's may hold; the oldest idle one ends. */
const MAX_HELD = 8;

/** A connection, and whether a request is on it. */
interface Bond {
  readonly connection: Connection;
  isBusy: boolean;
}

/** What all parts of one caller's connection share. */
class Held {
  /** By part and pool; absent for almost all callers. */
  bonds: Map<string, Bond> | undefined;
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
    const bond = this.#held.bonds?.get(this.#keyOf(pool));
    if (!bond || bond.isBusy || bond.connection.isGone) return undefined;
    bond.isBusy = true;
    return bond.connection;
  }

  /** Keeps a connection for the next request. The first one stays: a login may be under way on it. */
  keep(pool: string, connection: Connection): void {
    const { isOver } = this.#held;
    const bonds = this.#held.bonds ??= new Map();
    const key = this.#keyOf(pool);
    const known = bonds.get(key);
    const isSecond = known !== undefined && known.connection !== connection && !known.connection.isGone;
    if (isOver || isSecond) return connection.destroy();
    connection.wait(Infinity);
    bonds.delete(key);
    bonds.set(key, { connection, isBusy: false });
    if (bonds.size > MAX_HELD) endOldest(bonds);
  }

  /** The connection is no longer one for requests. */
  forget(pool: string, connection: Connection): void {
    const key = this.#keyOf(pool);
    if (this.#held.bonds?.get(key)?.connection === connection) this.#held.bonds.delete(key);
  }

  /** The caller's connection is gone. A request that is still on one of the connections ends with it, too. */
  end(): void {
    const { bonds } = this.#held;
    this.#held.isOver = true;
    if (!bonds) return;
    for (const { connection, isBusy } of bonds.values()) if (!isBusy) connection.destroy();
    this.#held.bonds = undefined;
  }

  #keyOf(pool: string): string {
    return `${this.#part}\n${pool}`;
  }
}

function endOldest(bonds: Map<string, Bond>): void {
  for (const [key, { connection, isBusy }] of bonds) {
    if (isBusy) continue;
    connection.destroy();
    return void bonds.delete(key);
  }
}

/** The bonds that a server of ours has lent. */
export function bondsOf({ bonds }: Pick<Outgoing, "bonds">): CallerBonds | undefined {
  return bonds as CallerBonds | undefined;
}

/**
 * Ends a request on a connection that belongs to a caller: without one it ends.
 *
 * @param idleMs 0 if it may not be used again
 */
export function giveBack(
  connection: Connection,
  pool: string,
  bonds: CallerBonds | undefined,
  idleMs: number,
): void {
  if (bonds && idleMs > 0) return bonds.keep(pool, connection);
  bonds?.forget(pool, connection);
  connection.destroy();
}
