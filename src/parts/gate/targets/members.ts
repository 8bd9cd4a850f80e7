/**
 * All members of an entry, by which the table is read (rules 8.2 to 8.5).
 * @module
 */

import type { RequestRules } from "../../../core/exchange/table-entry.ts";
import { isTexts, parseMethods, parsePaths } from "../../../core/settings/request-lists.ts";
import { LABEL, MOST, MOST_MS } from "../../../core/settings/values.ts";
import { CONNECTION_MEMBERS } from "./connection-members.ts";
import { FIELD_MEMBERS } from "./field-members.ts";
import { SIGN_MEMBER } from "./sign-member.ts";
import { badPart, type Draft, type Member, type Reading } from "./member.ts";
import { classifyAddress, isLoopbackHost } from "../../../core/address/ip.ts";
import { decodeUpstreamProxy } from "../../../core/address/upstream-proxy.ts";

/** A member for a limit that replaces a setting's limit. */
function limit(name: keyof NonNullable<Draft["limits"]>, most: number): Member {
  return {
    expected: `a whole number from 0 to ${most}`,
    read(value, draft) {
      if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > most) return false;
      draft.limits = { ...draft.limits, [name]: value as number };
      return true;
    },
  };
}

/** A method, a scheme and a path prefix. */
export const REQUEST = /^([!#$%&'*+.^_`|~\w-]+ (?:https?|wss?)) (=?\/[^?#\s]*)$/;

/** Reads a list of requests, which may be empty; `undefined` for anything else. */
function parseRequests(value: unknown): RequestRules | undefined {
  if (!isTexts(value) && !(Array.isArray(value) && value.length === 0)) return undefined;
  const byKind = new Map<string, string[]>();
  for (const text of value) {
    const [, kind = "", written = ""] = REQUEST.exec(text) ?? [];
    const paths = parseMethods(kind.split(" ", 1)) && parsePaths([written]);
    if (!paths) return undefined;
    const known = byKind.get(kind);
    if (known) known.push(...paths);
    else byKind.set(kind, [...paths]);
  }
  return { byKind, paths: [...byKind.values()].flat() };
}

/** The members by name, in the order of the docs (`scripts/settings/member-docs.ts`). */
export const MEMBERS: Readonly<Record<string, Member>> = {
  label: {
    expected: "a label such as openai, in an entry for one host",
    read(value, draft, { base }) {
      if (typeof value !== "string" || !LABEL.test(value.toLowerCase()) || !base) return false;
      draft.label = [value.toLowerCase(), base];
      return true;
    },
  },
  ...FIELD_MEMBERS,
  sign: SIGN_MEMBER,
  methods: {
    expected: 'a list of methods such as ["GET", "POST"]',
    read(value, draft) {
      draft.methods = parseMethods(value);
      return draft.methods !== undefined;
    },
  },
  paths: {
    expected: 'a list of path prefixes without .., such as ["/v1/"]',
    read(value, draft) {
      draft.paths = parsePaths(value);
      return draft.paths !== undefined;
    },
  },
  requests: {
    expected: 'a list of requests such as ["GET https /v1/", "POST https =/v1/items"]',
    read(value, draft) {
      const requests = parseRequests(value);
      if (requests) draft.requests = requests;
      return requests !== undefined;
    },
  },
  timeoutMs: limit("timeoutMs", MOST_MS),
  idleTimeoutMs: limit("idleTimeoutMs", MOST_MS),
  maxRequestBytes: limit("maxRequestBytes", MOST),
  maxResponseBytes: limit("maxResponseBytes", MOST),
  ...CONNECTION_MEMBERS,
  host: {
    expected: '"caller" or "target"',
    read(value, draft) {
      draft.keepsHost = value === "caller";
      return value === "caller" || value === "target";
    },
  },
  upstream: {
    expected: "an address such as http://proxy.example.com:3128 (http, https or socks5), or direct",
    read(value, draft, { place }) {
      if (typeof value !== "string" || (value !== "direct" && !decodeUpstreamProxy(value))) return false;
      if (value !== "direct" && isInside(place)) {
        throw badPart("upstream", "direct here: loopback and private targets are reached directly");
      }
      draft.upstream = value;
      return true;
    },
  },
  $comment: {
    expected: "a text, or a list of texts",
    read: (value) => typeof value === "string" || isTexts(value),
  },
};

/** True for loopback and private targets, by their names alone. */
function isInside(place: Reading["place"]): boolean {
  if (place.kind === "name") return isLoopbackHost(place.host);
  if (place.kind === "suffix") return isLoopbackHost(place.suffix.slice(1));
  return place.kind === "range" && classifyAddress(place.cidr[0].toString()) !== "public" &&
    place.cidr[1] > 0;
}
