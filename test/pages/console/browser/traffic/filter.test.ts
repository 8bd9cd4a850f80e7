/**
 * The filter of live traffic: what its terms mean, and what it says of those that mean nothing.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  dropTerm,
  matches,
  parseFilter,
  textOf,
} from "../../../../../src/pages/console/browser/traffic/filter.ts";
import type { TrafficEntry } from "../../../../../src/pages/console/traffic-message.ts";
import { entryOf } from "./entries.ts";

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
    { text: "orders", expected: true },
    { text: "ORDERS 504", expected: true },
    { text: "orders nothing-like-that", expected: false },
    { text: '"target timeout"', expected: true },
    { text: '"timeout api"', expected: false },
    { text: "-orders", expected: false },
    { text: "-other", expected: true },
    { text: "status:504", expected: true },
    { text: "status:5xx", expected: true },
    { text: "status:50x", expected: true },
    { text: "STATUS:5XX", expected: true },
    { text: "status:4xx,5xx", expected: true },
    { text: "status:400-499", expected: false },
    { text: "status:500-504", expected: true },
    { text: "-status:5xx", expected: false },
    { text: "method:get", expected: true },
    { text: "method:POST,GET", expected: true },
    { text: "-method:GET", expected: false },
    { text: "method:GE", expected: false },
    { text: "host:api", expected: true },
    { text: "host:orders", expected: false },
    { text: "path:orders", expected: true },
    { text: "path:api", expected: false },
    { text: "path:/v1", expected: true },
    { text: "selector:cookie,url", expected: true },
    { text: "selector:cookie", expected: false },
    { text: "error:*", expected: true },
    { text: "error:timeout", expected: true },
    { text: "-error:*", expected: false },
    { text: "token:ci", expected: true },
    { text: ">100ms", expected: true },
    { text: ">=120ms", expected: true },
    { text: ">120ms", expected: false },
    { text: "<1s", expected: true },
    { text: "<2kb", expected: true },
    { text: ">1.5kib", expected: false },
    { text: ">1kb <1mb", expected: true },
    { text: "running", expected: false },
    { text: "-running", expected: true },
    { text: "captured", expected: false },
    { text: "/v[12]\\/ord/", expected: true },
    { text: "/^post/", expected: false },
    { text: "/ORDERS/i", expected: true },
    { text: "-/orders/", expected: false },
    { text: "/get 504/", expected: true },
    { text: "/v1/orders", expected: true },
    { text: "https://api.example.test", expected: true },
    { text: "api.example.test:8443", expected: true },
    { text: "-", expected: false },
  ])("$text: $expected", ({ text, expected }) => {
    expect(parseFilter(text).map(({ problem }) => problem)).toEqual(parseFilter(text).map(() => undefined));
    expect(isMatch(text)).toBe(expected);
  });

  it.each([
    { text: "running", expected: true },
    { text: ">4s", expected: true },
    { text: ">6s", expected: false },
    { text: "status:5xx", expected: false },
    { text: "error:*", expected: false },
    { text: "token:*", expected: false },
  ])("$text, of a request that has run for 5 s: $expected", ({ text, expected }) => {
    expect(isMatch(text, RUNNING)).toBe(expected);
  });

  it.each([
    { text: "captured", expected: true },
    { text: "-captured", expected: false },
  ])("$text, of one that is kept: $expected", ({ text, expected }) => {
    expect(isMatch(text, { ...ENTRY, isCaptured: true })).toBe(expected);
  });

  it.each([
    { text: "status:abc", problem: "is no status" },
    { text: "status:5xxx", problem: "is no status" },
    { text: "status:99", problem: "is no status" },
    { text: "status:", problem: "needs a value after status:" },
    { text: "body:", problem: "needs a value after body:" },
    { text: "hots:api", problem: "names no field. Fields are status, method, host" },
    { text: ">100", problem: "is no limit" },
    { text: ">1constructor", problem: "is no limit" },
    { text: "constructor:x", problem: "names no field" },
    { text: "<many", problem: "is no limit" },
    { text: "/(/", problem: "is no regular expression" },
    { text: "-/(/", problem: "is no regular expression" },
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

  it.each([
    { text: "status:5xx -method:GET host:api", place: 1, left: "status:5xx host:api" },
    { text: '"a b" c', place: 0, left: "c" },
    { text: "/a b/ c", place: 1, left: "/a b/" },
    { text: "x", place: 0, left: "" },
  ])("$text without term $place: $left", ({ text, place, left }) => {
    expect(dropTerm(text, place)).toBe(left);
  });

  it("reads a long line of quotes and slashes at once", () => {
    const before = performance.now();
    parseFilter('/\\" '.repeat(20_000) + "/".repeat(20_000));
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});
