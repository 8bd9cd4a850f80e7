import { describe, expect, it } from "vitest";
import { judgeConnection, judgeTime } from "../../../../../src/pages/console/browser/inspector/timing.ts";
import { captureGet, capturePost } from "./captures.ts";

describe("judgeTime", () => {
  const [hop] = capturePost().hops;

  it.each([
    {
      what: "the target's",
      capture: capturePost(),
      said: "The target took 99 % of the time, most of it: wait",
    },
    {
      what: "the proxy's",
      capture: capturePost({ totalMs: 1_000 }),
      said: "The target took 17 % of the time",
    },
    { what: "no target's", capture: capturePost({ hops: [] }), said: "The proxy answered by itself" },
    {
      what: "that of two hops",
      capture: capturePost({ hops: [hop!, { ...hop!, times: { startMs: 200, endMs: 300 } }], totalMs: 300 }),
      said: "The target took 90 % of the time",
    },
    {
      what: "of one that runs",
      capture: capturePost({ isRunning: true, hops: [{ ...hop!, times: { startMs: 0, sentMs: 1 } }] }),
      nowMs: 2_000,
      said: "The target has taken 100 % of the time, most of it: wait",
    },
  ])("$what", ({ capture, nowMs, said }) => {
    expect(judgeTime(capture, nowMs)).toBe(said);
  });
});

describe("judgeConnection", () => {
  it.each([
    { times: { startMs: 0, isReused: true }, said: "kept connection" },
    { times: { startMs: 0, isReused: false }, said: "new connection" },
    { times: { startMs: 0, connectedMs: 1 }, said: "new connection" },
    { times: { startMs: 0 }, said: undefined },
  ])("$times", ({ times, said }) => {
    expect(judgeConnection({ ...captureGet("http://a.test/").hops[0]!, times })).toBe(said);
  });
});
