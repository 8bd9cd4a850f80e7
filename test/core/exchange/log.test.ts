/** The line of a request, as JSON and as text. @module */
import { describe, expect, it } from "vitest";
import { formatRecord } from "../../../src/core/exchange/log.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { rowsOf, typedRows, words } from "../../support/rows.ts";

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
  const { method = "POST", ...others } = facts;
  const record = Object.assign(new RequestRecord(method, []), others);
  Object.defineProperty(record, "id", { value: "0123456789ab" });
  return Object.assign(record, { time: Date.UTC(2030, 0, 2, 3, 4, 5, 678) });
}

const coded = (message: string, code: unknown, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code });

describe("as JSON", () => {
  const write = (facts: Partial<RequestRecord>) => JSON.parse(formatRecord(recordOf(facts), "json"));

  it("has every fact", () =>
    expect(write({ ...FACTS, error: "connection_refused", cause: coded("secret", "ECONNREFUSED") })).toEqual({
      time: "2030-01-02T03:04:05.678Z",
      id: "0123456789ab",
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
    }));

  it("has the reason that the message leaves out, before its causes", () => {
    const facts = { ...FACTS, error: "bad_request" as const, reason: "JSON ends at 3" };
    expect(write(facts).cause).toEqual(["JSON ends at 3"]);
    expect(write({ ...facts, cause: coded("secret", "A") }).cause).toEqual(["JSON ends at 3", "A"]);
    expect(formatRecord(recordOf(facts), "text")).toMatch(/ bad_request < JSON ends at 3$/);
  });

  it("names the token of the caller by its id", () => {
    expect(write({ ...FACTS, callerId: "ci" })).toMatchObject({ caller: "192.0.2.1", caller_id: "ci" });
    expect(formatRecord(recordOf({ ...FACTS, callerId: "ci" }), "text")).toContain(" 192.0.2.1(ci) ");
  });

  it("leaves out what is not there", () =>
    expect(Object.keys(write({ status: 200 }))).toEqual(words`time id method status bytes_in bytes_out
      ms_head ms caller`));

  it.each(rowsOf(["about", "cause", "names"], [
    ["a chain", coded("x", "A", coded("y", "B")), ["A", "B"]],
    ["a name where there is no code", new TypeError("secret"), ["TypeError"]],
    ["a name where the code is a number", new DOMException("secret", "AbortError"), ["AbortError"]],
    ["an object of no kind", {}, ["Error"]],
    ["no more than five", endless(), ["L", "L", "L", "L", "L"]],
    ["nothing of a text", "secret", []],
    ["nothing of null", null, []],
  ]))("names of causes: $about", ({ cause, names }) => {
    expect(write({ error: "internal", cause }).cause).toEqual(names);
  });
});

function endless(): Error {
  const loop = coded("x", "L");
  loop.cause = loop;
  return loop;
}

const TOLD = "url a.test:8443 1.5/2.5 ms 3/70 B 192.0.2.1 0123456789ab";
it.each(
  typedRows<{ about: string; facts: Partial<RequestRecord>; line: string }>(["about", "facts", "line"], [
    ["an answer of a target", { ...FACTS, status: 200 }, `200 ${TOLD}`],
    ["an answer of its own", { status: 200, caller: "::1" }, "200 - - 0/0 ms 0/0 B ::1 0123456789ab"],
    [
      "a caller that nobody knows",
      { status: 400, error: "bad_request" },
      "400 - - 0/0 ms 0/0 B - 0123456789ab bad_request",
    ],
    [
      "an error and its causes",
      { ...FACTS, error: "dns_error", cause: coded("secret", "ENOTFOUND", new TypeError("secret")) },
      `502 ${TOLD} dns_error < ENOTFOUND < TypeError`,
    ],
    ["an error without a cause", { ...FACTS, error: "forbidden" }, `502 ${TOLD} forbidden`],
  ]),
)("as text tells $about", ({ facts, line }) => {
  expect(formatRecord(recordOf(facts), "text")).toBe(`03:04:05.678 POST ${line}`);
});

describe("on a terminal", () => {
  const write = (facts: Partial<RequestRecord>) =>
    // Its escape sequences as `<2>` and `</>`, so that a row can be read.
    formatRecord(recordOf(facts), "text", true).replaceAll("\x1b[", "<").replace(/<(\d+)m/g, "<$1>")
      .replaceAll("<0>", "</>");

  it("has colours that show what is what", () =>
    expect(write({ ...FACTS, error: "dns_error", cause: coded("secret", "ENOTFOUND") })).toBe(
      "<2>03:04:05.678</> POST <31>502</> <2>url</> a.test:8443 1.5/2.5 ms <2>3/70 B</> 192.0.2.1 " +
        "<2>0123456789ab</> <31>dns_error < ENOTFOUND</>",
    ));

  it.each([
    { status: 101, colour: 36 },
    { status: 200, colour: 32 },
    { status: 299, colour: 32 },
    { status: 300, colour: 36 },
    { status: 399, colour: 36 },
    { status: 400, colour: 33 },
    { status: 499, colour: 33 },
    { status: 500, colour: 31 },
    { status: 599, colour: 31 },
  ])("shows $status in colour $colour", ({ status, colour }) => {
    expect(write({ status })).toContain(` <${colour}>${status}</> `);
  });

  it("has none as JSON", () => expect(formatRecord(recordOf(FACTS), "json", true)).not.toContain("\x1b"));
});

describe("a fact that somebody else chose", () => {
  const HOSTILE = "a\x1b[2J\r\nb\0\x7f\x9b31m\u2028\u2029c\t";

  it.each(["json", "text"] as const)("is one line without control characters as %s", (format) => {
    const facts = { method: HOSTILE, target: HOSTILE, caller: HOSTILE, cause: coded("secret", HOSTILE) };
    const line = formatRecord(recordOf({ ...facts, status: 200, error: "internal" }), format);
    expect(line.split("a?[2J??b???31m??c?")).toHaveLength(5);
    expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  });

  it.each(["json", "text"] as const)("makes no endless line as %s", (format) => {
    const long = "x".repeat(60_000);
    const line = formatRecord(recordOf({ method: long, target: long, caller: long }), format);
    expect(line.length).toBeLessThan(1_200);
  });
});
