/** Live traffic: the last requests in memory. @module */
import { describe, expect, it } from "vitest";
import { RING_SIZE, TrafficRing } from "../../../src/parts/console/traffic-ring.ts";
import { summarize } from "../../../src/parts/console/traffic-message.ts";
import { recordOf } from "./records.ts";

describe("the ring", () => {
  it("holds the last requests, oldest first", () => {
    const ring = new TrafficRing();
    for (let index = 0; index < RING_SIZE + 5; index += 1) ring.add(recordOf({ status: index }));
    expect(ring.newest().map(({ status }) => status))
      .toEqual(Array.from({ length: RING_SIZE }, (_, index) => index + 5));
    expect(ring.newest(2).map(({ status }) => status)).toEqual([RING_SIZE + 3, RING_SIZE + 4]);
    expect(ring.count).toBe(RING_SIZE + 5);
  });

  it("gives no more than there are, of this process and of others", () => {
    const ring = new TrafficRing();
    ring.add(summarize(recordOf({ status: 1 })));
    ring.add(recordOf({ status: 2 }));
    ring.miss(3);
    expect(ring.newest().map(({ status }) => status)).toEqual([1, 2]);
    expect([ring.count, ring.missed]).toEqual([2, 3]);
  });

  it("tells as long as something is captured that it is, and no longer", () => {
    const ring = new TrafficRing();
    const record = recordOf({ capture: {} as never });
    ring.add(record);
    const wasCaptured = ring.newest()[0]?.isCaptured;
    record.capture = undefined;
    expect([wasCaptured, ring.newest()[0]?.isCaptured]).toEqual([true, undefined]);
  });
});
