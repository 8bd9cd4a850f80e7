/**
 * What a runtime does not have at all, with the reason. Its topics are left out there, and `docs/conformance.md` says so.
 * @module
 */
import type { RuntimeName } from "./proxy.ts";

/** What a topic needs, in the words of the document. */
export type Capability =
  | "a command line"
  | "a TLS listener of its own"
  | "authorities of its environment"
  | "look-ups of names"
  | "a listener that it knows"
  | "sight of joined WebSockets"
  | "word of callers who leave before an answer";

type Lacks = Partial<Record<Capability, string>>;

const PLATFORM = "the platform runs the Worker: ";

/** Runtime → capability → why it has none. */
export const LACKS: Record<RuntimeName, Lacks> = {
  bun: {},
  deno: {},
  node: {},
  worker: {
    "a command line":
      `${PLATFORM}it has no flags, no start line, no terminal, no signals and no exit code; a bad setting is ` +
      "told in the log, and every request is a 500 until it is mended",
    "a TLS listener of its own": `${PLATFORM}TLS ends before it, \`TLS_CERT\` and \`TLS_KEY\` say nothing`,
    "authorities of its environment": `${PLATFORM}whose certificates are believed is its own affair`,
    "look-ups of names":
      "a Worker dials no address, so none is judged: names are left to the platform's own " +
      "filter of egress, and only addresses and lists of names are judged here",
    "a listener that it knows": `${PLATFORM}nobody tells it where it listens, so \`auto\` refuses private ` +
      "targets, no origin on loopback is granted anything, and it knows itself by its labels and `CDN-Loop` alone",
    "sight of joined WebSockets":
      "a joined WebSocket is handed to the platform: its bytes are not counted, its " +
      "end is not seen, and it keeps no place in `MAX_CONCURRENT`",
    "word of callers who leave before an answer":
      "workerd alone does not tell a Worker that its caller has gone: " +
      "the target is asked to the end, at the latest for `TIMEOUT_MS`",
  },
};

/** Declares tests that need a capability, where there is one. */
export function declareWith(runtime: RuntimeName, capability: Capability, declare: () => void): void {
  if (LACKS[runtime][capability] === undefined) declare();
}

/** The rows of a table that need a capability; none where there is none. */
export function rowsWith<T>(runtime: RuntimeName, capability: Capability, rows: readonly T[]): readonly T[] {
  return LACKS[runtime][capability] === undefined ? rows : [];
}
