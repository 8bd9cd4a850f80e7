/**
 * Metrics in the text format of Prometheus.
 * @module
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */

import { isTargetFailure } from "../../core/http/error.ts";
import type { LiveSettings } from "../../core/part.ts";
import type { RequestRecord } from "../../core/exchange/record.ts";

/** Upper bounds of the duration histogram, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts requests. The number of series is limited, whatever callers send. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #buckets: number[] = BOUNDS.map(() => 0);
  #seconds = 0;
  #count = 0;
  #bytesIn = 0;
  #bytesOut = 0;
  #inFlight = 0;

  /** Counts a request that arrives. */
  begin(): void {
    this.#inFlight += 1;
  }

  /** Counts a finished request. */
  end(record: RequestRecord): void {
    const method = METHODS.has(record.method) ? record.method : "other";
    const status = `${Math.floor(record.status / 100)}xx`;
    increase(this.#requests, `selector="${record.selector ?? "none"}",method="${method}",status="${status}"`);
    const { error } = record;
    if (error && isTargetFailure(error)) increase(this.#failures, `type="${error}"`);
    else if (error) increase(this.#refusals, `reason="${error}"`);
    const seconds = record.totalMs / 1_000;
    for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) this.#buckets[index]! += 1;
    this.#seconds += seconds;
    this.#count += 1;
    this.#bytesIn += record.bytesIn;
    this.#bytesOut += record.bytesOut;
    this.#inFlight -= 1;
  }

  /**
   * Formats all metrics.
   *
   * @param reloads how many tables of targets were loaded and refused; absent if there is no table
   */
  format(reloads?: LiveSettings["reloads"]): string {
    const buckets = BOUNDS.map((bound, index) => `_bucket{le="${bound}"} ${this.#buckets[index]}`);
    return [
      ...family(
        "fetchvia_requests_total",
        "counter",
        "Requests by selector, method and class of status.",
        labelled(this.#requests),
      ),
      ...family(
        "fetchvia_upstream_errors_total",
        "counter",
        "Targets that failed, before their response or in it, by type.",
        labelled(this.#failures),
      ),
      ...family(
        "fetchvia_refusals_total",
        "counter",
        "Requests that the proxy refused or that callers gave up, by reason.",
        labelled(this.#refusals),
      ),
      ...family("fetchvia_in_flight", "gauge", "Requests in flight.", [` ${this.#inFlight}`]),
      ...family("fetchvia_request_bytes_total", "counter", "Bytes of request bodies.", [` ${this.#bytesIn}`]),
      ...family("fetchvia_response_bytes_total", "counter", "Bytes of responses.", [` ${this.#bytesOut}`]),
      ...family(
        "fetchvia_request_duration_seconds",
        "histogram",
        "Seconds from the request to the end of its response.",
        [
          ...buckets,
          `_bucket{le="+Inf"} ${this.#count}`,
          `_sum ${this.#seconds}`,
          `_count ${this.#count}`,
        ],
      ),
      ...(reloads ? formatReloads(reloads) : []),
      "",
    ].join("\n");
  }
}

function formatReloads({ loaded, refused }: NonNullable<LiveSettings["reloads"]>): string[] {
  const samples = [`{result="taken"} ${loaded}`, `{result="refused"} ${refused}`];
  return family(
    "fetchvia_targets_loads_total",
    "counter",
    "Tables of targets that were read, by result.",
    samples,
  );
}

function increase(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
}

function labelled(counts: Map<string, number>): string[] {
  return [...counts].map(([labels, count]) => `{${labels}} ${count}`);
}

function family(name: string, type: string, help: string, samples: string[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => name + sample)];
}
