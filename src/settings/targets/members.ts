/**
 * Every member of an entry. The table is read by it, and its JSON Schema is made of it (contract 8).
 * @module
 */

import { decodeAddress } from "../../address/address.ts";
import { isToken } from "../../http/headers.ts";
import { LABEL, MOST, MOST_MS } from "../values.ts";
import { CONNECTION_MEMBERS } from "./connection-members.ts";
import { UPSTREAM_MEMBER } from "./upstream-member.ts";
import { FIELD_MEMBERS } from "./field-members.ts";
import { type Draft, isTexts, type Member } from "./member.ts";

const TEXTS = { type: "array", items: { type: "string" }, minItems: 1 };
/** A prefix of a path; what follows a path is no part of one. */
const PATH = /^\/[^?#\s]*$/;

/** A limit in place of a setting's. */
function limit(name: keyof NonNullable<Draft["limits"]>, most: number, effect: string): Member {
  return {
    schema: { type: "integer", minimum: 0, maximum: most },
    effect,
    expected: `a whole number from 0 to ${most}`,
    read(value, draft) {
      if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > most) return false;
      draft.limits = { ...draft.limits, [name]: value as number };
      return true;
    },
  };
}

/** Reads a list of methods; `undefined` for anything else. */
export function parseMethods(value: unknown): readonly string[] | undefined {
  return isTexts(value) && value.every(isToken) ? value : undefined;
}

/** Reads a list of path prefixes, as they are compared; `undefined` for anything else. */
export function parsePaths(value: unknown): readonly string[] | undefined {
  if (!isTexts(value) || !value.every((path) => PATH.test(path))) return undefined;
  return value.map((path) => decodeAddress(`http://a${path}`)?.path ?? path);
}

/** The members by name, in the order in which the docs list them. */
export const MEMBERS: Readonly<Record<string, Member>> = {
  label: {
    schema: { type: "string", pattern: LABEL.source },
    effect: "A host label for this target, as another entry of `PROXY_LABELS`.",
    expected: "a label such as openai, in an entry for one host",
    read(value, draft, { base }) {
      if (typeof value !== "string" || !LABEL.test(value.toLowerCase()) || !base) return false;
      draft.label = [value.toLowerCase(), base];
      return true;
    },
  },
  ...FIELD_MEMBERS,
  methods: {
    schema: TEXTS,
    effect: "The only methods; all others are refused.",
    expected: 'a list of methods such as ["GET", "POST"]',
    read(value, draft) {
      draft.methods = parseMethods(value);
      return draft.methods !== undefined;
    },
  },
  paths: {
    schema: { ...TEXTS, items: { type: "string", pattern: PATH.source } },
    effect: "The only path prefixes; all others are refused. `/v1/` allows what is below it.",
    expected: 'a list of path prefixes such as ["/v1/"]',
    read(value, draft) {
      draft.paths = parsePaths(value);
      return draft.paths !== undefined;
    },
  },
  timeoutMs: limit("timeoutMs", MOST_MS, "Timeout for the response headers in milliseconds; 0 for none."),
  idleTimeoutMs: limit(
    "idleTimeoutMs",
    MOST_MS,
    "Timeout between two chunks of a body in milliseconds; 0 for none.",
  ),
  maxRequestBytes: limit("maxRequestBytes", MOST, "Maximum bytes of a request body; 0 for no limit."),
  maxResponseBytes: limit("maxResponseBytes", MOST, "Maximum bytes of a response body; 0 for no limit."),
  ...CONNECTION_MEMBERS,
  host: {
    schema: { enum: ["caller", "target"] },
    effect: "`caller` sends the caller's own Host, for apps that make absolute addresses of it.",
    expected: '"caller" or "target"',
    read(value, draft) {
      draft.keepsHost = value === "caller";
      return value === "caller" || value === "target";
    },
  },
  upstream: UPSTREAM_MEMBER,
};
