/** What a server's terminal is told of targets that fail. */
import { expect, it } from "vitest";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import type { ErrorCode } from "../../../src/core/http/error.ts";
import type { Incoming } from "../../../src/core/runtime.ts";
import { reportFailures } from "../../../src/runtimes/node/report-failures.ts";
import { rowsOf } from "../../support/rows.ts";

/** Ends requests, and gives the lines. */
function tell(
  requests: { url?: string; target?: string | undefined; error?: ErrorCode | undefined; second?: number }[],
  hasPath = true,
): string[] {
  const said: string[] = [];
  const { arrive, end } = reportFailures((line) => said.push(line), hasPath);
  for (const { url = "http://localhost:5173/api", target, error, second = 1 } of requests) {
    const record = Object.assign(new RequestRecord("GET", []), { target, error, time: second * 1000 });
    arrive?.(record, { url } as Incoming, "", {});
    end?.(record);
  }
  return said;
}

const DOWN = { target: "localhost:3000", error: "connection_refused" } as const;
const LINE = "[fetchvia] GET /api → localhost:3000 refused";

it.each(rowsOf(["error", "says"], [
  ["connection_refused", ["[fetchvia] GET /api → localhost:3000 refused"]],
  ["connection_terminated", ["[fetchvia] GET /api → localhost:3000 terminated"]],
  ["response_timeout", ["[fetchvia] GET /api → localhost:3000 response timeout"]],
  ["dns_error", ["[fetchvia] GET /api → localhost:3000 dns error"]],
  ["forbidden", []],
  ["caller_gone", []],
  ["internal", []],
  [undefined, []],
]))("of $error: $says", ({ error, says }) => {
  expect(tell([{ ...DOWN, error: error as ErrorCode | undefined }])).toEqual(says);
});

it.each(rowsOf(["url", "path"], [
  ["http://localhost:5173/api/me?key=s3cret", "/api/me"],
  ["https://localhost:5173/api?a\nb?c", "/api"],
  ["/api/\u009b31m", "/api/?31m"],
  ["*", "*"],
]))("names the path of $url, and no query", ({ url, path }) => {
  expect(tell([{ ...DOWN, url }])).toEqual([`[fetchvia] GET ${path} → localhost:3000 refused`]);
});

it("names no path where it must not", () =>
  expect(tell([DOWN], false)).toEqual(["[fetchvia] GET → localhost:3000 refused"]));

it("says it once for each target and second", () =>
  expect(tell([DOWN, DOWN, { ...DOWN, target: "localhost:4000" }, { ...DOWN, second: 2 }]))
    .toEqual([LINE, "[fetchvia] GET /api → localhost:4000 refused", LINE]));

it("says at most ten lines in a second", () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ ...DOWN, target: `host${index}.test` }));
  expect(tell([...many, { ...DOWN, second: 2 }])).toHaveLength(11);
});

it("says nothing of a request without a target", () =>
  expect(tell([{ ...DOWN, target: undefined }])).toEqual([]));
