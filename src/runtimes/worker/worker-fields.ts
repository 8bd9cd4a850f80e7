/**
 * Converts header fields on a Worker. Elsewhere each character of a value is a byte; workerd uses UTF-8 text.
 * @module
 */

import { isFieldValue } from "../../core/http/headers.ts";
import { type FieldReader, Fields } from "../../core/http/fields.ts";
import { ProxyError } from "../../core/http/error.ts";

/**
 * workerd joins lines with a comma and a space. An address may contain both, so the next text must start another
 * address.
 */
const NEXT_ADDRESS = /, (?=https?:\/\/|\/)/i;
const PLAIN = /^[\t\x20-\x7e]*$/;

/**
 * The fields of the target's response, one byte per character.
 *
 * @param hasBody false for a response that ends with its head, whatever its fields say of a body
 * @throws {ProxyError} `malformed_answer` for invalid fields that workerd accepts (RFC 9110 §5.5, RFC 9112 §6.3)
 */
export function readFields(headers: Headers, hasBody = true): FieldReader {
  const coding = hasBody ? headers.get("transfer-encoding") : null;
  if (coding !== null && headers.has("content-length")) throw malformed("length and chunks");
  // workerd reads its bytes as they are, and what says how they are coded ends here.
  if (coding !== null && coding.toLowerCase() !== "chunked") throw malformed("another transfer coding");
  const fields = new Fields();
  for (const [name, value] of headers) {
    const bytes = PLAIN.test(value) ? value : toBytes(value);
    if (!isFieldValue(bytes)) throw malformed(`a control byte in ${name}`);
    const lines = name === "location" ? bytes.split(NEXT_ADDRESS) : [bytes];
    for (const line of lines) fields.append(name, line);
  }
  return fields;
}

/**
 * A cookie of the proxy's own behind a comma, by which workerd joins lines of `Cookie`. A value that a target set may hold such a
 * comma too, so what follows never counts: it only stays here.
 */
const OWN_BEHIND =
  /, (?:(?:__Secure-)?proxy_carried)?(?:__[A-Za-z-]{1,12})?proxy_(?:(?:host|token|auth|back|page|seal)=|at_|set_)(?:[^;,]|,(?! ))*/g;
/** The same cookie twice, under a name that no target can set: it stays whole, because two different values are refused. */
const TWICE = /^ ?((?:__(?:Host|Secure|Http|Host-Http)-)?proxy_(?:host|token|auth|back|page|seal)=)/;

/** The fields of the caller's request, without cookies of the proxy's own in a line behind another. */
export function readCallerFields(headers: Headers): FieldReader {
  const cookies = headers.get("cookie");
  if (!cookies?.includes(", ") || !cookies.includes("proxy_")) return headers;
  const fields = new Fields(headers);
  const read = (pair: string) => {
    const own = TWICE.exec(pair)?.[1];
    return own && pair.includes(`, ${own}`) ? pair : pair.replace(OWN_BEHIND, "");
  };
  fields.set("cookie", cookies.split(";").map(read).join(";"));
  return fields;
}

/** Converts fields back to text for workerd. */
export function writeFields(fields: FieldReader): [name: string, value: string][] {
  return [...fields].map(([name, value]) => [name, PLAIN.test(value) ? value : toText(value)]);
}

function malformed(what: string): ProxyError {
  return new ProxyError("malformed_answer", `Cannot forward the response: it has ${what}, expected HTTP/1.1`);
}

function toBytes(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function toText(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
