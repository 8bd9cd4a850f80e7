/** The filter of live traffic: what its terms mean, and what it says of those that mean nothing. @module */
import { afterEach, describe, expect, it, vi } from "vitest";
import { tellSpan } from "../../../src/console/traffic/brush.ts";
import { dropTerm, matches, parseFilter, putTerm, textOf } from "../../../src/console/traffic/filter.ts";
import type { TrafficEntry } from "../../../src/parts/console/traffic-message.ts";
import { entryOf } from "./entries.ts";
import { alike, rowsOf } from "../../support/rows.ts";

const ENTRY = entryOf({
  error: "target_timeout",
  callerId: "ci",
  status: 504,
  bytesOut: 1_500,
  totalMs: 120,
});
const RUNNING = entryOf({ isRunning: true, status: 0, totalMs: 0 });

function isMatch(
  text: string,
  entry: TrafficEntry = ENTRY,
  bodies = new Map<string, Set<string>>(),
): boolean {
  return matches(parseFilter(text), { entry, text: textOf(entry), now: entry.time + 5_000, bodies });
}

describe("a filter", () => {
  it.each([
    { text: "", expected: true },
    { text: "   ", expected: true },
    ...alike("text", { expected: true })`orders -other status:504 status:5xx status:50x STATUS:5XX
      status:4xx,5xx status:500-504 method:get method:POST,GET host:api path:orders path:/v1
      selector:cookie,url
      route:api.example.test:8443/v1/orders route:x,API.example.test:8443/v1/orders error:* error:timeout token:ci >100ms >=120ms <1s <2kb -running /v[12]\/ord/
      /ORDERS/i /v1/orders since:5s SINCE:1m since:4880ms since:1h https://api.example.test api.example.test:8443`,
    { text: "ORDERS 504", expected: true },
    { text: "orders nothing-like-that", expected: false },
    { text: '"target timeout"', expected: true },
    { text: '"timeout api"', expected: false },
    ...alike("text", { expected: false })`-orders status:400-499 -status:5xx -method:GET method:GE host:orders
      path:api route:/v1/orders route:api.example.test:8443 selector:cookie -error:* >120ms >1.5kib running captured /^post/ -/orders/ since:4.5s since:4879ms -since:5s -`,
    { text: ">1kb <1mb", expected: true },
    { text: "/get 504/", expected: true },
  ])("$text: $expected", ({ text, expected }) => {
    expect(parseFilter(text).map(({ problem }) => problem)).toEqual(parseFilter(text).map(() => undefined));
    expect(isMatch(text)).toBe(expected);
  });

  it.each([
    ...alike("text", { expected: true })`running >4s since:1s`,
    ...alike("text", { expected: false })`>6s status:5xx error:* token:*`,
  ])("$text, of a request that has run for 5 s: $expected", ({ text, expected }) => {
    expect(isMatch(text, RUNNING)).toBe(expected);
  });

  const midnight = new Date(2026, 10, 28).getTime();
  it.each(rowsOf(["text", "from", "expected"], [
    ["time:15:04-15:05", "15:04:30", true],
    ["time:15:04:30-15:04:31", "15:04:30", true],
    ["time:15:03-15:04:29", "15:04:30", false],
    ["time:15:04:33-15:05", "15:04:30", false],
    ["time:15:04:32-15:05", "15:04:30", true],
    ["-time:15:04:32-15:05", "15:04:30", false],
    ["time:23:59-00:01", "23:59:59", true],
    ["time:00:00-00:01", "23:59:59", true],
    ["time:23:59-0:01", "00:00:30", true],
    ["time:00:02-23:59", "23:59:59", false],
    ["time:15:04-15:04", "15:04:30", true],
    ["time:15:05-15:05", "15:04:57", false],
    ["time:15:04:31-15:04:31", "15:04:30", true],
    ["time:15:04:29-15:04:29", "15:04:30", false],
  ]))("$text, of one that came at $from and took 2 s: $expected", ({ text, from, expected }) => {
    const [hours = 0, minutes = 0, seconds = 0] = from.split(":").map(Number);
    const time = midnight + (hours * 3_600 + minutes * 60 + seconds) * 1_000;
    expect(isMatch(text, { ...ENTRY, time, totalMs: 2_000 })).toBe(expected);
  });

  afterEach(() => void vi.unstubAllEnvs());

  it.each(["2026-03-29T00:59:58", "2026-03-29T10:00:00", "2026-10-25T01:00:00", "2026-10-25T20:00:00"])(
    "finds %s by the clock that is on the wall, on a day when clocks are switched",
    (date) => {
      vi.stubEnv("TZ", "Europe/Berlin");
      const time = Date.parse(`${date}Z`);
      const found = isMatch(`time:${tellSpan([time / 1_000, time / 1_000])}`, { ...ENTRY, time });
      expect(found).toBe(true);
    },
  );

  it.each([
    { text: "captured", expected: true },
    { text: "-captured", expected: false },
    { text: "path:orders?state=open", expected: true },
    { text: "api.example.test:8443/v1/orders?state", expected: true },
    { text: "path:state=shut", expected: false },
  ])("$text, of one that is kept: $expected", ({ text, expected }) => {
    expect(isMatch(text, { ...ENTRY, isCaptured: true, query: "?state=open" })).toBe(expected);
  });

  it.each([
    ...alike("text", { problem: "is no status" })`status:abc status:5xxx status:99`,
    { text: "status:", problem: "needs a value after status:" },
    { text: "body:", problem: "needs a value after body:" },
    { text: "hots:api", problem: "names no field. Fields are status, method, host" },
    ...alike("text", {
      problem: "is no time. Write since:30s",
    })`since:30 since:1d since:m since:-1m since:1constructor`,
    ...alike("text", {
      problem: "is no span of time. Write time:15:04-15:05",
    })`time:15:04 time:15:04-24:00 time:15-16
      time:15:04-15:60 time:1:00-2:00-3:00 time:a-b time:15:04:61-15:05`,
    { text: "since:", problem: "needs a value after since:" },
    ...alike("text", { problem: "is no limit" })`>100 >1constructor <many`,
    { text: "constructor:x", problem: "names no field" },
    ...alike("text", { problem: "is no regular expression" })`/(/ -/(/`,
  ])("names $text, and filters nothing by it", ({ text, problem }) => {
    expect(parseFilter(text)[0]?.problem).toContain(problem);
    expect(isMatch(text)).toBe(true);
    expect(isMatch(`-${text}`)).toBe(true);
  });

  it("asks for bodies, and knows what the proxy has said", () => {
    const bodies = new Map([["s3", new Set([ENTRY.key])]]);
    expect(parseFilter('body:s3 -body:"a b"').map(({ body }) => body)).toEqual(["s3", "a b"]);
    expect([isMatch("body:s3"), isMatch("body:s3", ENTRY, bodies), isMatch("-body:s3", ENTRY, bodies)])
      .toEqual([false, true, false]);
  });

  it.each(rowsOf(["text", "value", "put"], [
    ["status:5xx time:1:00-2:00", "3:00-4:00", "status:5xx time:3:00-4:00"],
    ["TIME:x a time:y", undefined, "a"],
    ['"time:x y"', "1:00-2:00", '"time:x y" time:1:00-2:00'],
    ["", undefined, ""],
    ['/(a+)+! time:"/" b y/', undefined, ""],
  ]))("$text with time:$value is $put", ({ text, value, put }) => {
    expect(putTerm(text, "time", value)).toBe(put);
  });

  it.each([
    { text: "status:5xx -method:GET host:api", place: 1, left: "status:5xx host:api" },
    { text: '"a b" c', place: 0, left: "c" },
    { text: "/a b/ c", place: 1, left: "/a b/" },
    { text: "x", place: 0, left: "" },
    // What stood between them kept these from being an expression.
    { text: '/(a+)+! time:"/" y/', place: 1, left: "" },
    { text: '"a time:x b', place: 0, left: "" },
  ])("$text without term $place: $left", ({ text, place, left }) => expect(dropTerm(text, place)).toBe(left));
});
