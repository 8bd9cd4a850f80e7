/**
 * The claims of a caller's token: what it may do, each in the grammar of its setting (rule 10.1).
 * @module
 */

import { type CorsOrigins, decodeCorsOrigins } from "../../core/address/authority.ts";
import { decodeSomeTargets, type TargetList } from "../../core/address/target-lists.ts";
import { listOf } from "../../core/settings/list-values.ts";
import { nameKnown } from "../../core/settings/nearest.ts";
import { describeValue, isRecord } from "../../core/settings/option-values.ts";
import { parseMethods, parsePaths } from "../../core/settings/request-lists.ts";
import { isTokenId, parseRateLimit, type RateLimit } from "../../core/settings/values.ts";

/** The claims of a token. An absent claim sets no limit. */
export interface Claims {
  /** The caller's id. The log names it, `rate` is counted under it, `REVOKED_TOKENS` lists it. */
  readonly id: string;
  /** When the token expires, in Unix seconds. */
  readonly exp: number;
  /** The only targets, as in `ALLOW_TARGETS`. */
  readonly targets?: TargetList;
  /** The only methods, and the only path prefixes, as in the table of targets. */
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  /** How many requests per time window, as in `RATE_LIMIT`. */
  readonly rate?: RateLimit;
  /** The only origins whose pages may use it, as in `CORS_ORIGINS`. */
  readonly origins?: CorsOrigins;
}

/** `exp` must be below this, in Unix seconds. Times in milliseconds exceed it. */
const EXP_LIMIT = 1e12;

/** How one claim is read, and the end of "… is 5, expected …". */
interface Claim<T> {
  read(value: unknown): T | undefined;
  readonly expected: string;
}

const CLAIMS: { readonly [K in keyof Claims]-?: Claim<Claims[K]> } = {
  id: {
    read: (value) => (typeof value === "string" && isTokenId(value) ? value : undefined),
    expected: "1 to 64 letters, digits and . _ : @ + -, such as ci",
  },
  exp: {
    read: (value) => (isTime(value) ? value : undefined),
    expected: `whole Unix seconds below ${EXP_LIMIT}`,
  },
  targets: {
    read: list(decodeSomeTargets),
    expected: "targets as in ALLOW_TARGETS, such as api.example.com",
  },
  methods: { read: parseMethods, expected: 'a list of methods such as ["GET", "POST"]' },
  paths: { read: parsePaths, expected: 'a list of path prefixes without .., such as ["/v1/"]' },
  rate: {
    read: (value) => (typeof value === "string" ? parseRateLimit(value.trim()) : undefined),
    expected: "requests per time window as in RATE_LIMIT, such as 100/60s",
  },
  origins: {
    read: list((entries) => (entries.length > 0 ? decodeCorsOrigins(entries) : undefined)),
    expected: "origins as in CORS_ORIGINS, such as https://app.example.com",
  },
};

/** Reads claims; returns a text that says what is wrong if they are invalid. */
export function readClaims(value: unknown): Claims | string {
  if (!isRecord(value)) return "its claims are no object";
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(CLAIMS, name));
  if (unknown !== undefined) {
    return `it has ${JSON.stringify(unknown)}, expected ${nameKnown(unknown, Object.keys(CLAIMS))}`;
  }
  const claims: Record<string, unknown> = {};
  for (const [name, { read, expected }] of Object.entries(CLAIMS)) {
    const given = value[name];
    const isNeeded = name === "id" || name === "exp";
    if (!Object.hasOwn(value, name)) {
      if (isNeeded) return `it has no ${name}, expected ${expected}`;
      continue;
    }
    const claim = read(given);
    if (claim === undefined) return `${name} is ${describeValue(given)}, expected ${expected}`;
    claims[name] = claim;
  }
  return claims as unknown as Claims;
}

function isTime(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < EXP_LIMIT;
}

/** Makes the reader of a list: comma-separated text, or an array of texts. */
function list<T>(read: (entries: readonly string[]) => T | undefined): (value: unknown) => T | undefined {
  const { parse, parseEntries } = listOf(read);
  return (value) => {
    if (typeof value === "string") return parse(value);
    const isList = Array.isArray(value) && value.every((entry) => typeof entry === "string");
    return isList ? parseEntries(value) : undefined;
  };
}
