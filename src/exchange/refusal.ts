/**
 * The error for a refused target: the reason, and the one setting that allows it.
 * @module
 */

import type { Config } from "../settings/config.ts";
import { type ErrorCode, ProxyError } from "../http/error.ts";
import { formatTargets } from "../address/target-lists.ts";
import type { Refusal } from "./rights.ts";

/** The facts that the texts mention. */
interface Situation {
  /** Host and port of the target, as the caller wrote them. */
  target: string;
  /** The Host that the caller sent. */
  host: string;
  config: Config;
}

interface Text {
  code?: ErrorCode;
  state: string;
  /** The setting that allows it, as `NAME=value`. */
  setting?: string;
  /** What to do if no setting allows it. */
  action?: string;
}

const TEXTS: Readonly<Record<Refusal | "mixed", (situation: Situation) => Text>> = {
  closed: () => ({
    state: "its address is private, and PRIVATE_TARGETS is false",
    action: "Use a public target",
  }),
  remote: () => ({
    state: "its address is private, and PRIVATE_TARGETS=auto allows that only for callers on this machine",
    setting: "PRIVATE_TARGETS=true",
  }),
  fronted: () => ({
    state: "its address is private, and the request came through another proxy",
    setting: "PRIVATE_TARGETS=true",
  }),
  unknown_host: ({ host }) => ({
    state: `its address is private, and ${host} is not a known name of this proxy`,
    setting: `HOSTS=${host.replace(/:\d*$/, "")}`,
  }),
  stranger: () => ({
    state: "its address is private, and CORS_ORIGINS=* allows public ones only",
    action: "List the page's origin in CORS_ORIGINS",
  }),
  public_name: (situation) => ({
    state: "its address is private but its name is public, and pages may not use such names",
    setting: listed(situation),
  }),
  other_host: (situation) => ({
    state: "its address is private, and a page may read only its own host there",
    setting: listed(situation),
  }),
  unsealed: () => ({
    state: "its address is private, and a page may have set the cookie proxy_host",
    action: "Set the host again at /__proxy__/",
  }),
  mixed: (situation) => ({
    state: "its name resolves to both public and private addresses",
    setting: listed(situation),
  }),
  unconfirmed: () => ({
    code: "unconfirmed",
    state: "its address is private, and this link does more than read",
    action: "Open it in a browser and confirm it",
  }),
};

/** Makes the error for a refused target. */
export function refuseTarget(reason: Refusal | "mixed", situation: Situation): ProxyError {
  const { code = "address_prohibited", state, setting, action } = TEXTS[reason](situation);
  const advice = setting ? `To allow it, set ${setting}` : action;
  return new ProxyError(code, `Cannot reach ${situation.target}: ${state}. ${advice}`, { setting });
}

function listed({ target, config: { privateTargets } }: Situation): string {
  const before = typeof privateTargets === "object" ? `,${formatTargets(privateTargets)}` : "";
  return `PRIVATE_TARGETS=auto${before},${target}`;
}
