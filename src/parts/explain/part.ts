/**
 * `/__proxy__/explain` as a part.
 * @module
 */

import type { Part } from "../../core/part.ts";

/** The part keeps no state, so all proxies share it. */
export const EXPLAIN_PART: Part = {
  name: "explain",
  async open(path, exchange, steps) {
    if (path !== "/explain") return undefined;
    return (await import("./explain.ts")).answerExplain(exchange, steps);
  },
};
