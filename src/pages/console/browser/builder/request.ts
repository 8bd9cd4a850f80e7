/**
 * Converts between the builder's text and the fetch argument to send.
 * @module
 */

import type { FetchArgument } from "../../../../client.ts";

/** The kind of body text. */
export type BodyKind = "none" | "json" | "form" | "raw";

/** The content of the builder. */
export interface Draft {
  method: string;
  address: string;
  headers: [name: string, value: string][];
  kind: BodyKind;
  body: string;
  follow: boolean;
}

/** A draft that can be sent, or why it can't. */
export type Outcome = { argument: FetchArgument; problem?: undefined } | { problem: string };

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const FORM_TYPE = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
/** Longer numbers do not survive `JSON.parse`. */
const LONG_NUMBER = /\d{16,}/;

/**
 * Builds the argument from a draft.
 *
 * @param host the host for a path without one, or `null`
 */
export function buildArgument(draft: Draft, host: string | null): Outcome {
  const url = completeAddress(draft.address, host);
  if (!url) return { problem: "Enter an address such as https://api.example.com/path" };
  if (!TOKEN.test(draft.method)) return { problem: "The method is no token such as POST" };
  const headers: Record<string, string> = {};
  for (const [name, value] of draft.headers.filter(([name]) => name !== "")) {
    if (!TOKEN.test(name)) return { problem: `${name} is no header name` };
    if (findHeader(headers, name)) return { problem: `${name} is there twice; join its values by a comma` };
    headers[name] = value;
  }
  const body = buildBody(draft, headers);
  if (body.problem !== undefined) return body;
  return {
    argument: {
      url,
      ...(draft.method !== "GET" && { method: draft.method }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body.value !== undefined && { body: body.value }),
      ...(!draft.follow && { redirect: "manual" as const }),
    },
  };
}

/** Builds a draft from an argument, as far as the builder can show it. */
export function draftArgument(argument: Record<string, unknown>): Draft {
  const { url, method, headers, body, redirect } = argument;
  const fields = typeof headers === "object" && headers !== null ? Object.entries(headers) : [];
  const pairs = fields.map(([name, value]): [string, string] => [name, String(value)]);
  return {
    method: typeof method === "string" ? method : "GET",
    address: typeof url === "string" ? url : "",
    headers: pairs,
    ...draftBody(body, findHeader(Object.fromEntries(pairs), "content-type") ?? ""),
    follow: redirect !== "manual",
  };
}

/**
 * Completes a typed address: a path gets the host, a bare name gets a scheme.
 *
 * @returns `""` if it is not an address
 */
export function completeAddress(typed: string, host: string | null): string {
  const text = typed.trim();
  const isPath = text.startsWith("/");
  const scheme = /^(?:localhost|127\.)/.test(text) ? "http" : "https";
  const address = isPath
    ? (host ?? "") + text
    : /^[a-z][a-z\d+.-]*:\/\//i.test(text)
    ? text
    : `${scheme}://${text}`;
  if (!/^https?:\/\/[^/]/i.test(address) || /\s/.test(text) || !URL.canParse(address)) return "";
  return address;
}

/** The value of a header, by name in any case. */
export function findHeader(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}

/** Writes the body of an argument as the proxy does, with the resulting headers. */
export function writeBody({ headers = {}, body }: FetchArgument): {
  headers: Record<string, string>;
  text: string | undefined;
} {
  if (body === undefined || body === null) return { headers, text: undefined };
  if (typeof body === "string") return { headers, text: body };
  const isTyped = findHeader(headers, "content-type") !== undefined;
  return {
    headers: isTyped ? headers : { ...headers, "content-type": JSON_TYPE },
    text: JSON.stringify(body),
  };
}

function buildBody(
  { kind, body }: Draft,
  headers: Record<string, string>,
): { value?: unknown; problem?: undefined } | { problem: string } {
  if (kind === "none" || (kind !== "raw" && body.trim() === "")) return {};
  if (kind === "raw") return { value: body };
  const type = findHeader(headers, "content-type");
  if (kind === "form") {
    if (!type) headers["content-type"] = FORM_TYPE;
    const pairs = body.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    return { value: pairs.join("&") };
  }
  try {
    const value: unknown = JSON.parse(body);
    const isValue = value !== null && typeof value !== "string" && !LONG_NUMBER.test(body) &&
      !type?.toLowerCase().startsWith(FORM_TYPE);
    if (isValue) return { value };
    if (!type) headers["content-type"] = JSON_TYPE;
    return { value: body };
  } catch (error) {
    return {
      problem: `The body is no JSON: ${error instanceof Error ? error.message : "it does not parse"}`,
    };
  }
}

function draftBody(body: unknown, type: string): Pick<Draft, "kind" | "body"> {
  if (body === undefined || body === null) return { kind: "none", body: "" };
  const isForm = type.toLowerCase().startsWith(FORM_TYPE);
  if (typeof body !== "string") {
    return isForm
      ? { kind: "form", body: writeForm(body) }
      : { kind: "json", body: JSON.stringify(body, null, 2) };
  }
  return { kind: isForm ? "form" : isJson(body) && /json/i.test(type) ? "json" : "raw", body };
}

function writeForm(body: object | number | boolean | unknown): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body as object)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      form.append(name, item === null ? "" : typeof item === "object" ? JSON.stringify(item) : String(item));
    }
  }
  return form.toString();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
