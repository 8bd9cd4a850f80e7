/**
 * One request on its way through the steps, and everything that they may read.
 * @module
 */

import type { Address, Selector } from "../address/address.ts";
import type { Asker, Facts } from "../who/asker.ts";
import type { Caller } from "../who/caller.ts";
import type { Config } from "../settings/config.ts";
import type { Grant } from "../address/authority.ts";
import type { Derived, FieldReader, Fields, FieldWriter, KeptFields } from "../http/fields.ts";
import type { Body } from "../http/body.ts";
import type { Times } from "../http/deadlines.ts";
import type { CallerToken, CookieRights, Form, Line, Passage, Refused, Wishes, Written } from "./findings.ts";
import type { SecretSearch, Signing, TableEntry } from "./table-entry.ts";
import type { ProxyError } from "../http/error.ts";
import type { ProcessKey } from "./process-key.ts";
import type { RequestRecord } from "./record.ts";
import type { Resolver } from "../address/dns-cache.ts";
import type { Reply } from "../http/reply.ts";
import type { Carried } from "../who/host-selectors.ts";
import type { Incoming, Outgoing, Runtime, Upstream } from "../runtime.ts";

/** A target that a caller named. */
export interface Target extends Address {
  selector: Selector;
  /** The base path in front of `path`, `""` for none. Cookies and locations are mapped back without it. */
  basePath: string;
  /** Where the target is on the proxy, behind the mount path, by `at`: `/__proxy__/at/<label>`, as it was sent. */
  place?: string;
  /** True if a page or link made the browser do more than a GET, and its user has not confirmed it. */
  isUnasked?: boolean;
  /** True to follow redirects; otherwise every 3xx is passed on. */
  follow?: boolean;
  /** True for a WebSocket that an `arg` describes: the incoming handshake asks for it. */
  isSocket?: boolean;
}

/** The addresses that may be dialled. `undefined` if names can't be resolved here and the settings allow that. */
export type Judged = readonly string[] | undefined;

/** The target's response in the form of the core, and its final address after redirects. */
export interface TargetResponse extends Upstream {
  body: Body;
  finalAddress?: Address;
  /** True if the request carried a key of the table, on any hop: even a redirect's address may be what the key opened. */
  hadKey?: boolean;
}

/** The incoming request and its context. Nothing in it changes. */
export interface Exchange {
  readonly incoming: Incoming;
  /** The request that an `arg` describes. It is forwarded in place of the incoming one. */
  readonly described?: Incoming;
  readonly runtime: Runtime;
  readonly config: Config;
  readonly caller: Caller;
  /** The hosts in the caller's header, cookie and label. */
  readonly carried: Carried;
  /** Who sends the request: a program, a browser's user, or a page, and whose page. */
  readonly asker: Asker;
  /** True if the link is signed: the holder of the key approved exactly this request, whichever page sends it. */
  readonly isSigned?: boolean;
  /** True if a page may have set the cookie that names the host. */
  readonly isUnsealed?: boolean;
  /** The caller's own token; absent if the caller has none. */
  readonly token?: CallerToken;
  /** Path and query as received, without the mount path; in the form of another proxy, the equivalent `/__proxy__/` link. */
  readonly path: string;
  /** The form of another proxy in which the address was sent. */
  readonly form?: Form | undefined;
  /** The record for the log and the metrics. */
  readonly record: RequestRecord;
  /** The timeouts for the target's response headers, and for the next chunk of a body. */
  readonly deadlines: Times;
  /** Resolves names. */
  readonly resolver: Pick<Resolver, "recall" | "resolve" | "forget">;
  /** What was decided for the caller's head. */
  readonly plan: Plan;
  /** Signs what the proxy issues. */
  readonly key: ProcessKey;
  /** The console's secret: its page contains it, and its script sends it. */
  readonly ticket: string;
  /** This proxy's id in `CDN-Loop` (RFC 8586). */
  readonly loopId: string;
  /** What the parts do in the steps, as it was when the request came. */
  readonly parts: Hooks;
  /** True if the settings are options in code: messages name them so. */
  readonly isEmbedded?: boolean;
}

/**
 * What a part does in the steps. Each member is optional and uses no `this`. It may narrow what the settings allow, and must
 * not widen it.
 */
