/**
 * Writes a request as a command of HTTPie.
 * @module
 * @see https://httpie.io/docs/cli/request-items
 */

import { hasField } from "../../page/find-field.ts";
import { listFields, type PlainRequest, readText } from "./request-parts.ts";
import { joinLines, pipeBody, quote, quoteBytes } from "./shell.ts";

/** What HTTPie adds to a request that does not have it. `Accept:` leaves one out. */
const OWN_FIELDS = ["User-Agent", "Accept", "Accept-Encoding"];

/** HTTPie takes any other method for the address, and sends the fields there. */
const METHOD = /^[A-Za-z]+$/;

/**
 * Writes the command. It sends the body byte for byte and follows no redirect. It sends these fields, and of its own only a
 * `User-Agent` and an `Accept-Encoding: identity` where there is none (HTTPie 3.2). It encodes the address in its own way. Behind
 * `--` nothing is an option, whatever others named it.
 */
export function writeHttpie(request: PlainRequest): string {
  const { method, url } = request;
  if (!METHOD.test(method)) return "# HTTPie cannot send this method: curl can";
  if (!listFields(request).every(([, value]) => isUtf8(value))) {
    return "# HTTPie cannot send these fields: curl can";
  }
  const body = pipeBody(request);
  const isPiped = body !== undefined && body.argument === undefined;
  const fields = listFields(request).map(([name, value]) =>
    value === "" ? quote(`${name};`) : quoteBytes(`${name}:${escapeValue(value)}`)
  );
  const dropped = [...OWN_FIELDS, ...(body ? ["Content-Type"] : [])]
    .filter((name) => !hasField(request.headers, name.toLowerCase()));
  const options = [
    !isPiped && "--ignore-stdin",
    /\/\.|%2e/i.test(url) && "--path-as-is",
    body?.argument && `--raw=${body.argument}`,
  ].filter(Boolean);
  const command = joinLines([
    ["http", ...options, "--", method, quote(url)].join(" "),
    ...fields,
    ...dropped.map((name) => `${name}:`),
  ]);
  return (body?.before ?? "") + command;
}

/** HTTPie (3.2) ends with an error at a value of other bytes. */
function isUtf8(value: string): boolean {
  return readText(Uint8Array.from(value, (sign) => sign.charCodeAt(0))) !== undefined;
}

/** A value that begins with a separator would be read as another kind of item. */
function escapeValue(value: string): string {
  return /^[=@]/.test(value) ? `\\${value}` : value;
}
