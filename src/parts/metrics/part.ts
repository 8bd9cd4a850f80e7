/**
 * `/__proxy__/metrics` as a part: counts each request, and shows the counts of all processes of a proxy.
 * @module
 */

import type { Host, Part } from "../../core/part.ts";
import type { Config } from "../../core/settings/config.ts";
import { Metrics } from "./metrics.ts";

/** Makes the part; `undefined` unless `METRICS` is set. */
export function makeMetrics({ metrics: isOn }: Config, { lent, settings }: Host): Part | undefined {
  if (!isOn) return undefined;
  const metrics = new Metrics();
  const format = () => metrics.format(settings.reloads);
  const readAll = lent.shareMetrics?.(format) ?? (() => Promise.resolve([format()]));
  return {
    name: "metrics",
    begin: () => metrics.begin(),
    end: (record) => metrics.end(record),
    async open(path, exchange) {
      if (path !== "/metrics") return undefined;
      return (await import("./metrics-page.ts")).answerMetrics(exchange, readAll);
    },
  };
}
