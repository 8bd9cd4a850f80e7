/**
 * The type of a setting, and the type of each value. `settings.ts` describes them.
 * @module
 */

import type { Address, AddressForm } from "../address/address.ts";
import type { CorsOrigins } from "../address/authority.ts";
import type { Routes } from "../address/route.ts";
import type { Cidr } from "../address/ip.ts";
import type { TargetList } from "../address/target-lists.ts";
import type { Audit, RateLimit } from "./values.ts";

/** How log lines are written. */
export type LogFormat = "text" | "json";

/**
 * All settings, read and checked: the result of `readConfig`. Each one means the same as the option of that name in
 * `Options`, which has none for a server that listens.
 *
 * Lists and addresses have an internal form, which may change in any version.
 */
export interface Config {
  /** Address that a server of fetchvia listens on. */
  readonly host: string;
  /** Port that it listens on; 0 for a free one. */
  readonly port: number;
  /** Number of processes that serve requests. */
  readonly workers: number;
  /** Domain of host labels, lower-case. */
  readonly proxyDomain: string;
  /** Path where the proxy is mounted, without a trailing slash; `""` for the root. */
  readonly mountPath: string;
  /** Your own labels, lower-case, and their bases. */
  readonly proxyLabels: ReadonlyMap<string, Address>;
  /** The table of targets: an object, JSON text, or the path of a JSON file; `undefined` for none. */
  readonly targets: string | Readonly<Record<string, unknown>> | undefined;
  /** Default target; `undefined` for none. */
  readonly target: Address | undefined;
  /** Forms of other proxies in which addresses are read; empty for none. */
  readonly addressForms: readonly AddressForm[];
  /** The only allowed targets; empty for all. */
  readonly allowTargets: TargetList;
  /** Refused targets. */
  readonly denyTargets: TargetList;
  /** Whether private targets may be reached. A list means `auto` plus these targets. */
  readonly privateTargets: boolean | "auto" | TargetList;
  /** Names of the proxy itself. */
  readonly hosts: TargetList;
  /** True to allow names whose addresses can't be checked. */
  readonly trustNames: boolean;
  /** The routes through another proxy; `undefined` for direct connections. */
  readonly upstreamProxy: Routes | undefined;
  /** Targets that are still reached directly. */
  readonly noUpstream: TargetList;
  /** Who looks up the names of targets behind the other proxy. */
  readonly upstreamDns: "local" | "remote";
  /** Origins whose pages may read responses; `undefined` if none are set. */
  readonly corsOrigins: CorsOrigins | undefined;
  /** Token that callers must send; `""` for none. */
  readonly proxyToken: string;
  /** Key of signed links and of callers' tokens; `""` for none. */
  readonly signingKey: string;
  /** True if every caller must show a token: its own, or `proxyToken`. */
  readonly callerTokens: boolean;
  /** Ids of callers' tokens that no longer count, and `@` with the name of a file of such ids. */
  readonly revokedTokens: readonly string[];
  /** Trusted front proxies, which may name the caller. */
  readonly trustedProxies: readonly Cidr[];
  /** Maximum requests in flight; 0 for no limit. */
  readonly maxConcurrent: number;
  /** Maximum requests of each caller per time window; `undefined` for no limit. */
  readonly rateLimit: RateLimit | undefined;
  /** Address of the Redis server that counts requests; `""` for none. */
  readonly rateLimitStore: string;
  /** Timeout for the response headers in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** Timeout between two chunks of a body in milliseconds; 0 for none. */
  readonly idleTimeoutMs: number;
  /** Maximum bytes of a request body; 0 for no limit. */
  readonly maxRequestBytes: number;
  /** Maximum bytes of a response body; 0 for no limit. */
  readonly maxResponseBytes: number;
  /** Maximum redirects to follow for one request. */
  readonly maxRedirects: number;
  /** True to tell targets who the caller is. */
  readonly forwardClient: boolean;
  /** Pseudonym in `Via`; `""` for none. */
  readonly via: string;
  /** Whether what the table of targets and callers' tokens refuse is refused, or only recorded. */
  readonly gate: "enforce" | "report";
  /** Where decisions are recorded; `undefined` for nowhere. */
  readonly audit: Audit | undefined;
  /** Format of the log; `auto` is text on a terminal and JSON elsewhere. */
  readonly log: "text" | "json" | "off" | "auto";
  /** True to serve metrics. */
  readonly metrics: boolean;
  /** Path of the certificate chain; `""` for plain http. */
  readonly tlsCert: string;
  /** Path of the private key; `""` for plain http. */
  readonly tlsKey: string;
  /** True to serve the console. */
  readonly console: boolean;
  /**
   * What is kept of requests: nothing, heads, or heads and this many bytes of each body; or, while a console is open, those
   * of callers on this machine.
   */
  readonly capture: "off" | "console" | "heads" | number;
  /** The most bytes that are kept of all requests. */
  readonly captureBytes: number;
}

/** A key and its value. */
export type Pair = readonly [key: string, value: string];

/** One setting: how it is parsed. `command/effects.ts` says what it does, and what else its documentation needs. */
export interface Setting<T> {
  /** The default value. */
  fallback: T;
  /** The part that applies it; absent if the core does. */
  part?: "audit" | "capture" | "console" | "forms" | "gate" | "metrics" | "report" | "tokens";
  /** The end of the message "PORT is …, expected …". */
  expected: string;
  /** True if surrounding blanks are part of the value. */
  isVerbatim?: boolean;
  /** True if no message may show the value. */
  isSecret?: boolean;
  /** True for text that must not be in a flag, because the list of processes shows flags to everyone on the machine. */
  isTelling?(text: string): boolean;
  /** Parses the text of a value; `undefined` if it is bad. */
  parse(text: string): T | undefined;
  /** Says what is wrong with bad text, as a predicate such as `has no scheme`; absent if `expected` says enough. */
  findFault?(text: string): string;
  /** Parses an array given in code, if the setting is a list. Entries are not split at commas. */
  parseEntries?(entries: readonly string[]): T | undefined;
  /** Takes a function given in code, if the setting allows one. */
  parseFunction?(value: (line: string) => unknown): T | undefined;
  /** Parses an object given in code whose members are more than text. */
  parseObject?(value: Readonly<Record<string, unknown>>): T | undefined;
  /** Parses the entries of an object given in code, if the setting allows one. */
  parsePairs?(pairs: readonly Pair[]): T | undefined;
}
