/** The texts of settings and what they stand for; `config.test.ts` has those that a setting takes. */
import { describe, expect, it } from "vitest";
import { parseAudit, parseInteger } from "../../../src/core/settings/values.ts";
import { grouped } from "../../support/rows.ts";

it.each(grouped(["value", "text"], [
  [0, ["0"]],
  [10, ["10"]],
  [7, ["007"]],
  [undefined, ["11", "-1", "+1", "1.0", "1e1", "0x1", "", " 1", "٣", "1".repeat(16)]],
]))(
  "parseInteger: $text of 0 to 10: $value",
  ({ text, value }) => expect(parseInteger(text, 0, 10)).toBe(value),
);

describe("parseAudit", () => {
  it.each([
    { text: "stderr", value: { to: "stderr", isLoose: false } },
    { text: "a.jsonl,loose", value: { to: "a.jsonl", isLoose: true } },
    { text: "stderr , Loose", value: { to: "stderr", isLoose: true } },
    { text: "a,b", value: { to: "a,b", isLoose: false } },
  ])("reads $text", ({ text, value }) => expect(parseAudit(text)).toEqual(value));

  it.each(["", ",loose", "a\nb", "a\0b", "off", "True", "stdout", "-", '"a.log"', "'a.log'", "off,loose"])(
    "refuses %j",
    (text) => expect(parseAudit(text)).toBeUndefined(),
  );
  it.each(["stderr,lose", "a.log,", "a.log, Losse", "stderr,strict"])(
    "makes no file of a misspelt word: %j",
    (text) => expect(parseAudit(text)).toBeUndefined(),
  );
});
