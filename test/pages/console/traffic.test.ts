/**
 * Live traffic: what the ring holds, who may watch it, and what it costs.
 * @module
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  answerTraffic,
  MAX_WATCHERS,
  RING_SIZE,
  type ShareTraffic,
  Traffic,
  type TrafficRecord,
} from "../../../src/pages/console/traffic.ts";
import type { FlowBody } from "../../../src/http/flow.ts";
import { discard } from "../../../src/http/body.ts";
import { RequestRecord } from "../../../src/exchange/record.ts";
import { exchangeOf } from "./browser/exchange.ts";

const BROWSER = { "sec-fetch-site": "same-origin" };

/** A record of a request that is over. */
function recordOf(fields: Partial<TrafficRecord> = {}, method = "GET"): TrafficRecord {
  return Object.assign(
    new RequestRecord(method, []),
    { target: "a.test", selector: "url", status: 200 },
    fields,
  );
}

/** Reads messages of a stream, comments left out. */
function readerOf(body: FlowBody) {
  const reader = body.stream().getReader();
  const next = async () => {
    const { done, value } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
  const data = async () => JSON.parse(/^data: (.*)$/m.exec(await next() ?? "")?.[1] ?? "null");
  return { next, data, cancel: () => reader.cancel() };
}

const signal = () => new AbortController().signal;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the ring", () => {
  it("holds the last requests, oldest first", () => {
    const traffic = new Traffic();
    for (let index = 0; index < RING_SIZE + 5; index += 1) traffic.note(recordOf({ status: 200 + index }));
    expect(traffic.entries).toHaveLength(RING_SIZE);
    expect(traffic.entries.map(({ id }) => id)).toEqual(
      Array.from({ length: RING_SIZE }, (_, index) => index + 5),
    );
  });

  it.each([
    { length: 300, isKept: true },
    { length: 301, isKept: false },
  ])(
    "holds a setting of $length characters, whose names a caller may choose: $isKept",
    ({ length, isKept }) => {
      const traffic = new Traffic();
      const setting = "HOSTS=".padEnd(length, "a");
      traffic.note(recordOf({ setting }));
      expect(traffic.entries[0]?.setting).toBe(isKept ? setting : undefined);
    },
  );

  it("names the token of a caller by its id", () => {
    const traffic = new Traffic();
    traffic.note(recordOf({ callerId: "ci" }));
    expect(traffic.entries[0]?.callerId).toBe("ci");
  });

  it("holds what the console shows, and nothing else", () => {
    const traffic = new Traffic();
    const record = recordOf({
      bytesIn: 1,
      bytesOut: 2,
      headMs: 3,
      totalMs: 4,
      caller: "192.0.2.1",
      cause: new Error("x"),
    });
    traffic.aim(record, "PUT", { origin: new URL("https://a.test"), path: "/v1/p?token=secret" });
    traffic.note(record);
    expect(traffic.entries).toEqual([{
      id: 0,
      time: record.time,
      method: "PUT",
      selector: "url",
      target: "a.test",
      address: "https://a.test/v1/p",
      isPartial: true,
      status: 200,
      bytesIn: 1,
      bytesOut: 2,
      headMs: 3,
      totalMs: 4,
    }]);
  });

  it("never sees a query, not even in the record", () => {
    const record = recordOf();
    new Traffic().aim(record, "GET", { origin: new URL("https://a.test"), path: "/p?token=secret" });
    expect(record.aim).toEqual({ method: "GET", address: "https://a.test/p?" });
  });

  it("cuts a long method", () => {
    const traffic = new Traffic();
    traffic.note(recordOf({}, "M".repeat(9_000)));
    expect(traffic.entries[0]?.method).toHaveLength(32);
  });

  it.each([
    { about: "a forwarded request", fields: {}, kept: 1 },
    {
      about: "a refused request",
      fields: { target: undefined, error: "token_missing" as const, status: 401 },
      kept: 1,
    },
    { about: "a request to the proxy itself", fields: { target: undefined }, kept: 0 },
  ])("$about: $kept", ({ fields, kept }) => {
    const traffic = new Traffic();
    traffic.note(recordOf(fields));
    expect(traffic.entries).toHaveLength(kept);
  });

  it("sets no timer while nobody watches", () => {
    const traffic = new Traffic();
    traffic.note(recordOf());
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a watcher", () => {
  it("gets the ring first, then what is gathered, in one message", async () => {
    const traffic = new Traffic();
    traffic.note(recordOf());
    const reader = readerOf(traffic.watch(signal()));
    expect(await reader.next()).toMatch(/^retry: \d+\nevent: ring\ndata: .*"id":0/);
    traffic.note(recordOf());
    traffic.note(recordOf());
    vi.advanceTimersByTime(100);
    const { entries, skipped } = await reader.data();
    expect([entries.map(({ id }: { id: number }) => id), skipped]).toEqual([[1, 2], 0]);
  });

  it("sees what other processes answer, too", async () => {
    const takers: Parameters<ShareTraffic>[0][] = [];
    const share: ShareTraffic = (take) => {
      takers.push(take);
      const others = () => takers.filter((other) => other !== take);
      return (entries) => others().forEach((other) => other(structuredClone(entries)));
    };
    const [one, other] = [new Traffic("ticket", share), new Traffic("ticket", share)];
    one.note(recordOf({ target: "before.test" }));
    vi.advanceTimersByTime(100);
    const reader = readerOf(other.watch(signal()));
    expect(await reader.next()).toContain('"target":"before.test"');
    other.note(recordOf({ target: "here.test" }));
    vi.advanceTimersByTime(100);
    one.note(recordOf({ target: "there.test" }));
    vi.advanceTimersByTime(100);
    const [here, there] = [await reader.data(), await reader.data()];
    expect([...here.entries, ...there.entries]).toMatchObject([
      { id: 1, target: "here.test" },
      { id: 2, target: "there.test" },
    ]);
    expect(one.entries.map(({ target }) => target)).toEqual(["before.test", "here.test", "there.test"]);
  });

  it("gets no more than a ring at once", async () => {
    const traffic = new Traffic();
    const reader = readerOf(traffic.watch(signal()));
    await reader.next();
    for (let index = 0; index < RING_SIZE + 7; index += 1) traffic.note(recordOf());
    vi.advanceTimersByTime(100);
    const { entries, skipped } = await reader.data();
    expect([entries.length, skipped]).toEqual([RING_SIZE, 7]);
  });

  it("is kept alive", async () => {
    const reader = readerOf(new Traffic().watch(signal()));
    await reader.next();
    vi.advanceTimersByTime(15_000);
    expect(await reader.next()).toBe(": alive\n\n");
  });

  it("that reads too slowly is cut off", () => {
    const traffic = new Traffic();
    traffic.watch(signal());
    vi.advanceTimersByTime(15_000 * 70);
    expect(traffic.watchers).toBe(0);
  });

  it.each([
    { about: "the caller is gone", end: "abort" as const },
    { about: "the stream is cancelled", end: "cancel" as const },
    { about: "the proxy stops", end: "close" as const },
  ])("leaves when $about, and no timer stays", async ({ end }) => {
    const traffic = new Traffic();
    const controller = new AbortController();
    const reader = readerOf(traffic.watch(controller.signal));
    await { abort: () => controller.abort(), cancel: () => reader.cancel(), close: () => traffic.close() }
      [end]();
    expect([traffic.watchers, vi.getTimerCount()]).toEqual([0, 0]);
    traffic.note(recordOf());
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is refused where too many watch already", () => {
    const traffic = new Traffic();
    for (let count = 0; count < MAX_WATCHERS; count += 1) traffic.watch(signal());
    expect(() => traffic.watch(signal())).toThrow(expect.objectContaining({ code: "overloaded" }));
  });
});

describe("answerTraffic", () => {
  const traffic = new Traffic();
  const path = `/__proxy__/traffic?ticket=${traffic.ticket}`;

  it.each([
    { about: "a program", asked: {}, seesTraffic: true },
    { about: "the console", asked: { fields: BROWSER, path }, seesTraffic: true },
  ])("is an event stream for $about", ({ asked, seesTraffic }) => {
    const response = answerTraffic(exchangeOf(asked), traffic, seesTraffic);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("cache-control")).toBe("no-store");
    discard(response.body);
  });

  it.each([
    { about: "where private targets are refused", asked: { fields: BROWSER, path }, seesTraffic: false },
    { about: "for a program there", asked: {}, seesTraffic: false },
    { about: "for a page without the ticket", asked: { fields: BROWSER }, seesTraffic: true },
    {
      about: "for a page with another",
      asked: { fields: BROWSER, path: "/__proxy__/traffic?ticket=x" },
      seesTraffic: true,
    },
  ])("is forbidden $about", ({ asked, seesTraffic }) => {
    expect(() => answerTraffic(exchangeOf(asked), traffic, seesTraffic)).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
    expect(traffic.watchers).toBe(0);
  });

  it("answers HEAD without a stream, and no other method", () => {
    expect(answerTraffic(exchangeOf({ method: "HEAD" }), traffic, true).body).toBeNull();
    expect(() => answerTraffic(exchangeOf({ method: "POST" }), traffic, true)).toThrow(
      expect.objectContaining({ code: "method_not_allowed" }),
    );
  });
});
