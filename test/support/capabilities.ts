/**
 * What a runtime does not have at all, with the reason. Its topics are left out there, and `docs/conformance.md` says so.
 * @module
 */
import { usesMemory } from "./memory-network.ts";
import type { RuntimeName } from "./proxy.ts";

/** What a topic needs, in the words of the document. */
export type Capability =
  | "a command line"
  | "a TLS listener of its own"
  | "a server of its own"
  | "authorities of its environment"
  | "connections of its own"
  | "look-ups of names"
  | "a listener that it knows"
  | "sight of joined WebSockets"
  | "word of callers who leave before a response";

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
      "reported in the log, and every request gets a 500 until it is fixed",
    "a TLS listener of its own": `${PLATFORM}TLS ends before it, \`TLS_CERT\` and \`TLS_KEY\` have no effect`,
    "a server of its own":
      `${PLATFORM}it passes no interim response on; it reads the requests of a connection, so what comes behind a refused handshake is the next of them, and ` +
      "a body in chunks that nobody has read ends the connection",
    "authorities of its environment": `${PLATFORM}it decides which authorities are trusted`,
    "connections of its own":
      `${PLATFORM}it makes the connections to targets and shares them, so a table with \`host\`, \`upstream\` or a member about TLS is a bad setting, and a login by NTLM or Negotiate gets a 501`,
    "look-ups of names":
      "a Worker dials no address, so it checks none: the platform filters where names lead, " +
      "and the Worker checks only literal addresses and lists of names",
    "a listener that it knows":
      `${PLATFORM}the Worker does not know where it listens, so \`auto\` refuses private ` +
      "targets, loopback origins get no rights, and it recognises itself by its labels and `CDN-Loop` only",
    "sight of joined WebSockets":
      "the platform joins both sides: the proxy does not count the bytes, does not see " +
      "the end, and holds no place in `MAX_CONCURRENT`",
    "word of callers who leave before a response":
      "workerd alone does not tell a Worker that the client closed the connection: " +
      "the request to the target goes on to its end, or until `TIMEOUT_MS`",
  },
};

/** What a proxy in memory lacks, whatever its runtime. */
const LACKED_IN_MEMORY: ReadonlySet<Capability> = new Set([
  "a command line",
  "a TLS listener of its own",
  "authorities of its environment",
]);

/** Declares tests that need a capability, where there is one. */
export function declareWith(runtime: RuntimeName, capability: Capability, declare: () => void): void {
  if (LACKS[runtime][capability] === undefined && !(usesMemory() && LACKED_IN_MEMORY.has(capability))) {
    declare();
  }
}

/** The rows of a table that need a capability; none where there is none. */
export function rowsWith<T>(runtime: RuntimeName, capability: Capability, rows: readonly T[]): readonly T[] {
  return LACKS[runtime][capability] === undefined ? rows : [];
}

/** The rows of a table in which no runtime has a part: all of them on Node, one on the others. */
export function rowsOnce<T>(runtime: RuntimeName, rows: readonly T[]): readonly T[] {
  return runtime === "node" ? rows : rows.slice(0, 1);
}

/** Declares tests in which no runtime has a part: on Node. */
export function declareOnce(runtime: RuntimeName, declare: () => void): void {
  if (runtime === "node") declare();
}
