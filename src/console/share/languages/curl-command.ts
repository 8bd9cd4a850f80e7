/**
 * Writes a request as a `curl` command.
 * @module
 */

import { hasField } from "../../page/find-field.ts";
import { listFields, type PlainRequest } from "./request-parts.ts";
import { joinLines, pipeBody, quote, quoteBytes, quoteWord } from "./shell.ts";

/** What curl adds to a request that does not have it. */
const OWN_FIELDS = ["user-agent", "accept"];

/**
 * Writes the command. It sends these fields and no others, the body byte for byte, and follows no redirect.
 *
 * @param lines further arguments, each on its own line
 * @param own fields that curl may not add
 */
export function writeCurl(
  request: PlainRequest,
  lines: readonly string[] = [],
  own: readonly string[] = OWN_FIELDS,
): string {
  const { method, url } = request;
  const body = pipeBody(request);
  const implied = body ? "POST" : "GET";
  const isHead = method === "HEAD" && !body;
  const options = [
    // Without them, curl reads brackets as patterns and removes dot segments.
    /[[\]{}]/.test(url) && "--globoff",
    /\/\.|%2e/i.test(url) && "--path-as-is",
    isHead ? "--head" : method !== implied && `-X ${quoteWord(method)}`,
    hasField(request.headers, "accept-encoding") && "--compressed",
  ].filter(Boolean);
  const dropped = [...own, ...(body ? ["content-type"] : [])].filter((name) =>
    !hasField(request.headers, name)
  );
  const command = joinLines([
    ["curl", ...options, quote(url)].join(" "),
    ...listFields(request).map(writeField),
    ...dropped.map((name) => `-H '${name}:'`),
    ...lines,
    body && (body.argument === undefined ? "--data-binary @-" : `--data-raw ${body.argument}`),
  ]);
  const note = method === "HEAD" && body ? "# curl waits for a body after HEAD: end it with Ctrl+C\n" : "";
  return note + (body?.before ?? "") + command;
}

/** Writes a field. Of blanks alone, curl would leave it out. */
export function writeField([name, value]: readonly [name: string, value: string]): string {
  return `-H ${value.trim() === "" ? quote(`${name};`) : quoteBytes(`${name}: ${value}`)}`;
}
