/** The settings about capture. */
import { describe, expect, it } from "vitest";
import { CAPTURE_SETTINGS } from "../../../src/core/settings/capture-settings.ts";
import { readConfig } from "../../../src/core/settings/config.ts";

describe("capture", () => {
  it.each([
    { text: "off", value: "off" },
    { text: "OFF", value: "off" },
    { text: "console", value: "console" },
    { text: "heads", value: "heads" },
    { text: "1", value: 1 },
    { text: "65536", value: 65_536 },
    { text: "64KiB", value: 65_536 },
    { text: "64 kib", value: 65_536 },
    { text: "1MiB", value: 1_048_576 },
    { text: "16MiB", value: 16_777_216 },
    { text: "17MiB", value: undefined },
    { text: "0", value: undefined },
    { text: "64KB", value: undefined },
    { text: "64k", value: undefined },
    { text: "1.5MiB", value: undefined },
    { text: "-1", value: undefined },
    { text: "all", value: undefined },
    { text: "true", value: undefined },
  ])("$text: $value", ({ text, value }) => expect(CAPTURE_SETTINGS.capture.parse(text)).toBe(value));

  it("is refused by name, with what was expected", () => {
    expect(() => readConfig({ CAPTURE: "bodies" })).toThrow(
      'CAPTURE is "bodies", expected off, console, heads or a size from 1 to 16MiB such as 64KiB',
    );
  });
});

it.each([
  { text: "1048576", value: 1_048_576 },
  { text: "1MiB", value: 1_048_576 },
  { text: "4GiB", value: 4_294_967_296 },
  { text: "4294967297", value: undefined },
  { text: "1048575", value: undefined },
  { text: "heads", value: undefined },
])(
  "captureBytes: $text: $value",
  ({ text, value }) => expect(CAPTURE_SETTINGS.captureBytes.parse(text)).toBe(value),
);
