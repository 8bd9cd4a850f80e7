/**
 * Step 2: whether a target may be reached, judged on the addresses that are dialled then.
 * @module
 */

import type { Address } from "./address.ts";
import type { Caller } from "./caller.ts";
import type { Config } from "./config.ts";
import { ProxyError } from "./error.ts";
import { classifyAddress, isAddress, isLoopbackHost, unpackAddress, VERDICT_CLASSES } from "./ip.ts";
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
  const { hostname, port, literal } = readEndpoint(origin);
  const lists = { allow: config.allowTargets, deny: config.denyTargets };
  refuseSelf(origin, port, context);
  const hasLists = lists.allow.length > 0 || lists.deny.length > 0;
  const judgement = hasLists ? judgeName(lists, hostname, port) : "allowed";
  if (judgement === "refused") throw refusal(origin);
  const addresses = literal ?? (runtime.resolve && await resolver.resolve(hostname, runtime.resolve));
  if (!addresses) return trustPlatform(origin, judgement, context);
  if (hasLists && judgeAddresses(lists, hostname, port, addresses) === "refused") throw refusal(origin);
  const isPrivateAllowed = allowsPrivate(context);
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

/** Private targets: as the setting says, else while listener and Host are both loopback (a rebinding page has another Host). */
export function allowsPrivate(
  { config, runtime, caller }: Pick<AccessContext, "config" | "runtime" | "caller">,
): boolean {
  if (config.privateTargets !== "auto") return config.privateTargets;
  return runtime.listensOnLoopback === true && isLoopbackHost(caller.host.replace(/:\d*$/, ""));
}

/** A platform with an egress filter of its own says so; elsewhere names can't be judged and need the word of a setting. */
function trustPlatform(origin: URL, judgement: string, context: AccessContext): undefined {
  const { port } = readEndpoint(origin);
  if (judgement === "needs_addresses") throw refusal(origin);
  const isTrusted = context.runtime.filtersEgress || context.config.privateTargets === true ||
    permitsPrivate(context.config.allowTargets, origin.hostname, port, "");
  if (!isTrusted) throw prohibition(origin);
}

/** The proxy's own names, as far as the text tells; one trailing dot does not count. */
function refuseSelf(origin: URL, port: number, { caller, config }: AccessContext): void {
  const [, name = "", callerPort = caller.isSecure ? "443" : "80"] =
    /^(.*?)\.?(?::(\d+))?$/.exec(caller.host) ?? [];
  if (String(port) !== callerPort) return;
  const hostname = origin.hostname.replace(/\.$/, "");
  const isOwn = hostname === name.toLowerCase() || hostname.endsWith(`.w.${config.proxyDomain}`);
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
