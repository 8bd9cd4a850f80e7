/**
 * Keeps keys out of what the proxy answers: a target may repeat its query in `Location` (contract 9). The body stays as
 * it is.
 * @module
 */

import { Fields } from "../../http/fields.ts";
import { memoize } from "../../http/memo.ts";
import type { Upstream } from "../runtime.ts";
import { patternOf } from "./spellings.ts";

/** Fields that frame or encode the message (RFC 9110 §8.4, §8.6, §14.4; RFC 6455 §4.2.2). They hold no text of a caller. */
const FRAMING =
  /^(?:connection|content-(?:encoding|length|range)|sec-websocket-(?:accept|extensions)|transfer-encoding|upgrade)$/;

/** The pattern of a key, as requests with the same key need it again and again. */
const findPattern = memoize(patternOf);

/**
 * The head with `{{NAME}}` in place of each key that was sent, however it is spelled. A field whose name holds a key is
 * dropped.
 */
export function redactHead(
  { headers, statusText }: Pick<Upstream, "headers" | "statusText">,
  sent: ReadonlyMap<string, string>,
): Pick<Upstream, "headers" | "statusText"> {
  const clean = createKeyCleaner(sent);
  const redacted = new Fields();
  headers.forEach((value, name) => {
    if (FRAMING.test(name)) redacted.append(name, value);
    else if (clean(name) === name) redacted.append(name, clean(value));
  });
  return { headers: redacted, statusText: clean(statusText) };
}

/** Makes what puts `{{NAME}}` in place of each key in a text, however it is spelled. */
export function createKeyCleaner(keys: ReadonlyMap<string, string>): (text: string) => string {
  // A key may begin with another one: the longer first.
  const known = [...keys].filter(([, value]) => value !== "")
    .sort(([, one], [, other]) => other.length - one.length);
  // No spelling is shorter than the key, and most fields are.
  return (text) =>
    known.reduce(
      (left, [name, value]) =>
        left.length < value.length ? left : left.replace(findPattern(value), `{{${name}}}`),
      text,
    );
}
