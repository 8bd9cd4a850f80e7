/**
 * What a runtime's server or sender cannot forward as the contract has it, with the reason: the forwarding suite's only
 * places where runtimes may differ.
 * @module
 */
import type { Ending } from "./client.ts";
import { type Exception, WORKER_GONE } from "./exceptions.ts";
import type { RuntimeName } from "./proxy.ts";

type Table<T> = Record<RuntimeName, Record<string, Exception<T>>>;

const WORKERD_READS = "workerd reads it so; what goes on has one framing";
const OWN_REASON = "the server writes the standard reason of the status";

/** What is seen on both sides of a request with doubtful framing. */
export interface Doubtful {
  outcome: number | Ending;
  /** The requests that reached the target: framing and body. */
  arrived: string[];
}

/** Requests with doubtful framing: name of the case → what is seen instead of a refusal. */
export const REQUEST_FRAMINGS: Table<Doubtful> = {
  bun: {
    trailers: {
      instead: { outcome: 400, arrived: [] },
      reason: "Bun.serve takes trailers for a next request, and refuses that (bun#32887)",
    },
  },
  deno: {
    "a bad chunk": {
      instead: { outcome: "cut", arrived: [] },
      reason: "Deno.serve closes the connection of a caller whose body is malformed",
    },
  },
  node: {},
  worker: {
    "two equal lengths": { instead: { outcome: 200, arrived: ["2: ab"] }, reason: WORKERD_READS },
    "length and chunks": { instead: { outcome: 200, arrived: ["chunked: ab"] }, reason: WORKERD_READS },
    "a bad chunk": {
      instead: { outcome: 502, arrived: [] },
      reason: "the body fails on its way, and workerd does not say on which side",
    },
  },
};

/** Answers with doubtful framing: name of the case → status of the answer, or how it ends. */
export const ANSWER_FRAMINGS: Table<number | Ending> = {
  bun: {},
  deno: {},
  node: {},
  worker: {
    "two equal lengths": { instead: 200, reason: WORKERD_READS },
    "line feeds only": { instead: 200, reason: WORKERD_READS },
  },
};

const BUN_CHUNKS = "Bun.serve sends every stream chunked";

/** Whether an answer that is not kept in memory may lose its `Content-Length`. */
export const LOST_LENGTHS: Table<boolean> = {
  bun: {
    "over 256 KiB": { instead: true, reason: BUN_CHUNKS },
    "long without a type": {
      instead: true,
      reason:
        `${BUN_CHUNKS} that it has not read yet, and to bytes in memory it gives a content type of its own`,
    },
  },
  deno: {},
  node: {},
  worker: {},
};

/** Answers without content that a caller never sees the end of: status → how they end. */
export const NULL_BODIES: Table<number | Ending> = {
  bun: {},
  deno: {
    205: { instead: "timeout", reason: "Deno.serve sends a 205 without any length, whatever its fields say" },
  },
  node: {},
  worker: {},
};

/** Reason phrases: as the target sent it → as it arrives. */
export const REASONS: Table<string> = {
  bun: {
    "Strangely Fine": { instead: "OK", reason: OWN_REASON },
    "Caf\u00e9": { instead: "OK", reason: OWN_REASON },
  },
  deno: {
    "Strangely Fine": { instead: "OK", reason: OWN_REASON },
    "Caf\u00e9": { instead: "OK", reason: OWN_REASON },
  },
  node: {},
  worker: {
    "Caf\u00e9": { instead: "", reason: "workerd gives no reason that is not ASCII" },
  },
};

/** Heads of answers by their size: what is seen instead of the answer, or of its refusal. */
export const HEADS: Table<number> = {
  bun: {},
  deno: {},
  node: {},
  worker: { "70000 bytes": { instead: 200, reason: "workerd reads heads of up to 300 kB" } },
};

/** What reaches the target of an upload that goes on behind an answer that has begun. */
export const DUPLEX: Table<string> = {
  bun: {},
  deno: {
    chunks: { instead: "one", reason: "Deno.serve reads no more of a request while its answer streams" },
  },
  node: {},
  worker: {},
};

const READ_AHEAD = "the runtime itself reads ahead of a stalled caller";

/** What one stalled caller may cost, in bytes, where it is more than about a MiB. */
export const STALLED_BYTES: Table<number> = {
  bun: {},
  deno: { one: { instead: 2_097_152, reason: READ_AHEAD } },
  node: {},
  worker: { one: { instead: 4_194_304, reason: READ_AHEAD } },
};

/** Two requests in one write: the answers. */
export const PIPELINES: Table<(number | Ending)[]> = {
  bun: {
    two: {
      instead: ["cut", "cut"],
      reason: "Bun.serve closes the connection when the first answer takes time",
    },
  },
  deno: {},
  node: {},
  worker: {},
};

/** Unknown expectations: the answer. */
export const EXPECTATIONS: Table<number | Ending> = {
  bun: {},
  deno: {},
  node: { miracles: { instead: 417, reason: "node:http refuses them, as RFC 9110 §10.1.1 allows" } },
  worker: {},
};

/** Callers who leave: when → whether the target's connection is closed within a second. */
export const LET_GO: Table<boolean> = {
  bun: {},
  deno: {},
  node: {},
  worker: {
    "before the answer": { instead: false, reason: WORKER_GONE },
    "before the answer to a POST": { instead: false, reason: WORKER_GONE },
    "in a body with a length": { instead: false, reason: `${WORKER_GONE}, until it writes` },
    "in an event stream": { instead: false, reason: `${WORKER_GONE}, until it writes` },
  },
};
