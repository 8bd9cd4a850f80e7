/**
 * One request on its way through the steps, and all that is known of it.
 * @module
 */

import type { Address } from "../address/address.ts";
import type { Asker } from "./asker.ts";
import type { Caller } from "./caller.ts";
import type { Config } from "../settings/config.ts";
import type { Body } from "../http/body.ts";
import type { Times } from "../http/deadlines.ts";
import type { ProcessKey } from "./process-key.ts";
import type { RequestRecord } from "./record.ts";
import type { Resolver } from "../address/dns-cache.ts";
import type { Selector } from "../address/selector.ts";
import type { Reply } from "../http/reply.ts";
import type { Carried } from "./host-selectors.ts";
import type { Incoming, Outgoing, Runtime, Upstream } from "./runtime.ts";

/** A target that a caller named. */
export interface Target extends Address {
  selector: Selector;
  /** The base path in front of `path`, `""` for none. Cookies and locations are mapped back without it. */
  basePath: string;
  /** True for a browser that was led here to do more than a GET, where its user was not asked. */
  isUnasked?: boolean;
  /** True where redirects are followed; else every 3xx is handed on. */
  follow?: boolean;
}

/** The addresses that may be dialled. `undefined` where names can't be looked up here and the settings allow that. */
export type Judged = readonly string[] | undefined;

/** The target's answer in the form of the core, and where it came from when redirects were followed. */
export interface Answer extends Upstream {
  body: Body;
  finalAddress?: Address;
}

/** The incoming request and all that is known of it. Nothing in it changes. */
export interface Exchange {
  readonly incoming: Incoming;
  /** The request that an `arg` describes. It goes out instead of the incoming one. */
  readonly described?: Incoming;
  readonly runtime: Runtime;
  readonly config: Config;
  readonly caller: Caller;
  /** The host that the caller's header, cookie and label name. */
  readonly carried: Carried;
  /** Who asks: a program, a browser's user, or a page, and whose. */
  readonly asker: Asker;
  /** True where a page may have set the cookie that names the host. */
  readonly isUnsealed?: boolean;
  /** Path and query of the request without the mount path, as the runtime gives them. */
  readonly path: string;
  /** What the log and the metrics will say of the request. */
  readonly record: RequestRecord;
  /** The timeouts of the target: until its answer begins, and between two chunks. */
  readonly deadlines: Times;
  /** Looks names up. */
  readonly resolver: Resolver;
  /** Signs what the proxy gives out. */
  readonly key: ProcessKey;
  /** The console's secret: the page is given it, and its script shows it. */
  readonly ticket: string;
  /** This proxy's id in `CDN-Loop` (RFC 8586). */
  readonly loopId: string;
}

/** Which cookies may go to a target, and come from it. */
export interface CookieRights {
  /** The configured host whose cookies the caller holds, where the target is of its origin; its answers may set cookies. */
  readonly host: Address | undefined;
  /** Whether the caller's cookies go out. */
  readonly sendsCookies: boolean;
  /** The name of the host in the jar that all hosts share; `undefined` for callers with jars of their own, and on labels. */
  readonly owner: string | undefined;
  /** True where a page of another label asks: to the target it is a page of another site. */
  readonly isCrossing: boolean;
}

/** What is known of credentials on their way. */
export interface Passage {
  /** Whether they go out. */
  isOpen: boolean;
  /** The marks of their host, and of themselves where they are always the same text (Basic). */
  host: string;
  credentials: string | undefined;
}

/** The request to the target, and what was decided for it. */
export interface Prepared extends Omit<Outgoing, "signal"> {
  readonly cookies: CookieRights;
  /** What is known of credentials that a browser sends by itself; absent where there are none. */
  readonly passage?: Passage | undefined;
}

/** Takes an exchange through the steps that follow the choice of its target. */
export type Forward = (exchange: Exchange, target: Target) => Promise<Reply>;

/** The request that is forwarded: the one that came in, or the one that `arg` describes. */
export function requestOf({ described, incoming }: Pick<Exchange, "described" | "incoming">): Incoming {
  return described ?? incoming;
}
