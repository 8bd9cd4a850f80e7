import { describe, expect, it } from "vitest";
import { judgeConnection, judgeTime } from "../../../src/console/inspector/timing.ts";
import { captureGet, capturePost } from "./captures.ts";
import { rowsOf } from "../../support/rows.ts";

describe("judgeTime", () => {
  const [hop] = capturePost().hops;

  it.each(rowsOf(["what", "capture", "said", "nowMs"], [
    ["the target's", capturePost(), "The target took 99 % of the time, most of it: wait"],
    ["the proxy's", capturePost({ totalMs: 1_000 }), "The target took 17 % of the time"],
    ["too short to blame anybody", capturePost({ totalMs: 3.3 }), "3.3 ms in all"],
    [
      "the upload's",
      capturePost({ hops: [{ ...hop!, times: { startMs: 0, sentMs: 160, endMs: 171.5 } }] }),
      "Sending the request took most of the time",
    ],
    ["no target's", capturePost({ hops: [] }), "The proxy answered by itself"],
    [
      "that of two hops",
      capturePost({ hops: [hop!, { ...hop!, times: { startMs: 200, endMs: 300 } }], totalMs: 300 }),
      "The target took 90 % of the time",
    ],
    [
      "of one that runs",
      capturePost({ isRunning: true, hops: [{ ...hop!, times: { startMs: 0, sentMs: 1 } }] }),
      "The target has taken 100 % of the time, most of it: wait",
      2_000,
    ],
  ]))("$what", ({ capture, nowMs, said }) => expect(judgeTime(capture, nowMs)).toBe(said));
});

it.each([
  { times: { startMs: 0, isReused: true }, said: "kept connection" },
  { times: { startMs: 0, isReused: false }, said: "new connection" },
  { times: { startMs: 0, connectedMs: 1 }, said: "new connection" },
  { times: { startMs: 0 }, said: undefined },
  { times: { startMs: 0, isReused: true }, connection: "2.7", said: "kept connection 2.7" },
  { times: { startMs: 0, isReused: false }, connection: "1", said: "new connection 1" },
  { times: { startMs: 0 }, connection: "443", said: "connection 443" },
])("judgeConnection $times $connection", ({ times, connection, said }) => {
  const hop = { ...captureGet("http://a.test/").hops[0]!, times, ...(connection && { connection }) };
  expect(judgeConnection(hop)).toBe(said);
});
