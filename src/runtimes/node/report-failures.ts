/**
 * Tells the terminal of a server which targets fail.
 * @module
 */

import { clean } from "../../core/exchange/log.ts";
import type { RequestRecord } from "../../core/exchange/record.ts";
import { isTargetFailure } from "../../core/http/error.ts";
import type { Part } from "../../core/part.ts";

/** The most lines in one second. */
const MOST_LINES = 10;

/**
 * Makes a part that writes a line when a target fails, such as `[fetchvia] GET /api/me → localhost:3000 refused`: at most one
 * per target and second, and ten per second in all. The line holds no query.
 *
 * @param hasPath false for servers that run in production, where a path may hold what is not for a log
 */
export function reportFailures(write: (line: string) => void, hasPath: boolean): Part {
  const paths = new WeakMap<RequestRecord, string>();
  const told = new Set<string>();
  let second = 0;
  return {
    name: "report-failures",
    arrive(record, { url }) {
      if (hasPath) paths.set(record, `${url.replace(/^https?:\/\/[^/?]*|\?.*/gs, "")} `);
    },
    end(record) {
      const { time, totalMs, method, target, error } = record;
      if (!target || !error || !isTargetFailure(error)) return;
      const now = Math.floor((time + totalMs) / 1000);
      if (now !== second) told.clear();
      second = now;
      if (told.has(target) || told.size >= MOST_LINES) return;
      told.add(target);
      const state = error.replace("connection_", "").replaceAll("_", " ");
      write(`[fetchvia] ${clean(method)} ${clean(paths.get(record) ?? "")}→ ${clean(target)} ${state}`);
    },
  };
}
