/**
 * The error for a refused target: the reason, and what allows it.
 * @module
 */

import { cannotReach, type ProxyError } from "../http/error.ts";
import type { Remedy } from "./remedy.ts";
import type { Refusal } from "./private-targets.ts";

/** The settings that these texts and remedies name. */
const NAMED = ["PRIVATE_TARGETS", "ALLOW_TARGETS", "HOSTS", "CORS_ORIGINS"];

const PRIVATE = "its address is private";
const USE_PUBLIC = "Use a public target";

/** What is wrong, with `{host}` for the Host that the caller sent; and what to do if no setting allows the target. */
const TEXTS: Readonly<Record<Refusal, readonly [state: string, action: string]>> = {
  closed: [`${PRIVATE}, and PRIVATE_TARGETS is false`, USE_PUBLIC],
  remote: [
    `${PRIVATE}, and PRIVATE_TARGETS=auto allows that only in a server that is known to listen on loopback, under a loopback name`,
    USE_PUBLIC,
  ],
  fronted: [`${PRIVATE}, and the request came through another proxy`, USE_PUBLIC],
  unknown_host: [
    `${PRIVATE}, and {host} is not a known name of this proxy`,
    "Use an address of this proxy that HOSTS names",
  ],
  stranger: [
    `${PRIVATE}, and CORS_ORIGINS=* allows public ones only`,
    "List the page's origin in CORS_ORIGINS",
  ],
  public_name: [`${PRIVATE} but its name is public, and pages may not use such names`, "Use a private name"],
  other_host: [`${PRIVATE}, and a page may read only its own host there`, "Open it in a window of its own"],
  unsealed: [
    `${PRIVATE}, and a page may have set the cookie proxy_host`,
    "Set the host again at /__proxy__/",
  ],
  unconfirmed: [`${PRIVATE}, and this link does more than read`, "Open it in a browser and confirm it"],
  mixed: [
    "its name resolves to both public and private addresses",
    "Use a name with addresses of one kind",
  ],
};

/** True if a setting may lift this refusal. For the others another action is better. */
export function hasRemedy(reason: Refusal): boolean {
  return reason !== "unsealed" && reason !== "unconfirmed";
}

/**
 * Makes the error for a refused target.
 *
 * @param target host and port of the target
 * @param exchange the Host that the caller sent
 * @param remedy what allows it, if anything does
 */
export function refuseTarget(
  reason: Refusal,
  target: string,
  { caller: { host } }: { caller: { host: string } },
  remedy?: Remedy,
): ProxyError {
  const [state, action] = TEXTS[reason];
  const text = `${state.replace("{host}", () => host)}. ${remedy?.advice ?? action}`;
  const code = reason === "unconfirmed" ? reason : "address_prohibited";
  return cannotReach(code, target, text, { setting: remedy?.setting, names: NAMED });
}
