/**
 * `proxy_headers` and `proxy_seal` as a part.
 * @module
 */

import type { Exchange, Rules } from "../../core/exchange/exchange.ts";
import type { Line } from "../../core/exchange/findings.ts";
import type { Part } from "../../core/part.ts";
import { readWishes } from "./steering.ts";

/** What the part does in the steps. */
export const HEADER_RULES: Rules = {
  wish(lines, exchange, { selector }) {
    const asked = selector === "arg" ? listSeals(exchange) : lines;
    return asked.length > 0 ? readWishes(asked, exchange) : undefined;
  },
};

/** Only the seal of an `arg` counts, because it describes all headers of its request. */
function listSeals({ incoming: { headers } }: Exchange): Line[] {
  return ["proxy_seal", "proxy-seal"].flatMap((name): Line[] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

/** The part keeps no state, so all proxies share it. */
export const HEADERS_PART: Part = { name: "headers", rules: () => HEADER_RULES };
