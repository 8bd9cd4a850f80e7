/**
 * What a head says of its end: the same each time it comes.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Fields, KeptFields } from "../../../src/http/fields.ts";
import { readEnd } from "../../../src/runtimes/http1/answer-end.ts";

type FieldList = [name: string, value: string][];

const endOf = (fields: Fields, isCurrent = true, status = 200) =>
  readEnd({ isCurrent, status, reason: "", headers: fields });

describe("the end", () => {
  it.each([
    { fields: [], framing: "unframed", idleMs: 4_000 },
    { fields: [["content-length", "5"]], framing: 5, idleMs: 4_000 },
    { fields: [["content-length", "5"], ["connection", "close"]], framing: 5, idleMs: 0 },
    { fields: [["transfer-encoding", "Chunked"]], framing: "chunked", idleMs: 4_000 },
    { fields: [["content-length", "5"], ["keep-alive", "timeout=3"]], framing: 5, idleMs: 2_000 },
  ] as { fields: FieldList; framing: unknown; idleMs: number }[])(
    "follows from its fields: $fields",
    ({ fields, framing, idleMs }) => {
      const kept = new KeptFields(new Fields(fields));
      for (const headers of [new Fields(fields), kept, kept]) {
        expect(endOf(headers)).toEqual({ framing, idleMs });
      }
      const head = { isCurrent: true, status: 200, reason: "", headers: kept };
      expect(readEnd(head)).toBe(readEnd(head));
    },
  );

  it("is refused each time where it is ambiguous", () => {
    const kept = new KeptFields(new Fields([["content-length", "5"], ["transfer-encoding", "chunked"]]));
    expect(() => endOf(kept)).toThrow(/^malformed answer: /);
    expect(() => endOf(kept)).toThrow(/^malformed answer: /);
  });

  it("of another head with the same fields is its own", () => {
    const headers = new KeptFields(new Fields([["content-length", "5"]]));
    expect([
      endOf(headers).idleMs,
      endOf(headers, false).idleMs,
      endOf(headers, true, 204).idleMs,
      endOf(headers).idleMs,
    ])
      .toEqual([4_000, 0, 0, 4_000]);
  });

  it("follows from version and status too", () => {
    expect(endOf(new Fields([["content-length", "5"]]), false).idleMs).toBe(0);
    expect(endOf(new Fields([["content-length", "5"]]), true, 204).idleMs).toBe(0);
  });
});
