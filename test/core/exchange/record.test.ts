/** The record of a request: when it is over, and what it holds then. @module */
import { describe, expect, it } from "vitest";
import { OpenRequests, RequestRecord } from "../../../src/core/exchange/record.ts";

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

/** Begins a record as the proxy does: it leaves the open ones when it ends. */
function beginOpen(open: OpenRequests, ended: RequestRecord[]): RequestRecord {
  const record = new RequestRecord("GET", [(over) => void ended.push(over), (over) => open.delete(over)]);
  open.add(record);
  return record;
}

describe("open requests", () => {
  it("end with an error when they are cut, whatever has been sent", () => {
    const open = new OpenRequests();
    const ended: RequestRecord[] = [];
    beginOpen(open, ended);
    const streaming = beginOpen(open, ended);
    streaming.isStreaming = true;
    streaming.answered(206, 0);
    expect(ended).toEqual([]);
    expect(open.cut()).toBe(2);
    expect(ended.map(({ status, error }) => [status, error])).toEqual([[503, "proxy_stopped"], [
      206,
      "proxy_stopped",
    ]]);
  });

  it("are none once they have ended", () => {
    const open = new OpenRequests();
    const ended: RequestRecord[] = [];
    beginOpen(open, ended).answered(200, 0);
    expect(open.cut()).toBe(0);
    expect(ended.map(({ error }) => error)).toEqual([undefined]);
  });

  it("are listed until they end, oldest first", () => {
    const open = new OpenRequests();
    const [first, second, third] = [beginOpen(open, []), beginOpen(open, []), beginOpen(open, [])];
    second.answered(200, 0);
    expect([...open.records()]).toEqual([first, third]);
  });

  it("are counted once, and end once", () => {
    const open = new OpenRequests();
    const ended: RequestRecord[] = [];
    const record = beginOpen(open, ended);
    expect([open.cut(), open.cut()]).toEqual([1, 0]);
    record.answered(200, 0);
    expect(ended).toHaveLength(1);
  });
});
