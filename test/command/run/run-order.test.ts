/** What the command line of `fetchvia run` asks for. @module */
import { expect, it } from "vitest";
import { readOrder } from "../../../src/command/run/run-program.ts";

const REPORT = { gate: "report", audit: "fetchvia-audit.jsonl" };

it.each<{ words: string[]; settings: Partial<typeof REPORT> }>([
  { words: [], settings: {} },
  { words: ["--report"], settings: REPORT },
  { words: ["--report", "--audit", "other.jsonl"], settings: { ...REPORT, audit: "other.jsonl" } },
  { words: ["--report", "--gate", "enforce"], settings: { ...REPORT, gate: "enforce" } },
])("run $words has the settings $settings", ({ words, settings }) => {
  const order = readOrder([...words, "--", "true"]);
  expect([order.program, order.settings["gate"], order.settings["audit"]])
    .toEqual([["true"], settings.gate, settings.audit]);
});

it.each([
  { words: [], says: "there is no program, expected it behind --" },
  { words: ["--"], says: "there is no program, expected it behind --" },
  { words: ["--", "", "x"], says: "there is no program, expected it behind --" },
  { words: ["true"], says: "Unexpected argument 'true'" },
  { words: ["--ttl", "8", "--", "true"], says: '--ttl is "8", expected --ttl with a time such as 30m' },
  ...["--port", "--signing-key", "--rate-limit-store"].map((flag) => ({
    words: [flag, "1", "--", "true"],
    says: `Unknown option '${flag}'`,
  })),
])("run $words is refused", ({ words, says }) => expect(() => readOrder(words)).toThrow(says));
