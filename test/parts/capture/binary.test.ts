/** Bytes as text. @module */
import { expect, it } from "vitest";
import { toBinary } from "../../../src/parts/capture/binary.ts";

it.each([0, 1, 8_191, 8_192, 8_193, 300_000])("writes %i bytes, one character each", (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index % 256);
  expect(toBinary([bytes.subarray(0, 5), bytes.subarray(5)])).toBe(Buffer.from(bytes).toString("latin1"));
});
