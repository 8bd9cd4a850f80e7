/**
 * What a head says of its end, and of the connection's.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Fields } from "../../../src/core/http/fields.ts";
import { readEnd } from "../../../src/wire/client/keep-alive.ts";

type FieldList = [name: string, value: string][];

const headOf = (fields: FieldList, isCurrent = true, status = 200) => ({
  isCurrent,
  status,
  reason: "",
  headers: new Fields(fields),
});

describe("the end", () => {
  it.each([
    { fields: [], framing: "unframed", idleMs: 4_000 },
    { fields: [["content-length", "5"]], framing: 5, idleMs: 4_000 },
    { fields: [["content-length", "5"], ["connection", "close"]], framing: 5, idleMs: 0 },
    { fields: [["transfer-encoding", "Chunked"]], framing: "chunked", idleMs: 4_000 },
    { fields: [["content-length", "5"], ["keep-alive", "timeout=3"]], framing: 5, idleMs: 2_000 },
    { fields: [["content-length", "5"]], isCurrent: false, framing: 5, idleMs: 0 },
    {
      fields: [["content-length", "5"], ["connection", "keep-alive"]],
      isCurrent: false,
      framing: 5,
      idleMs: 4_000,
    },
    {
      fields: [["content-length", "5"], ["connection", "close, keep-alive"]],
      isCurrent: false,
      framing: 5,
      idleMs: 0,
    },
    { fields: [["content-length", "5"]], status: 204, framing: 5, idleMs: 0 },
  ] as { fields: FieldList; isCurrent?: boolean; status?: number; framing: unknown; idleMs: number }[])(
    "follows from fields, version and status: $fields $isCurrent $status",
    ({ fields, isCurrent, status, framing, idleMs }) =>
      expect(readEnd(headOf(fields, isCurrent, status))).toEqual({ framing, idleMs }),
  );

  it.each([
    { hints: ["timeout = 3"], idleMs: 2_000 },
    { hints: ['max=5;timeout="2", x'], idleMs: 1_000 },
    { hints: ["Timeout=3", "timeout=2, timeout=9"], idleMs: 1_000 },
    { hints: ["timeout=1000000000000"], idleMs: 4_000 },
    { hints: ["timeout=1"], idleMs: 0 },
    { hints: ["timeout=0"], idleMs: 0 },
    { hints: ["timeout=5, max=0"], idleMs: 0 },
    { hints: ["timeout=3, max=05"], idleMs: 2_000 },
    { hints: ["max=100", "timeout", "timeout=x"], idleMs: 4_000 },
  ])("of the connection is the earliest of its hints: $hints", ({ hints, idleMs }) => {
    const fields: FieldList = hints.map((hint) => ["keep-alive", hint]);
    expect(readEnd(headOf(fields)).idleMs).toBe(idleMs);
  });

  it("is refused where it is ambiguous", () => {
    const head = headOf([["content-length", "5"], ["transfer-encoding", "chunked"]]);
    expect(() => readEnd(head)).toThrow(/^malformed response: /);
  });
});
