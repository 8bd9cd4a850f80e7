/**
 * One request on its way through the steps: what each of them may look at.
 * @module
 */

import type { Address } from "../address/address.ts";
import type { Asker } from "./asker.ts";
import type { Caller } from "./caller.ts";
import type { Config } from "../settings/config.ts";
import type { Times } from "../http/deadlines.ts";
import type { ProcessKey } from "./process-key.ts";
import type { RequestRecord } from "./record.ts";
import type { Resolver } from "../address/resolve.ts";
import type { Selector } from "../address/selector.ts";
import type { Reply } from "./reply.ts";
import type { Carried } from "./selectors.ts";
import type { Incoming, Outgoing, Runtime, Upstream } from "./runtime.ts";

/** A target that a caller named. */
export interface Target extends Address {
  selector: Selector;
  /** The base path in front of `path`, `""` for none: cookies and locations lose it on the way back. */
  basePath: string;
  /** True where a browser was led here to do more than look, and nobody has asked its user. */
  isUnasked?: boolean;
  /** True where redirects are followed; else every 3xx is handed on. */
  follow?: boolean;
}

/** The addresses that may be dialled; `undefined` where nobody here can look names up and nothing forbids that. */
export type Judged = readonly string[] | undefined;

/** The target's answer, and where it came from when redirects were followed. */
export interface Answer extends Upstream {
  finalAddress?: Address;
}

/** The incoming request with all that is known of it. Nothing in it changes. */
export interface Exchange {
  readonly incoming: Incoming;
  /** The request that goes out, where it is another one than came in: `arg` describes it. */
  readonly described?: Incoming;
  readonly runtime: Runtime;
  readonly config: Config;
  readonly caller: Caller;
  /** What the caller carried to name a host. */
  readonly carried: Carried;
  /** Whose page asks, if it is a page. */
  readonly asker: Asker;
  /** True where the cookie that names the host may be a page's own. */
  readonly isUnsealed?: boolean;
  /** Path and query of the request, as the runtime gives them, behind the mount path. */
  readonly path: string;
  /** What is noted of the request while it goes its way. */
  readonly record: RequestRecord;
  /** How long the target may take. */
  readonly deadlines: Times;
  /** Looks names up. */
  readonly resolver: Resolver;
  /** Marks what the proxy gives out. */
  readonly key: ProcessKey;
  /** What the console's page is given, and its script shows. */
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

/** The request to the target before anyone watches over it, and what was judged for it on its way. */
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
