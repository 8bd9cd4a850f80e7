/** The spellings of keys as a tree, and what a place of a text may spell. @module */
import { describe, expect, it } from "vitest";
import { findChild, growTree, listSpellings } from "../../../src/parts/gate/spellings.ts";
import { otherOf, readHex, toLower } from "../../../src/parts/gate/spellings.ts";
import { alike } from "../../support/rows.ts";

it.each([
  { key: "short", spellings: ["short"] },
  { key: "Secret", spellings: ["secret", "u2vjcmv0", "nly3jld", "tzwnyzx"] },
])("the spellings of a key are itself and, from six bytes on, its Base64: $key", ({ key, spellings }) => {
  expect(listSpellings(key)).toEqual(spellings);
});

describe("the tree of spellings", () => {
  const tree = growTree([["A", "ab"], ["B", "abc"], ["C", "ab"]]);

  it("has one branch for a beginning that several share, of the key that was given first", () => {
    const b = findChild(findChild(tree.root, 0x61)!, 0x62)!;
    expect([tree.size, b.depth, b.name, b.whole, findChild(b, 0x63)?.whole]).toEqual([4, 2, "A", "A", "B"]);
    expect(findChild(tree.root, 0x62)).toBeUndefined();
  });

  it.each([
    ...alike("character", { isStart: true })`a A %`,
    { character: "\\", isStart: true },
    { character: "b", isStart: false },
  ])("knows whether a spelling may begin with $character", ({ character, isStart }) => {
    expect(tree.starts[character.charCodeAt(0)]).toBe(isStart);
  });
});

describe("a character", () => {
  it("of Latin-1 has the lower case that JavaScript has for it", () => {
    for (let code = 0; code < 0x100; code += 1) {
      expect(String.fromCharCode(toLower(code))).toBe(String.fromCharCode(code).toLowerCase());
    }
  });

  it("may stand for a blank, and in Base64 for addresses for another sign", () =>
    expect(["+", "-", "_"].map((one) => String.fromCharCode(otherOf(one.charCodeAt(0)))))
      .toEqual([" ", "+", "/"]));
});

it("two digits have their value, and nothing else has one", () => {
  const pairs = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code >> 8, code & 0xff));
  const wrong = pairs.filter((pair) =>
    readHex(pair, 0) !== (/^[\da-f]{2}$/i.test(pair) ? parseInt(pair, 16) : -1)
  );
  expect(wrong).toEqual([]);
});
