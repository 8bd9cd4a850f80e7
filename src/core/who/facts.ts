/**
 * Who sends a request, according to its headers: the caller, the hosts that it names, and whose page it is.
 * @module
 */

import type { Grant } from "../address/origins.ts";
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

/** What the facts depend on, in addition to the fields. */
interface Given {
  readonly runtime: Runtime;
  readonly config: Config;
  readonly grant: Grant;
}

/**
 * Reads the facts.
 *
 * @param ticket the console's secret, the same for all requests to a proxy
 * @throws {ProxyError} `bad_request` when the Host header is malformed (RFC 9112 §3.2)
 */
export function readFacts(incoming: Incoming, { runtime, config, grant }: Given, ticket: string): Facts {
  const caller = readCaller(incoming, runtime, config.trustedProxies);
  const carried = readCarried(incoming.headers, caller.host, config);
  const asker = readAsker({ incoming, caller, carried, config }, grant, ticket);
  return { caller, carried, asker };
}
