/**
 * Converts between requests and fetch arguments (specification 2.1), which links carry.
 * @module
 */

import type { FetchArgument } from "../../client/client.ts";
import { findField } from "../page/format.ts";
import { type Draft, emptyDraft, readText } from "./draft.ts";
import { isFormType, readForm } from "./form-text.ts";
import type { ReadyRequest } from "./compose-request.ts";
import type { PlainRequest } from "../share/languages/request-parts.ts";

const JSON_TYPE = "application/json";

/** An argument, or why a request fits none. */
export type Described = { argument: FetchArgument; problem?: undefined } | {
  argument?: undefined;
  problem: string;
};

/** Describes a request. A name that repeats is written in another case each time, so that its lines stay apart. */
export function describe({ method, url, headers, body, redirect }: ReadyRequest): Described {
  if (body !== undefined && typeof body !== "string") return { problem: "A link or argument holds no file" };
  const fields = new Map<string, string>();
  for (const [name, value] of headers) {
    const spelled = spell(name, fields);
    if (spelled === undefined) return { problem: `An argument holds ${name} not so many times` };
    fields.set(spelled, value);
  }
  return {
    argument: {
      url,
      ...(method !== "GET" && { method }),
      ...(headers.length > 0 && { headers: Object.fromEntries(fields) }),
      ...(body !== undefined && { body }),
      ...(redirect === "manual" && { redirect }),
    },
  };
}

/** Builds a draft from an argument, as far as the builder can show it. */
export function draftArgument(argument: Record<string, unknown>): Draft {
  const { url, method, headers, body, redirect } = argument;
  const fields = typeof headers === "object" && headers !== null ? Object.entries(headers) : [];
  const pairs = fields.map(([name, value]): [string, string] => [name, String(value)]);
  const written = writeBody({ url: "", headers: Object.fromEntries(pairs), body });
  return {
    ...draftRequest({
      method: typeof method === "string" ? method : "GET",
      url: typeof url === "string" ? url : "",
      headers: Object.entries(written.headers),
      ...(written.text !== undefined && { body: written.text }),
    }),
    follow: redirect !== "manual",
  };
}

/** Builds a draft from a request with any body. */
export function draftRequest({ method, url, headers, body }: PlainRequest): Draft {
  return {
    ...emptyDraft(),
    method,
    address: url,
    headers,
    ...draftBody(body, findField(headers, "content-type") ?? ""),
  };
}

/** The kind of a body, by its content type and its bytes. */
export function draftBody(
  body: string | Uint8Array | undefined,
  type: string,
): Pick<Draft, "kind" | "body" | "fields" | "file"> {
  if (body === undefined) return { kind: "none", body: "", fields: [] };
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const text = readText(bytes);
  if (text === undefined) {
    const content = new Blob([bytes]);
    return { kind: "file", body: "", fields: [], file: { name: "body", type, content } };
  }
  const form = isFormType(type) ? readForm(text) : undefined;
  if (form) return { kind: "form", body: "", fields: form };
  return { kind: /\bjson\b/i.test(type) ? "json" : "raw", body: text, fields: [] };
}

/** Writes the body of an argument as the proxy does, with the resulting headers. */
export function writeBody({ headers = {}, body }: FetchArgument): {
  headers: Record<string, string>;
  text: string | undefined;
} {
  if (body === undefined || body === null) return { headers, text: undefined };
  if (typeof body === "string") return { headers, text: body };
  const type = findField(Object.entries(headers), "content-type");
  if (type !== undefined && isFormType(type) && typeof body === "object" && !Array.isArray(body)) {
    return { headers, text: encodeObject(body) };
  }
  return {
    headers: type === undefined ? { ...headers, "content-type": JSON_TYPE } : headers,
    text: JSON.stringify(body),
  };
}

function encodeObject(body: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      form.append(name, item === null ? "" : typeof item === "object" ? JSON.stringify(item) : String(item));
    }
  }
  return form.toString();
}

/** A spelling of the name that the fields do not have yet: `x-a`, `X-a`, `x-A`, … */
function spell(name: string, fields: ReadonlyMap<string, string>): string | undefined {
  if (!fields.has(name)) return name;
  const letters = [...name].flatMap((letter, at) => /[a-z]/i.test(letter) ? [at] : []);
  const most = 2 ** Math.min(letters.length, 12);
  for (let count = 0; count < most; count += 1) {
    const spelled = [...name.toLowerCase()];
    for (const [bit, at] of letters.slice(0, 12).entries()) {
      if (count >> bit & 1) spelled[at] = (spelled[at] as string).toUpperCase();
    }
    const text = spelled.join("");
    if (!fields.has(text)) return text;
  }
  return undefined;
}
