/**
 * The type of a setting, and the type of each value. `settings.ts` describes them.
 * @module
 */

import type { Address } from "../address/address.ts";
import type { CorsOrigins } from "../address/origins.ts";
import type { Cidr } from "../address/ip.ts";
import type { TargetList } from "../address/target-lists.ts";
import type { RateLimit } from "./values.ts";

/** How log lines are written. */
export type LogFormat = "text" | "json";

/**
 * All settings, read and checked: what `readConfig` gives. Each one means what the option of its name in `Options` does.
 *
 * Lists and addresses are kept in a form of the proxy's own, which may change in any version.
 */
export interface Config {
  /** Address that a server of fetchvia listens on. */
  readonly host: string;
  /** Port that it listens on, 0 for a free one. */
  readonly port: number;
  /** Processes that serve side by side. */
  readonly workers: number;
  /** Domain of host labels, lower-case. */
  readonly proxyDomain: string;
  /** Path that the proxy stands at, without a slash at its end; `""` for the root. */
  readonly mountPath: string;
  /** Labels of your own, lower-case, and the bases that they stand for. */
  readonly proxyLabels: ReadonlyMap<string, Address>;
  /** Default target; `undefined` for none. */
  readonly target: Address | undefined;
  /** The only targets; empty for all. */
  readonly allowTargets: TargetList;
  /** Targets that are refused. */
  readonly denyTargets: TargetList;
  /** Whether private targets may be reached. A list means `auto` plus these targets. */
  readonly privateTargets: boolean | "auto" | TargetList;
  /** Names of the proxy itself. */
  readonly hosts: TargetList;
  /** True where names are asked whose addresses nobody can judge. */
  readonly trustNames: boolean;
  /** Origins whose pages may read answers; `undefined` where none are named. */
  readonly corsOrigins: CorsOrigins | undefined;
  /** What callers must show; `""` for nothing. */
  readonly proxyToken: string;
  /** Key of signed links; `""` for none. */
  readonly signingKey: string;
  /** Peers that may say who called. */
  readonly trustedProxies: readonly Cidr[];
  /** Requests in flight at most; 0 for no limit. */
  readonly maxConcurrent: number;
  /** Requests per time window of each caller; `undefined` for no limit. */
  readonly rateLimit: RateLimit | undefined;
  /** Address of the Redis server that counts them; `""` for none. */
  readonly rateLimitStore: string;
  /** Milliseconds until the head of an answer must be here; 0 for ever. */
  readonly timeoutMs: number;
  /** Milliseconds that a body may pause; 0 for ever. */
  readonly idleTimeoutMs: number;
  /** Bytes of a request body at most; 0 for no limit. */
  readonly maxRequestBytes: number;
  /** Bytes of an answer at most; 0 for no limit. */
  readonly maxResponseBytes: number;
  /** Redirects that are followed for one request. */
  readonly maxRedirects: number;
  /** True where targets are told who called. */
  readonly forwardClient: boolean;
  /** Pseudonym in `Via`; `""` for none. */
  readonly via: string;
  /** Form of the log; `auto` is text on a terminal and JSON elsewhere. */
  readonly log: "text" | "json" | "off" | "auto";
  /** True where counters are served. */
  readonly metrics: boolean;
  /** Path of the certificate chain; `""` for plain http. */
  readonly tlsCert: string;
  /** Path of the private key; `""` for plain http. */
  readonly tlsKey: string;
  /** True where browsers are shown a page. */
  readonly console: boolean;
}

/** A key and its value. */
export type Pair = readonly [key: string, value: string];

/** One setting: how it is parsed, and its documentation. */
export interface Setting<T> {
  /** The value where nothing is set. */
  fallback: T;
  /** Unit or kind of the value. */
  unit: string;
  /** What it does. */
  effect: string;
  /** The risk of setting it. */
  risk?: string;
  /** The rest of the sentence "PORT is …, expected". */
  expected: string;
  /** What it may be in code, as TypeScript, where that is narrower than what the readers tell: see `scripts/settings/options.ts`. */
  type?: string;
  /** True if surrounding blanks are part of the value. */
  isVerbatim?: boolean;
  /** True if no message may show the value. */
  isSecret?: boolean;
  /** Reads the text of a value; `undefined` when it is bad. */
  parse(text: string): T | undefined;
  /** Parses an array given in code, if the setting is a list. Entries are not split at commas. */
  parseEntries?(entries: readonly string[]): T | undefined;
  /** Parses the entries of an object given in code, if the setting allows one. */
  parsePairs?(pairs: readonly Pair[]): T | undefined;
}
