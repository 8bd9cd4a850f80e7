/** The counters: what is counted, how it is written, and that callers cannot make more of them. @module */
import { describe, expect, it } from "vitest";
import { Metrics } from "../../../src/parts/metrics/metrics.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";

function count(metrics: Metrics, facts: Partial<RequestRecord> & { method?: string }): void {
  metrics.begin();
  const { method = "GET", ...others } = facts;
  metrics.end(Object.assign(new RequestRecord(method, []), { status: 200 }, others));
}

/** The samples as name and labels → value. */
function samples(metrics: Metrics): Record<string, number> {
  const lines = metrics.format().trim().split("\n").filter((line) => !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => {
    const cut = line.lastIndexOf(" ");
    return [line.slice(0, cut), Number(line.slice(cut + 1))];
  }));
}

describe("metrics", () => {
  it("count tables of targets where there is one", () => {
    expect(new Metrics().format()).not.toContain("targets");
    expect(new Metrics().format({ loaded: 3, refused: 1 })).toContain(
      'fetchvia_targets_loads_total{result="taken"} 3\nfetchvia_targets_loads_total{result="refused"} 1\n',
    );
  });

  it("begin at nothing", () => {
    const values = Object.values(samples(new Metrics()));
    expect(values.length).toBeGreaterThan(0);
    expect(new Set(values)).toEqual(new Set([0]));
  });

  it("count by selector, method and class of status", () => {
    const metrics = new Metrics();
    count(metrics, { selector: "url", status: 204 });
    count(metrics, { selector: "url", status: 200 });
    count(metrics, { selector: "header", method: "POST", status: 503 });
    count(metrics, { status: 404 });
    expect(samples(metrics)).toMatchObject({
      'fetchvia_requests_total{selector="url",method="GET",status="2xx"}': 2,
      'fetchvia_requests_total{selector="header",method="POST",status="5xx"}': 1,
      'fetchvia_requests_total{selector="none",method="GET",status="4xx"}': 1,
    });
  });

  it("count errors by their code, those of targets by themselves", () => {
    const metrics = new Metrics();
    count(metrics, { error: "dns_error" });
    count(metrics, { error: "dns_error" });
    count(metrics, { error: "response_timeout" });
    count(metrics, { error: "forbidden" });
    expect(Object.entries(samples(metrics)).filter(([name]) => /errors|refusals/.test(name))).toEqual([
      ['fetchvia_upstream_errors_total{type="dns_error"}', 2],
      ['fetchvia_upstream_errors_total{type="response_timeout"}', 1],
      ['fetchvia_refusals_total{reason="forbidden"}', 1],
    ]);
  });

  it("count bytes, and what is in flight", () => {
    const metrics = new Metrics();
    count(metrics, { bytesIn: 3, bytesOut: 10 });
    count(metrics, { bytesIn: 4, bytesOut: 20 });
    metrics.begin();
    expect(samples(metrics)).toMatchObject({
      fetchvia_request_bytes_total: 7,
      fetchvia_response_bytes_total: 30,
      fetchvia_in_flight: 1,
    });
  });

  it("put times into buckets that add up", () => {
    const metrics = new Metrics();
    count(metrics, { totalMs: 5 });
    count(metrics, { totalMs: 6 });
    count(metrics, { totalMs: 60_000 });
    expect(samples(metrics)).toMatchObject({
      'fetchvia_request_duration_seconds_bucket{le="0.005"}': 1,
      'fetchvia_request_duration_seconds_bucket{le="0.01"}': 2,
      'fetchvia_request_duration_seconds_bucket{le="30"}': 2,
      'fetchvia_request_duration_seconds_bucket{le="+Inf"}': 3,
      fetchvia_request_duration_seconds_sum: expect.closeTo(60.011, 6),
      fetchvia_request_duration_seconds_count: 3,
    });
  });
});
