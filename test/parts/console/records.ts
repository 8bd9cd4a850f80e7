/**
 * What the tests of live traffic share: records, processes that share, and a reader of event streams.
 * @module
 */
import type { FlowBody } from "../../../src/core/http/flow.ts";
import { type OpenRequests, RequestRecord } from "../../../src/core/exchange/record.ts";
import type { TrafficRecord } from "../../../src/parts/console/traffic-message.ts";
import type { ShareTraffic } from "../../../src/parts/console/traffic-share.ts";

/** A record of a request that is over. */
export function recordOf(fields: Partial<TrafficRecord> = {}, method = "GET"): TrafficRecord {
  return Object.assign(
    new RequestRecord(method, []),
    { target: "a.test", selector: "url", status: 200 },
    fields,
  );
}

/** A record of a request in flight, as the proxy keeps it. */
export function runningOf(
  open: OpenRequests,
  onEnd: (record: RequestRecord) => void = () => {},
): RequestRecord {
  const record = new RequestRecord("GET", [(over) => open.delete(over), onEnd]);
  open.add(record);
  return Object.assign(record, { target: "a.test" });
}

/** Processes that tell each other plain data. */
export function linkProcesses(): ShareTraffic {
  const takers: Parameters<ShareTraffic>[0][] = [];
  return (take) => {
    takers.push(take);
    return (news) => {
      for (const other of takers) if (other !== take) other(structuredClone(news));
    };
  };
}

/** Reads messages of an event stream. */
export function messagesOf(body: FlowBody) {
  const reader = body.stream().getReader();
  const next = async () => {
    const { done, value } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
  const data = async () => JSON.parse(/^data: (.*)$/m.exec(await next() ?? "")?.[1] ?? "null");
  return { next, data, cancel: () => reader.cancel() };
}
