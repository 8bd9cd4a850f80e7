import { describe, expect, it } from "vitest";
import { readPhases } from "../../../src/pages/console/hop-phases.ts";

describe("readPhases", () => {
  const WHOLE = { lookedUpMs: 4, connectedMs: 24, securedMs: 64, sentMs: 65, firstByteMs: 165, endMs: 170 };

  it.each([
    {
      what: "all steps",
      times: { startMs: 1, ...WHOLE },
      spans: [["lookUp", 1, 3], ["connect", 4, 20], ["tls", 24, 40], ["send", 64, 1], ["wait", 65, 100], [
        "transfer",
        165,
        5,
      ]],
    },
    {
      what: "a connection that was open",
      times: { startMs: 1, sentMs: 2, firstByteMs: 5, endMs: 5, isReused: true },
      spans: [["send", 1, 1], ["wait", 2, 3], ["transfer", 5, 0]],
    },
    {
      what: "an answer before the request was over",
      times: { startMs: 0, sentMs: 9, firstByteMs: 5, endMs: 7 },
      spans: [["send", 0, 9], ["wait", 9, 0], ["transfer", 9, 0]],
    },
    {
      what: "a failure to connect",
      times: { startMs: 0, lookedUpMs: 2, endMs: 12 },
      spans: [["lookUp", 0, 2], ["transfer", 2, 10]],
    },
    {
      what: "connecting now",
      times: { startMs: 0, lookedUpMs: 2 },
      now: 12,
      spans: [["lookUp", 0, 2], ["connect", 2, 10]],
    },
    { what: "sending now", times: { startMs: 0, isReused: true }, now: 12, spans: [["send", 0, 12]] },
    {
      what: "waiting now",
      times: { startMs: 0, sentMs: 2 },
      now: 12,
      spans: [["send", 0, 2], ["wait", 2, 10]],
    },
    {
      what: "receiving now",
      times: { startMs: 0, sentMs: 2, firstByteMs: 3 },
      now: 12,
      spans: [["send", 0, 2], ["wait", 2, 1], ["transfer", 3, 9]],
    },
    {
      what: "nothing runs once it is over",
      times: { startMs: 0, endMs: 3 },
      now: 12,
      spans: [["transfer", 0, 3]],
    },
  ])("$what", ({ times, now, spans }) => {
    expect(readPhases(times, now).map(({ phase, startMs, ms }) => [phase, startMs, ms])).toEqual(spans);
  });
});
