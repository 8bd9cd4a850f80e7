/**
 * What one table of targets does in the steps.
 * @module
 */

import type { Rules } from "../../core/exchange/exchange.ts";
import { enforce } from "../../core/exchange/hooks.ts";
import { opensSocket } from "../../core/way/caller-handshake.ts";
import { changeAnswer } from "./answer-rules.ts";
import { dress } from "./dress.ts";
import { limitExchange } from "./entry-limits.ts";
import { searchFor } from "./redact.ts";
import { checkRules } from "./rules.ts";
import type { HeldBytes } from "./sign/aws-signer.ts";
import type { TargetTable } from "./targets/table.ts";

/** The functions that apply this table; `held` is that of the proxy. */
export function rulesOf(table: TargetTable, held: HeldBytes): Rules {
  const { entries, find, keyFields, keys } = table;
  const narrows = entries.some(({ methods, paths, requests }) => methods || paths || requests);
  return {
    ...narrows && {
      decide: (address, method, exchange, target) => {
        const entry = find(address.origin);
        const isSocket = () => opensSocket(exchange, target);
        if (entry) enforce(exchange, () => checkRules(entry, method, address, isSocket));
      },
    },
    limit: (exchange, origin) => limitExchange(exchange, find(origin)),
    dress: (hop, exchange) => dress(hop, table, exchange, held),
    answer: (headers, answer, origin) => changeAnswer(headers, table, answer, origin),
    find,
    keyFields,
    ...keys.size > 0 && { secrets: searchFor(keys) },
  };
}
