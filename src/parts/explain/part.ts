/**
 * `/__proxy__/explain` as a part.
 * @module
 */

import type { Part } from "../../core/part.ts";

/** It keeps nothing, so all proxies have the same one. */
export const EXPLAIN: Part = {
  name: "explain",
  async open(path, exchange, { checkAccess }) {
    if (path !== "/explain") return undefined;
    return (await import("./explain.ts")).answerExplain(exchange, checkAccess);
  },
};
