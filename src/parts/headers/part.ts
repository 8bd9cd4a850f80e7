/**
 * `proxy_headers` and `proxy_seal` as a part.
 * @module
 */

import type { Rules } from "../../core/exchange/exchange.ts";
import type { Part } from "../../core/part.ts";
import { hasWishes, readSeals, sortLines } from "./wishes.ts";

/** Loaded with the first request that has one of the headers. */
let steering: typeof import("./steering.ts") | undefined;

/** What the part does in the steps. */
export const HEADER_RULES: Rules = {
  wish(lines, exchange, { selector }) {
    const asked = selector === "arg" ? readSeals(exchange) : sortLines(lines);
    if (!hasWishes(asked)) return undefined;
    if (steering) return steering.readWishes(asked, exchange);
    return import("./steering.ts").then((loaded) => (steering = loaded).readWishes(asked, exchange));
  },
};

/** The part keeps no state, so all proxies share it. */
export const HEADERS_PART: Part = { name: "headers", rules: () => HEADER_RULES };
