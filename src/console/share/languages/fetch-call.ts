/**
 * Writes a request as a `fetch` call in JavaScript.
 * @module
 */

import { listFields, type PlainRequest, readText, tellName, writeBase64 } from "./request-parts.ts";

/** Fields that a page's `fetch` leaves out or sets itself (Fetch §2.2.2). */
const FORBIDDEN =
  /^(?:accept-(?:charset|encoding)|access-control-request-.*|cookie2?|date|dnt|host|origin|referer|sec-.*|via)$/i;

/** Writes the call. Comments say what a page cannot send, or no `fetch` can. */
export function writeFetch(request: PlainRequest): string {
  const { method, url, body } = request;
  const fields = listFields(request);
  const names = fields.map(([name]) => name.toLowerCase());
  const forbidden = fields.map(([name]) => name).filter((name) => FORBIDDEN.test(name)).map(tellName);
  const notes = [
    forbidden.length > 0 && `A page cannot send ${forbidden.join(", ")}; programs can.`,
    new Set(names).size < names.length && "fetch joins the lines of a repeated name by a comma.",
    body !== undefined && /^(?:GET|HEAD)$/i.test(method) && "fetch refuses a body with GET and HEAD.",
  ].filter(Boolean);
  const options = [
    `  method: ${JSON.stringify(method)},`,
    ...(fields.length > 0
      ? ["  headers: [", ...fields.map((field) => `    ${writeField(field)},`), "  ],"]
      : []),
    ...(body === undefined ? [] : [`  body: ${writeBody(body)},`]),
    `  redirect: "manual",`,
  ];
  return [
    ...notes.map((note) => `// ${note}`),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...options,
    "});",
  ].join("\n");
}

function writeField([name, value]: [name: string, value: string]): string {
  return `[${JSON.stringify(name)}, ${JSON.stringify(value)}]`;
}

/** A string would get a content type of its own, so text goes out as bytes too. */
function writeBody(body: string | Uint8Array): string {
  const text = readText(body);
  if (text !== undefined) return `new TextEncoder().encode(${JSON.stringify(text)})`;
  return `Uint8Array.from(atob(${JSON.stringify(writeBase64(body))}), (sign) => sign.charCodeAt(0))`;
}
