/** Text, bytes and events as lines, the rows of a window, and its space. @module */
import { describe, expect, it } from "vitest";
import { EventLines } from "../../../../src/console/answer/body/event-lines.ts";
import { HexSource, readOffset } from "../../../../src/console/answer/body/hex-source.ts";
import { JsonSource } from "../../../../src/console/answer/body/json-source.ts";
import { type LineSource, lineText } from "../../../../src/console/answer/body/line-source.ts";
import { NumberList } from "../../../../src/console/answer/body/number-list.ts";
import { readAll, readLines } from "../../../../src/console/answer/body/line-selection.ts";
import { MAX_HEIGHT, RowMap, ScrollSpace } from "../../../../src/console/answer/body/row-map.ts";
import { TextSource } from "../../../../src/console/answer/body/text-source.ts";

const linesOf = (source: LineSource) =>
  Array.from({ length: source.count }, (_, line) => lineText(source, line));

function textOf(...parts: string[]): TextSource {
  const source = new TextSource();
  let text = "";
  for (const part of parts) {
    source.update(text += part);
    source.advance(Infinity);
  }
  return source;
}

it("NumberList grows, and finds the last number that is not above a value", () => {
  const list = new NumberList();
  for (let value = 0; value < 5_000; value += 1) list.push(value * 10);
  expect([list.length, list.at(4_999), list.at(5_000)]).toEqual([5_000, 49_990, 0]);
  expect([0, 9, 10, 49_999].map((value) => list.lastAtMost(value))).toEqual([0, 0, 1, 4_999]);
});

describe("TextSource", () => {
  it.each([
    { parts: [""], lines: [""] },
    { parts: ["a"], lines: ["a"] },
    { parts: ["a\n"], lines: ["a"] },
    { parts: ["a\r\n\r\nb"], lines: ["a", "", "b"] },
    { parts: ["a\n", "b", "c\n", "\n"], lines: ["a", "bc", ""] },
    { parts: ["a\rb\0"], lines: ["a\u240db\u2400"] },
  ])("makes lines of $parts", ({ parts, lines }) => expect(linesOf(textOf(...parts))).toEqual(lines));

  it("is found again by place, and copied by line and column", () => {
    const source = textOf("first\nsecond\nthird");
    expect(source.find(8)).toEqual({ line: 1, column: 2 });
    expect(readLines(source, { line: 0, column: 3 }, { line: 2, column: 2 })).toBe("st\nsecond\nth");
    expect(readLines(source, { line: 1, column: 1 }, { line: 1, column: 3 })).toBe("ec");
    expect(readAll(source)).toBe("first\nsecond\nthird");
  });
});

describe("HexSource", () => {
  it("shows offset, bytes and characters, by sixteen or eight", () => {
    const source = new HexSource();
    source.update(Uint8Array.from({ length: 20 }, (_, index) => index + 48));
    expect(linesOf(source)).toEqual([
      "00000000  30 31 32 33 34 35 36 37  38 39 3a 3b 3c 3d 3e 3f  0123456789:;<=>?",
      "00000010  40 41 42 43                                       @ABC",
    ]);
    source.step = 8;
    expect(linesOf(source)[2]).toBe("00000010  40 41 42 43              @ABC");
    expect(source.find(17)).toEqual({ line: 2, column: 0 });
  });

  it.each([
    { text: "1024", at: 1_024 },
    { text: " 0x400 ", at: 1_024 },
    { text: "400h", at: 1_024 },
    { text: "4g", at: undefined },
    { text: "", at: undefined },
  ])("goes to offset $text", ({ text, at }) => expect(readOffset(text)).toBe(at));
});

describe("EventLines", () => {
  const read = (...parts: string[]) => {
    const source = new EventLines();
    let text = "";
    for (const [index, part] of parts.entries()) {
      source.update(text += part, index === parts.length - 1);
      source.advance(Infinity);
    }
    return source;
  };

  it.each(["\n", "\r\n", "\r"])("lists events whose lines end in %s, as the standard reads them", (end) => {
    const text = [
      "\ufeff: hello",
      "id: 7",
      "event: tick",
      "data:a",
      "data:  b",
      "",
      "data",
      "",
      "retry: 5",
      "",
      "event: no",
      "",
    ];
    expect(linesOf(read(text.join(end)))).toEqual([
      "comment hello",
      "#2  tick  id 7",
      "  a",
      "   b",
      "#3  message",
      "  ",
      "#4  message  retry 5 ms",
      "#5  no  not ended",
    ]);
  });

  it("shows an event when it is complete, however its bytes come", () => {
    const text = "data: one\r\n\r\ndata: two\r\n\r\n";
    const source = read(...text);
    expect(linesOf(source)).toEqual(["#1  message", "  one", "#2  message", "  two"]);
    expect([source.lastLine(0), source.level(1), source.summary(0)]).toEqual([1, 1, "  one"]);
  });

  it("has the time at which an event was seen", () => {
    const source = new EventLines();
    source.update("data: one\n\n", false, new Date(2026, 0, 2, 3, 4, 5, 67).getTime());
    source.advance(Infinity);
    expect(linesOf(source)[0]).toBe("#1  03:04:05.067  message");
  });

  it("takes a flood of line ends, each looked at once", () =>
    expect(read("\r".repeat(500_000)).count).toBe(0));
});

describe("RowMap", () => {
  it("breaks long lines into rows, and finds the row of a column", () => {
    const rows = new RowMap(textOf("short\n" + "x".repeat(250) + "\nend"));
    rows.refresh();
    expect(rows.count).toBe(5);
    expect([0, 1, 2, 3, 4].map((row) => rows.locate(row))).toEqual([
      { line: 0, part: 0 },
      { line: 1, part: 0 },
      { line: 1, part: 1 },
      { line: 1, part: 2 },
      { line: 2, part: 0 },
    ]);
    expect([rows.rowOf(1, 0), rows.rowOf(1, 249), rows.rowOf(1, 9_999), rows.rowOf(2)]).toEqual([1, 3, 3, 4]);
  });

  it("folds and unfolds, and reveals what is hidden", () => {
    const source = new JsonSource();
    source.update('{"a":[1,2],"b":{"c":[3]}}', true);
    source.advance(Infinity);
    const rows = new RowMap(source);
    rows.refresh();
    const all = rows.count;
    expect(rows.fold(1, true)).toBe(true);
    expect([rows.count, rows.locate(2).line, rows.rowOf(2)]).toEqual([all - 3, 5, 1]);
    expect(rows.fold(2, true)).toBe(false);
    rows.foldAll(1);
    expect(rows.count).toBe(4);
    rows.reveal(7);
    expect(rows.isFolded(5)).toBe(false);
    expect(rows.headOf(7)).toBe(6);
    rows.unfoldAll();
    expect(rows.count).toBe(all);
  });
});

describe("ScrollSpace", () => {
  it("is as tall as its rows", () => {
    const space = new ScrollSpace(1_000, 20, 400);
    expect([space.height, space.isScaled, space.topOf(300), space.scrollOf(300), space.clamp(1e9)])
      .toEqual([20_000, false, 300, 300, 19_600]);
  });

  it("reaches the last of more rows than an element can be tall", () => {
    const space = new ScrollSpace(8_000_000, 20, 400);
    expect([space.height, space.isScaled]).toEqual([MAX_HEIGHT, true]);
    expect(space.topOf(MAX_HEIGHT - 400)).toBeCloseTo(8_000_000 * 20 - 400, 3);
    expect(space.scrollOf(space.topOf(12_345))).toBeCloseTo(12_345, 6);
  });
});
