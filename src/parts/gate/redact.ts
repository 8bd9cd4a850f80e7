/**
 * Keeps keys out of response heads and trailers: a target may repeat its query in `Location` (rule 9.4). The body is not
 * changed.
 * @module
 */

import { Derived, type FieldReader, Fields } from "../../core/http/fields.ts";
import type { Upstream } from "../../core/runtime.ts";
import { KeySearch } from "./key-search.ts";
import type { TargetResponse } from "../../core/exchange/exchange.ts";
import { isStreaming } from "../../core/http/body.ts";

/** Fields that frame the message (RFC 9110 §8.6; RFC 6455 §4.2.2). They repeat no caller's text. */
const FRAMING = /^(?:connection|content-length|sec-websocket-accept|transfer-encoding|upgrade)$/;
/** Fields that say how to read it, with what standards have for them: any other text may be a caller's (RFC 9110 §8.4, §14.4). */
const READING: ReadonlyMap<string, RegExp> = new Map([
  ["content-encoding", /^(?:(?:x-)?gzip|(?:x-)?compress|deflate|br|zstd|dc[bz]|aes128gcm|identity|[\s,])*$/i],
  ["content-range", /^bytes (?:\*|\d{1,15}-\d{1,15})\/(?:\*|\d{1,15})$/i],
  [
    "sec-websocket-extensions",
    /^(?:permessage-deflate|(?:client|server)_(?:no_context_takeover|max_window_bits(?:="?\d{1,2}"?)?)|[\s,;])*$/i,
  ],
]);

/** The search for the keys of a map, made once for each map. */
const known = new WeakMap<ReadonlyMap<string, string>, KeySearch>();

/** The keys that fields which come again were searched for last, and are free of. */
const FREE = new Derived<KeySearch>();

/**
 * The head with `{{NAME}}` in place of each key that was sent, however it is encoded. A field whose name holds a key is
 * dropped.
 */
export function redactHead(
  { headers, statusText }: Pick<Upstream, "headers" | "statusText">,
  sent: ReadonlyMap<string, string>,
): Pick<Upstream, "headers" | "statusText"> {
  return { headers: redactFields(headers, sent), statusText: searchFor(sent).clean(statusText) };
}

/** The fields without keys, as in `redactHead`. Returns the same object if they hold none, as most do. */
function redactFields(headers: FieldReader, sent: ReadonlyMap<string, string>): FieldReader {
  const keys = searchFor(sent);
  if (FREE.recall(headers) === keys) return headers;
  let isFree = true;
  headers.forEach((value, name) => {
    isFree &&= hasNoRoom(keys, name, value) || (keys.clean(name) === name && keys.clean(value) === value);
  });
  if (isFree) {
    FREE.keep(headers, keys);
    return headers;
  }
  const redacted = new Fields();
  headers.forEach((value, name, written) => {
    if (hasNoRoom(keys, name, value)) redacted.append(name, value, written);
    else if (keys.clean(name) === name) redacted.append(name, keys.clean(value), written);
  });
  return redacted;
}

/** True for a field that is too short for a key, or says how to read the message. */
function hasNoRoom(keys: KeySearch, name: string, value: string): boolean {
  if (!(keys.hasRoom(value) || keys.hasRoom(name)) || FRAMING.test(name)) return true;
  return READING.get(name)?.test(value) === true;
}

/** The search for these keys. */
export function searchFor(keys: ReadonlyMap<string, string>): KeySearch {
  let search = known.get(keys);
  if (!search) known.set(keys, search = new KeySearch(keys));
  return search;
}

/** The response without the keys that its request carried. Lists the members, because a spread would slow every request. */
export function redactResponse(response: TargetResponse, sent: ReadonlyMap<string, string>): TargetResponse {
  const { headers, statusText } = redactHead(response, sent);
  const { status, body, isWhole, socket } = response;
  if (isStreaming(body)) body.cleanTrailers = (trailers) => redactFields(trailers, sent);
  return { status, statusText, headers, body, isWhole, socket, hadKey: true };
}
