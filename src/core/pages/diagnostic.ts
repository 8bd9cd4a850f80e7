/**
 * The diagnostic object, for requests without a target (specification 2.3).
 * @module
 */

import { answerJson } from "../http/answer.ts";
import { formatDetails, NO_FORWARD_PROXY, ProxyError } from "../http/error.ts";
import type { Reply } from "../http/reply.ts";
import { RESERVED } from "../address/reserved-paths.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { readAuthority } from "../address/authority.ts";
import { isAddress } from "../address/ip.ts";
import { isOwnName } from "../may/rights.ts";
import { findNearMiss } from "./near-miss.ts";

/**
 * Refuses a request whose line has an address of another server, as those to a forward proxy do (rule 21.4).
 *
 * @throws {ProxyError} `bad_request`
 */
export function refuseForwardProxy(exchange: Exchange): void {
  if (!exchange.incoming.isAbsolute || isOwnAuthority(exchange)) return;
  throw new ProxyError("bad_request", `Cannot forward this address: ${NO_FORWARD_PROXY}`);
}

/** Makes the diagnostic object: exactly its six fields. `Proxy-Status` says what may have been meant as a target. */
export function answerDiagnostic(exchange: Exchange): Reply {
  const { incoming, caller, path, config: { mountPath } } = exchange;
  const reply = answerJson({
    msg: "Please set host first!",
    method: incoming.method,
    host: caller.host,
    path: path.split("?", 1)[0],
    ip: caller.address,
    "user-agent": incoming.headers.get("user-agent") ?? "",
  });
  reply.headers.set("link", `<${mountPath}${RESERVED}/>; rel="help"`);
  const missed = findNearMiss(exchange);
  if (missed) reply.headers.set("proxy-status", `fetchvia; ${formatDetails(missed)}`);
  return reply;
}

/** True if Host is a name of this proxy, and, for an address or a name of this machine, its port too. */
function isOwnAuthority(exchange: Pick<Exchange, "caller" | "config" | "runtime">): boolean {
  const { caller, runtime } = exchange;
  const { name, port = caller.isSecure ? 443 : 80, isLoopback } = readAuthority(caller.host);
  if (!isLoopback && !isAddress(name)) return isOwnName(exchange);
  const addresses = isAddress(name) ? [name.replace(/^\[(.*)\]$/, "$1")] : ["127.0.0.1", "::1"];
  return addresses.some((address) => runtime.isOwnAddress?.(address, port) ?? true);
}
