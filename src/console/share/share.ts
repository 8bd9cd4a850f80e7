/**
 * Writes a request as links and as code, with the proxy's own encoders, and says what secrets a link carries.
 * @module
 */

import { type FetchArgument, fetchUrl, labelFor, proxyUrl } from "../../client/client.ts";
import { AT } from "../../core/address/reserved-paths.ts";
import { findObstacle, writeCurl, writeFileCurl } from "./curl.ts";
import { describe } from "../builder/fetch-argument.ts";
import type { ReadyRequest } from "../builder/compose-request.ts";
import type { NamedProxy } from "../page/own-requests.ts";
import type { LabelContext } from "./pasted.ts";
import { hideAddress, hideBody, hideField } from "../builder/hide.ts";

/** The context of the links and the code. */
export interface ShareContext extends NamedProxy, LabelContext {}

/** One way to share a request. */
export interface Share {
  name: string;
  about: string;
  /** The link or the code; `""` if this way can't express the request. */
  text: string;
  isLink: boolean;
  /** What this way leaves out, or why it is not possible. */
  note?: string;
}

/** Lists the six ways. */
export async function listShares(request: ReadyRequest, context: ShareContext): Promise<Share[]> {
  const { argument, problem } = describe(request);
  const { url, redirect } = request;
  const address = joinNotes(listLeft(request), warnOf(findAddressSecrets(url)));
  const needsToken = context.needsToken ? "The caller needs the token, or a signature" : undefined;
  const signIn = context.needsToken && "Asks for the token once, on an origin of its own";
  const { own, at } = labelAddresses(url, context);
  const ownOrigin = { ...own, ...own.note ? {} : joinNotes(address.note, signIn) };
  const byPath = { ...at, ...at.note ? {} : joinNotes(address.note, needsToken) };
  const code = argument ? writeCurl(argument, context) : writeFileCurl(request, context);
  const follows = redirect === "manual" && "Follows redirects";
  return [
    {
      name: "arg link",
      about: "all of it",
      text: argument ? await fetchUrl(context.base, argument) : "",
      isLink: true,
      ...joinNotes(problem, argument && warnOf(findSecrets(request)), needsToken),
    },
    {
      name: "url link",
      about: "address only",
      text: await proxyUrl(context.base, url),
      isLink: true,
      ...joinNotes(address.note ?? needsToken, follows),
    },
    { name: "label", about: "own origin", isLink: true, ...ownOrigin },
    { name: "base address", about: "for programs", isLink: true, ...byPath },
    { name: "curl", about: "shell", isLink: false, ...code },
    {
      name: "fetch",
      about: "JavaScript",
      text: argument ? writeFetch(argument, context) : "",
      isLink: false,
      ...joinNotes(problem),
    },
  ];
}

/** What an address leaves out of the request. */
function listLeft({ method, headers, body }: ReadyRequest): string | false {
  const left = [method !== "GET" && "method", headers.length > 0 && "headers", body !== undefined && "body"]
    .filter((part) => typeof part === "string");
  return left.length > 0 && `Carries the address only, without ${left.join(", ")}`;
}

function joinNotes(...notes: (string | false | undefined)[]): Pick<Share, "note"> {
  const kept = notes.filter((note) => typeof note === "string");
  return kept.length > 0 ? { note: kept.join(". ") } : {};
}

/** The label of an address, and the path behind it. Configured labels come first. */
function findLabel(
  address: string,
  { labels }: ShareContext,
): { label: string; rest: string; note?: string } {
  const { origin, pathname, search } = new URL(address);
  const rest = pathname + search;
  const plain = origin + rest;
  const known = labels.find(([, host]) => plain === host || plain.startsWith(`${host.replace(/\/$/, "")}/`));
  if (known) return { label: known[0], rest: plain.slice(known[1].replace(/\/$/, "").length) || "/" };
  try {
    const label = labelFor(origin);
    const isTaken = labels.some(([name]) => name === label);
    return { label, rest, ...isTaken && { note: `${label} is a label of another host` } };
  } catch (error) {
    const note = error instanceof Error ? error.message.replace(/^[^:]*: /, "") : "no label fits";
    return { label: "", rest, note };
  }
}

/** The address on the target's own origin, and the one by path, for programs that do not resolve labels (rule 20.8). */
function labelAddresses(
  address: string,
  context: ShareContext,
): Record<"own" | "at", Pick<Share, "text" | "note">> {
  const { protocol, port, pathname } = new URL(context.base);
  const mount = pathname.replace(/\/$/, "");
  const { label, rest, note } = findLabel(address, context);
  const write = (start: string, path: string) => {
    const obstacle = findObstacle(address, path) ?? note;
    return obstacle === undefined ? { text: start + rest } : { text: "", note: obstacle };
  };
  return {
    own: write(`${protocol}//${label}.w.${context.domain}${port && `:${port}`}${mount}`, rest),
    // All that follows the label belongs to the target.
    at: write(`${context.base.replace(/\/$/, "")}${AT}/${label}`, "/"),
  };
}

/** Writes a `fetch` call with the argument as the body of a POST, because pages can set every header that way. */
export function writeFetch(argument: FetchArgument, { base, needsToken }: ShareContext): string {
  const token = needsToken ? ", proxy_token: PROXY_TOKEN" : "";
  const body = JSON.stringify(argument, null, 2).replaceAll("\n", "\n  ");
  return `const response = await fetch(${JSON.stringify(`${base}/__proxy__/fetch`)}, {
  method: "POST",
  headers: { "content-type": "application/json"${token} },
  body: JSON.stringify(${body}),
});`;
}

/** The secrets in an address: its user and password, parameters by name, and keys elsewhere in it. */
export function findAddressSecrets(address: string): string[] {
  const { username, password, origin, pathname, search, hash } = new URL(address);
  return [
    ...new Set([
      ...(password ? ["a password"] : username ? ["a user name"] : []),
      ...(isHidden(origin + pathname) ? ["a key in the path"] : []),
      ...findParameters(search),
      ...findParameters(hash),
    ]),
  ];
}

/** All secrets of a request, by name. */
export function findSecrets(
  { url, headers, body }: Pick<ReadyRequest, "url" | "headers" | "body">,
): string[] {
  const fields = headers.filter(([name, value]) => hideField(name, value) !== value);
  const isKept = typeof body !== "string" || hideBody(body) === body;
  return [
    ...new Set([
      ...fields.map(([name]) => name.toLowerCase()),
      ...findAddressSecrets(url),
      ...(isKept ? [] : ["a secret in the body"]),
    ]),
  ];
}

/** Says calmly what a link carries; `undefined` if it carries no secret. */
function warnOf(secrets: readonly string[]): string | undefined {
  return secrets.length > 0 ? `Carries ${secrets.join(", ")}: whoever has the link has it too` : undefined;
}

/** The names of the parameters that hold a secret, of a query or a fragment. */
function findParameters(text: string): string[] {
  const pairs = text.slice(1).split("&").filter((pair) => isHidden(`?${pair}`));
  return pairs.map((pair) => {
    const [[name, value] = ["", ""]] = new URLSearchParams(pair);
    // Without a value, the name is the secret.
    return value === "" || isHidden(`?${name}`) ? "a key in the query" : name;
  });
}

function isHidden(address: string): boolean {
  return hideAddress(address) !== address;
}
