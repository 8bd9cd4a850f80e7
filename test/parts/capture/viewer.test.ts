/** The ids of viewers. @module */
import { expect, it } from "vitest";
import { isSameViewer, readViewer } from "../../../src/parts/capture/viewer.ts";

const ID = "0123456789abcdef0123456789abcdef";

it.each([
  { value: ID, read: ID },
  { value: "x".repeat(22), read: "x".repeat(22) },
  { value: "x".repeat(21), read: null },
  { value: "x".repeat(65), read: null },
  { value: `${ID}, ${ID}`, read: null },
  { value: "", read: null },
  { value: null, read: null },
])("an id is long and plain: $value", ({ value, read }) => expect(readViewer(value)).toBe(read));

it.each([
  { shown: ID, is: true },
  { shown: ID.replace("f", "e"), is: false },
  { shown: ID.slice(1), is: false },
  { shown: `${ID}0`, is: false },
  { shown: null, is: false },
])("$shown is the viewer: $is", ({ shown, is }) => expect(isSameViewer(shown, ID)).toBe(is));
