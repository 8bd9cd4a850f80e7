/**
 * Caches the fields that were built for a caller, for responses that repeat.
 * @module
 */

import { Derived, Fields, KeptFields } from "../http/fields.ts";
import { responseFate } from "../http/headers.ts";
import type { Building } from "./response-mapping.ts";
import type { TargetResponse } from "../exchange/exchange.ts";

/**
 * The fields that were built earlier from the same response fields. The result may be changed.
 *
 * @param vary what the selector adds to `Vary`; `undefined` for selectors whose responses are not kept
 * @returns `undefined` if there are none
 */
export function recallFields(
  response: TargetResponse,
  building: Building,
  vary: string | undefined,
): Fields | undefined {
  const { exchange, target } = building;
  const kept = exchange.plan.responses?.recall(response.headers);
  const isSame = kept !== undefined && kept.vary === vary && kept.status === response.status &&
    kept.origin === target.origin && kept.hadKey === response.hadKey && !isRuled(response, building);
  return isSame ? new Fields(kept.headers) : undefined;
}

/** Keeps the fields for the next response with the same ones, if none of them names the target. Returns fields to use. */
export function keepFields(
  headers: Fields,
  response: TargetResponse,
  building: Building,
  vary: string | undefined,
): Fields {
  const { exchange: { plan }, target: { origin } } = building;
  if (vary === undefined || !plan.isKept || isRuled(response, building)) return headers;
  const responses = plan.responses ??= new Derived();
  if (!responses.takes(response.headers)) return headers;
  let isPlain = true;
  response.headers.forEach((_, name) => {
    isPlain &&= name === "content-length" || (responseFate(name) !== "rewrite" && name !== "trailer");
  });
  if (!isPlain) return headers;
  const kept = new KeptFields(headers);
  const { status, hadKey } = response;
  responses.keep(response.headers, { status, hadKey, vary, origin, headers: kept });
  return new Fields(kept);
}

/** True if the fields for the caller depend on more than the plan and what is kept with them. */
function isRuled({ finalAddress }: TargetResponse, { request, exchange }: Building): boolean {
  return !exchange.parts.answersAlike || exchange.form !== undefined ||
    request.wishes?.isChanged === true || finalAddress !== undefined;
}
