/** The sum of what several processes have counted. @module */
import { describe, expect, it } from "vitest";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { Metrics } from "../../../src/parts/metrics/metrics.ts";
import { sumMetrics } from "../../../src/parts/metrics/metrics-page.ts";

function count(metrics: Metrics, facts: Partial<RequestRecord> & { method?: string }): void {
  metrics.begin();
  const { method = "GET", ...others } = facts;
  metrics.end(Object.assign(new RequestRecord(method, []), { status: 200 }, others));
}

describe("the sum of several processes", () => {
  it.each([
    { texts: [], sum: "" },
    { texts: ["# HELP a\n# TYPE a\na 1\n"], sum: "# HELP a\n# TYPE a\na 1\n" },
  ])("of $texts is $sum", ({ texts, sum }) => expect(sumMetrics(texts)).toBe(sum));

  it("adds sample to sample, and keeps families together", () => {
    const metrics = [new Metrics(), new Metrics(), new Metrics()];
    count(metrics[0]!, { selector: "url", bytesOut: 5 });
    count(metrics[1]!, { selector: "url", bytesOut: 6 });
    count(metrics[1]!, { status: 502, error: "connection_refused" });
    metrics[2]!.begin();
    const whole = new Metrics();
    count(whole, { selector: "url", bytesOut: 5 });
    count(whole, { selector: "url", bytesOut: 6 });
    count(whole, { status: 502, error: "connection_refused" });
    whole.begin();
    expect(sumMetrics(metrics.map((one) => one.format()))).toBe(whole.format());
  });
});
