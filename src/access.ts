/**
 * Step 2: whether a target may be reached, judged on the addresses that are dialled then.
 * @module
 */

import type { Address } from "./address.ts";
import { readAuthority, readLabel } from "./authority.ts";
import type { Caller } from "./caller.ts";
import type { Config } from "./config.ts";
import { ProxyError } from "./error.ts";
import type { Judged } from "./exchange.ts";
import { classifyAddress, isAddress, isLoopbackHost, unpackAddress, VERDICT_CLASSES } from "./ip.ts";
import { judgeAddresses, judgeName, permitsPrivate } from "./lists.ts";
import type { Resolver } from "./resolve.ts";
import type { Runtime } from "./runtime.ts";
import type { Selector } from "./selector.ts";
import { allowsPrivate } from "./trust.ts";

/** What the verdict depends on, beside the address. */
export interface AccessContext {
  config: Config;
  runtime: Runtime;
  caller: Caller;
  /** How the target was named. */
  selector: Selector;
  resolver: Resolver;
}

/**
 * Checks an address before anything is sent, and again for every redirect. What the text alone decides costs no look-up.
 *
 * @returns a promise where the name must be looked up
 * @throws {ProxyError} `forbidden`, `address_prohibited`, `loop`, or why the name did not resolve
 * @see contract 5
 */
export function checkAccess({ origin }: Address, context: AccessContext): Judged | Promise<Judged> {
  const { config, runtime, resolver } = context;
  const { hostname, port, literal } = readEndpoint(origin);
  const lists = { allow: config.allowTargets, deny: config.denyTargets };
  refuseSelf(origin, port, context);
  const hasLists = lists.allow.length > 0 || lists.deny.length > 0;
  const judgement = hasLists ? judgeName(lists, hostname, port) : "allowed";
  if (judgement === "refused") throw refusal(origin);
  const known = literal ?? (runtime.resolve && resolver.recall(hostname));
  if (known) return judge(origin, known, context);
  if (!runtime.resolve) return trustPlatform(origin, judgement, context);
  return resolver.resolve(hostname, runtime.resolve).then((found) => judge(origin, found, context));
}

/** Gives the addresses back when each of them may be dialled. */
function judge(origin: URL, addresses: readonly string[], context: AccessContext): readonly string[] {
  const { config, runtime } = context;
  const { hostname, port } = readEndpoint(origin);
  const lists = { allow: config.allowTargets, deny: config.denyTargets };
  const hasLists = lists.allow.length > 0 || lists.deny.length > 0;
  if (hasLists && judgeAddresses(lists, hostname, port, addresses) === "refused") throw refusal(origin);
  const isPrivateAllowed = allowsPrivate(context, origin, context.selector);
  for (const address of addresses) {
    if (unpackAddress(address).some((reached) => runtime.isOwnAddress?.(reached, port))) throw loop(origin);
    const verdict = VERDICT_CLASSES[classifyAddress(address)];
    const isAllowed = verdict === "public" ||
      (verdict === "private" &&
        (isPrivateAllowed || permitsPrivate(config.allowTargets, hostname, port, address)));
    if (!isAllowed) throw prohibition(origin);
  }
  return addresses;
}

/** Where an origin leads to, as far as its text tells. */
interface Endpoint {
  hostname: string;
  port: number;
  /** The address itself where there is no name, without brackets. */
  literal: readonly string[] | undefined;
}

/** Origins are the same objects from request to request. */
const endpoints = new WeakMap<URL, Endpoint>();

function readEndpoint(origin: URL): Endpoint {
  let endpoint = endpoints.get(origin);
  if (!endpoint) {
    const { hostname } = origin;
    const port = Number(origin.port) || (origin.protocol === "https:" ? 443 : 80);
    const literal = isAddress(hostname) ? [hostname.replace(/^\[(.*)\]$/, "$1")] : undefined;
    endpoint = { hostname, port, literal };
    endpoints.set(origin, endpoint);
  }
  return endpoint;
}

/** A platform with an egress filter of its own says so; elsewhere names can't be judged and need the word of a setting. */
function trustPlatform(origin: URL, judgement: string, context: AccessContext): undefined {
  const { port } = readEndpoint(origin);
  if (judgement === "needs_addresses") throw refusal(origin);
  const isFiltered = context.runtime.filtersEgress && !isLoopbackHost(origin.hostname);
  const isTrusted = isFiltered || context.config.privateTargets === true ||
    permitsPrivate(context.config.allowTargets, origin.hostname, port, "");
  if (!isTrusted) throw prohibition(origin);
}

/** The proxy's own names, as far as the text tells; one trailing dot does not count. */
function refuseSelf(origin: URL, port: number, { caller, config }: AccessContext): void {
  const own = readAuthority(caller.host);
  if (port !== (own.port ?? (caller.isSecure ? 443 : 80))) return;
  const { name } = readAuthority(origin.hostname);
  if (name === own.name || readLabel(name, config.proxyDomain) !== undefined) throw loop(origin);
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
