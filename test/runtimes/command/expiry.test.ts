/**
 * When a signed link expires: durations and times.
 * @module
 */
import { describe, expect, it } from "vitest";
import { readExpiry } from "../../../src/runtimes/command/expiry.ts";

const NOW = 1_700_000_000.9;

describe("readExpiry", () => {
  it.each([
    { text: "30s", end: 1_700_000_030 },
    { text: "15m", end: 1_700_000_900 },
    { text: "1h", end: 1_700_003_600 },
    { text: "7d", end: 1_700_604_800 },
    { text: "2100-01-01", end: 4_102_444_800 },
    { text: "2100-01-01T00:00Z", end: 4_102_444_800 },
    { text: "2100-01-01T01:00:00+01:00", end: 4_102_444_800 },
    { text: "2100-01-01T00:00:00.999Z", end: 4_102_444_800 },
  ])("$text", ({ text, end }) => {
    expect(readExpiry(text, NOW)).toBe(end);
  });

  it.each([
    { text: "", state: "it is neither a duration nor a time" },
    { text: "1", state: "it is neither a duration nor a time" },
    { text: "1.5h", state: "it is neither a duration nor a time" },
    { text: "-1h", state: "it is neither a duration nor a time" },
    { text: "1w", state: "it is neither a duration nor a time" },
    { text: "1h30m", state: "it is neither a duration nor a time" },
    { text: "tomorrow", state: "it is neither a duration nor a time" },
    { text: "2100-01-01T00:00:00", state: "it is neither a duration nor a time" },
    { text: "2100-13-01", state: "it is neither a duration nor a time" },
    { text: "0s", state: "it is not in the future" },
    { text: "2001-01-01", state: "it is not in the future" },
    { text: "999999999d", state: "it is too far away" },
  ])("refuses $text: $state", ({ text, state }) => {
    expect(() => readExpiry(text, NOW)).toThrow(
      `Cannot use --expires ${text}: ${state}, expected a duration such as`,
    );
  });
});
