/**
 * What a setting is, and the type of each one's value; `settings.ts` says what they do.
 * @module
 */

import type { Address } from "../address/address.ts";
import type { CorsOrigins } from "../address/origins.ts";
import type { Cidr } from "../address/ip.ts";
import type { TargetList } from "../address/lists.ts";
import type { RateLimit } from "./values.ts";

/** How log lines are written. */
export type LogFormat = "text" | "json";

/** All settings, read and checked. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly proxyDomain: string;
  readonly mountPath: string;
  readonly proxyLabels: ReadonlyMap<string, Address>;
  readonly target: Address | undefined;
  readonly allowTargets: TargetList;
  readonly denyTargets: TargetList;
  /** A list is `auto` with these targets besides. */
  readonly privateTargets: boolean | "auto" | TargetList;
  readonly hosts: TargetList;
  readonly trustNames: boolean;
  readonly corsOrigins: CorsOrigins | undefined;
  readonly proxyToken: string;
  readonly signingKey: string;
  readonly trustedProxies: readonly Cidr[];
  readonly maxConcurrent: number;
  readonly rateLimit: RateLimit | undefined;
  readonly rateLimitStore: string;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
  readonly maxRedirects: number;
  readonly forwardClient: boolean;
  readonly via: string;
  readonly log: "auto" | LogFormat | "off";
  readonly metrics: boolean;
  readonly tlsCert: string;
  readonly tlsKey: string;
  readonly console: boolean;
}

/** A key and its value. */
export type Pair = readonly [key: string, value: string];

/** One setting: how its text is read, and what a reader of the README must know of it. */
export interface Setting<T> {
  /** The value where nothing is set. */
  fallback: T;
  /** What the value is counted in, or its kind. */
  unit: string;
  /** What it does. */
  effect: string;
  /** What may go wrong by it. */
  risk?: string;
  /** The rest of the sentence "PORT is …, expected". */
  expected: string;
  /** What it may be in code, as TypeScript, where that is narrower than what the readers tell: see `scripts/settings/options.ts`. */
  type?: string;
  /** True where blanks around the text belong to it. */
  isVerbatim?: boolean;
  /** True where no message may show the value. */
  isSecret?: boolean;
  /** Reads the text of a value; `undefined` when it is bad. */
  parse(text: string): T | undefined;
  /** Reads an array given in code, where the setting is a list: no entry is cut at a comma. */
  parseEntries?(entries: readonly string[]): T | undefined;
  /** Reads the entries of an object given in code, where the setting may be one. */
  parsePairs?(pairs: readonly Pair[]): T | undefined;
}
