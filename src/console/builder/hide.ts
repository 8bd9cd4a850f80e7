/**
 * Takes secrets out of what the page stores, by the table and the functions that capture masks by. Loaded when something is
 * stored. A variable in the place of a secret stays.
 * @module
 */

import { maskField } from "../../parts/capture/mask-fields.ts";
import type { Masker } from "../../parts/capture/masker.ts";
import { isSecretField, isSecretName } from "../../core/address/secret-names.ts";
import { maskBody, maskTyped, maskUser } from "./hide-body.ts";

const VARIABLE = /\{\{[^{}]*\}\}/g;
const SPARED = /(?:\{\{|%7B%7B)(\d+)(?:\}\}|%7D%7D)/gi;
/** Also user and password, each a variable. */
const ONLY_VARIABLES = /^(?:\{\{\d+\}\}[:. ]?)+$/;
const CLEARING: Masker = { hide: clear, hideInAddress: clear };

function clear(secret: string): string {
  return ONLY_VARIABLES.test(secret) ? secret : "";
}

/** Replaces variables by numbers meanwhile: a long name looks like a secret. */
function sparing(text: string, hide: (text: string) => string): string {
  const variables: string[] = [];
  const spared = text.replace(VARIABLE, (variable) => `{{${variables.push(variable) - 1}}}`);
  return hide(spared).replace(SPARED, (typed, index) => variables[Number(index)] ?? typed);
}

/** The value of a field, `Cookie` included. */
export function hideField(name: string, value: string): string {
  const key = name.trim().toLowerCase();
  const hidden = sparing(value, (spared) => maskField(key, maskUser(spared, CLEARING), CLEARING));
  if (!isSecretField(key)) return hidden;
  // A scheme, or names of cookies, are of no use alone.
  return hidden.includes("{{") ? hidden : "";
}

/** The value of a variable, or of a field of a form. */
export function hideValue(name: string, value: string): string {
  if (isSecretName(name.trim())) return sparing(value, clear);
  return hideBody(value);
}

/** An address as typed: user and password, parameters, the keys of webhooks and what else looks like a key. */
export function hideAddress(typed: string): string {
  return sparing(typed, (spared) => maskTyped(spared, CLEARING));
}

/** A body that is text. */
export function hideBody(text: string): string {
  return sparing(text, (spared) => maskBody(spared, CLEARING));
}
