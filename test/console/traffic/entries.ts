/** Entries of live traffic, as the page gets them. @module */
import type { TrafficEntry, TrafficMessage } from "../../../src/parts/console/traffic-message.ts";

/** A request that has ended. */
export function entryOf(fields: Partial<TrafficEntry> = {}): TrafficEntry {
  return {
    key: "1",
    time: 1_000_000,
    method: "GET",
    selector: "url",
    target: "api.example.test:8443",
    address: "https://api.example.test:8443/v1/orders",
    status: 200,
    bytesIn: 0,
    bytesOut: 1_500,
    headMs: 40,
    totalMs: 50,
    ...fields,
  };
}

/** A message. */
export function messageOf(fields: Partial<TrafficMessage> = {}): TrafficMessage {
  return { now: 1_000_000, entries: [], skipped: 0, ...fields };
}
