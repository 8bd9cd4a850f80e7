import { expect, it } from "vitest";
import { sumTimings, writeTimings } from "../../../src/parts/console/har-timings.ts";
import { rowsOf } from "../../support/rows.ts";

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
