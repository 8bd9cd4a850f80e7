/** Live traffic: the last requests in memory, and what is kept of each. @module */
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { RING_SIZE, TrafficFacts, TrafficRing } from "../../../src/parts/console/traffic-requests.ts";
import { memoize } from "../../../src/core/http/memo.ts";
import { aimAt, summarize } from "../../../src/parts/console/traffic-message.ts";
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
    ring.missed += 3;
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

const AIM = aimAt("PUT", { origin: new URL("https://a.test"), path: "/p?token=secret" });
const RECORDS = [
  recordOf({ aim: AIM, bytesIn: 1, bytesOut: 2, headMs: 3.5, totalMs: 4.5, callerId: "ci" }),
  recordOf({ target: undefined, selector: undefined, error: "forbidden", setting: "HOSTS=a" }),
  recordOf(),
];

describe("the facts of a record", () => {
  it("tell what the record would tell, each in its place", () => {
    const facts = new TrafficFacts(RECORDS.length);
    RECORDS.forEach((record, place) => facts.put(place, record));
    expect(RECORDS.map((_, place) => summarize(facts.get(place)))).toEqual(RECORDS.map(summarize));
  });

  it("hold no more of a head than they tell, as what is remembered of texts", async () => {
    const facts = new TrafficFacts(1_000);
    const remember = memoize((text) => text);
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let place = 0; place < 1_000; place += 1) {
      const head = `${place} ${"x".repeat(100_000)}`.toUpperCase();
      remember(head.slice(0, 40));
      const path = head.slice(2, 40);
      facts.put(place, recordOf({ method: head.slice(1, 40), aim: { ...AIM, path } }));
    }
    await collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
  });

  it("are bounded, whatever a caller sends", async () => {
    const facts = new TrafficFacts(1_000);
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const told = Array.from({ length: 500 }, (_, place) => {
      const long = `${place}${"x/".repeat(30_000)}`;
      const origin = new URL(`https://${place}${"x.".repeat(30_000)}test`);
      const setting = `HOSTS=${long}`;
      const path = `/${long}`;
      const record = recordOf({ target: origin.host, setting, aim: { origin, path, method: long } }, long);
      facts.put(2 * place, record);
      const known = { ...AIM, path, method: long };
      facts.put(2 * place + 1, recordOf({ target: origin.host, setting, aim: known }, long));
      return summarize(facts.get(2 * place + 1));
    });
    expect(told[7]).toMatchObject({ method: `7${"x/".repeat(16)}`.slice(0, 32), isPartial: true });
    expect(told[7]?.target).toHaveLength(260);
    expect(told[7]?.address).toMatch(/^https:\/\/a\.test\/7(?:x\/)+x?$/);
    expect(told[7]?.setting).toBeUndefined();
    await collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  });

  it("show no part of a secret at a cut end", () => {
    const facts = new TrafficFacts(1);
    const secret = "aB3dE6gH9jK2mN5pQ8rS1tU4".repeat(4);
    facts.put(0, recordOf({ aim: { ...AIM, path: `/${"ab/".repeat(337)}${secret}/${"x/".repeat(40)}` } }));
    expect(summarize(facts.get(0)).address).toMatch(/ab\//);
    expect(summarize(facts.get(0)).address).not.toContain("aB3d");
  });

  it("leave nothing behind for the next one in their place", () => {
    const facts = new TrafficFacts(1);
    const told = RECORDS.map((record) => {
      facts.put(0, record);
      return summarize(facts.get(0));
    });
    expect(told).toEqual(RECORDS.map(summarize));
  });

  it("keeps no record alive, and no failure behind it", async () => {
    const facts = new TrafficFacts(1);
    // In a function of its own, so that no variable here holds it.
    const addFailed = () => {
      const record = recordOf({ cause: new Error("x"), error: "internal" });
      facts.put(0, record);
      return [new WeakRef(record), new WeakRef(record.cause as Error)];
    };
    const kept = addFailed();
    await collectGarbage();
    expect(kept.map((reference) => reference.deref())).toEqual([undefined, undefined]);
    expect(facts.get(0)).toMatchObject({ error: "internal" });
  });
});

/** Collects what was let go in a turn before. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  await setTimeout(0);
  runInNewContext("gc")();
}
