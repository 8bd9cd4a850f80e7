/** What a search finds, and how it is marked. @module */
import { describe, expect, it } from "vitest";
import { markPieces } from "../../../../src/console/answer/body/painting.ts";
import { MAX_MATCHES, readBytes, Search } from "../../../../src/console/answer/body/search.ts";

function find(text: string, query: string, kind: "text" | "json" | "bytes" = "text"): [number, number][] {
  const search = new Search({ text, kind }, query);
  while (!search.advance(0));
  return Array.from({ length: search.starts.length }, (_, index) => [
    search.starts.at(index),
    search.ends.at(index),
  ]);
}

describe("Search", () => {
  it.each([
    { about: "any case", text: "Ab aB", query: "ab", found: [[0, 2], [3, 5]] },
    { about: "text and no pattern", text: "a.c abc", query: "a.c", found: [[0, 3]] },
    { about: "neighbours", text: "aaaa", query: "aa", found: [[0, 2], [2, 4]] },
    { about: "nothing", text: "abc", query: "d", found: [] },
  ])("finds $about", ({ text, query, found }) => expect(find(text, query)).toEqual(found));

  it("finds JSON whatever blanks stand between its tokens", () => {
    expect(find('{"a" :\n1,"b c":2}', '"a": 1', "json")).toEqual([[1, 8]]);
    expect(find('{"b c":2}', "b c", "json")).toEqual([[2, 5]]);
    expect(find('{"bc":2}', "b c", "json")).toEqual([]);
  });

  it("finds bytes by hexadecimal digits, and text in them by its UTF-8", () => {
    const text = readBytes(Uint8Array.of(0, 0xde, 0xad, 0xbe, 0xef, 0xc3, 0xbc));
    expect(find(text, "DE AD", "bytes")).toEqual([[1, 3]]);
    expect(find(text, "0xbeef", "bytes")).toEqual([[3, 5]]);
    expect(find(text, "ü", "bytes")).toEqual([[5, 7]]);
  });

  it("finds what lies across two of its windows, once", () => {
    const text = `${"x".repeat(256 * 1_024 - 2)}needle${"x".repeat(300_000)}needle`;
    expect(find(text, "needle")).toEqual([[262_142, 262_148], [562_148, 562_154]]);
  });

  it("stops counting", () => expect(find("ab".repeat(MAX_MATCHES + 10), "a")).toHaveLength(MAX_MATCHES));
});

describe("markPieces", () => {
  it("cuts pieces at what was found, and joins those that look alike", () => {
    const search = new Search({ text: '"name":"Ann"', kind: "json" }, 'e":"a');
    search.advance(Infinity);
    const stretches = markPieces([
      { kind: "", text: "  ", at: -1, length: 0 },
      { kind: "key", text: '"name"', at: 0, length: 6 },
      { kind: "", text: ":", at: 6, length: 1 },
      { kind: "", text: " ", at: -1, length: 0 },
      { kind: "string", text: '"Ann"', at: 7, length: 5 },
    ], { search, current: 0 });
    expect(stretches.map(({ text, mark }) => [text, mark])).toEqual([
      ["  ", ""],
      ['"nam', ""],
      ['e"', "found current"],
      [":", "found current"],
      [" ", ""],
      ['"A', "found current"],
      ['nn"', ""],
    ]);
  });

  it("marks a byte as a whole", () => {
    const search = new Search({ text: "ab", kind: "bytes" }, "b");
    search.advance(Infinity);
    const bytes = [{ kind: "" as const, text: "61 ", at: 0, length: 1 }, {
      kind: "" as const,
      text: "62 ",
      at: 1,
      length: 1,
    }];
    expect(markPieces(bytes, { search, current: -1 }))
      .toEqual([{ kind: "", text: "61 ", mark: "" }, { kind: "", text: "62 ", mark: "found" }]);
  });
});
