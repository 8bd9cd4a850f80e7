/**
 * The connection pool of one sender, pinned to checked addresses: which connection a request takes, and which are kept.
 * @module
 */

import { clearInterval, setInterval } from "node:timers";
import type { Outgoing } from "../../core/runtime.ts";
import type { Patience } from "../../core/http/flow-queue.ts";
import { connectionOptions } from "./connection-options.ts";
import { bondsOf } from "./bonds.ts";
import { Connection, isRepeatable, type Making } from "./connection.ts";
import type { Connect } from "../contract.ts";

/** How often idle connections are checked, in milliseconds. */
const SWEEP_MS = 1_000;
/** If a target closes two idle connections within this many milliseconds, its connections are no longer kept. */
const WITHIN_MS = 60_000;
/** For this many milliseconds after that, its connections are not kept. */
const BANNED_MS = 300_000;
/** If there are this many targets, the next new one clears what is known of all of them. */
const MOST_TARGETS = 1_000;

/** The connection pool of one sender. */
export class ConnectionPool implements Making {
  readonly connect: Connect;
  readonly patience: Patience;
  readonly #keeps: boolean;
  /** Idle connections by target, checked addresses and route, so new rules apply to reused ones too; the newest is last. */
  readonly #idle = new Map<string, Connection[]>();
  readonly #known = new KnownTargets();
  #sweeper: NodeJS.Timeout | undefined;
  /** The time of the last sweep, by `performance.now()`. */
  #sweptAt = 0;

  /** @param keeps false to keep only connections that are bound to a caller */
  constructor(connect: Connect, patience: Patience, keeps: boolean) {
    this.connect = connect;
    this.patience = patience;
    this.#keeps = keeps;
  }

  /**
   * Returns the connection bound to the caller of a request, else an idle one, else a new one.
   *
   * @param isFresh true to get a new connection only
   */
  take(outgoing: Outgoing, isFresh: boolean): Connection {
    const options = connectionOptions(outgoing);
    const known = isFresh
      ? undefined
      : bondsOf(outgoing)?.take(options.pool) ?? this.#take(options.pool, outgoing);
    return known ?? new Connection(options, outgoing.origin.protocol === "https:", this);
  }

  /** Takes an idle connection. Timers may be late, so a request that can't be repeated takes none that has expired. */
  #take(pool: string, outgoing: Outgoing): Connection | undefined {
    const waiting = this.#idle.get(pool);
    for (let found = waiting?.pop(); found; found = waiting?.pop()) {
      if (found.isGone) continue;
      if (this.#known.isSilent(pool)) found.destroy();
      else if (isRepeatable(outgoing) || found.isKeptAt(performance.now())) return found;
    }
    return undefined;
  }

  /**
   * Takes a connection back: it stays bound to its caller, becomes idle for all, or is closed.
   *
   * @param idleMs how long it may be kept, in milliseconds; 0 if it may not be used again
   */
  giveBack(connection: Connection, outgoing: Outgoing, idleMs: number): void {
    this.#known.addVersion(connection.pool, connection.isOld);
    if (idleMs <= 0 || connection.isGone) return connection.destroy();
    if (!connection.isBound) return this.#keep(connection, Math.floor(idleMs / SWEEP_MS));
    const bonds = bondsOf(outgoing);
    if (bonds) bonds.keep(connection);
    else connection.destroy();
  }

  /** True if the target of a connection speaks HTTP/1.0. */
  isOld({ pool }: Connection): boolean {
    return this.#known.isOld(pool);
  }

  onSilentEnd(pool: string): void {
    this.#known.addSilence(pool);
  }

  #keep(connection: Connection, sweeps: number): void {
    const { pool } = connection;
    if (!this.#keeps || sweeps <= 0 || this.#known.isSilent(pool)) return connection.destroy();
    if (!this.#sweeper) {
      this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
      this.#sweptAt = performance.now();
    }
    connection.keep(this.#sweptAt + sweeps * SWEEP_MS);
    const waiting = this.#idle.get(pool);
    if (waiting) waiting.push(connection);
    else this.#idle.set(pool, [connection]);
  }

  #sweep(): void {
    this.#sweptAt = performance.now();
    // Also closes connections that expire within half an interval, so that none waits past its time for the next sweep.
    const now = this.#sweptAt + SWEEP_MS / 2;
    for (const [pool, waiting] of this.#idle) {
      // Most pools stay as they are, also with thousands of targets.
      const usable = waiting.every((connection) => connection.isKeptAt(now))
        ? waiting
        : waiting.filter((connection) => connection.isKeptAt(now));
      if (!usable.length) this.#idle.delete(pool);
      else if (usable !== waiting) this.#idle.set(pool, usable);
    }
    if (this.#idle.size) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

/** When a target last closed a connection, and until when its connections are not kept; by `performance.now()`. */
interface Known {
  closedAt: number;
  bannedUntil: number;
  isOld: boolean;
}

/**
 * What past connections have shown of targets, by pool: which close idle connections without announcing it, while a request
 * may be on its way, and which speak HTTP/1.0.
 */
export class KnownTargets {
  readonly #known = new Map<string, Known>();

  /** Notes that a target has closed an idle connection without having announced it. */
  addSilence(pool: string): void {
    const known = this.#of(pool);
    const now = performance.now();
    const isAgain = now - known.closedAt < WITHIN_MS || now < known.bannedUntil;
    known.closedAt = now;
    known.bannedUntil = isAgain ? now + BANNED_MS : 0;
  }

  /** Notes whether a target answered with HTTP/1.0; `undefined` if it has not answered. */
  addVersion(pool: string, isOld: boolean | undefined): void {
    if (isOld) this.#of(pool).isOld = true;
    else if (isOld === false && this.isOld(pool)) this.#of(pool).isOld = false;
  }

  /** True while connections to this target are not kept. */
  isSilent(pool: string): boolean {
    const known = this.#known.get(pool);
    return known !== undefined && performance.now() < known.bannedUntil;
  }

  /** True if its last response was HTTP/1.0, which has no 100: then `Expect` is not sent (RFC 9110 §10.1.1). */
  isOld(pool: string): boolean {
    return this.#known.get(pool)?.isOld === true;
  }

  #of(pool: string): Known {
    let known = this.#known.get(pool);
    if (known) return known;
    if (this.#known.size >= MOST_TARGETS) this.#known.clear();
    this.#known.set(pool, known = { closedAt: -Infinity, bannedUntil: 0, isOld: false });
    return known;
  }
}
