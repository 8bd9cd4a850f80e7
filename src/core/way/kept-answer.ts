/**
 * Caches the fields that were built for a caller, for responses that repeat.
 * @module
 */

import { Derived, Fields, KeptFields } from "../http/fields.ts";
import { answerFate } from "../http/headers.ts";
import type { Building } from "./answer-mapping.ts";
import type { Answer } from "../exchange/exchange.ts";

/**
 * The fields that were built earlier from the same response fields. The result may be changed.
 *
 * @param vary what the selector adds to `Vary`; `undefined` for selectors whose responses are not kept
 * @returns `undefined` if there are none
 */
export function recallFields(
  answer: Answer,
  building: Building,
  vary: string | undefined,
): Fields | undefined {
  const { exchange, target } = building;
  const kept = exchange.plan.answers?.recall(answer.headers);
  const isSame = kept !== undefined && kept.vary === vary && kept.status === answer.status &&
    kept.origin === target.origin && kept.hadKey === answer.hadKey && !isRuled(answer, building);
  return isSame ? new Fields(kept.headers) : undefined;
}

/** Keeps the fields for the next response with the same ones, if none of them names the target. Returns fields to use. */
export function keepFields(
  headers: Fields,
  answer: Answer,
  building: Building,
  vary: string | undefined,
): Fields {
  const { exchange: { plan }, target: { origin } } = building;
  if (vary === undefined || !plan.isKept || isRuled(answer, building)) return headers;
  const answers = plan.answers ??= new Derived();
  if (!answers.takes(answer.headers)) return headers;
  let isPlain = true;
  answer.headers.forEach((_, name) => {
    isPlain &&= name === "content-length" || (answerFate(name) !== "rewrite" && name !== "trailer");
  });
  if (!isPlain) return headers;
  const kept = new KeptFields(headers);
  const { status, hadKey } = answer;
  answers.keep(answer.headers, { status, hadKey, vary, origin, headers: kept });
  return new Fields(kept);
}

/** True if the fields for the caller depend on more than the plan and what is kept with them. */
function isRuled({ finalAddress }: Answer, { request, exchange }: Building): boolean {
  return !exchange.parts.answersAlike || exchange.form !== undefined ||
    request.wishes?.isChanged === true || finalAddress !== undefined;
}