export interface Rules {
  /**
   * Reads an address in the form of another proxy, from path and query as sent, without the mount path. Called for paths
   * that are not reserved, where nothing else determines a target.
   */
  readonly read?: (path: string) => Written | undefined;
  /**
   * Finds what admits a request: a signature of exactly this request, or a token of the caller's own. The first part that
   * finds one counts.
   *
   * @throws {ProxyError} to refuse the request at once
   */
  readonly admit?: (
    exchange: Exchange,
    isReserved: boolean,
  ) => Promise<"signature" | CallerToken | Refused | undefined>;
  /** True if a token stands in the very header in which a target takes a key, right or wrong: its program is an SDK. */
  readonly showsKey?: (arrived: Pick<Exchange, "incoming" | "config" | "path" | "parts">) => boolean;
  /** Answers an admitted request in place of the steps, unless it is for one of the proxy's own pages; the first that does counts. */
  readonly meet?: (exchange: Exchange) => Reply | undefined;
  /**
   * Reads what a caller asks for in headers that are for the proxy (rules 14.1 and 14.3). Called in step 3 if there are
   * such headers, and for each `arg`; the first part that finds something counts.
   *
   * @param lines the lines of these headers; none of an `arg`, which describes all headers of the request
   * @throws {ProxyError} `bad_request` or `forbidden`
   */
  readonly wish?: (
    lines: readonly Line[],
    exchange: Exchange,
    target: Target,
  ) => Wishes | undefined | Promise<Wishes | undefined>;
  /** Takes out of the outgoing headers what no target may see; throws `bad_request` if the address has it. */
  readonly strip?: (headers: Fields, path: string) => void;
  /** Refuses the method or path of a hop by throwing a `ProxyError`, after the settings allowed its address. */
  readonly decide?: (address: Address, method: string, exchange: Exchange, target: Target) => void;
  /** The exchange with the limits of this target; the same object if it has none of its own. */
  readonly limit?: (exchange: Exchange, origin: URL) => Exchange;
  /** Hears of a decision about `record.hop` before it takes effect, an error if nothing is sent. The request waits for it. */
  readonly witness?: (record: RequestRecord, parts: Hooks, outcome: Judged | ProxyError) => Promise<void>;
  /** Takes note of what a caller's token or the table refuses, which then passes. */
  readonly pardon?: (refusal: ProxyError, exchange: Exchange) => void;
  /** Changes one hop just before it is sent; `undefined` if it is sent as it is. */
  readonly dress?: (hop: HopRequest, exchange: Exchange) => Dress | undefined;
  /** Changes the headers that the target sent. `origin` is that of the target that the caller named. */
  readonly answer?: (headers: FieldWriter, response: ResponseSource, origin: URL, exchange: Exchange) => void;
  /** Says that `answer` reads no more than its first three arguments: what it made of headers serves the same ones again. */
  readonly answersAlike?: true;
  /** What a table of targets says of an origin; the same object each time. */
  readonly find?: (origin: URL) => TableEntry | undefined;
  /** Headers that some entry sets to a value with a key: callers may show their token there. */
  readonly keyFields?: ReadonlySet<string>;
  /** Finds the values that nobody may see. */
  readonly secrets?: SecretSearch;
}

/** The members of all parts by name, in the order of the parts. Without parts the lists are empty. */
export type Hooks =
  & { readonly [Name in keyof Omit<Rules, "answersAlike">]-?: readonly NonNullable<Rules[Name]>[] }
  & { /** True if all that change the headers of responses say so. */ readonly answersAlike: boolean };

/** Where a response comes from: its final address after redirects, and whether its request carried a key. */
export type ResponseSource = Pick<TargetResponse, "finalAddress" | "hadKey">;

/** The request to the target, and what was decided for it. */
export interface Prepared extends Omit<Outgoing, "signal"> {
  readonly cookies: CookieRights;
  /** The judgement on credentials that a browser sends by itself; absent if there are none. */
  readonly passage?: Passage | undefined;
  /** True for a page's request that may not use a login of the caller's connection. */
  readonly isStray?: boolean | undefined;
  /** What the caller asked for in addition; absent if nothing. */
  readonly wishes?: Wishes | undefined;
}

/** Everything that a plan depends on in addition to the head. Each object is another one as soon as it says something else. */
export interface Basis {
  /** The listener, and the address of the caller. */
  readonly runtime: Runtime;
  readonly config: Config;
  /** What the parts do; it changes when settings are read again. */
  readonly parts: Hooks;
}

/** What was decided for one head. The optional members are filled when they are first needed. */
export interface Plan extends Basis {
  readonly head: FieldReader;
  /** True for a request over https. */
  readonly isSecure: boolean;
  /** What the origin of the caller's page is granted. */
  readonly grant: Grant;
  /** True if the head may come again; otherwise nothing that costs time is stored here. */
  readonly isKept: boolean;
  facts: Facts | undefined;
  /** True if the head names a front proxy. */
  isFronted: boolean | undefined;
  request: PlannedRequest | undefined;
  /** The headers for the caller, by those of the target's response. */
  responses: Derived<PlannedResponse> | undefined;
}

/** The last request that was built, and what decided it in addition to the plan. */
export interface PlannedRequest extends Pick<Target, "selector" | "basePath">, Pick<Exchange, "asker"> {
  /** Listed because it depends on the HTTP version too, which is not a header. */
  readonly takesTrailers: boolean | undefined;
  readonly prepared: Prepared & { readonly headers: KeptFields };
}

/** The headers of a response for the caller, and what decided them in addition to the plan and the target's headers. */
interface PlannedResponse extends Pick<Target, "origin">, Pick<TargetResponse, "status" | "hadKey"> {
  /** What the selector adds to `Vary`. */
  readonly vary: string;
  readonly headers: KeptFields;
}

/** What a part changes in a request. */
export interface Dress extends Pick<Outgoing, "path" | "headers"> {
  /** Removes from a response head what the part added and nobody may see; absent if there is nothing. */
  redact?: ((response: TargetResponse) => TargetResponse) | undefined;
  /** Signs the request; absent if the part signs nothing. */
  signing?: Signing | undefined;
}

/** The facts about one hop of a request. */
export interface HopRequest extends Dress {
  readonly origin: URL;
  readonly addresses: Judged;
  /** True as long as redirects have not left the origin that the caller named. */
  readonly isNamed: boolean;
  /** True if the caller wrote the whole address (`url`, `arg`), and not a base. */
  readonly isWhole: boolean;
}

/** Runs steps 2 to 5 for an exchange and its target. */
export type Forward = (exchange: Exchange, target: Target) => Promise<Reply>;

/** Runs step 2, and returns the addresses that may be dialled; throws why none may. */
type CheckAccess = (address: Address, exchange: Exchange, target: Target) => Judged | Promise<Judged>;

/** Runs step 3; throws why the request can't be built. */
type BuildRequest = (exchange: Exchange, target: Target, judged: Judged) => Prepared | Promise<Prepared>;

/** The steps that the proxy's own pages use. */
export interface Steps {
  readonly forward: Forward;
  readonly checkAccess: CheckAccess;
  readonly buildRequest: BuildRequest;
}
