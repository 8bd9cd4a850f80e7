/**
 * What a runtime's own server or sender cannot let through, with the reason: the only places where runtimes may differ.
 * @module
 */
import type { Header } from "./http.ts";
import type { RuntimeName } from "./proxy.ts";

/** One difference: what is seen instead, and why nothing can be done about it. */
export interface Exception<T> {
  instead: T;
  reason: string;
}

type Table<T> = Partial<Record<RuntimeName, Record<string, Exception<T>>>>;

const WORKER_URL = "the fetch of workerd parses the address as a URL";
const WORKER_QUOTE = `${WORKER_URL}, and that encodes ' in a query`;
const WORKER_SERVER = "workerd refuses it by itself, without an option for it";
const WORKER_METHOD = "workerd refuses methods that it does not know";
/** The edge of Cloudflare may tell more; it was not tested there. */
export const WORKER_GONE = "workerd alone does not tell a Worker that the client closed the connection";

/** Paths that reach the target changed: path as sent → path as it arrives. */
export const PATHS: Table<string> = {
  worker: {
    "/a/../b": { instead: "/b", reason: WORKER_URL },
    "/a/./b": { instead: "/a/b", reason: WORKER_URL },
    "/a/%2e%2e/b": { instead: "/b", reason: WORKER_URL },
    "/a^b": { instead: "/a%5Eb", reason: WORKER_URL },
    '/a"b<c>': { instead: "400", reason: WORKER_SERVER },
    "/a`b{c}": { instead: "400", reason: WORKER_SERVER },
    "/a?q=%7E~|'//%2F^": { instead: "/a?q=%7E~|%27//%2F^", reason: WORKER_QUOTE },
    "/a//b%2Fc?x=%26&y='|": { instead: "/a//b%2Fc?x=%26&y=%27|", reason: WORKER_QUOTE },
    "/a\\b": { instead: "/a/b", reason: WORKER_URL },
  },
};

/** Raw addresses in `?url=` that reach the target changed, because they stand in the query: path as sent → as it arrives. */
export const RAW_ADDRESSES: Table<string> = {
  worker: {
    "/p?q='|%7E%2F": { instead: "/p?q=%27|%7E%2F", reason: WORKER_QUOTE },
    "/%7Eu/a|b/it's?q='|": { instead: "/%7Eu/a|b/it's?q=%27|", reason: WORKER_QUOTE },
  },
};

/** Methods that a caller cannot use: method → status of the answer. */
export const METHODS: Table<number> = {
  worker: { BREW: { instead: 501, reason: WORKER_METHOD }, patch: { instead: 501, reason: WORKER_METHOD } },
};

/** Bodies that can't go out, from the caller or in an `arg`: method → status of the answer. */
export const UNSENT_BODIES: Table<number> = {
  worker: {
    GET: { instead: 400, reason: "the fetch of workerd sends no body with GET, so the proxy refuses it" },
  },
};

/** What else a server does by itself: what is sent → status of the answer. */
export const STATUSES: Table<number> = {
  worker: {
    CONNECT: { instead: 500, reason: WORKER_SERVER },
    "a 101 by HTTP/1.0": {
      instead: 101,
      reason: "the fetch of workerd takes it, and does not tell the version",
    },
  },
};

/** Methods of an `arg` that do not go out as they are: method → status of the answer. */
export const OUTGOING_METHODS: Table<number> = {
  worker: {
    patch: { instead: 501, reason: WORKER_METHOD },
    propfind: { instead: 501, reason: WORKER_METHOD },
    "M-SEARCH": { instead: 501, reason: WORKER_METHOD },
    BREW: { instead: 501, reason: WORKER_METHOD },
  },
};

const WORKER_FAULTS = "workerd says of every failure that the connection was lost, or that it was its own";

/** What is told of targets that can't be had: error type (RFC 9209) → the type instead. */
export const ERROR_TYPES: Table<string> = {
  worker: {
    connection_refused: { instead: "connection_terminated", reason: WORKER_FAULTS },
    dns_error: { instead: "connection_terminated", reason: WORKER_FAULTS },
    malformed_answer: { instead: "connection_terminated", reason: WORKER_FAULTS },
    http_protocol_error: { instead: "connection_terminated", reason: WORKER_FAULTS },
    tls_protocol_error: { instead: "connection_terminated", reason: WORKER_FAULTS },
    tls_certificate_error: { instead: "connection_terminated", reason: WORKER_FAULTS },
  },
};

/** What the log says of a failure behind the error: what happened → how it is called. */
export const CAUSES: Table<RegExp> = {
  worker: {
    refused: { instead: /^Error$/, reason: WORKER_FAULTS },
    "no address": { instead: /^Error$/, reason: WORKER_FAULTS },
  },
};

