import { describe, expect, it } from "vitest";
import { Derived, Fields, KeptFields, linesOf, shapeOf } from "../../../src/core/http/fields.ts";
import { rowsOf } from "../../support/rows.ts";

describe("Fields", () => {
  const ONE: [string, string][] = [["a", "1"]];
  it.each(rowsOf(["about", "sent", "name", "got"], [
    ["one", ONE, "a", "1"],
    ["a repeated one, joined", [...ONE, ["a", "2"] as const], "a", "1, 2"],
    ["an empty one", [["a", ""] as const], "a", ""],
    ["none", ONE, "b", null],
    ["one of Object's", ONE, "constructor", null],
    ["__proto__", [["__proto__", "1"] as const], "__proto__", "1"],
    ["several cookies", [["set-cookie", "a"] as const, ["set-cookie", "b"] as const], "set-cookie", "a, b"],
  ]))("reads $about", ({ sent, name, got }) => {
    const fields = new Fields(sent);
    expect([fields.get(name), fields.has(name)]).toEqual([got, got !== null]);
  });

  it("keeps the order, and every line by itself", () => {
    const sent: [string, string][] = [["b", "1"], ["set-cookie", "x=1"], ["a", "2"], ["set-cookie", "y=2"], [
      "b",
      "3",
    ]];
    expect([...new Fields(sent)]).toEqual(sent);
  });

  it.each(["a", "set-cookie"])("sets and deletes %s", (name) => {
    const fields = new Fields([[name, "1"], [name, "2"]]);
    fields.set(name, "3");
    expect([...fields]).toEqual([[name, "3"]]);
    fields.delete(name);
    expect([...fields, fields.get(name), fields.has(name)]).toEqual([null, false]);
  });

  it("keeps names as they were written, line by line, through every change", () => {
    const fields = new Fields();
    for (const name of ["X-A", "b", "x-a", "B", "C"]) fields.append(name.toLowerCase(), "1", name);
    expect(linesOf(fields).map(([name]) => name)).toEqual(["X-A", "b", "x-a", "B", "C"]);
    const copy = new Fields(new KeptFields(fields));
    copy.set("b", "2");
    expect(linesOf(copy)).toEqual([["X-A", "1"], ["b", "2"], ["x-a", "1"], ["C", "1"]]);
    copy.delete("x-a");
    copy.set("c", "3", "c");
    copy.set("d", "4", "D");
    expect(linesOf(copy)).toEqual([["b", "2"], ["c", "3"], ["D", "4"]]);
    expect(linesOf(fields)).toHaveLength(5);
    expect(linesOf(new Headers([["X-A", "1"]]))).toEqual([["x-a", "1"]]);
  });

  it("copies, so that the original stays as it is", () => {
    const original = new Fields([["a", "1"], ["set-cookie", "x"]]);
    const copy = new Fields(original);
    copy.append("a", "2");
    copy.append("set-cookie", "y");
    expect([...original]).toEqual([["a", "1"], ["set-cookie", "x"]]);
  });
});

describe("KeptFields", () => {
  const LINES: [string, string][] = [["a", "1"], ["set-cookie", "x"], ["a", "2"], ["set-cookie", "y"]];
  const keptOf = () => new KeptFields(new Fields(LINES));

  it("are read as all others", () => {
    const kept = keptOf();
    expect([...kept]).toEqual(LINES);
    expect([kept.get("a"), kept.get("b"), kept.has("a"), kept.has("b")]).toEqual(["1, 2", null, true, false]);
  });

  it.each([
    { about: "set", change: (fields: Fields) => fields.set("a", "3") },
    { about: "set anew", change: (fields: Fields) => fields.set("b", "3") },
    { about: "append", change: (fields: Fields) => fields.append("a", "3") },
    { about: "delete", change: (fields: Fields) => fields.delete("a") },
    { about: "delete the last", change: (fields: Fields) => fields.delete("set-cookie") },
    { about: "clear", change: (fields: Fields) => fields.clear() },
  ])("can't be changed: $about", ({ change }) => {
    const kept = keptOf();
    expect(() => change(kept)).toThrow(TypeError);
    expect([...kept]).toEqual(LINES);
  });

  it("give copies that can be changed", () => {
    const kept = keptOf();
    const copy = new Fields(kept);
    copy.set("a", "3");
    copy.append("b", "4");
    copy.delete("set-cookie");
    expect([...copy]).toEqual([["a", "3"], ["b", "4"]]);
    expect([...kept]).toEqual(LINES);
  });

  it.each(rowsOf(["change", "left"], [
    [(copy: Fields) => copy.set("a", "3"), [["a", "3"], ["set-cookie", "x"], ["set-cookie", "y"]]],
    [(copy: Fields) => copy.append("b", "3"), [...LINES, ["b", "3"]]],
    [(copy: Fields) => copy.delete("a"), [["set-cookie", "x"], ["set-cookie", "y"]]],
    [(copy: Fields) => copy.clear(), []],
  ]))("are left as they are by the first change of a copy: $left", ({ change, left }) => {
    const kept = keptOf();
    const [copy, other] = [new Fields(kept), new Fields(kept)];
    expect([...copy]).toEqual(LINES);
    change(copy);
    expect([...copy]).toEqual(left);
    expect([...kept]).toEqual(LINES);
    expect([...other]).toEqual(LINES);
  });

  it("have the bytes of all names and values", () =>
    expect([keptOf().bytes, new Fields(LINES).bytes, new KeptFields(new Fields()).bytes])
      .toEqual([26, 26, 0]));

  it("tell nothing of names that every object has", () =>
    expect(["constructor", "__proto__", "toString"].map((name) => keptOf().get(name)))
      .toEqual([null, null, null]));
});

