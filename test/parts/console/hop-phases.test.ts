import { describe, expect, it } from "vitest";
import { readPhases, sumTimings, writeTimings } from "../../../src/parts/console/hop-phases.ts";
import { rowsOf } from "../../support/rows.ts";

describe("readPhases", () => {
  const WHOLE = { lookedUpMs: 4, connectedMs: 24, securedMs: 64, sentMs: 65, firstByteMs: 165, endMs: 170 };

  it.each(rowsOf(["what", "times", "spans", "now"], [
    [
      "all steps",
      { startMs: 1, ...WHOLE },
      "lookUp 1+3, connect 4+20, tls 24+40, send 64+1, wait 65+100, transfer 165+5",
    ],
    [
      "a connection that was open",
      { startMs: 1, sentMs: 2, firstByteMs: 5, endMs: 5, isReused: true },
      "send 1+1, wait 2+3, transfer 5+0",
    ],
    [
      "an answer before the request was over",
      { startMs: 0, sentMs: 9, firstByteMs: 5, endMs: 7 },
      "send 0+9, wait 9+0, transfer 9+0",
    ],
    ["a failure to connect", { startMs: 0, lookedUpMs: 2, endMs: 12 }, "lookUp 0+2, transfer 2+10"],
    ["connecting now", { startMs: 0, lookedUpMs: 2 }, "lookUp 0+2, connect 2+10", 12],
    ["sending now", { startMs: 0, isReused: true }, "send 0+12", 12],
    ["waiting now", { startMs: 0, sentMs: 2 }, "send 0+2, wait 2+10", 12],
    ["receiving now", { startMs: 0, sentMs: 2, firstByteMs: 3 }, "send 0+2, wait 2+1, transfer 3+9", 12],
    ["nothing runs once it is over", { startMs: 0, endMs: 3 }, "transfer 0+3", 12],
  ]))("$what", ({ times, now, spans }) => {
    const told = readPhases(times, now).map(({ phase, startMs, ms }) => `${phase} ${startMs}+${ms}`);
    expect(told.join(", ")).toBe(spans);
  });
});

const NONE = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };
const OPENED = { startMs: 1, lookedUpMs: 4, connectedMs: 24, securedMs: 64 };

it.each(rowsOf(["what", "sum", "timings", "times"], [
  [
    "a new connection with TLS",
    169.5,
    { blocked: -1, dns: 3, connect: 60, ssl: 40, send: 1, wait: 100, receive: 5.5 },
    { ...OPENED, sentMs: 65, firstByteMs: 165, endMs: 170.5 },
  ],
  [
    "a kept connection",
    4,
    { ...NONE, send: 1, wait: 2, receive: 1 },
    { startMs: 0, sentMs: 1, firstByteMs: 3, endMs: 4, isReused: true },
  ],
  ["no answer", 2, { ...NONE, dns: 2 }, { startMs: 0, lookedUpMs: 2 }],
]))("writeTimings $what", ({ times, timings, sum }) => {
  expect(writeTimings(times)).toEqual(timings);
  expect(sumTimings(writeTimings(times))).toBe(sum);
});
