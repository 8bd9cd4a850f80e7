/**
 * `/__proxy__/`: forwards to `?url=`, stores `?host=`, or tells which host is set (specification 4.2).
 * @module
 */

import { prefersHtml } from "./accept.ts";
import { type Address, decodeAddress, decodeBase, encodeText } from "./address.ts";
import { answerJson } from "./answer.ts";
import { answerUnconfirmed, describeIncoming } from "./confirm.ts";
import { answerDocument } from "./console/document.ts";
import { ProxyError, toProxyError } from "./error.ts";
import type { Exchange, Forward } from "./exchange.ts";
import { isTopNavigation, isUpgrade } from "./headers.ts";
import { isOwnLink, mayBeLed } from "./host-link.ts";
import { expireCookies } from "./expire.ts";
import { THEN_PARAMETER } from "./location.ts";
import { decodeParameter, readAddressParameter, readParameter, readQuery } from "./query.ts";
import { isOwnPath, RESERVED } from "./reserved.ts";
import type { Reply } from "./reply.ts";
import { isLedTo, maySeeTraffic, PROOF_PARAMETER } from "./rights.ts";
import type { Selector } from "./selector.ts";
import { isBase } from "./selectors.ts";
import type { State } from "./state.ts";
import { selectTarget } from "./target.ts";
import { toHttp } from "./websocket.ts";

/** The console, whose form works without a script. */
const PAGE = `${RESERVED}/`;
const YEAR_SECONDS = 31_536_000;

/** Answers `/__proxy__/`; `url` takes priority over `host`. */
export async function answerHome(exchange: Exchange, state: State, forward: Forward): Promise<Reply> {
  const query = readQuery(exchange.path);
  const address = readAddressParameter(query);
  if (address !== undefined) return await forwardAddress(exchange, state, address, forward);
  const host = readParameter(query, "host");
  return host === undefined ? answerState(exchange, state) : await storeHost(exchange, state, host);
}

async function forwardAddress(
  exchange: Exchange,
  state: State,
  text: string | null,
  forward: Forward,
): Promise<Reply> {
  const { headers, method, body } = exchange.incoming;
  const address = text === null ? undefined : decodeAddress(isUpgrade(headers) ? toHttp(text) : text);
  if (!address) {
    throw new ProxyError(
      "bad_request",
      "Cannot use parameter url: it is no address, expected an absolute http or https one",
    );
  }
  const isLook = method === "GET" || method === "HEAD";
  // A body that streams can't be sent twice.
  const follow = isLook && body === null;
  const isUnasked = !(isLook && address.authorization === undefined) && isLedTo(exchange, address);
  try {
    return await forward(exchange, { ...address, selector: "url", basePath: "", isUnasked }, { follow });
  } catch (error) {
    if (!(error instanceof ProxyError) || error.code !== "unconfirmed") throw error;
    return await answerUnconfirmed(exchange, state.key, await describeIncoming(exchange, text ?? ""), error);
  }
}

/** Stores, changes or clears the host. On a change of origin the cookies of the host before are expired too. */
async function storeHost(exchange: Exchange, { key, ticket }: State, sent: string): Promise<Response> {
  const host = decodeParameter(sent);
  const base = host ? decodeBase(host) : undefined;
  if (host === undefined || (host && !base)) return answerJson({ host: host ?? sent, status: false }, 400);
  const { incoming, caller, carried, config: { mountPath } } = exchange;
  checkLabel(exchange, base);
  const then = readParameter(readQuery(exchange.path), THEN_PARAMETER);
  if (then !== undefined) checkOpened(exchange);
  const headers = new Headers();
  const flags = `Path=${mountPath || "/"}; HttpOnly; SameSite=Lax; Max-Age=${base ? YEAR_SECONDS : 0}`;
  const secure = caller.isSecure ? "; Secure" : "";
  headers.append("set-cookie", `proxy_host=${encodeURIComponent(host)}; ${flags}${secure}`);
  const { cookie } = carried;
  const isSame = isBase(cookie) && cookie.origin.origin === base?.origin.origin;
  if (!base || (cookie !== undefined && !isSame)) {
    expireCookies(headers, incoming.headers.get("cookie"), { mountPath, secure, isAll: !base });
  }
  const isTrusted = isSame || !mayBeLed(exchange) || hasProof(exchange, ticket) ||
    await isOwnLink(exchange, key);
  const next = isTrusted ? readNext(then, exchange) : undefined;
  if (next === undefined) return answerJson({ host, status: true }, 200, headers);
  headers.set("location", next);
  headers.set("cache-control", "no-store");
  return new Response(null, { status: 303, headers });
}

/** On a label the cookie would be refused with the next request. */
function checkLabel(
  { caller, carried: { label, header }, config }: Exchange,
  base: Address | undefined,
): void {
  if (!base || !caller.isBrowser || label === undefined || header !== undefined) return;
  selectTarget({ header: undefined, cookie: base, label }, true, "/", config);
}

/** A picture or a script that leads on would move the whole browser to another host. */
function checkOpened({ incoming: { headers } }: Exchange): void {
  if (!headers.has("sec-fetch-mode") || isTopNavigation(headers)) return;
  throw new ProxyError(
    "forbidden",
    "Cannot set the host and go on: a part of a page asks for it, expected a window of its own",
  );
}

/** The console's own form shows what its page was given. */
function hasProof({ path }: Exchange, ticket: string): boolean {
  return readParameter(readQuery(path), PROOF_PARAMETER) === ticket;
}

/** Where to go once the host is set: of the proxy's own paths only to this page, because others could set another host. */
function readNext(then: string | undefined, { caller, config: { mountPath } }: Exchange): string | undefined {
  const path = then === undefined ? undefined : decodeParameter(then);
  if (!path?.startsWith("/") || !caller.host) return undefined;
  const next = caller.origin + mountPath + encodeText(path);
  if (path === PAGE) return next;
  return URL.canParse(next) && !isOwnPath(new URL(next).pathname, mountPath) ? next : undefined;
}

/** Tells what a request to `/` would be sent to: to a browser as a page, else as JSON. */
function answerState(exchange: Exchange, { traffic }: State): Response {
  const isPage = traffic && prefersHtml(exchange.incoming.headers.get("accept"));
  if (!isPage) return answerJson(readState(exchange));
  const page = { isTrusted: maySeeTraffic(exchange), ticket: traffic.ticket };
  try {
    return answerDocument(exchange, { ...page, ...readState(exchange) });
  } catch (error) {
    // A malformed cookie can be cleared on the page that it must not keep away.
    const { message } = toProxyError(error);
    return answerDocument(exchange, { ...page, host: null, selector: null, problem: message });
  }
}

function readState(
  { caller, carried, config }: Exchange,
): { host: string | null; selector: Selector | null } {
  const target = selectTarget(carried, caller.isBrowser, "/", config);
  const host = target ? target.origin.origin + target.basePath : null;
  return { host, selector: target && target.selector !== "preset" ? target.selector : null };
}
