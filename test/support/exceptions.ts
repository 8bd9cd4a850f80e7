/**
 * What a runtime's own server or sender cannot let through, with the reason: the only places where runtimes may differ.
 * @module
 */
import type { RuntimeName } from "./proxy.ts";

/** One difference: what is seen instead, and why nothing can be done about it. */
export interface Exception<T> {
  instead: T;
  reason: string;
}

type Table<T> = Record<RuntimeName, Record<string, Exception<T>>>;

const BUN_URL = "Bun.serve parses the request target as a URL before the handler sees it";
const BUN_QUOTE = `${BUN_URL}, and that encodes ' in a query`;

/** Paths that reach the target changed: path as sent → path as it arrives. */
export const PATHS: Table<string> = {
  bun: {
    "/a/../b": { instead: "/b", reason: BUN_URL },
    "/a/./b": { instead: "/a/b", reason: BUN_URL },
    "/a/%2e%2e/b": { instead: "/b", reason: BUN_URL },
    "/a^b": { instead: "/a%5Eb", reason: BUN_URL },
    '/a"b<c>': { instead: "/a%22b%3Cc%3E", reason: BUN_URL },
    "/a`b{c}": { instead: "/a%60b%7Bc%7D", reason: BUN_URL },
    "/a?q=%7E~|'//%2F^": { instead: "/a?q=%7E~|%27//%2F^", reason: BUN_QUOTE },
    "/a\\b": { instead: "/a/b", reason: BUN_URL },
  },
  deno: {},
  node: {},
};

/** Raw addresses in `?url=` that reach the target changed, because they stand in the query: path as sent → as it arrives. */
export const RAW_ADDRESSES: Table<string> = {
  bun: {
    "/%7Eu/a|b/it's": { instead: "/%7Eu/a|b/it%27s", reason: BUN_QUOTE },
    "/p?q='|%7E%2F": { instead: "/p?q=%27|%7E%2F", reason: BUN_QUOTE },
  },
  deno: {},
  node: {},
};

/** Methods that a caller cannot use: method → status of the answer, or how the connection ends without one. */
export const METHODS: Table<number | "cut"> = {
  bun: {
    BREW: { instead: "cut", reason: "Bun.serve closes the connection on methods that it does not know" },
    patch: { instead: "cut", reason: "Bun.serve closes the connection on methods that it does not know" },
  },
  deno: {},
  node: {
    BREW: { instead: 400, reason: "the HTTP parser of Node refuses methods that it does not know" },
    patch: { instead: 400, reason: "the HTTP parser of Node refuses methods that it does not know" },
  },
};

/** What happens to a body that comes with GET: it is forwarded, or refused where the server hides it. */
export const GET_BODY: Record<RuntimeName, Exception<number>> = {
  bun: { instead: 400, reason: "Bun.serve drops the body of a GET, so the proxy refuses it" },
  deno: { instead: 400, reason: "Deno.serve drops the body of a GET, so the proxy refuses it" },
  node: { instead: 200, reason: "none: node:http hands it over" },
};

/** What else a server does by itself: what is sent → status of the answer. */
export const STATUSES: Table<number> = {
  bun: {},
  deno: {
    "an address that is too long": {
      instead: 400,
      reason: "Deno.serve answers by itself, without an option for it",
    },
  },
  node: {},
};

/** What is seen for `key`: the exception of that runtime, or what holds for all others. */
export function expectedOf<T>(table: Table<T>, runtime: RuntimeName, key: string, otherwise: T): T {
  return table[runtime][key]?.instead ?? otherwise;
}
