/**
 * Field lines, trailers and interim responses in HAR.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { FieldLine } from "../../../src/parts/capture/capture.ts";
import {
  valuesOf,
  writeFields,
  writeInterims,
  writeTrailers,
} from "../../../src/parts/console/har-fields.ts";

const LINES: FieldLine[] = [["X-A", "1"], ["b", ""], ["x-a", "2"]];
const PAIRS = [{ name: "X-A", value: "1" }, { name: "b", value: "" }, { name: "x-a", value: "2" }];

describe("fields in HAR", () => {
  it("stay line by line, in their order and letters", () => {
    expect(writeFields(LINES)).toEqual(PAIRS);
    expect(valuesOf(LINES, "x-a")).toEqual(["1", "2"]);
  });

  it("behind a body have a member of their own, where there are any", () => {
    expect(writeTrailers(LINES)).toEqual({ _trailers: PAIRS });
    expect(writeTrailers(undefined)).toEqual({});
  });

  it("before a response have one too, with the time in seconds", () => {
    const interim = { atMs: 250.5, status: 103, statusText: "Early Hints", headers: LINES };
    expect(writeInterims([interim], 1_000_000)).toEqual({
      _interimResponses: [{ time: 1_000.2505, status: 103, statusText: "Early Hints", headers: PAIRS }],
    });
    expect(writeInterims(undefined, 0)).toEqual({});
  });
});
