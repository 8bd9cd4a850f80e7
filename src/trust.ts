/**
 * What a caller is trusted with beyond public targets: private ones, and the sight of other callers' traffic.
 * @module
 */

import { readAuthority, readLabel } from "./authority.ts";
import type { Exchange } from "./exchange.ts";
import type { Selector } from "./selector.ts";

type Asking = Pick<Exchange, "config" | "runtime" | "caller">;

/**
 * True where private targets are allowed: as the setting says, else while listener and Host are both loopback (a
 * rebinding page has another Host). A page behind a host label is its target's, and reaches no private ones but by a label.
 *
 * @param selector how the target was named; `undefined` where there is none
 */
export function allowsPrivate(asking: Asking, selector: Selector | undefined): boolean {
  const { config, runtime, caller } = asking;
  if (config.privateTargets !== "auto") return config.privateTargets;
  return runtime.listensOnLoopback === true && readAuthority(caller.host).isLoopback &&
    (selector === "label" || !isFromTarget(asking));
}

/** True for who may see live traffic: whoever may reach private targets, or had to show the token to get here. */
export function isTrusted(asking: Asking): boolean {
  if (isFromTarget(asking)) return false;
  return asking.config.proxyToken !== "" || allowsPrivate(asking, undefined);
}

/** A browser asks by a host label: what runs there is a target's page, though its requests are of the same origin. */
function isFromTarget({ caller, config }: Asking): boolean {
  return caller.isBrowser && readLabel(caller.host, config.proxyDomain) !== undefined;
}
