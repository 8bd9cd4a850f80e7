import { describe, expect, it } from "vitest";
import { Fields } from "../../src/http/fields.ts";

describe("Fields", () => {
  it.each([
    { about: "one", sent: [["a", "1"]], name: "a", got: "1" },
    { about: "a repeated one, joined", sent: [["a", "1"], ["a", "2"]], name: "a", got: "1, 2" },
    { about: "an empty one", sent: [["a", ""]], name: "a", got: "" },
    { about: "none", sent: [["a", "1"]], name: "b", got: null },
    { about: "one of Object's", sent: [["a", "1"]], name: "constructor", got: null },
    { about: "__proto__", sent: [["__proto__", "1"]], name: "__proto__", got: "1" },
    {
      about: "several cookies",
      sent: [["set-cookie", "a"], ["set-cookie", "b"]],
      name: "set-cookie",
      got: "a, b",
    },
  ] as { about: string; sent: [string, string][]; name: string; got: string | null }[])(
    "reads $about",
    ({ sent, name, got }) => {
      const fields = new Fields(sent);
      expect([fields.get(name), fields.has(name)]).toEqual([got, got !== null]);
    },
  );

  it("keeps the order, and every line by itself", () => {
    const sent: [string, string][] = [["b", "1"], ["set-cookie", "x=1"], ["a", "2"], ["set-cookie", "y=2"], [
      "b",
      "3",
    ]];
    expect([...new Fields(sent)]).toEqual(sent);
  });

  it("visits and lists the same lines", () => {
    const fields = new Fields([["a", "1"], ["b", "2"], ["a", "3"]]);
    const visited: string[] = [];
    fields.forEach((value, name) => visited.push(name, value));
    expect(visited).toEqual(["a", "1", "b", "2", "a", "3"]);
    expect(fields.lines).toEqual(visited);
  });

  it.each([{ name: "a" }, { name: "set-cookie" }])("sets and deletes $name", ({ name }) => {
    const fields = new Fields([[name, "1"], [name, "2"]]);
    fields.set(name, "3");
    expect([...fields]).toEqual([[name, "3"]]);
    fields.delete(name);
    expect([...fields, fields.get(name), fields.has(name)]).toEqual([null, false]);
  });

  it("copies, so that the original stays as it is", () => {
    const original = new Fields([["a", "1"], ["set-cookie", "x"]]);
    const copy = new Fields(original);
    copy.append("a", "2");
    copy.append("set-cookie", "y");
    expect([...original]).toEqual([["a", "1"], ["set-cookie", "x"]]);
  });
});
