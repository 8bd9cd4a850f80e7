/**
 * The seam: what joins a proxy beside its seed. The core asks its parts in the order in which they are given, and an empty list
 * costs nothing. Nothing that a part does widens what a caller may do.
 * @module
 */

import type { Config } from "./settings/config.ts";
import type { Exchange, Steps, Target } from "./exchange/exchange.ts";
import type { Parts, RequestRecord } from "./exchange/record.ts";
import type { Reply } from "./http/reply.ts";
import type { Incoming } from "./runtime.ts";

/** A part of one proxy. All but its name is optional. */
export interface Part {
  /** Tells it from the other parts of a proxy. */
  readonly name: string;
  /** Loads what it needs; requests wait for it, and fail with a 500 where it rejects. Absent where nothing is to be loaded. */
  readonly prepare?: () => Promise<unknown>;
  /** A request has come. */
  begin?(record: RequestRecord): void;
  /** The request as it came, without the mount path; nobody has read it yet. */
  arrive?(record: RequestRecord, incoming: Incoming, path: string): void;
  /** It goes to this target, unless step 2 refuses that. */
  aim?(record: RequestRecord, method: string, target: Target): void;
  /**
   * Answers a path of its own.
   *
   * @param path what follows `/__proxy__`, without its query; `/` is asked for where the seed would tell which host is set
   * @returns `undefined` for a path that is not its own
   */
  open?(path: string, exchange: Exchange, steps: Steps): MaybeReply | Promise<MaybeReply>;
  /** The request is over, in whatever way. */
  end?(record: RequestRecord): void;
  /** Ends what would never end by itself, so that a server can drain. */
  close?(): void;
}

type MaybeReply = Reply | undefined;

/** What a proxy lends to its parts while it is made. */
export interface Host {
  /** What it was made from beside its settings. */
  readonly lent: Parts;
  /** Settings and table for requests to come. */
  readonly gate: NonNullable<Parts["gate"]>;
  /** The secret of the console. */
  readonly ticket: string;
}

/** Asks the parts of a proxy for a path, in their order. */
export type OpenPart = (path: string) => Promise<Reply | undefined>;

/** Makes the parts of one proxy, in their order. */
export type MakeParts = (config: Config, host: Host) => readonly Part[];
