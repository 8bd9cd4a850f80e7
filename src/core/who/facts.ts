/**
 * Who sends a request, according to its headers: the caller, the hosts that it names, and whose page it is.
 * @module
 */

import type { Grant } from "../address/origins.ts";
import type { Derived } from "../http/fields.ts";
import type { Config } from "../settings/config.ts";
import { type Asker, readAsker } from "./asker.ts";
import { type Caller, readCaller } from "./caller.ts";
import { type Carried, readCarried } from "./host-selectors.ts";
import type { Incoming, Runtime } from "../runtime.ts";

/** The facts about who sends a request. */
export interface Facts {
  readonly caller: Caller;
  readonly carried: Carried;
  readonly asker: Asker;
}

/** The facts, and everything that they depend on in addition to the fields. */
export interface KeptFacts extends Facts {
  readonly runtime: Runtime;
  readonly config: Config;
  readonly grant: Grant;
}

/** What the facts depend on, in addition to the fields. */
interface Given {
  readonly runtime: Runtime;
  readonly config: Config;
  readonly grant: Grant;
  /** The console's secret, the same for all requests to a proxy. */
  readonly ticket: string;
  /** The memory of the proxy, which holds the facts of earlier requests with the same fields. */
  readonly memory: { readonly facts: Derived<KeptFacts> };
}

/**
 * Reads the facts.
 *
 * @throws {ProxyError} `bad_request` when the Host header is malformed (RFC 9112 §3.2)
 */
export function readFacts(incoming: Incoming, given: Given): Facts {
  const { runtime, config, grant, ticket, memory: { facts: known } } = given;
  const { headers, url } = incoming;
  const kept = known.recall(headers);
  const isSame = kept !== undefined && kept.runtime === runtime && kept.config === config &&
    kept.grant === grant && kept.caller.isSecure === url.startsWith("https:");
  if (isSame) return kept;
  const caller = readCaller(incoming, runtime, config.trustedProxies);
  const carried = readCarried(headers, caller.host, config);
  const asker = readAsker({ incoming, caller, carried, config }, grant, ticket);
  const facts = { caller, carried, asker };
  // Behind a trusted front proxy, the scheme depends on more than the URL of the request.
  if (config.trustedProxies.length === 0) known.keep(headers, { ...facts, runtime, config, grant });
  return facts;
}
