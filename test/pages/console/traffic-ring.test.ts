/**
 * Live traffic: the last requests in memory.
 * @module
 */
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { RING_SIZE, TrafficRing } from "../../../src/pages/console/traffic-ring.ts";
import { aimAt, summarize } from "../../../src/pages/console/traffic-message.ts";
import { recordOf } from "./records.ts";

describe("the ring", () => {
  it("holds the last requests, oldest first", () => {
    const ring = new TrafficRing();
    for (let index = 0; index < RING_SIZE + 5; index += 1) ring.add(recordOf({ status: index }));
    expect(ring.newest().map(({ status }) => status)).toEqual(
      Array.from({ length: RING_SIZE }, (_, index) => index + 5),
    );
    expect(ring.newest(2).map(({ status }) => status)).toEqual([RING_SIZE + 3, RING_SIZE + 4]);
    expect(ring.count).toBe(RING_SIZE + 5);
  });

  it("gives no more than there are, of this process and of others", () => {
    const ring = new TrafficRing();
    const entry = summarize(recordOf({ status: 1 }));
    ring.add(entry);
    ring.add(recordOf({ status: 2 }));
    ring.miss(3);
    expect(ring.newest().map(({ status }) => status)).toEqual([1, 2]);
    expect([ring.count, ring.missed]).toEqual([2, 3]);
  });

  it("tells of a record what the record itself would tell", () => {
    const ring = new TrafficRing();
    const records = [
      recordOf({ aim: aimAt("PUT", { origin: new URL("https://a.test"), path: "/p?token=secret" }) }),
      recordOf({ bytesIn: 1, bytesOut: 2, headMs: 3.5, totalMs: 4.5, callerId: "ci" }),
      recordOf({ target: undefined, selector: undefined, error: "forbidden", setting: "HOSTS=a" }),
    ];
    for (const record of records) ring.add(record);
    expect(ring.newest()).toEqual(records.map(summarize));
  });

  it("uses a place again without anything of the last request", () => {
    const ring = new TrafficRing();
    ring.add(recordOf({ error: "forbidden", setting: "HOSTS=a", callerId: "ci" }));
    const last = Array.from({ length: RING_SIZE }, () => recordOf());
    for (const record of last) ring.add(record);
    expect(ring.newest()).toEqual(last.map(summarize));
  });

  it("tells as long as something is captured that it is, and no longer", () => {
    const ring = new TrafficRing();
    const record = recordOf({ capture: {} as never });
    ring.add(record);
    const wasCaptured = ring.newest()[0]?.isCaptured;
    record.capture = undefined;
    expect([wasCaptured, ring.newest()[0]?.isCaptured]).toEqual([true, undefined]);
  });

  it("keeps no record alive, and no failure behind it", async () => {
    const ring = new TrafficRing();
    // In a function of its own, so that no variable here holds it.
    const addFailed = () => {
      const record = recordOf({ cause: new Error("x"), error: "internal" });
      ring.add(record);
      return [new WeakRef(record), new WeakRef(record.cause as Error)];
    };
    const kept = addFailed();
    await collectGarbage();
    expect(kept.map((reference) => reference.deref())).toEqual([undefined, undefined]);
    expect(ring.newest()).toMatchObject([{ error: "internal" }]);
  });
});

/** Collects what was let go in a turn before. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  await setTimeout(0);
  runInNewContext("gc")();
}