const DENO_SESSIONS =
  "node:tls of Deno takes no session. It resumes by itself, without authorities or a certificate given";

/** Whether sessions of targets with a member in their entry are resumed. */
export const RESUMED: Table<boolean> = {
  deno: {
    ca: { instead: false, reason: DENO_SESSIONS },
    cert: { instead: false, reason: DENO_SESSIONS },
    pin: {
      instead: true,
      reason: `${DENO_SESSIONS}. It shows the certificate, and the pin is compared again`,
    },
  },
};

const SAME_CHECK =
  "node:tls of Deno keeps sessions by name and way to check: these two check alike, and the pin is compared again";

/** Whether a session of the entry before is resumed under the next one. */
export const SHARED_SESSIONS: Table<boolean> = {
  deno: {
    "minVersion after pin": { instead: true, reason: SAME_CHECK },
    "pin after minVersion": { instead: true, reason: SAME_CHECK },
  },
};

/** Handshakes by HTTP/1.0: status of the target's answer → status of the proxy's, and what the target sees of them. */
export const OLD_HANDSHAKES: Table<{ status: number; upgrade: string | undefined }> = {
  worker: {
    "200": { instead: { status: 502, upgrade: "websocket" }, reason: "workerd does not tell the version" },
  },
};

const WORKER_LISTS = "workerd takes a WebSocket only where it is the one protocol";

/** Handshakes with several protocols: `Upgrade` → status. */
export const UPGRADE_LISTS: Table<number> = {
  worker: {
    "websocket, h2c": { instead: 501, reason: WORKER_LISTS },
    "foo,WebSocket": { instead: 501, reason: WORKER_LISTS },
    "tcp, websocket": { instead: 501, reason: WORKER_LISTS },
  },
};

const WORKER_STREAMS = "workerd hands frames on as they come, and keeps none of them";

/** WebSockets with a message that has no end: who sends it → how it is stopped. */
export const ENDLESS_MESSAGES: Table<string> = {
  worker: {
    "the caller": { instead: "not at all", reason: WORKER_STREAMS },
    "the target": { instead: "not at all", reason: WORKER_STREAMS },
  },
};

const WORKER_TEXT = "workerd reads and writes fields as UTF-8, and puts U+FFFD where it is none";
const WORKER_EMPTY = "workerd takes a known field that is empty for none";

/** Values of fields that change on the way, both ways: as sent → as they arrive; `undefined` where the field is gone. */
export const FIELD_VALUES: Table<string | undefined> = {
  worker: {
    "\u00e9": { instead: "\u00ef\u00bf\u00bd", reason: WORKER_TEXT },
    "caf\u00e9 \u00ff": { instead: "caf\u00ef\u00bf\u00bd \u00ef\u00bf\u00bd", reason: WORKER_TEXT },
    "caf\u00e9 \u00c3\u00a9 \u0080\u00ff \t x": {
      instead: "caf\u00ef\u00bf\u00bd \u00c3\u00a9 \u00ef\u00bf\u00bd\u00ef\u00bf\u00bd \t x",
      reason: WORKER_TEXT,
    },
    "a=\u00c3\u00a9\u00e9; HttpOnly": {
      instead: "a=\u00c3\u00a9\u00ef\u00bf\u00bd; HttpOnly",
      reason: WORKER_TEXT,
    },
    "of an arg: \u00fc": { instead: "\u00c3\u00bc", reason: "workerd writes fields as UTF-8" },
    "a=1; b=2; c=3": { instead: "a=1, b=2; c=3", reason: "workerd joins lines of Cookie with a comma" },
    "known: ": { instead: undefined, reason: WORKER_EMPTY },
  },
};

/** Lines of a caller's fields as capture keeps them: names as sent → the lines instead. */
export const CAPTURED_LINES: Table<Header[]> = {
  worker: {
    "X-B, X-A, X-A": {
      instead: [["x-a", "1, 2"], ["x-b", "b"]],
      reason: "workerd hands over the fields in order of their names, in lower case and one line each",
    },
  },
};

/** Fields that the sender adds by itself: method → names. */
export const ADDED_FIELDS: Table<string[]> = {
  worker: {
    DELETE: {
      instead: ["content-length"],
      reason: "the fetch of workerd says of a DELETE that it has no body",
    },
  },
};

/** What is seen for `key`: the exception of that runtime, or what holds for all others. */
export function expectedOf<T>(table: Table<T>, runtime: RuntimeName, key: string, otherwise: T): T {
  const exception = table[runtime]?.[key];
  return exception ? exception.instead : otherwise;
}
