/**
 * Writes a request as a command of HTTPie.
 * @module
 * @see https://httpie.io/docs/cli/request-items
 */

import type { PlainRequest } from "../plain-request.ts";
import { hasField, listFields } from "./parts.ts";
import { joinLines, pipeBody, quote, quoteBytes } from "./shell.ts";

/** What HTTPie adds to a request that does not have it. `User-Agent:` leaves one out. */
const OWN_FIELDS = ["User-Agent", "Accept", "Accept-Encoding"];

/** Writes the command. It sends these fields and no others, the body byte for byte, and follows no redirect. */
export function writeHttpie(request: PlainRequest): string {
  const { method, url } = request;
  const body = pipeBody(request);
  const isPiped = body !== undefined && body.argument === undefined;
  const fields = listFields(request).map(([name, value]) =>
    value === "" ? quote(`${name};`) : quoteBytes(`${name}:${escapeValue(value)}`)
  );
  const dropped = [...OWN_FIELDS, ...(body ? ["Content-Type"] : [])]
    .filter((name) => !hasField(request, name.toLowerCase()));
  const options = [
    !isPiped && "--ignore-stdin",
    /\/\.|%2e/i.test(url) && "--path-as-is",
  ].filter(Boolean);
  const command = joinLines([
    ["http", ...options, quoteMethod(method), quote(url)].join(" "),
    ...fields,
    ...dropped.map((name) => `${name}:`),
    body?.argument && `--raw=${body.argument}`,
  ]);
  return (body?.before ?? "") + command;
}

/** A value that begins with a separator would be read as another kind of item. */
function escapeValue(value: string): string {
  return /^[=@]/.test(value) ? `\\${value}` : value;
}

function quoteMethod(method: string): string {
  return /^[A-Z]+$/.test(method) ? method : quote(method);
}
