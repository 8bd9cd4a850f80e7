import { describe, expect, it } from "vitest";
import { memoize, memoizeLast } from "../../../src/core/http/memo.ts";

describe("memoize", () => {
  it("computes each text once, also where it gives nothing", () => {
    const asked: string[] = [];
    const length = memoize((text) => {
      asked.push(text);
      return text.length || undefined;
    });
    expect(["a", "a", "", "", "bb"].map(length)).toEqual([1, 1, undefined, undefined, 2]);
    expect(asked).toEqual(["a", "", "bb"]);
  });

  it("forgets what was not asked for while as many new texts came as it holds", () => {
    const asked: string[] = [];
    const identity = memoize((text) => {
      asked.push(text);
      return text;
    }, 2);
    ["a", "b", "c", "a", "d", "a", "b"].forEach(identity);
    expect(asked).toEqual(["a", "b", "c", "d", "b"]);
  });

  it("does not keep texts that could be too much together", () => {
    let times = 0;
    const length = memoize((text) => (times += 1) && text.length, 25_000);
    [41, 41, 40, 40].forEach((size) => length("a".repeat(size)));
    expect(times).toBe(3);
  });

  it("does not keep long texts", () => {
    let times = 0;
    const length = memoize((text) => {
      times += 1;
      return text.length;
    });
    expect([1_001, 1_001, 1_000, 1_000].map((size) => length("a".repeat(size))))
      .toEqual([1_001, 1_001, 1_000, 1_000]);
    expect(times).toBe(3);
  });

  it("does not remember what was thrown", () => {
    let times = 0;
    const fail = memoize(() => {
      times += 1;
      throw new Error("no");
    });
    expect(() => fail("a")).toThrow("no");
    expect(() => fail("a")).toThrow("no");
    expect(times).toBe(2);
  });
});

it("memoizeLast computes anew only for another argument, also where it gives nothing", () => {
  const asked: unknown[] = [];
  const double = memoizeLast((key: number | undefined) => {
    asked.push(key);
    return key && key * 2;
  });
  expect([undefined, undefined, 1, 1, 2, 1, 0, 0].map(double))
    .toEqual([undefined, undefined, 2, 2, 4, 2, 0, 0]);
  expect(asked).toEqual([undefined, 1, 2, 1, 0]);
});
