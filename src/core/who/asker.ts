/**
 * Determines who sends a request: a program, a browser's user, or a page, and whose page;
 * what its origin is granted, and the facts that are read of each head.
 * @module
 */

import { type Grant, isLoopbackOrigin, readAuthority } from "../address/authority.ts";
import { isReserved, stripMount } from "../address/reserved-paths.ts";
import { isNavigation, isUpgrade, PROOF_FIELD } from "../http/headers.ts";
import type { Incoming, Runtime } from "../runtime.ts";
import type { Config } from "../settings/config.ts";
import { type Caller, readCaller, readHost } from "./caller.ts";
import { type Carried, isBase, readCarried } from "./host-selectors.ts";

/**
 * Who sends a request.
 * - `program`: no browser
 * - `user`: a browser on behalf of its user: a typed address, a link from outside, or a form of the proxy's own page
 * - `console`: the script of the console, which sends the ticket from its page
 * - `granted`: a page whose origin `CORS_ORIGINS` lists (by default: a loopback origin), or a link signed with the key
 * - `stranger`: a page of another site that only `CORS_ORIGINS=*` allows
 * - `page`: a page that a target served through the proxy
 */
export type Asker = "program" | "user" | "console" | "granted" | "stranger" | "page";

/** The facts that decide who sends a request. */
interface Arrived {
  incoming: Pick<Incoming, "headers">;
  caller: Caller;
  carried: Carried;
  config: Pick<Config, "mountPath">;
}

/** The parameter with the same proof in the console's form. In links that the proxy made it carries their mark. */
export const PROOF_PARAMETER = "proof";

/**
 * Determines who sends a request. Missing Fetch Metadata proves nothing: such a request gets the rights of a program.
 * So `PRIVATE_TARGETS=auto` is for loopback only, where every browser sends it.
 *
 * @param ticket the secret in the console's page
 */
export function readAsker(arrived: Arrived, grant: Grant, ticket: string): Asker {
  const { incoming: { headers }, caller, carried } = arrived;
  if (!caller.isBrowser && !caller.hasOrigin) return "program";
  if (grant === "listed") return "granted";
  if (grant === "any" && caller.isForeign && !isNavigation(headers)) return "stranger";
  if (carried.label !== undefined) return "page";
  if (headers.get(PROOF_FIELD) === ticket) return "console";
  return isOfTarget(arrived) ? "page" : "user";
}

/**
 * True for a page of a target. The console and all hosts share the plain origin, so cookie, Referer and Fetch Metadata
 * decide.
 */
function isOfTarget({ incoming: { headers }, caller, carried, config }: Arrived): boolean {
  if (carried.cookie !== undefined) return true;
  const referer = headers.get("referer");
  if (referer !== null && !isOwnPage(referer, config.mountPath)) return true;
  // A script can omit cookies and Referer, but not `Sec-Fetch-Mode`: it is never a navigation. To a WebSocket it can add no
  // field, and the console opens its own by a pass.
  if (isUpgrade(headers)) return !caller.isForeign && !isBase(carried.header);
  const mode = headers.get("sec-fetch-mode");
  return headers.get("sec-fetch-site") === "same-origin" && mode !== null && mode !== "navigate";
}

function isOwnPage(referer: string, mountPath: string): boolean {
  const path = /^https?:\/\/[^/?#]*(\/.*)?$/s.exec(referer)?.[1] ?? "/";
  return isReserved(stripMount(path, mountPath) ?? path);
}

/** The facts about who sends a request. */
export interface Facts {
  readonly caller: Caller;
  readonly carried: Carried;
  readonly asker: Asker;
}

/**
 * Reads the facts.
 *
 * @param given what they depend on in addition to the fields
 * @param ticket the console's secret, the same for all requests to a proxy
 * @throws {ProxyError} `bad_request` when the Host header is malformed (RFC 9112 §3.2)
 */
export function readFacts(
  incoming: Incoming,
  { runtime, config, grant }: { runtime: Runtime; config: Config; grant: Grant },
  ticket: string,
): Facts {
  const caller = readCaller(incoming, runtime, config.trustedProxies);
  const carried = readCarried(incoming.headers, caller.host, config);
  const asker = readAsker({ incoming, caller, carried, config }, grant, ticket);
  return { caller, carried, asker };
}

/** What the origin of the caller's page is granted. */
export function readGrant(
  incoming: Pick<Incoming, "headers" | "url">,
  runtime: Runtime,
  config: Config,
): Grant {
  const origin = incoming.headers.get("origin");
  const { corsOrigins, proxyDomain } = config;
  if (corsOrigins) {
    return origin && corsOrigins.listed.has(origin) ? "listed" : corsOrigins.any ? "any" : "none";
  }
  const isLocal = origin !== null && runtime.listensOnLoopback === true &&
    isLoopbackOrigin(origin, proxyDomain) && !isOwnPort(origin, readHost(incoming));
  return isLocal ? "listed" : "none";
}

/** Under any loopback name, the proxy's own port serves pages of targets. */
function isOwnPort(origin: string, host: string): boolean {
  return (new URL(origin).port || undefined) === readAuthority(host).port?.toString();
}
