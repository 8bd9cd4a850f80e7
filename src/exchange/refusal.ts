/**
 * What a caller is told whose target is refused: which law it is, and which one setting opens it.
 * @module
 */

import type { Config } from "../settings/config.ts";
import { type ErrorCode, ProxyError } from "../http/error.ts";
import { formatTargets } from "../address/lists.ts";
import type { Refusal } from "./rights.ts";

/** What the texts name. */
interface Situation {
  /** Host and port of the target, as the caller wrote them. */
  target: string;
  /** The Host that the caller asked for. */
  host: string;
  config: Config;
}

interface Text {
  code?: ErrorCode;
  state: string;
  /** The line of settings that opens it. */
  setting?: string;
  /** What is expected else. */
  expected?: string;
}

const TEXTS: Readonly<Record<Refusal | "mixed", (situation: Situation) => Text>> = {
  closed: () => ({ state: "its address is private, and PRIVATE_TARGETS is false", expected: "a public one" }),
  remote: () => ({
    state: "its address is private, and PRIVATE_TARGETS=auto is for callers on this machine",
    setting: "PRIVATE_TARGETS=true",
  }),
  fronted: () => ({
    state: "its address is private, and the request came through another proxy",
    setting: "PRIVATE_TARGETS=true",
  }),
  unknown_host: ({ host }) => ({
    state: `its address is private, and ${host} is no name of this proxy`,
    setting: `HOSTS=${host.replace(/:\d*$/, "")}`,
  }),
  stranger: () => ({
    state: "its address is private, and CORS_ORIGINS=* is for public ones",
    expected: "the page's origin in CORS_ORIGINS",
  }),
  public_name: (situation) => ({
    state: "its address is private, and a page may use a public name for one only where a setting says so",
    setting: listed(situation),
  }),
  other_host: (situation) => ({
    state: "its address is private, and a page may read those of its own host only",
    setting: listed(situation),
  }),
  unsealed: () => ({
    state: "its address is private, and the cookie proxy_host may be a page's own",
    expected: "the host to be set anew at /__proxy__/",
  }),
  mixed: (situation) => ({
    state: "its name leads to public and to private addresses",
    setting: listed(situation),
  }),
  unconfirmed: () => ({
    code: "unconfirmed",
    state: "its address is private, and a link does more there than look",
    expected: "its user's word",
  }),
};

/** The error for a target that is refused. */
export function refuseTarget(reason: Refusal | "mixed", situation: Situation): ProxyError {
  const { code = "address_prohibited", state, setting, expected } = TEXTS[reason](situation);
  const wanted = setting ? `the setting ${setting}` : expected;
  return new ProxyError(code, `Cannot reach ${situation.target}: ${state}, expected ${wanted}`, { setting });
}

function listed({ target, config: { privateTargets } }: Situation): string {
  const before = typeof privateTargets === "object" ? `,${formatTargets(privateTargets)}` : "";
  return `PRIVATE_TARGETS=auto${before},${target}`;
}