describe("fields of one shape", () => {
  const LINES: [string, string][] = [["host", "a"], ["x-id", "1"], ["x-empty", ""], ["x-a", "x-id"]];
  const shape = new KeptFields(new Fields(LINES), ["x-id", "x-none"]);
  const filled = () => shape.fill(["7"]);

  it("differ in the free values alone, which the shape does not hold", () => {
    expect([...shape]).toEqual([["host", "a"], ["x-id", ""], ["x-empty", ""], ["x-a", "x-id"]]);
    expect([...filled()]).toEqual([["host", "a"], ["x-id", "7"], ["x-empty", ""], ["x-a", "x-id"]]);
    expect([shape.free, shape.at, filled().bytes]).toEqual([["x-id"], [3], shape.bytes + 1]);
    expect(["host", "x-id", "x-empty", "x-a", "x-none"].map((name) => filled().get(name)))
      .toEqual(["a", "7", "", "x-id", null]);
    expect([shapeOf(filled()), shapeOf(shape)]).toEqual([shape, shape]);
  });

  it.each(rowsOf(["change", "left"], [
    [(copy: Fields) => copy.set("x-id", "8"), "8"],
    [(copy: Fields) => copy.append("x-id", "8"), "7, 8"],
    [(copy: Fields) => copy.delete("x-id"), null],
  ]))("are of none once they are changed: $left", ({ change, left }) => {
    const [fields, other] = [filled(), filled()];
    const copy = new Fields(fields);
    expect([copy.shape, copy.get("x-id")]).toEqual([shape, "7"]);
    change(copy);
    expect([copy.get("x-id"), copy.shape, shapeOf(copy)]).toEqual([left, undefined, copy]);
    expect([fields.get("x-id"), other.get("x-id"), shape.get("x-id")]).toEqual(["7", "7", ""]);
  });

  it("are the kept ones where nothing is free", () => {
    const kept = new KeptFields(new Fields(LINES));
    expect(kept.fill([])).toBe(kept);
  });

  it("have nothing derived but from their shape", () => {
    const derived = new Derived<string>();
    derived.keep(filled(), "of one request");
    expect([derived.takes(filled()), derived.recall(filled()), derived.recall(shape)]).toEqual([
      false,
      undefined,
      undefined,
    ]);
  });
});

describe("Derived", () => {
  it("keeps one thing for fields that come again, the last", () => {
    const derived = new Derived<string>();
    const kept = new KeptFields(new Fields());
    expect(derived.recall(kept)).toBeUndefined();
    derived.keep(kept, "one");
    expect([derived.recall(kept), derived.recall(kept)]).toEqual(["one", "one"]);
    derived.keep(kept, "two");
    expect(derived.recall(kept)).toBe("two");
  });

  it("is a place of its own, whatever others keep", () => {
    const [one, two] = [new Derived<string>(), new Derived<object>()];
    const kept = new KeptFields(new Fields());
    one.keep(kept, "one");
    expect(two.recall(kept)).toBeUndefined();
    two.keep(kept, { two: 2 });
    expect([one.recall(kept), two.recall(kept)]).toEqual(["one", { two: 2 }]);
  });

  it("keeps nothing for equal fields", () => {
    const derived = new Derived<string>();
    const kept = new KeptFields(new Fields([["a", "1"]]));
    derived.keep(kept, "one");
    const others = [new KeptFields(new Fields([["a", "1"]])), new KeptFields(kept), new Fields([...kept])];
    expect(others.map((other) => derived.recall(other))).toEqual([undefined, undefined, undefined]);
  });

  it("keeps the same for copies, until they are changed", () => {
    const derived = new Derived<string>();
    const kept = new KeptFields(new Fields([["a", "1"]]));
    const [copy, changed] = [new Fields(kept), new Fields(kept)];
    derived.keep(copy, "one");
    changed.append("a", "2");
    derived.keep(changed, "two");
    const all = [kept, copy, changed];
    expect(all.map((fields) => derived.recall(fields))).toEqual(["one", "one", undefined]);
    expect(all.map((fields) => derived.takes(fields))).toEqual([true, true, false]);
  });

  it.each([
    { about: "Fields", fields: new Fields([["a", "1"]]) },
    { about: "Headers", fields: new Headers([["a", "1"]]) },
  ])("keeps nothing for $about, which may change", ({ fields }) => {
    const derived = new Derived<string>();
    derived.keep(fields, "one");
    expect([derived.takes(fields), derived.recall(fields)]).toEqual([false, undefined]);
  });
});
