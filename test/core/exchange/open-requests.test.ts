/** Requests in flight when the proxy stops: each leaves its record. @module */
import { describe, expect, it } from "vitest";
import { OpenRequests } from "../../../src/core/exchange/open-requests.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";

/** Begins a record as the proxy does: it leaves the open ones when it ends. */
function begin(open: OpenRequests, ended: RequestRecord[]): RequestRecord {
  const record = new RequestRecord("GET", [(over) => void ended.push(over), (over) => open.delete(over)]);
  open.add(record);
  return record;
}

describe("open requests", () => {
  it("end with an error when they are cut, whatever has been sent", () => {
    const open = new OpenRequests();
    const ended: RequestRecord[] = [];
    begin(open, ended);
    const streaming = begin(open, ended);
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
    begin(open, ended).answered(200, 0);
    expect(open.cut()).toBe(0);
    expect(ended.map(({ error }) => error)).toEqual([undefined]);
  });

  it("are listed until they end, oldest first", () => {
    const open = new OpenRequests();
    const [first, second, third] = [begin(open, []), begin(open, []), begin(open, [])];
    second.answered(200, 0);
    expect([...open.records()]).toEqual([first, third]);
  });

  it("are counted once, and end once", () => {
    const open = new OpenRequests();
    const ended: RequestRecord[] = [];
    const record = begin(open, ended);
    expect([open.cut(), open.cut()]).toEqual([1, 0]);
    record.answered(200, 0);
    expect(ended).toHaveLength(1);
  });
});
