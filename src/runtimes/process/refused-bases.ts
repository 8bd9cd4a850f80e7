/**
 * Finds targets in the settings that the settings themselves refuse, so that the proxy can report them when it starts.
 * @module
 */

import { type Address, portOf } from "../../core/address/address.ts";
import { classifyAddress, isAddress, isLoopbackHost, VERDICT_CLASSES } from "../../core/address/ip.ts";
import { judgeAddresses, judgeName, permitsPrivate } from "../../core/address/target-lists.ts";
import type { Config } from "../../core/settings/config.ts";
import { isPrivateName } from "../../core/may/private-targets.ts";

type Listed = Pick<Config, "allowTargets" | "denyTargets" | "privateTargets" | "target" | "proxyLabels">;

/**
 * Lists the bases of `TARGET` and `PROXY_LABELS` that no caller can reach. Names are judged as they are written: nothing is
 * looked up.
 *
 * @param isLocal true if the proxy listens on loopback
 * @returns a line for each, such as `TARGET http://localhost:3000 is refused: …`
 */
export function listRefusedBases(config: Listed, isLocal: boolean): string[] {
  const bases: [name: string, base: Address][] = [...config.proxyLabels].map(([label, base]) => [
    `label ${label} of PROXY_LABELS,`,
    base,
  ]);
  if (config.target) bases.unshift(["TARGET", config.target]);
  return bases.flatMap(([name, { origin }]) => {
    const reason = refuseByLists(config, origin) ?? refuseByAddress(config, origin, isLocal);
    return reason === undefined ? [] : [`${name} ${origin.origin} is refused: ${reason}`];
  });
}

function refuseByLists({ allowTargets, denyTargets }: Listed, origin: URL): string | undefined {
  const { hostname } = origin;
  const port = portOf(origin);
  const known = readKnown(hostname);
  const isRefused = (allow: typeof allowTargets, deny: typeof denyTargets) =>
    (known
      ? judgeAddresses({ allow, deny }, hostname, port, [known])
      : judgeName({ allow, deny }, hostname, port)) === "refused";
  if (isRefused([], denyTargets)) return "DENY_TARGETS refuses it. Remove it there";
  return isRefused(allowTargets, []) ? "ALLOW_TARGETS does not name it. Add it there" : undefined;
}

function refuseByAddress(
  { allowTargets, privateTargets }: Listed,
  origin: URL,
  isLocal: boolean,
): string | undefined {
  const { hostname } = origin;
  const known = readKnown(hostname);
  const verdict = known ? VERDICT_CLASSES[classifyAddress(known)] : "public";
  if (verdict === "never") return "no setting allows its address. Use a public or private one";
  if (verdict === "public" && (isAddress(hostname) || !isPrivateName(hostname))) return undefined;
  if (privateTargets === true || permitsPrivate(allowTargets, hostname, portOf(origin), known ?? hostname)) {
    return undefined;
  }
  if (privateTargets !== false && isLocal) return undefined;
  const state = privateTargets === false
    ? "PRIVATE_TARGETS is false"
    : "PRIVATE_TARGETS=auto allows that only while it listens on loopback";
  const wanted = isLocal ? "auto" : "true";
  return `it is private, and ${state}. Set PRIVATE_TARGETS=${wanted}, or name ${origin.host} in ALLOW_TARGETS`;
}

/** The address of a host, if its text alone gives it. */
function readKnown(hostname: string): string | undefined {
  if (isAddress(hostname)) return hostname.replace(/^\[(.*)\]$/, "$1");
  return isLoopbackHost(hostname) ? "127.0.0.1" : undefined;
}
