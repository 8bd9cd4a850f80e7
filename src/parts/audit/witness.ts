/**
 * Hears of decisions, and has each recorded once.
 * @module
 */

import type { Rules } from "../../core/exchange/exchange.ts";
import type { Hop } from "../../core/exchange/record.ts";
import { ProxyError } from "../../core/http/error.ts";
import { nameOptions, nameOptionsOf } from "../../core/settings/option-names.ts";
import { formatDecision } from "./line.ts";

/** The rules of the record. `write` takes each line; the request fails if it does. */
export function auditRules(write: (line: string) => unknown, isEmbedded?: boolean): Rules {
  /** What fails after a hop was recorded, such as its connection, is no decision. */
  const recorded = new WeakSet<Hop>();
  return {
    async witness(record, parts, outcome) {
      const { hop } = record;
      if (hop && recorded.has(hop)) return;
      if (hop) recorded.add(hop);
      const line = formatDecision(record, parts, outcome, (error) => nameOptionsOf(error, isEmbedded));
      try {
        await write(line);
      } catch (cause) {
        const message = nameOptions(UNRECORDED, isEmbedded);
        throw new ProxyError("unrecorded", message, { cause, headers: { "retry-after": "5" } });
      }
    },
  };
}

const UNRECORDED = "Cannot answer this request: its decision cannot be recorded. " +
  "Make room where AUDIT writes, or add ,loose to AUDIT to go on without a record";
