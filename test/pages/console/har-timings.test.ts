import { describe, expect, it } from "vitest";
import { sumTimings, writeTimings } from "../../../src/pages/console/har-timings.ts";

describe("writeTimings", () => {
  it.each([
    {
      what: "a new connection with TLS",
      times: {
        startMs: 1,
        lookedUpMs: 4,
        connectedMs: 24,
        securedMs: 64,
        sentMs: 65,
        firstByteMs: 165,
        endMs: 170.5,
      },
      timings: { blocked: -1, dns: 3, connect: 60, ssl: 40, send: 1, wait: 100, receive: 5.5 },
      sum: 169.5,
    },
    {
      what: "a kept connection",
      times: { startMs: 0, sentMs: 1, firstByteMs: 3, endMs: 4, isReused: true },
      timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 1, wait: 2, receive: 1 },
      sum: 4,
    },
    {
      what: "no answer",
      times: { startMs: 0, lookedUpMs: 2 },
      timings: { blocked: -1, dns: 2, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 },
      sum: 2,
    },
  ])("$what", ({ times, timings, sum }) => {
    expect(writeTimings(times)).toEqual(timings);
    expect(sumTimings(writeTimings(times))).toBe(sum);
  });
});
