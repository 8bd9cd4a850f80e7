/**
 * The seam: the interface of the parts that extend a proxy beyond its seed. The core calls the parts in the given order;
 * an empty list costs nothing. A part is trusted: it must not widen what a caller may do.
 * @module
 */

import type { Config } from "./settings/config.ts";
import type { Exchange, Hooks, Rules, Steps, Target } from "./exchange/exchange.ts";
import type { OpenRequests, RecordSink, RequestRecord } from "./exchange/record.ts";
import type { Reply } from "./http/reply.ts";
import type { Incoming, Runtime, Shared } from "./runtime.ts";

/** A part of one proxy. Every member except `name` is optional. */
export interface Part {
  /** Distinguishes the part from the other parts of a proxy. */
  readonly name: string;
  /**
   * Loads what the part needs; requests wait for it, and fail with a 500 if it rejects. Called again for later requests
   * while a part has failed to load. Absent if the part needs nothing.
   */
  readonly prepare?: () => Promise<unknown>;
  /**
   * What the part does in the steps, for requests from now on; `undefined` for nothing. Called after `prepare`, and again
   * when the settings change. Requests in flight keep what they started with.
   */
  rules?(): Rules | undefined;
  /** Called when a request has arrived. It must not throw. */
  begin?(record: RequestRecord): void;
  /** Called with the request as it came in, before its body is read. `path` is without the mount path. */
  arrive?(record: RequestRecord, incoming: Incoming, path: string, runtime: Runtime): void;
  /** Called when the target is known; step 2 may still refuse it. */
  aim?(record: RequestRecord, method: string, target: Target): void;
  /**
   * Answers a path that belongs to this part.
   *
   * @param path what follows `/__proxy__`, without the query; `/` where the seed would otherwise show which host is set
   * @returns `undefined` for a path that does not belong to this part
   */
  open?(path: string, exchange: Exchange, steps: Steps): MaybeReply | Promise<MaybeReply>;
  /** Called when the request has ended, in whatever way. It must not throw. */
  end?(record: RequestRecord): void;
  /** Ends what would never end by itself, so that a server can drain. */
  close?(): void;
}

/**
 * Makes a part that has nothing but rules, which are loaded before the first request.
 *
 * @param load loads and makes the rules
 */
export function makeLatePart(name: string, load: () => Promise<Rules>): Part {
  let rules: Rules | undefined;
  return { name, prepare: async () => void (rules ??= await load()), rules: () => rules };
}

type MaybeReply = Reply | undefined;

/** The settings of a proxy as they are now; they may change while it runs. */
export interface LiveSettings {
  readonly config: Config;
  /** Ids of callers' tokens that were revoked. */
  readonly revoked: ReadonlySet<string>;
  /** Another number after each change that `part` must be asked about. */
  readonly version: number;
  /** How many tables of targets were loaded, and how many were refused, since the start; absent if there is none. */
  readonly reloads?: { readonly loaded: number; readonly refused: number } | undefined;
  /** Applies what was read together with the settings; the last of the parts. */
  readonly part?: Part | undefined;
}

/** Opens the settings of a proxy that was lent none. */
export type OpenSettings = (config: Config, environment: Parts["environment"]) => LiveSettings;

/**
 * What a proxy is made from, in addition to its settings.
 *
 * @internal
 */
export interface Parts extends Shared {
  /** Takes the requests in flight; absent if nobody cuts them. */
  open?: OpenRequests;
  /** Appends a line to where `AUDIT` says, whole; rejects if that fails. Absent where nothing can be written. */
  audit?: ((line: string) => unknown) | undefined;
  /** Receives the record of each request when it has ended. */
  log?: RecordSink | undefined;
  /** Parts of the server that the proxy is in: the last but those of the settings. */
  parts?: readonly Part[];
  /** True if the settings are options in code. */
  isEmbedded?: boolean;
  /** The settings, where they may change; opened by `OpenSettings` if absent. */
  settings?: LiveSettings | undefined;
}

/** What a proxy lends to its parts when they are made. */
export interface Host {
  /** What the proxy is made from in addition to its settings. */
  readonly lent: Parts;
  readonly settings: LiveSettings;
  /** What the parts do in the steps, for requests from now on. Not to be called before all parts have loaded. */
  hooks(): Hooks;
  /** The console's secret. */
  readonly ticket: string;
}

/** Asks the parts of a proxy, one after the other, to answer a path; `undefined` if none does. */
export type OpenPart = (path: string) => Promise<Reply | undefined>;

/** Makes the parts of one proxy, in their order. */
export type MakeParts = (config: Config, host: Host) => readonly Part[];
