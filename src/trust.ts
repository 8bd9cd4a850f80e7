/**
 * What a caller is trusted with beyond public targets: private ones, and the sight of other callers' traffic.
 * @module
 */

import { readAuthority, readLabel } from "./authority.ts";
import type { Exchange } from "./exchange.ts";
import type { Selector } from "./selector.ts";
import { readLabelBase } from "./selectors.ts";

type Asking = Pick<Exchange, "config" | "runtime" | "caller">;

/**
 * True where a private target is allowed: as the setting says, else while listener and Host are both loopback (a rebinding
 * page has another Host). A page behind a host label is its target's: it reaches that one, and others by labels alone.
 *
 * @param selector how the target was named
 */
export function allowsPrivate(asking: Asking, origin: URL, selector: Selector): boolean {
  const { config, caller } = asking;
  if (config.privateTargets !== "auto") return config.privateTargets;
  if (!isLocal(asking)) return false;
  return selector === "label" || !isFromTarget(asking) ||
    readLabelBase(caller.host, config)?.origin.origin === origin.origin;
}

/** True for who may see live traffic: whoever may reach private targets, or had to show the token to get here. */
export function isTrusted(asking: Asking): boolean {
  const { privateTargets, proxyToken } = asking.config;
  if (isFromTarget(asking)) return false;
  return proxyToken !== "" || (privateTargets === "auto" ? isLocal(asking) : privateTargets);
}

function isLocal({ runtime, caller }: Asking): boolean {
  return runtime.listensOnLoopback === true && readAuthority(caller.host).isLoopback;
}

/** What asks by a host label is its target's page, though its requests are of the same origin. */
function isFromTarget({ caller, config }: Asking): boolean {
  return caller.isPage && readLabel(caller.host, config.proxyDomain) !== undefined;
}
