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

/** Paths that reach the target changed: path as sent → path as it arrives. */
export const PATHS: Table<string> = {
  bun: {
    "/a/../b": { instead: "/b", reason: BUN_URL },
    "/a/./b": { instead: "/a/b", reason: BUN_URL },
    "/a/%2e%2e/b": { instead: "/b", reason: BUN_URL },
    "/a^b": { instead: "/a%5Eb", reason: BUN_URL },
    '/a"b<c>': { instead: "/a%22b%3Cc%3E", reason: BUN_URL },
    "/a`b{c}": { instead: "/a%60b%7Bc%7D", reason: BUN_URL },
    "/a\\b": { instead: "/a/b", reason: BUN_URL },
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
  bun: { instead: 400, reason: "Bun.serve drops the body of a GET" },
  deno: { instead: 400, reason: "Deno.serve drops the body of a GET" },
  node: { instead: 200, reason: "none: node:http hands it over" },
};

/** What is seen for `key`: the exception of that runtime, or what holds for all others. */
export function expectedOf<T>(table: Table<T>, runtime: RuntimeName, key: string, otherwise: T): T {
  return table[runtime][key]?.instead ?? otherwise;
}

/** What a caller sees of CONNECT. */
export const CONNECT: Record<RuntimeName, Exception<number | "cut">> = {
  bun: { instead: 405, reason: "none" },
  deno: { instead: 405, reason: "none" },
  node: { instead: 405, reason: "none" },
};
