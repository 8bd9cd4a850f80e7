/** When a signed link expires: durations and times. */
import { describe, expect, it } from "vitest";
import { readExpiry } from "../../src/command/expiry.ts";
import { grouped } from "../support/rows.ts";

const NOW = 1_700_000_000.9;

describe("readExpiry", () => {
  it.each([
    { text: "30s", end: 1_700_000_030 },
    { text: "15m", end: 1_700_000_900 },
    { text: "1h", end: 1_700_003_600 },
    { text: "7d", end: 1_700_604_800 },
    { text: "2100-01-01", end: 4_102_444_800 },
    { text: "2104-02-29", end: 4_233_686_400 },
    { text: "2100-01-01T00:00Z", end: 4_102_444_800 },
    { text: "2100-01-01T01:00:00+01:00", end: 4_102_444_800 },
    { text: "2100-01-01T00:00:00.999Z", end: 4_102_444_800 },
  ])("$text", ({ text, end }) => expect(readExpiry(text, NOW)).toBe(end));

  it.each(grouped(["state", "text"], [
    ["it is neither a duration nor a time", [
      "",
      "1",
      "1.5h",
      "-1h",
      "1w",
      "1h30m",
      "tomorrow",
      "2100-01-01T00:00:00",
      "2100-13-01",
      "2100-02-29",
      "2104-02-30T00:00:00Z",
    ]],
    ["it is not in the future", ["0s", "2001-01-01"]],
    ["it is too far away", ["999999999d"]],
  ]))("refuses $text: $state", ({ text, state }) =>
    expect(() => readExpiry(text, NOW))
      .toThrow(`Cannot use --expires ${text}: ${state}, expected a duration such as`));
});
