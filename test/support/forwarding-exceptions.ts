/**
 * What a runtime's server or sender cannot forward as the specification has it, with the reason: the forwarding suite's only
 * places where runtimes may differ.
 * @module
 */
import type { Ending } from "./client.ts";
import { type Exception, WORKER_GONE } from "./exceptions.ts";
import type { RuntimeName } from "./proxy.ts";

type Table<T> = Partial<Record<RuntimeName, Record<string, Exception<T>>>>;

const WORKERD_READS = "workerd reads it so; what goes on has one framing";

/** What is seen on both sides of a request with doubtful framing. */
export interface Doubtful {
  outcome: number;
  /** The requests that reached the target: framing and body. */
  arrived: string[];
}

/** Lines of chunks that RFC 9112 §7.1 does not allow. */
export const REFUSED_LINES: string[] = ["2;", "2 ", "2 ;a", "2; a", "2;a=", '2;a="b', '2;a="b"c', '2;"a"'];

/** Requests with doubtful framing: name of the case → what is seen instead of a refusal. */
export const REQUEST_FRAMINGS: Table<Doubtful> = {
  worker: {
    "two equal lengths": { instead: { outcome: 200, arrived: ["2: ab"] }, reason: WORKERD_READS },
    ...Object.fromEntries(
      ["length and chunks", ...REFUSED_LINES.map((line) => `the line ${line} of a chunk`)].map((name) => [
        name,
        { instead: { outcome: 200, arrived: ["chunked: ab"] }, reason: WORKERD_READS },
      ]),
    ),
    "a bad chunk": {
      instead: { outcome: 499, arrived: [] },
      reason: "workerd does not tell a malformed body from a caller who has left",
    },
  },
};

const WORKER_HOST = "workerd does not tell of another host before the path, and Host decides";

const WORKER_HEADS = "workerd decides what is a request, and takes * for the path /";

const WORKER_ROOM = "workerd bounds heads by itself, to about 500 KB";

/** Heads of requests: name of the case → status of the answer. */
export const REQUEST_HEADS: Table<number> = {
  worker: {
    "no host in HTTP/1.0": { instead: 400, reason: WORKER_HEADS },
    "an empty host": { instead: 400, reason: WORKER_HEADS },
    "a host beyond ASCII": { instead: 400, reason: WORKER_HEADS },
    "an absolute address of another host": { instead: 200, reason: WORKER_HOST },
    "an absolute address of another port": { instead: 200, reason: WORKER_HOST },
    "an absolute address of another scheme": { instead: 200, reason: WORKER_HEADS },
    "an absolute address of another server, and no target": { instead: 200, reason: WORKER_HEADS },
    "a DEL in a field": { instead: 200, reason: WORKER_HEADS },
    "a control byte in a field": { instead: 200, reason: WORKER_HEADS },
    "OPTIONS *": { instead: 200, reason: WORKER_HEADS },
    "GET *": { instead: 200, reason: WORKER_HEADS },
    "28 cookies": { instead: 200, reason: WORKER_ROOM },
    "100 cookies": { instead: 200, reason: WORKER_ROOM },
    "180 cookies to get rid of": { instead: 431, reason: WORKER_ROOM },
  },
};

/** Answers with doubtful framing: name of the case → status of the answer. */
export const ANSWER_FRAMINGS: Table<number> = {
  worker: { "two equal lengths": { instead: 200, reason: WORKERD_READS } },
};

const WORKER_LENGTH = "the fetch of workerd says of every other method that it has no body";

/** What is said of the length of a body that is not there, by method. */
export const SAID_LENGTHS: Table<string[]> = {
  worker: {
    PURGE: { instead: ["0"], reason: WORKER_LENGTH },
    PROPFIND: { instead: ["0"], reason: WORKER_LENGTH },
  },
};

/** Reason phrases: status and reason as the target sent them → the reason as it arrives. */
export const REASONS: Table<string> = {
  worker: { "200 Caf\u00e9": { instead: "", reason: "workerd gives no reason that is not ASCII" } },
};

/** Heads of answers by their size: what is seen instead of the answer, or of its refusal. */
export const HEADS: Table<number> = {
  worker: { "70000 bytes": { instead: 200, reason: "workerd reads heads of up to 300 kB" } },
};

/** How long the next request waits where a connection is used again although its answer is not over, in milliseconds. */
export const LATE_BYTES: Table<number> = {
  worker: {
    pause: {
      instead: 100,
      reason: "workerd keeps the connection, and drops bytes that come before the next request",
    },
  },
};

const READ_AHEAD = "the runtime itself reads ahead of a stalled caller";

/** What one stalled caller may cost, in bytes, where it is more than about a MiB. */
export const STALLED_BYTES: Table<number> = {
  deno: {
    one: {
      instead: 2_097_152,
      reason: "a block of 256 KiB is on its way, and the next one has been read behind it",
    },
  },
  worker: { one: { instead: 4_194_304, reason: READ_AHEAD } },
};

/** How a caller of HTTP/1.0 sees a body that is cut, where the end of the connection is the end of the body. */
export const OLD_CALLERS: Table<number | Ending> = {
  deno: { cut: { instead: 200, reason: "Deno cannot reset a connection" } },
  worker: {
    cut: { instead: 200, reason: "workerd closes the connection in order, whatever happened to the body" },
  },
};

/** What the refusal of an answer with a status below 100 names. */
export const LOW_STATUSES: Table<string> = {
  worker: {
    "099": { instead: "closed", reason: "workerd says of a malformed answer that the connection was lost" },
  },
};

/** Uploads that fail while they are read: what is wrong with them → status of the answer. */
export const UPLOAD_FAULTS: Table<number> = {
  worker: {
    "a malformed chunk": {
      instead: 499,
      reason: "workerd does not tell a malformed body from a caller who has left",
    },
  },
};

/** Callers who leave: when → whether the target's connection is closed within a second. */
export const LET_GO: Table<boolean> = {
  worker: {
    "before the answer": { instead: false, reason: WORKER_GONE },
    "before the answer to a POST": { instead: false, reason: WORKER_GONE },
    "in a body with a length": { instead: false, reason: `${WORKER_GONE}, until it writes` },
    "in an event stream": { instead: false, reason: `${WORKER_GONE}, until it writes` },
  },
};
