/**
 * The error for a refused target: the reason, and what allows it.
 * @module
 */

import { type ErrorCode, ProxyError } from "../http/error.ts";
import type { Remedy } from "./remedy.ts";
import type { Refusal } from "./private-targets.ts";

interface Text {
  code?: ErrorCode;
  /** @param host the Host that the caller sent */
  state(host: string): string;
  /** What to do if no setting allows it. */
  action: string;
}

/** The settings that these texts and remedies name. */
const NAMED = ["PRIVATE_TARGETS", "ALLOW_TARGETS", "HOSTS", "CORS_ORIGINS"];

/** Refusals that no setting should lift, because another action does. */
const OWN_ACTIONS: ReadonlySet<Refusal | "mixed"> = new Set(["unsealed", "unconfirmed"]);

const TEXTS: Readonly<Record<Refusal | "mixed", Text>> = {
  closed: {
    state: () => "its address is private, and PRIVATE_TARGETS is false",
    action: "Use a public target",
  },
  remote: {
    state: () =>
      "its address is private, and PRIVATE_TARGETS=auto allows that only in a server that is known to listen on loopback, " +
      "under a loopback name",
    action: "Use a public target",
  },
  fronted: {
    state: () => "its address is private, and the request came through another proxy",
    action: "Use a public target",
  },
  unknown_host: {
    state: (host) => `its address is private, and ${host} is not a known name of this proxy`,
    action: "Use an address of this proxy that HOSTS names",
  },
  stranger: {
    state: () => "its address is private, and CORS_ORIGINS=* allows public ones only",
    action: "List the page's origin in CORS_ORIGINS",
  },
  public_name: {
    state: () => "its address is private but its name is public, and pages may not use such names",
    action: "Use a private name",
  },
  other_host: {
    state: () => "its address is private, and a page may read only its own host there",
    action: "Open it in a window of its own",
  },
  unsealed: {
    state: () => "its address is private, and a page may have set the cookie proxy_host",
    action: "Set the host again at /__proxy__/",
  },
  mixed: {
    state: () => "its name resolves to both public and private addresses",
    action: "Use a name with addresses of one kind",
  },
  unconfirmed: {
    code: "unconfirmed",
    state: () => "its address is private, and this link does more than read",
    action: "Open it in a browser and confirm it",
  },
};

/** True if a setting may lift this refusal. */
export function hasRemedy(reason: Refusal | "mixed"): boolean {
  return !OWN_ACTIONS.has(reason);
}

/**
 * Makes the error for a refused target.
 *
 * @param target host and port of the target
 * @param exchange the Host that the caller sent
 * @param remedy what allows it, if anything does
 */
export function refuseTarget(
  reason: Refusal | "mixed",
  target: string,
  { caller: { host } }: { caller: { host: string } },
  remedy?: Remedy,
): ProxyError {
  const { code = "address_prohibited", state, action } = TEXTS[reason];
  const message = `Cannot reach ${target}: ${state(host)}. ${remedy?.advice ?? action}`;
  return new ProxyError(code, message, { setting: remedy?.setting, names: NAMED });
}
