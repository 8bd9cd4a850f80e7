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

/** A key to look for. */
interface Sought {
  readonly length: number;
  readonly pattern: RegExp;
  /** What is written in its place. */
  readonly stand: string;
}

/** The pattern of a key, as requests with the same key need it again and again. */
const findPattern = memoize(patternOf);
/** What to look for, made once for the keys of an entry. */
const known = new WeakMap<ReadonlyMap<string, string>, readonly Sought[]>();

/**
 * The head with `{{NAME}}` in place of each key that was sent, however it is spelled. A field whose name holds a key is
 * dropped.
 */
export function redactHead(
  { headers, statusText }: Pick<Upstream, "headers" | "statusText">,
  sent: ReadonlyMap<string, string>,
): Pick<Upstream, "headers" | "statusText"> {
  const keys = listSought(sent);
  return { headers: redactFields(headers, keys), statusText: clean(keys, statusText) };
}

/** Most answers hold no key: they keep their fields as they are. */
function redactFields(headers: Upstream["headers"], keys: readonly Sought[]): Upstream["headers"] {
  let isFree = true;
  headers.forEach((value, name) => {
    isFree &&= hasNoRoom(keys, name, value) || (clean(keys, name) === name && clean(keys, value) === value);
  });
  if (isFree) return headers;
  const redacted = new Fields();
  headers.forEach((value, name) => {
    if (hasNoRoom(keys, name, value)) redacted.append(name, value);
    else if (clean(keys, name) === name) redacted.append(name, clean(keys, value));
  });
  return redacted;
}

/** True for a field that is too short for a key, or frames the message. */
function hasNoRoom(keys: readonly Sought[], name: string, value: string): boolean {
  return (isShort(keys, value) && isShort(keys, name)) || FRAMING.test(name);
}

function listSought(sent: ReadonlyMap<string, string>): readonly Sought[] {
  const found = known.get(sent);
  if (found) return found;
  // A key may begin with another one: the longer first.
  const keys = [...sent].filter(([, value]) => value !== "")
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([name, value]) => ({
      length: value.length,
      pattern: findPattern(value),
      stand: `{{${name}}}`,
    }));
  known.set(sent, keys);
  return keys;
}

/** True for a text that holds no key: no spelling is shorter than the key, and most fields are. */
function isShort(keys: readonly Sought[], { length }: string): boolean {
  const shortest = keys.at(-1);
  return shortest === undefined || length < shortest.length;
}

function clean(keys: readonly Sought[], text: string): string {
  let left = text;
  for (const { length, pattern, stand } of keys) {
    if (left.length >= length) left = left.replace(pattern, stand);
  }
  return left;
}

/** Makes what puts `{{NAME}}` in place of each key in a text, however it is spelled. */
export function createKeyCleaner(keys: ReadonlyMap<string, string>): (text: string) => string {
  const sought = listSought(keys);
  return (text) => clean(sought, text);
}
