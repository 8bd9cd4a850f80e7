/** The record of a request: when it is over, and what it holds then. @module */
import { describe, expect, it } from "vitest";
import { RequestRecord } from "../../../src/core/exchange/record.ts";

function begin(): { record: RequestRecord; ended: RequestRecord[] } {
  const ended: RequestRecord[] = [];
  return { record: new RequestRecord("GET", [(record) => void ended.push(record)]), ended };
}

describe("a record", () => {
  it("is over with the head of an answer without a stream", () => {
    const { record, ended } = begin();
    record.answered(404, 12);
    expect(ended).toEqual([record]);
    expect(record).toMatchObject({ method: "GET", status: 404, bytesOut: 12 });
  });

  it("is over with the end of a stream", () => {
    const { record, ended } = begin();
    record.isStreaming = true;
    record.answered(200, 5);
    expect(ended).toEqual([]);
    record.bytesOut = 3;
    record.end();
    expect(ended).toEqual([record]);
    expect(record).toMatchObject({ status: 200, bytesOut: 3 });
  });

  it("knows its status even where the stream is over first", () => {
    const { record, ended } = begin();
    record.isStreaming = true;
    record.end();
    expect(ended).toEqual([]);
    record.answered(200, 0);
    expect(ended).toEqual([record]);
    expect(record.status).toBe(200);
  });

  it("is over once", () => {
    const { record, ended } = begin();
    record.answered(200, 0);
    record.end();
    record.end();
    expect(ended).toHaveLength(1);
  });

  it("tells every sink, in their order", () => {
    const told: string[] = [];
    new RequestRecord("GET", [() => void told.push("a"), () => void told.push("b")]).answered(200, 0);
    expect(told).toEqual(["a", "b"]);
  });

  it("has a short id of its own, always the same", () => {
    const [one, other] = [begin().record, begin().record];
    expect(one.id).toMatch(/^[\da-f]{12}$/);
    expect([one.id, other.id === one.id]).toEqual([one.id, false]);
  });

  it("measures until the head and until the end", async () => {
    const start = Date.now();
    const { record } = begin();
    record.isStreaming = true;
    await new Promise((resolve) => setTimeout(resolve, 20));
    record.answered(200, 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    record.end();
    expect(record.headMs).toBeGreaterThanOrEqual(15);
    expect(record.totalMs).toBeGreaterThanOrEqual(record.headMs + 15);
    expect(record.time).toBeGreaterThanOrEqual(start);
    expect(record.time).toBeLessThanOrEqual(Date.now());
  });
});
