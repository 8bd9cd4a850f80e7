import { describe, expect, it } from "vitest";
import { createGate, Gate, isJson, readVariable } from "../../../src/parts/gate/gate.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { tableOf } from "../../support/table.ts";

describe("the gate", () => {
  it("adds the labels of the table, and takes them away with it", () => {
    const gate = new Gate(
      readOptions({ proxyLabels: "x=https://x.test" }),
      tableOf({ "a.test": { label: "a" } }),
    );
    expect([...gate.config.proxyLabels.keys()]).toEqual(["x", "a"]);
    gate.swap(tableOf({}));
    expect([...gate.config.proxyLabels.keys()]).toEqual(["x"]);
  });

  it("keeps the table before where a label is taken", () => {
    const table = tableOf({ "a.test": {} });
    const gate = new Gate(readOptions({ proxyLabels: "x=https://x.test" }), table);
    expect(() => gate.swap(tableOf({ "b.test": { label: "x" } })))
      .toThrow("Cannot use TARGETS: its label x is in PROXY_LABELS, expected it once");
    gate.refuse();
    expect(gate.table).toBe(table);
    expect(gate.reloads).toEqual({ loaded: 1, refused: 1 });
  });

  it("knows the revoked ids, and takes others in their place", () => {
    const gate = new Gate(readOptions({ revokedTokens: ["a", "b"] }));
    expect([...gate.revoked]).toEqual(["a", "b"]);
    gate.revoke(["c"]);
    expect([...gate.revoked]).toEqual(["c"]);
  });

  it("reads no file of revoked ids by itself", () =>
    expect(() => createGate(readOptions({ revokedTokens: "a,@ids.txt" })))
      .toThrow('REVOKED_TOKENS names "@ids.txt", expected ids: files can\'t be read here'));

  it("is the settings alone without a table", () => {
    const config = readOptions({});
    expect(createGate(config)).toMatchObject({ config, table: undefined });
  });

  it.each([
    { targets: { "a.test": { set: { x: "{{A}}" } } } },
    { targets: '{"a.test":{"set":{"x":"{{A}}"}}}' },
  ])("reads $targets with the keys it is lent", ({ targets }) => {
    const { table } = createGate(readOptions({ targets }), { A: 5 });
    expect(table?.entries[0]?.set).toEqual([{ name: "x", written: "x", value: "5", keys: ["A"] }]);
  });

  it("says how to lend keys where nothing was lent", () =>
    expect(() => createGate(readOptions({ targets: { "a.test": { set: { x: "{{A}}" } } } })))
      .toThrow("A is not set, expected variables, as in createProxy(options, { environment: process.env })"));

  it("reads no file by itself", () =>
    expect(() => createGate(readOptions({ targets: "targets.json" })))
      .toThrow('TARGETS is "targets.json", expected the JSON itself: files can\'t be read here'));

  it("tells JSON from a file's name, and text from other bindings", () => {
    expect([isJson(' {"a":1}'), isJson("a.json")]).toEqual([true, false]);
    expect([readVariable("a"), readVariable(1), readVariable({}), readVariable(null)])
      .toEqual(["a", "1", undefined, undefined]);
  });
});
