/** Live traffic: what an entry contains, and what counts as a failure. @module */
import { describe, expect, it } from "vitest";
import { aimAt, isFailure, summarize } from "../../../src/parts/console/traffic-message.ts";
import { recordOf } from "./records.ts";

const PATH = { origin: new URL("https://a.test"), path: "/v1/p?token=secret" };

describe("an entry", () => {
  it("contains what the console shows, and nothing else", () => {
    const record = recordOf({
      aim: aimAt("PUT", PATH),
      bytesIn: 1,
      bytesOut: 2,
      headMs: 3,
      totalMs: 4,
      caller: "192.0.2.1",
      cause: new Error("x"),
    });
    expect(summarize(record)).toEqual({
      key: record.id,
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
    });
  });

  it.each([{ length: 300, isKept: true }, { length: 301, isKept: false }])(
    "holds a setting of $length characters, whose names a caller may choose: $isKept",
    ({ length, isKept }) => {
      const setting = "HOSTS=".padEnd(length, "a");
      expect(summarize(recordOf({ setting })).setting).toBe(isKept ? setting : undefined);
    },
  );

  it("names the token of a caller by its id, and says that something is captured, and of that only its operation", () => {
    const capture = { secret: "s3cret", operation: "tools/call add" } as never;
    const entry = summarize(recordOf({ callerId: "ci", capture }));
    expect(entry).toMatchObject({ callerId: "ci", isCaptured: true, operation: "tools/call add" });
    expect(JSON.stringify(entry)).not.toContain("s3cret");
  });

  it.each([
    { query: undefined, shown: undefined },
    { query: "?a=1", shown: "?a=1" },
    { query: `?${"a".repeat(300)}`, shown: `?${"a".repeat(299)}` },
  ])("has the query of a captured request, cut after 300 characters: $shown", ({ query, shown }) => {
    expect(summarize(recordOf({ capture: { query } as never })).query).toBe(shown);
  });

  it.each([
    { path: "/https://u:p@b.test/x", shown: "/https://***@b.test/x" },
    { path: "/a;token=x/api_key=short/b", shown: "/a;token=***/api_key=***/b" },
  ])("masks what the record of decisions masks in a path: $path", ({ path, shown }) => {
    expect(summarize(recordOf({ aim: aimAt("GET", { origin: PATH.origin, path }) })))
      .toMatchObject({ address: `https://a.test${shown}`, isPartial: true });
  });

  it("cuts a long method", () => expect(summarize(recordOf({}, "M".repeat(9_000))).method).toHaveLength(32));
});

it("aimAt never takes a query, not even into the record", () =>
  expect(aimAt("GET", PATH)).toEqual({ method: "GET", origin: PATH.origin, path: "/v1/p?" }));

describe("a record", () => {
  it.each([
    { about: "of a target", fields: {}, expected: true },
    { about: "of a refusal", fields: { target: undefined, error: "token_missing" as const }, expected: true },
    { about: "of the proxy's own page", fields: { target: undefined }, expected: false },
  ])("$about is traffic: $expected", ({ fields, expected }) => {
    expect(recordOf(fields).isTraffic).toBe(expected);
  });

  it.each([
    { status: 200, error: undefined, expected: false },
    { status: 404, error: undefined, expected: false },
    { status: 403, error: "forbidden", expected: false },
    { status: 500, error: undefined, expected: true },
    { status: 200, error: "proxy_stopped", expected: true },
    { status: 200, error: "caller_gone", expected: false },
  ])("$status with $error is a failure: $expected", ({ status, error, expected }) => {
    expect(isFailure({ status, ...(error && { error }) })).toBe(expected);
  });
});
