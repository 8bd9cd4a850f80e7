/**
 * What a runtime's server or sender cannot forward as the contract has it, with the reason: the forwarding suite's only
 * places where runtimes may differ.
 * @module
 */
import type { Ending } from "./client.ts";
import type { Exception } from "./exceptions.ts";
import type { RuntimeName } from "./proxy.ts";

type Table<T> = Record<RuntimeName, Record<string, Exception<T>>>;

/** What is seen on both sides of a request with doubtful framing. */
export interface Doubtful {
  outcome: number | Ending;
  /** The requests that reached the target: framing and body. */
  arrived: string[];
}

/** Requests with doubtful framing: name of the case → what is seen instead of a refusal. */
export const REQUEST_FRAMINGS: Table<Doubtful> = { bun: {}, deno: {}, node: {} };

/** Answers with doubtful framing: name of the case → status of the answer, or how it ends. */
export const ANSWER_FRAMINGS: Table<number | Ending> = { bun: {}, deno: {}, node: {} };

/** The `Content-Length` of an answer that is too long to be kept in memory. */
export const LONG_LENGTHS: Table<string[]> = {
  bun: { any: { instead: [], reason: "Bun.serve sends every stream chunked" } },
  deno: {},
  node: {},
};

/** Status codes that an answer should not have: code → status of the answer, or how it ends. */
export const STATUSES: Table<number | Ending> = { bun: {}, deno: {}, node: {} };

/** Reason phrases: as the target sent it → as it arrives. */
export const REASONS: Table<string> = { bun: {}, deno: {}, node: {} };
