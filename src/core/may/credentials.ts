/**
 * Credentials that a browser sends on its own to the proxy's origin go only to the host that asked for them.
 *
 * A cookie notes the host that asks, with a mark that only this proxy can make. It also notes credentials that a host
 * accepted: from then on no other host gets them.
 * @module
 * @see RFC 9110 §11.6, RFC 7617 §2.2 (a browser may send Basic unasked)
 */

import { isByHost } from "../address/selector.ts";
import { readCookie } from "../http/cookies.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import type { CookieRights, Passage } from "../exchange/findings.ts";
import type { FieldWriter } from "../http/fields.ts";

const COOKIE = "proxy_auth";
/** Schemes whose credentials browsers keep and send by themselves. */
const SCHEME = /^(basic|digest|negotiate|ntlm)\b/i;
const CHALLENGE = /(?:^|,)[ \t]*(?:basic|digest|negotiate|ntlm)(?:[ \t]|,|$)/i;
/** Maximum number of noted hosts and credentials; the newest come first. */
const MAX_ENTRIES = 8;
/** Separates the mark of a host from the mark of the credentials that it accepted. */
const TAKEN = "~";

/**
 * True if a browser may have sent these credentials by itself. On a label they belong to the label's own origin only.
 */
function isUnasked({ caller, carried, asker, incoming }: Exchange, target: Target): boolean {
  if (target.selector === "arg" || asker === "console") return false;
  // Without Fetch Metadata only WebSocket handshakes identify a browser, and their host was never noted.
  if (!incoming.headers.has("sec-fetch-site")) return false;
  // A trusted page of another origin sends its credentials itself.
  if (asker === "granted" && caller.isForeign && incoming.headers.has("origin")) return false;
  const { label } = carried;
  return !(label && "origin" in label && label.origin.origin === target.origin.origin);
}

/** True for credentials of a scheme that browsers keep and send by themselves. */
export function isKept(authorization: string | null): boolean {
  return SCHEME.test(authorization ?? "");
}

/**
 * Judges the credentials of a request, or the login of its connection, which a browser also keeps using by itself.
 * `undefined` if the request has none that a browser sends by itself.
 */
export function judgeCredentials(
  exchange: Exchange,
  target: Target,
  cookies: CookieRights,
): Promise<Passage> | undefined {
  const { headers, bonds } = exchange.incoming;
  const authorization = headers.get("authorization");
  const scheme = SCHEME.exec(authorization ?? "")?.[1]?.toLowerCase();
  const mayGoOn = authorization === null && bonds !== undefined &&
    headers.get("cookie")?.includes(COOKIE) === true;
  if ((scheme === undefined && !mayGoOn) || !isUnasked(exchange, target)) return undefined;
  return judge(exchange, target, cookies, scheme === "basic" ? authorization! : undefined);
}

/** True for a page's request that may not use a login of its connection. */
export function isStray(exchange: Exchange, target: Target, passage: Passage | undefined): boolean {
  const { caller, asker } = exchange;
  // The page describes everything that is sent.
  if (target.selector === "arg") return asker !== "console" && (caller.isBrowser || caller.hasOrigin);
  return passage?.isOpen !== true && isUnasked(exchange, target);
}

async function judge(
  { incoming, key }: Exchange,
  target: Target,
  cookies: CookieRights,
  basic: string | undefined,
): Promise<Passage> {
  const entries = readEntries(incoming.headers.get("cookie"));
  const host = await key.mark("challenge", target.origin.origin);
  const credentials = basic && await key.mark("credentials", basic);
  const takers = entries.filter((entry) => credentials && entry.endsWith(TAKEN + credentials));
  const hasAsked = takers.length > 0
    ? takers.includes(`${host}${TAKEN}${credentials}`)
    : entries.some((entry) => entry === host || entry.startsWith(host + TAKEN));
  const isAllowed = isByHost(target.selector) ? cookies.host !== undefined : cookies.sendsCookies;
  return { isOpen: isAllowed && hasAsked && !cookies.isCrossing, host, credentials };
}

/** True for a challenge that must be dropped: the browser would ask for a password that could go to any host. */
export function isStrayChallenge(name: string, value: string, exchange: Exchange, target: Target): boolean {
  if (name !== "www-authenticate" || !exchange.caller.isBrowser || exchange.asker === "console") return false;
  return !isByHost(target.selector) && CHALLENGE.test(value);
}

/** Notes in the response which host asked for credentials or accepted them. */
export async function noteCredentials(
  answer: { readonly status: number; readonly headers: FieldWriter },
  exchange: Exchange,
  target: Target,
  passage: Passage | undefined,
): Promise<void> {
  const { incoming, caller, config, key } = exchange;
  const entry = answer.status === 401
    ? await key.mark("challenge", target.origin.origin)
    : passage?.isOpen && passage.credentials && `${passage.host}${TAKEN}${passage.credentials}`;
  const entries = readEntries(incoming.headers.get("cookie"));
  if (!entry || entries[0] === entry) return;
  const value = [entry, ...entries.filter((other) => other !== entry)].slice(0, MAX_ENTRIES).join(".");
  const flags = caller.isSecure ? "; Secure" : "";
  const path = config.mountPath || "/";
  answer.headers.append("set-cookie", `${COOKIE}=${value}; Path=${path}; HttpOnly; SameSite=Lax${flags}`);
}

/** True if the response has something to note. */
export function hasNews(
  answer: { readonly status: number; readonly headers: FieldWriter },
  exchange: Exchange,
  target: Target,
  passage: Passage | undefined,
): boolean {
  const { caller, carried } = exchange;
  if (!caller.isBrowser || carried.label !== undefined) return false;
  if (!isByHost(target.selector)) return false;
  if (answer.status !== 401) return passage?.isOpen === true && passage.credentials !== undefined;
  return CHALLENGE.test(answer.headers.get("www-authenticate") ?? "");
}

function readEntries(cookie: string | null): string[] {
  const [value = ""] = readCookie(cookie, COOKIE);
  return value.split(".").filter((entry) => /^[\w-]{22}(?:~[\w-]{22})?$/.test(entry)).slice(0, MAX_ENTRIES);
}
