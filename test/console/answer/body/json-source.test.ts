/** JSON as lines: exact, foldable, and the same whether it comes at once or bit by bit. @module */
import { describe, expect, it } from "vitest";
import { JsonSource } from "../../../../src/console/answer/body/json-source.ts";
import { lineText } from "../../../../src/console/answer/body/line-source.ts";
import { alike, words } from "../../../support/rows.ts";

/** The lines of a text that is all there. */
function read(text: string, isWhole = true): JsonSource {
  const source = new JsonSource();
  source.update(text, isWhole);
  source.advance(Infinity);
  return source;
}

const linesOf = (source: JsonSource) =>
  Array.from({ length: source.count }, (_, line) => lineText(source, line));

const NESTED = '{"a":{},"b":[],"c":[1,{"d":null}],"e":"x, [y]: {z} \\"q\\"","f":-1.5E+3}';

describe("JsonSource", () => {
  it.each([
    ...alike("text")`{} [] [[[1],[2]],true,false] "text" 7`,
    { text: NESTED },
  ])("indents $text as JSON.stringify does", ({ text }) =>
    expect(linesOf(read(text)).join("\n"))
      .toBe(JSON.stringify(JSON.parse(text), null, 2).replace("-1500", "-1.5E+3")));

  it("keeps what a parser would lose, and drops only blanks", () => {
    expect(linesOf(read('\ufeff{ "id" :12345678901234567890 ,\r\n\t"a":1.0,"a":1e2, "e":"\\u00e9" }')))
      .toEqual(["{", '  "id": 12345678901234567890,', '  "a": 1.0,', '  "a": 1e2,', '  "e": "\\u00e9"', "}"]);
  });

  it("reads a text that comes by the character as one that comes at once", () => {
    const source = new JsonSource();
    for (let length = 1; length <= NESTED.length; length += 1) {
      source.update(NESTED.slice(0, length), length === NESTED.length);
      source.advance(Infinity);
      linesOf(source);
    }
    expect(linesOf(source)).toEqual(linesOf(read(NESTED)));
    expect(source.fault).toBeUndefined();
  });

  it("shows several values below each other", () =>
    expect(linesOf(read('{"a":1}\n[2]\n3'))).toEqual(["{", '  "a": 1', "}", "[", "  2", "]", "3"]));

  it.each([
    { text: "{a:1}", at: 1, expected: "a name in double quotes or }" },
    { text: "[1,]", at: 3, expected: "a value" },
    { text: '{"a" 1}', at: 5, expected: "a colon" },
    { text: "[01]", at: 1, expected: "a value or ]" },
    { text: "[1 2]", at: 3, expected: "a comma or ]" },
    { text: '{"a":1', at: 6, expected: "a comma or }" },
    { text: '["open', at: 1, expected: "a value or ]" },
    { text: "<html>", at: 0, expected: "a value" },
    { text: '{"a":1}}', at: 7, expected: "a value" },
  ])("says where $text is no JSON", ({ text, at, expected }) => {
    expect(read(text).fault).toEqual({ at, expected });
  });

  it.each(words`{"a":[1,2 {"a":"op [tru [-`)(
    "takes %s for the beginning of JSON as long as more may come",
    (text) => expect(read(text, false).fault).toBeUndefined(),
  );

  it("knows blocks, levels, members, and where a place of the text is shown", () => {
    const source = read('{"a":[1,2],"b":{"c":{}}}');
    expect(linesOf(source).map((_, line) => [source.level(line), source.lastLine(line)]))
      .toEqual([[0, 8], [1, 4], [2, 2], [2, 3], [1, 4], [1, 7], [2, 6], [1, 7], [0, 8]]);
    expect(source.summary(0)).toBe(" … 2 … ");
    expect(source.find(6)).toEqual({ line: 2, column: 4 });
  });

  it("cuts a long string where a row ends, without making all of it", () => {
    const source = read(JSON.stringify({ a: "y".repeat(1_000_000) }));
    expect(source.width(1)).toBe(1_000_009);
    expect(source.paint(1, 500, 510))
      .toEqual([{ kind: "string", text: "y".repeat(10), at: 498, length: 10 }]);
  });

  it("takes a long string of quotes and backslashes at once", () => {
    const text = JSON.stringify('"\\'.repeat(125_000));
    expect(linesOf(read(text))).toEqual([text]);
  });

  it("indents deep brackets no further, so that small ones stay small", () => {
    const source = read("[".repeat(9_000) + "]".repeat(9_000));
    expect(source.count).toBe(17_999);
    expect(source.widest).toBeLessThan(70);
  });

  it("shows control and direction characters as pictures", () =>
    expect(lineText(read('["a\u202eb\u0001"]'), 1)).toBe('  "a\ufffdb\u2401"'));
});
