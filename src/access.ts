/**
 * Step 2: whether a target may be reached, judged on the addresses that are dialled then.
 * @module
 */

import type { Address } from "./address.ts";
import type { Caller } from "./caller.ts";
import type { Config } from "./config.ts";
import { ProxyError } from "./error.ts";
import { classifyAddress, isAddress, isLoopbackHost, VERDICT_CLASSES } from "./ip.ts";
import { judgeAddresses, judgeName, permitsPrivate } from "./lists.ts";
import type { Resolver } from "./resolve.ts";
import type { Runtime } from "./runtime.ts";

/** What the verdict depends on, beside the address. */
export interface AccessContext {
  config: Config;
  runtime: Runtime;
  caller: Caller;
  resolver: Resolver;
}

/**
 * Checks an address before anything is sent, and again for every redirect. What the text alone decides costs no look-up.
 *
 * @returns the addresses that may be dialled; `undefined` where nobody here can look names up and nothing forbids that
 * @throws {ProxyError} `forbidden`, `address_prohibited`, `loop`, or why the name did not resolve
 * @see contract 5
 */
export async function checkAccess(
  { origin }: Address,
  context: AccessContext,
): Promise<readonly string[] | undefined> {
  const { config, runtime, resolver } = context;
  const port = Number(origin.port) || (origin.protocol === "https:" ? 443 : 80);
  const lists = { allow: config.allowTargets, deny: config.denyTargets };
  const hostname = origin.hostname;
  refuseSelf(origin, port, context);
  const judgement = judgeName(lists, hostname, port);
  if (judgement === "refused") throw refusal(origin);
  if (!isAddress(hostname) && !runtime.resolve) return trustPlatform(origin, judgement, context);
  const addresses = isAddress(hostname) || !runtime.resolve
    ? [hostname.replace(/^\[(.*)\]$/, "$1")]
    : await resolver.resolve(hostname, runtime.resolve);
  if (judgeAddresses(lists, hostname, port, addresses) === "refused") throw refusal(origin);
  const isPrivateAllowed = allowsPrivate(context);
  for (const address of addresses) {
    if (runtime.isOwnAddress?.(address, port)) throw loop(origin);
    const verdict = VERDICT_CLASSES[classifyAddress(address)];
    const isAllowed = verdict === "public" ||
      (verdict === "private" &&
        (isPrivateAllowed || permitsPrivate(config.allowTargets, hostname, port, address)));
    if (!isAllowed) throw prohibition(origin);
  }
  return addresses;
}

/** Private targets: as the setting says, else while listener and Host are both loopback (a rebinding page has another Host). */
function allowsPrivate({ config, runtime, caller }: AccessContext): boolean {
  if (config.privateTargets !== "auto") return config.privateTargets;
  return runtime.listensOnLoopback === true && isLoopbackHost(caller.host.replace(/:\d*$/, ""));
}

/** A platform with an egress filter of its own says so; elsewhere names can't be judged and need the word of a setting. */
function trustPlatform(origin: URL, judgement: string, context: AccessContext): undefined {
  const port = Number(origin.port) || (origin.protocol === "https:" ? 443 : 80);
  if (judgement === "needs_addresses") throw refusal(origin);
  const isTrusted = context.runtime.filtersEgress || context.config.privateTargets === true ||
    permitsPrivate(context.config.allowTargets, origin.hostname, port, "");
  if (!isTrusted) throw prohibition(origin);
}

/** The proxy's own names, as far as the text tells. */
function refuseSelf(origin: URL, port: number, { caller, config }: AccessContext): void {
  const [, name = "", callerPort = caller.isSecure ? "443" : "80"] = /^(.*?)(?::(\d+))?$/.exec(caller.host) ??
    [];
  if (String(port) !== callerPort) return;
  const isOwn = origin.hostname === name.toLowerCase() ||
    origin.hostname.endsWith(`.w.${config.proxyDomain}`);
  if (isOwn) throw loop(origin);
}

function loop({ host }: URL): ProxyError {
  return new ProxyError("loop", `Cannot reach ${host}: it is the proxy itself, expected another target`);
}

function refusal({ host }: URL): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot reach ${host}: the settings do not allow it, expected an allowed target`,
  );
}

function prohibition({ host }: URL): ProxyError {
  return new ProxyError(
    "address_prohibited",
    `Cannot reach ${host}: its address is not allowed, expected a public one`,
  );
}
