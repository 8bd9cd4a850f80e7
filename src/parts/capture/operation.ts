/**
 * What a request asks for, in the words of its protocol: JSON-RPC (so MCP) and GraphQL.
 * @module
 * @see JSON-RPC 2.0 §4; GraphQL over HTTP §5
 */

import type { KeyGuard } from "./key-guard.ts";
import type { KeptBody } from "./kept-body.ts";

/** Maximum bytes of a body that is read, and maximum characters of a name. */
const MOST_BYTES = 262_144;
const MOST_CHARACTERS = 80;
/** The methods of MCP that take a name. */
const NAMED = new Set(["tools/call", "prompts/get"]);
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const GRAPHQL_NAME = /^\s*(query|mutation|subscription)\s+(\w+)/;
const GRAPHQL_FIELD = /^\s*(?:(query|mutation|subscription)\b[^{]{0,1000})?\{\s*(\w+)/;

/** Names the operation of one request, once its body is there. */
export class Operation {
  #name: string | undefined;
  #isRead = false;

  /** @returns `undefined` for other bodies, and for one that is not kept as a whole */
  read(body: KeptBody | undefined, guard: KeyGuard | undefined): string | undefined {
    if (this.#isRead || !body?.isWhole) return this.#name;
    this.#isRead = true;
    this.#name = body.size > MOST_BYTES ? undefined : nameOperation(body.readText(guard));
    return this.#name;
  }
}

/**
 * Names the operation that a body asks for, such as `tools/call add` or `query Me`.
 *
 * @param binary one character for each byte
 */
export function nameOperation(binary: string): string | undefined {
  if (!/^\s*[[{]/.test(binary)) return undefined;
  const first = readFirst(binary);
  const { jsonrpc, method, params, query, operationName } = first.value;
  const name = jsonrpc === "2.0" && typeof method === "string"
    ? nameCall(method, params)
    : typeof query === "string"
    ? nameQuery(query, operationName)
    : undefined;
  if (name === undefined) return undefined;
  const more = first.count > 1 ? ` +${first.count - 1}` : "";
  return name.slice(0, MOST_CHARACTERS).replace(CONTROLS, "?") + more;
}

/** The first of a batch, or the only one. */
function readFirst(binary: string): { value: Readonly<Record<string, unknown>>; count: number } {
  try {
    const value: unknown = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0))),
    );
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    const [first] = all;
    const isObject = typeof first === "object" && first !== null;
    return { value: isObject ? first as Record<string, unknown> : {}, count: all.length };
  } catch {
    return { value: {}, count: 0 };
  }
}

function nameCall(method: string, params: unknown): string {
  const { name } = (params ?? {}) as { name?: unknown };
  return NAMED.has(method) && typeof name === "string" ? `${method} ${name}` : method;
}

/** A document may hold several operations: `operationName` says which one. */
function nameQuery(query: string, operationName: unknown): string | undefined {
  if (typeof operationName === "string" && operationName !== "") {
    const kind = ["mutation", "subscription"].find((kind) => query.includes(`${kind} ${operationName}`));
    return `${kind ?? "query"} ${operationName}`;
  }
  const [, kind = "query", name] = GRAPHQL_NAME.exec(query) ?? GRAPHQL_FIELD.exec(query) ?? [];
  return name === undefined ? undefined : `${kind} ${name}`;
}
