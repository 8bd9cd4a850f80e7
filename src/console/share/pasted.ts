/**
 * Decodes pasted text: an `arg`, a link of the proxy, a label or a label's address, or a plain address.
 * @module
 */

import { decodeArg } from "../../core/address/arg.ts";
import { decodeLabel } from "../../core/address/label.ts";
import { readAddressParameter, readParameter, readQuery } from "../../core/address/query.ts";

/** The kind of text, and its argument. */
export interface Decoded {
  what: string;
  argument: Record<string, unknown>;
}

/** The context of labels. */
export interface LabelContext {
  /** `PROXY_DOMAIN`. */
  domain: string;
  /** `PROXY_LABELS`. */
  labels: readonly (readonly [label: string, base: string])[];
}

/** Decodes a pasted text; `undefined` if it is not recognised. */
export function decodePasted(pasted: string, context: LabelContext): Decoded | undefined {
  const text = pasted.trim();
  if (text === "") return undefined;
  if (/\/__proxy__\/?(?:fetch\/?)?\?/.test(text) || /^\??arg=/.test(text)) return decodeLink(text);
  return decodeHost(text, context) ?? decodeBare(text, context);
}

/** Decodes a link of a proxy. */
export function decodeLink(text: string): Decoded | undefined {
  const query = readQuery(text.split("#", 1)[0] ?? "");
  if (/\/__proxy__\/fetch\/?\?/.test(text) || /^\??arg=/.test(text)) {
    const value = readParameter(text.startsWith("arg=") ? text : query, "arg");
    const argument = value === undefined ? undefined : decodeArg(value);
    return argument && { what: "An arg link", argument };
  }
  if (!/\/__proxy__\/?\?/.test(text)) return undefined;
  const url = readAddressParameter(query);
  return url ? { what: "A url link", argument: { url } } : undefined;
}

function decodeHost(text: string, context: LabelContext): Decoded | undefined {
  const [, label = "", , rest = ""] =
    /^(?:https?:\/\/)?([a-z\d-]+)\.w\.([a-z\d.-]+)(?::\d+)?(\/[^#]*)?(?:#.*)?$/i
      .exec(text) ?? [];
  const base = label && readLabel(label, context);
  return base ? { what: `The label ${label}`, argument: { url: base + (rest || "/") } } : undefined;
}

function decodeBare(text: string, context: LabelContext): Decoded | undefined {
  const argument = decodeArg(text);
  if (argument) return { what: "An arg", argument };
  const base = readLabel(text, context);
  if (base) return { what: `The label ${text}`, argument: { url: `${base}/` } };
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)
    ? { what: "An address", argument: { url: text } }
    : undefined;
}

function readLabel(label: string, { labels }: LabelContext): string | undefined {
  const known = labels.find(([name]) => name === label.toLowerCase());
  return known ? known[1].replace(/\/$/, "") : decodeLabel(label);
}
