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
import { isOwnName } from "../may/private-targets.ts";
import { decodeLabel } from "../address/label.ts";
import { listParameters } from "../address/query.ts";
import { findNearest } from "../settings/nearest.ts";

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

/** The parameters that name a target, and their pages. */
const PAGES = { url: "/?url=", host: "/?host=", arg: "/fetch?arg=" } as const;

/** What looks like a target, and how it is written; `undefined` if nothing does. */
export function findNearMiss(exchange: Exchange): string | undefined {
  return findHeader(exchange) ?? findParameter(exchange) ?? findLabel(exchange);
}

function findHeader({ incoming: { headers } }: Exchange): string | undefined {
  let found: string | undefined;
  headers.forEach((_, name) => {
    if (isMeant(name.replace(/^x-/, "").replace(/[_-]/g, ""), "proxyhost")) found ??= name;
  });
  return found && `header ${found} is not read, expected proxy_host`;
}

function findParameter({ path, config: { mountPath } }: Exchange): string | undefined {
  for (const name of listParameters(path)) {
    for (const [known, page] of Object.entries(PAGES)) {
      if (isMeant(name, known)) {
        return `parameter ${name} is not read here, expected ${mountPath}${RESERVED}${page}`;
      }
    }
  }
  return undefined;
}

/** A label without `.w.`, or below another domain than `PROXY_DOMAIN`. */
function findLabel({ caller, config: { proxyDomain, proxyLabels } }: Exchange): string | undefined {
  const { name, port } = readAuthority(caller.host);
  const [, label = "", w, domain] = /^([a-z\d-]+)\.(w\.)?(.+)$/.exec(name) ?? [];
  const isLabel = proxyLabels.has(label) || (label.includes("-") && decodeLabel(label) !== undefined);
  if (!isLabel || (w === undefined && domain !== proxyDomain)) return undefined;
  return `Host looks like a label, expected ${label}.w.${proxyDomain}${port === undefined ? "" : `:${port}`}`;
}

/** True for the word itself; from four letters on, also where one letter differs or two are swapped. */
function isMeant(text: string, word: string): boolean {
  return text === word || (word.length >= 4 && findNearest(text, [word], 1) !== undefined);
}
