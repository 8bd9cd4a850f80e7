/** JSON, indented: blanks change and nothing else. @module */
import { describe, expect, it } from "vitest";
import { formatJson } from "../../../src/console/builder/body-editor.ts";

describe("formatJson (defect 2)", () => {
  it.each([
    { text: '{"id":12345678901234567890}', formatted: '{\n  "id": 12345678901234567890\n}' },
    { text: '{ "a" : 1.0, "b": 1e2, "a": 2 }', formatted: '{\n  "a": 1.0,\n  "b": 1e2,\n  "a": 2\n}' },
    { text: "[[],{},[1,-0.0]]", formatted: "[\n  [],\n  {},\n  [\n    1,\n    -0.0\n  ]\n]" },
    { text: '"a\\u00e9 \\" { , : [ "', formatted: '"a\\u00e9 \\" { , : [ "' },
    { text: " null ", formatted: "null" },
    { text: '{"a  b":"c  d\\\\"}', formatted: '{\n  "a  b": "c  d\\\\"\n}' },
    { text: "[ ]", formatted: "[]" },
  ])("$text", ({ text, formatted }) => {
    expect(formatJson(text)).toBe(formatted);
    expect(formatJson(formatted)).toBe(formatted);
  });

  it.each(["{", "[1,]", "", "1 2", "{'a':1}"])("throws for what is no JSON: %s", (text) => {
    expect(() => formatJson(text)).toThrow(SyntaxError);
  });
});
