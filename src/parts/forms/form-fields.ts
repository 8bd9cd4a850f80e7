/**
 * The headers that belong to the forms of other proxies: those that their clients send to control the proxy, and those
 * that their clients read in its responses.
 * @module
 */

import { formatAddress } from "../../core/address/address.ts";
import type { AddressForm } from "../../core/address/selector.ts";
import type { Answer, Exchange, Target } from "../../core/exchange/exchange.ts";
import type { FieldWriter } from "../../core/http/fields.ts";
import { applyOverrides, readJsonOverrides } from "../../core/way/overrides.ts";
import { readTrueHead } from "../../core/way/true-head.ts";

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

/**
 * Changes an outgoing request as its form asks, and drops the headers that ask for it.
 *
 * No page can send those headers across origins without a preflight, so `CORS_ORIGINS` decides which pages may.
 *
 * @param headers the outgoing headers so far
 * @throws {ProxyError} `bad_request` naming the field, as for `proxy_headers`
 * @see rule 15.1
 */
export function writeFormFields(headers: FieldWriter, { form, config }: Exchange): void {
  if (form === "scalar") renameScalar(headers);
  if (form === "git" && !headers.get("user-agent")?.startsWith("git/")) headers.set("user-agent", GIT_AGENT);
  const found = OVERRIDES.flatMap((name) => {
    const json = headers.get(name);
    return json === null ? [] : [readJsonOverrides(json, `header ${name}`, config)];
  });
  dropSteering(headers, form);
  for (const overrides of found) applyOverrides(headers, overrides);
}

/** True if the response shows all headers of the target's response, as a sealed response does. */
export function showsHead({ form, incoming }: Pick<Exchange, "form" | "incoming">): boolean {
  return form !== undefined && incoming.headers.has(CORS_HEADERS);
}

/** Adds the headers that clients of the form read in a response. */
export function writeFormAnswer(
  headers: FieldWriter,
  answer: Answer,
  exchange: Exchange,
  target: Target,
): void {
  const { form, incoming } = exchange;
  if (form === "cors-anywhere") {
    headers.set("x-request-url", formatAddress(target));
    headers.set("x-final-url", formatAddress(answer.finalAddress ?? target));
  }
  headers.append("vary", [...SELECTORS, ...STEERING.filter((name) => incoming.headers.has(name))].join(", "));
  if (!showsHead(exchange)) return;
  const head = readTrueHead(answer, exchange, target.origin);
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

function dropSteering(headers: FieldWriter, form: AddressForm | undefined): void {
  for (const name of OVERRIDES) headers.delete(name);
  if (form !== "corsproxy") return;
  const names = [...headers].map(([name]) => name).filter((name) => name.startsWith(CORSFIX_PREFIX));
  for (const name of names) headers.delete(name);
}
