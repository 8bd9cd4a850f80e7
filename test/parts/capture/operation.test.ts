/** Names of operations: JSON-RPC, MCP and GraphQL. @module */
import { describe, expect, it } from "vitest";
import { KeptBody } from "../../../src/parts/capture/kept-body.ts";
import { guardSecrets } from "../../../src/parts/capture/key-guard.ts";
import { nameOperation, Operation } from "../../../src/parts/capture/operation.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";

const rpc = (method: unknown, params?: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
const binary = (text: string) => Buffer.from(text).toString("latin1");

it.each([
  { body: rpc("tools/list"), name: "tools/list" },
  { body: rpc("tools/call", { name: "add", arguments: {} }), name: "tools/call add" },
  { body: rpc("prompts/get", { name: "größe" }), name: "prompts/get größe" },
  { body: rpc("resources/read", { uri: "file:///a?key=s3cret" }), name: "resources/read" },
  { body: rpc("eth_call", [{ name: "x" }]), name: "eth_call" },
  { body: [rpc("a"), rpc("b"), rpc("c")], name: "a +2" },
  { body: rpc("tools/call", { name: { a: 1 } }), name: "tools/call" },
  { body: rpc("tools/call", null), name: "tools/call" },
  { body: rpc(7), name: undefined },
  { body: { method: "tools/list" }, name: undefined },
  { body: { query: "query Me { me { id } }" }, name: "query Me" },
  { body: { query: "\n mutation Save($a: Int) { save }" }, name: "mutation Save" },
  { body: { query: "{ me { id } }" }, name: "query me" },
  { body: { query: "subscription { ticks }" }, name: "subscription ticks" },
  { body: { query: "query A { a } mutation B { b }", operationName: "B" }, name: "mutation B" },
  { body: { query: "query A { a }", operationName: "A" }, name: "query A" },
  { body: { query: "no GraphQL" }, name: undefined },
  { body: { query: 7 }, name: undefined },
  { body: [], name: undefined },
  { body: [null], name: undefined },
  { body: "tools/call", name: undefined },
  { body: rpc("a\u001b[2J\u202e"), name: "a?[2J?" },
  { body: rpc("x".repeat(1_000)), name: "x".repeat(80) },
])("$body is $name", ({ body, name }) => expect(nameOperation(binary(JSON.stringify(body)))).toBe(name));

it.each(["", "{", "[1", "a=1", '{"jsonrpc":'])(
  "%j names nothing",
  (body) => expect(nameOperation(body)).toBeUndefined(),
);

describe("an operation", () => {
  const LIST = JSON.stringify(rpc("tools/list"));
  const keep = (text: string, limit = 1_000_000) => {
    const body = new KeptBody(limit, { take: () => true }, () => 1);
    body.onBytes(new TextEncoder().encode(text));
    return body;
  };

  it("is named once the body has ended, and stays when its bytes are dropped", () => {
    const operation = new Operation();
    const body = keep(LIST);
    expect([operation.read(undefined, undefined), operation.read(body, undefined)])
      .toEqual([undefined, undefined]);
    body.onEnd();
    expect(operation.read(body, undefined)).toBe("tools/list");
    body.drop();
    expect(operation.read(body, undefined)).toBe("tools/list");
  });

  it.each([
    { about: "is not kept as a whole", text: LIST, limit: 10 },
    { about: "is too large", text: LIST + " ".repeat(262_144), limit: 1_000_000 },
  ])("has no name where the body $about", ({ text, limit }) => {
    const body = keep(text, limit);
    body.onEnd();
    expect(new Operation().read(body, undefined)).toBeUndefined();
  });

  it("holds no key of the table", () => {
    const guard = guardSecrets(hooksFor(tableOf({ "a.test": { set: { x: "{{KEY}}" } } })).secrets);
    const body = keep(JSON.stringify(rpc(`call ${KEYS["KEY"]}`)));
    body.onEnd();
    expect(new Operation().read(body, guard)).toBe("call {{KEY}}");
  });
});
