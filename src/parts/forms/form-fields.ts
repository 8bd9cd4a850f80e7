/**
 * The headers that belong to the forms of other proxies: those that their clients send to control the proxy, and those
 * that their clients read in its responses.
 * @module
 */

import { type AddressForm, formatAddress } from "../../core/address/address.ts";
import type { Rules } from "../../core/exchange/exchange.ts";
import type { Form, FormSource } from "../../core/exchange/findings.ts";
import type { FieldWriter } from "../../core/http/fields.ts";
import { applyOverrides, readJsonOverrides } from "../../core/way/overrides.ts";
import type { Incoming } from "../../core/runtime.ts";
import type { Config } from "../../core/settings/config.ts";
import { readForm } from "./forms.ts";

/** Headers of cloudflare-cors-anywhere and of Corsfix: JSON with headers to set or remove. */
const OVERRIDES = ["x-cors-headers", "x-corsfix-headers"] as const;
/** The header that asks for `RECEIVED`. */
const [CORS_HEADERS] = OVERRIDES;
/** All headers of the target as JSON: cloudflare-cors-anywhere shows them to pages, which cannot see `Set-Cookie`. */
const RECEIVED = "cors-received-headers";
/** Headers that a page's `fetch` may not set. Scalar's client sends them under these names. */
const SCALAR_PREFIX = "x-scalar-";
const SCALAR_NAMES = ["cookie", "date", "dnt", "referer", "user-agent"] as const;
/** Corsfix takes its own key and the time to cache under such names, and forwards none of them. */
const CORSFIX_PREFIX = "x-corsfix-";
/** Some git servers answer browsers with pages, so a page's git client has to call itself git. */
const GIT_AGENT = "git/fetchvia";

/** Headers that select the host, for `Vary`: with another host, the same path is another resource (RFC 9110 §12.5.5). */
const SELECTORS = ["proxy_host", "Cookie"];
/** Headers that change the outgoing request, for `Vary`. */
const STEERING: readonly string[] = [...OVERRIDES, ...SCALAR_NAMES.map((name) => SCALAR_PREFIX + name)];

/** Each form with its headers. */
export const FORMS: { readonly [N in AddressForm]: Form } = {
  "git": makeForm("git", "the path"),
  "scalar": makeForm("scalar", "parameter scalar_url"),
  "corsproxy": makeForm("corsproxy", "parameter url"),
  "cors-anywhere": makeForm("cors-anywhere", "the path"),
};

/** The rules of the forms that the settings ask for. */
export function formRules({ addressForms }: Pick<Config, "addressForms">): Rules {
  return {
    read(path) {
      const written = readForm(path, addressForms);
      return written && { address: written.address, form: FORMS[written.form] };
    },
  };
}

function makeForm(name: AddressForm, place: string): Form {
  return {
    name,
    place,
    showsHead,
    writeRequest: (headers, config) => writeFormFields(headers, name, config),
    writeResponse: (headers, source) => writeFormResponse(headers, name, source),
  };
}

/**
 * Changes an outgoing request as its form asks, and drops the headers that ask for it.
 *
 * No page can send those headers across origins without a preflight, so `CORS_ORIGINS` decides which pages may.
 *
 * @param headers the outgoing headers so far
 * @throws {ProxyError} `bad_request` naming the field, as for `proxy_headers`
 * @see rule 15.1
 */
function writeFormFields(headers: FieldWriter, form: AddressForm, config: Config): void {
  if (form === "scalar") renameScalar(headers);
  if (form === "git" && !headers.get("user-agent")?.startsWith("git/")) headers.set("user-agent", GIT_AGENT);
  const found = OVERRIDES.flatMap((name) => {
    const json = headers.get(name);
    return json === null ? [] : [readJsonOverrides(json, `header ${name}`, config)];
  });
  dropSteering(headers, form);
  for (const overrides of found) applyOverrides(headers, overrides);
}

function showsHead({ headers }: Pick<Incoming, "headers">): boolean {
  return headers.has(CORS_HEADERS);
}

/** Adds the headers that clients of the form read in a response. */
function writeFormResponse(
  headers: FieldWriter,
  form: AddressForm,
  { incoming, named, final, readHead }: FormSource,
): void {
  if (form === "cors-anywhere") {
    headers.set("x-request-url", formatAddress(named));
    headers.set("x-final-url", formatAddress(final));
  }
  headers.append("vary", [...SELECTORS, ...STEERING.filter((name) => incoming.headers.has(name))].join(", "));
  if (!showsHead(incoming)) return;
  const head = readHead();
  headers.set(
    RECEIVED,
    JSON.stringify(Object.fromEntries([...head].map(([name]) => [name, head.get(name)]))),
  );
}

/** Renames `x-scalar-cookie` to `cookie`, and so on. Replaces the caller's own headers of these names. */
function renameScalar(headers: FieldWriter): void {
  for (const name of SCALAR_NAMES) {
    const value = headers.get(SCALAR_PREFIX + name);
    headers.delete(SCALAR_PREFIX + name);
    if (value) headers.set(name, value);
  }
}

function dropSteering(headers: FieldWriter, form: AddressForm): void {
  for (const name of OVERRIDES) headers.delete(name);
  if (form !== "corsproxy") return;
  const names = [...headers].map(([name]) => name).filter((name) => name.startsWith(CORSFIX_PREFIX));
  for (const name of names) headers.delete(name);
}
