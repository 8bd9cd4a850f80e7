/**
 * The line of a request, as JSON and as text.
 * @module
 */
import { describe, expect, it } from "vitest";
import { formatRecord } from "../src/log.ts";
import { RequestRecord } from "../src/record.ts";

const FACTS = {
  caller: "192.0.2.1",
  selector: "url" as const,
  target: "a.test:8443",
  status: 502,
  bytesIn: 3,
  bytesOut: 70,
  headMs: 1.5,
  totalMs: 2.5,
};

function recordOf(facts: Partial<RequestRecord>): RequestRecord {
  const record = Object.assign(new RequestRecord("POST", []), facts);
  return Object.assign(record, { time: Date.UTC(2030, 0, 2, 3, 4, 5, 678) });
}

const coded = (message: string, code: unknown, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });

describe("as JSON", () => {
  const write = (facts: Partial<RequestRecord>) => JSON.parse(formatRecord(recordOf(facts), "json"));

  it("has every fact", () => {
    expect(write({ ...FACTS, error: "connection_refused", cause: coded("secret", "ECONNREFUSED") })).toEqual({
      time: "2030-01-02T03:04:05.678Z",
      method: "POST",
      selector: "url",
      target: "a.test:8443",
      status: 502,
      bytes_in: 3,
      bytes_out: 70,
      ms_head: 1.5,
      ms: 2.5,
      caller: "192.0.2.1",
      error: "connection_refused",
      cause: ["ECONNREFUSED"],
    });
  });

  it("leaves out what is not there", () => {
    expect(Object.keys(write({ status: 200 }))).toEqual([
      "time",
      "method",
      "status",
      "bytes_in",
      "bytes_out",
      "ms_head",
      "ms",
      "caller",
    ]);
  });

  it.each([
    { about: "a chain", cause: coded("x", "A", coded("y", "B")), names: ["A", "B"] },
    { about: "a name where there is no code", cause: new TypeError("secret"), names: ["TypeError"] },
    {
      about: "a name where the code is a number",
      cause: new DOMException("secret", "AbortError"),
      names: ["AbortError"],
    },
    { about: "an object of no kind", cause: {}, names: ["Error"] },
    { about: "no more than five", cause: endless(), names: ["L", "L", "L", "L", "L"] },
    { about: "nothing of a text", cause: "secret", names: [] },
    { about: "nothing of null", cause: null, names: [] },
  ])("names of causes: $about", ({ cause, names }) => {
    expect(write({ error: "internal", cause }).cause).toEqual(names);
  });

  it("is one line, whatever a fact holds", () => {
    expect(formatRecord(recordOf({ target: "a\nb\u2028" }), "json")).not.toContain("\n");
  });
});

function endless(): Error {
  const loop = coded("x", "L");
  loop.cause = loop;
  return loop;
}

describe("as text", () => {
  it.each([
    {
      about: "an answer of a target",
      facts: { ...FACTS, status: 200 },
      line: "03:04:05.678 POST 200 url a.test:8443 1.5/2.5 ms 3/70 B 192.0.2.1",
    },
    {
      about: "an answer of its own",
      facts: { status: 200, caller: "::1" },
      line: "03:04:05.678 POST 200 - - 0/0 ms 0/0 B ::1",
    },
    {
      about: "an error and its causes",
      facts: {
        ...FACTS,
        error: "dns_error" as const,
        cause: coded("secret", "ENOTFOUND", new TypeError("secret")),
      },
      line:
        "03:04:05.678 POST 502 url a.test:8443 1.5/2.5 ms 3/70 B 192.0.2.1 dns_error < ENOTFOUND < TypeError",
    },
    {
      about: "an error without a cause",
      facts: { ...FACTS, error: "forbidden" as const },
      line: "03:04:05.678 POST 502 url a.test:8443 1.5/2.5 ms 3/70 B 192.0.2.1 forbidden",
    },
  ])("tells $about", ({ facts, line }) => {
    expect(formatRecord(recordOf(facts), "text")).toBe(line);
  });
});
