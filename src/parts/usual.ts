/**
 * The parts of a usual proxy, in the order in which they are called.
 * @module
 */

import type { MakeParts, Part } from "../core/part.ts";
import { makeAudit } from "./audit/part.ts";
import { makeCapture } from "./capture/part.ts";
import { makeConsole } from "./console/part.ts";
import { EXPLAIN_PART } from "./explain/part.ts";
import { makeForms } from "./forms/part.ts";
import { HEADERS_PART } from "./headers/part.ts";
import { makeLinks } from "./links/part.ts";
import { makeMetrics } from "./metrics/part.ts";
import { makeReport } from "./report/part.ts";
import { makeTokens } from "./tokens/part.ts";

/** Makes the parts that the settings ask for. */
export const makeUsual: MakeParts = (config, host): Part[] => {
  const capture = config.console ? makeCapture(config, host) : undefined;
  return [
    config.addressForms.length > 0 ? makeForms(config) : undefined,
    HEADERS_PART,
    config.signingKey ? makeLinks(config) : undefined,
    config.signingKey ? makeTokens(host) : undefined,
    config.audit && makeAudit(config.audit, host),
    config.gate === "report" ? makeReport(config) : undefined,
    EXPLAIN_PART,
    makeMetrics(config, host),
    capture && makeConsole(host, capture),
    capture,
    ...host.lent.parts ?? [],
  ].filter((part) => part !== undefined);
};
