/**
 * The table of targets as a part: what its entries change in the steps.
 * @module
 */

import type { Part } from "../../core/part.ts";
import type { TargetTable } from "./targets/table.ts";

/** Makes the part. The steps apply the table that is current when a request comes. */
export function createGatePart(current: () => TargetTable | undefined): Part {
  let loaded: typeof import("./table-rules.ts") | undefined;
  // A new table does not free what requests of an old one hold.
  const held = { bytes: 0 };
  return {
    name: "gate",
    prepare: async () => {
      loaded ??= await import("./table-rules.ts");
    },
    rules() {
      const table = current();
      return table && loaded!.rulesOf(table, held);
    },
  };
}
