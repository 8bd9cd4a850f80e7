/**
 * The plan: what was decided for the head of a request. It serves the next request with the same head, as long as nothing
 * changes that a decision reads. Decisions are kept nowhere else.
 * @module
 */

import type { Basis, Exchange, Plan } from "./exchange.ts";
import { Derived, shapeOf } from "../http/fields.ts";
import type { Incoming } from "../runtime.ts";
import { readGrant } from "../who/asker.ts";

/** Makes a plan in which nothing is decided but what the origin of the caller's page is granted. */
export function makePlan(
  { headers, url }: Pick<Incoming, "headers" | "url">,
  basis: Basis,
  isKept = false,
): Plan {
  const { runtime, config, parts } = basis;
  return {
    runtime,
    config,
    parts,
    head: headers,
    isSecure: isSecure(url),
    grant: readGrant({ headers, url }, runtime, config),
    isKept,
    facts: undefined,
    isFronted: undefined,
    request: undefined,
    responses: undefined,
  };
}

/** The plans of one proxy. */
export class Plans {
  readonly #plans: Derived<Plan> = new Derived();

  /** The plan of a request: the one of an earlier request if everything is the same, otherwise an empty one. */
  find(incoming: Pick<Incoming, "headers" | "url">, basis: Basis): Plan {
    const { url } = incoming;
    // Free values decide nothing, and a plan must not keep them.
    const headers = shapeOf(incoming.headers);
    const known = this.#plans.recall(headers);
    const isSame = known !== undefined && known.runtime === basis.runtime && known.config === basis.config &&
      known.parts === basis.parts && known.isSecure === isSecure(url);
    if (isSame) return known;
    // Without Host, the name that the caller used is in the address, which differs from request to request.
    const isKept = this.#plans.takes(headers) && headers.has("host");
    const plan = makePlan({ headers, url }, basis, isKept);
    if (isKept) this.#plans.keep(headers, plan);
    return plan;
  }
}

/** The exchange with another request in place of the caller's, and with a plan of its own. */
export function withIncoming(exchange: Exchange, incoming: Incoming): Exchange {
  return { ...exchange, incoming, plan: makePlan(incoming, exchange) };
}

function isSecure(url: string): boolean {
  return url.startsWith("https:");
}
