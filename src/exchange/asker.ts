/**
 * Who asks: a program, a browser's user, or a page, and whose.
 * @module
 */

import type { Caller } from "./caller.ts";
import type { Config } from "../settings/config.ts";
import type { Grant } from "../address/origins.ts";
import { isNavigation, isUpgrade } from "../http/headers.ts";
import { stripMount } from "../address/mount.ts";
import { isReserved } from "../address/reserved.ts";
import type { Incoming } from "./runtime.ts";
import type { Carried } from "./selectors.ts";

/**
 * Who asks.
 * - `program`: no browser
 * - `user`: a browser, for its user: what is typed, opened from outside, or a form of the proxy's own page
 * - `console`: the script of the console, which shows the ticket that its page was given
 * - `granted`: a page whose origin `CORS_ORIGINS` lists (by default: a loopback origin), or a link signed with the key
 * - `stranger`: a page of another site that `CORS_ORIGINS=*` alone lets in
 * - `page`: a page that a target served through the proxy
 */
export type Asker = "program" | "user" | "console" | "granted" | "stranger" | "page";

/** What is known of a request when it is asked who sends it. */
interface Arrived {
  incoming: Pick<Incoming, "headers">;
  caller: Caller;
  carried: Carried;
  config: Pick<Config, "mountPath" | "target">;
}

/** The field by which the console shows that it is the console. No browser lets a script set one that begins with `Proxy-`. */
export const PROOF_FIELD = "x-fetchvia-ticket";
/** The parameter by which a form of its page does, and in which links stand that the proxy made itself. */
export const PROOF_PARAMETER = "proof";

/**
 * Says who asks. Its absence in Fetch Metadata proves nothing, so what looks like no browser has the rights of a program,
 * and `PRIVATE_TARGETS=auto` is for loopback alone, where every browser sends it.
 *
 * @param ticket what the console's page was given
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

/** The proxy's plain origin is the console's, and that of each host in turn: a page of a host shows in what it sends. */
function isOfTarget({ incoming: { headers }, caller, carried, config }: Arrived): boolean {
  if (carried.cookie !== undefined) return true;
  const referer = headers.get("referer");
  if (referer !== null && !isOwnPage(referer, config.mountPath)) return true;
  // A script can leave out cookies and Referer, but not what it is: every browser says that it is no navigation.
  if (isUpgrade(headers)) return !caller.isForeign && config.target !== undefined;
  const mode = headers.get("sec-fetch-mode");
  return headers.get("sec-fetch-site") === "same-origin" && mode !== null && mode !== "navigate";
}

function isOwnPage(referer: string, mountPath: string): boolean {
  const path = /^https?:\/\/[^/?#]*(\/.*)?$/s.exec(referer)?.[1] ?? "/";
  return isReserved(stripMount(path, mountPath) ?? path);
}
