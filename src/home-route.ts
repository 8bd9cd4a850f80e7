/**
 * `/__proxy__/`: forwards to `?url=`, stores `?host=`, or tells which host is set (specification 4.2).
 * @module
 */

import { decodeAddress, decodeBase, encodeText } from "./address.ts";
import { answerJson } from "./answer.ts";
import { prefersHtml } from "./console/accept.ts";
import { answerDocument } from "./console/document.ts";
import { answerSignIn } from "./console/sign-in.ts";
import { cookieNames } from "./cookies.ts";
import { ProxyError, toProxyError } from "./error.ts";
import type { Exchange, Forward } from "./exchange.ts";
import { isUpgrade } from "./headers.ts";
import { THEN_PARAMETER } from "./location.ts";
import { decodeParameter, readAddressParameter, readParameter, readQuery } from "./query.ts";
import type { FieldReader } from "./fields.ts";
import { isOwnPath, RESERVED } from "./reserved.ts";
import type { Reply } from "./reply.ts";
import type { Selector } from "./selector.ts";
import { readCookieBase } from "./selectors.ts";
import type { State } from "./state.ts";
import { selectTarget } from "./target.ts";
import { isTrusted } from "./trust.ts";
import { toHttp } from "./websocket.ts";

/** The console, whose form works without a script. */
const PAGE = `${RESERVED}/`;
const YEAR_SECONDS = 31_536_000;

/** Answers `/__proxy__/`; `url` takes priority over `host`. */
export async function answerHome(exchange: Exchange, state: State, forward: Forward): Promise<Reply> {
  const query = readQuery(exchange.path);
  const address = readAddressParameter(query);
  if (address !== undefined) return await forwardAddress(exchange, address, forward);
  const host = readParameter(query, "host");
  return host === undefined
    ? answerState(exchange, state)
    : storeHost(exchange, host, readParameter(query, THEN_PARAMETER));
}

async function forwardAddress(exchange: Exchange, text: string | null, forward: Forward): Promise<Reply> {
  const isSocket = isUpgrade(exchange.incoming.headers);
  const address = text === null ? undefined : decodeAddress(isSocket ? toHttp(text) : text);
  if (!address) {
    throw new ProxyError(
      "bad_request",
      "Cannot use parameter url: it is no address, expected an absolute http or https one",
    );
  }
  const { method, body } = exchange.incoming;
  // A body that streams can't be sent twice.
  const follow = (method === "GET" || method === "HEAD") && body === null;
  return await forward(exchange, { ...address, selector: "url", basePath: "" }, { follow });
}

/** Stores, changes or clears the host. On a change of origin the cookies of the host before are expired too. */
function storeHost(exchange: Exchange, sent: string, then: string | undefined): Response {
  const host = decodeParameter(sent);
  const base = host ? decodeBase(host) : undefined;
  if (host === undefined || (host && !base)) return answerJson({ host: host ?? sent, status: false }, 400);
  const { incoming, caller, config: { mountPath } } = exchange;
  const flags = caller.isSecure ? "; Secure" : "";
  const scope = `Path=${mountPath || "/"}; HttpOnly`;
  const headers = new Headers();
  const age = base ? YEAR_SECONDS : 0;
  headers.append(
    "set-cookie",
    `proxy_host=${encodeURIComponent(host)}; ${scope}; SameSite=Lax; Max-Age=${age}${flags}`,
  );
  const before = readStoredOrigin(incoming.headers);
  if (!base || (before !== undefined && before !== base.origin.origin)) {
    for (const name of cookieNames(incoming.headers.get("cookie")).filter(Boolean)) {
      headers.append("set-cookie", `${name}=; ${scope}; Max-Age=0${flags}`);
    }
  }
  const next = readNext(then, exchange);
  if (next === undefined) return answerJson({ host, status: true }, 200, headers);
  headers.set("location", next);
  headers.set("cache-control", "no-store");
  return new Response(null, { status: 303, headers });
}

/** Where to go once the host is set: of the proxy's own paths only to this page, because others could set another host. */
function readNext(then: string | undefined, { caller, config: { mountPath } }: Exchange): string | undefined {
  const path = then === undefined ? undefined : decodeParameter(then);
  if (!path?.startsWith("/") || !caller.host) return undefined;
  const next = caller.origin + mountPath + encodeText(path);
  if (path === PAGE) return next;
  return URL.canParse(next) && !isOwnPath(new URL(next).pathname, mountPath) ? next : undefined;
}

/** The origin of the stored host; `null` for one that can't be read, `undefined` for none. */
function readStoredOrigin(headers: FieldReader): string | null | undefined {
  try {
    return readCookieBase(headers)?.origin.origin;
  } catch {
    return null;
  }
}

/** Tells what a request to `/` would be sent to: to a browser as a page, else as JSON. */
function answerState(exchange: Exchange, { traffic }: State): Response {
  const isPage = traffic && prefersHtml(exchange.incoming.headers.get("accept"));
  if (!isPage) return answerJson(readState(exchange));
  const page = { isTrusted: isTrusted(exchange), ticket: traffic.ticket };
  try {
    return answerSignIn(exchange) ?? answerDocument(exchange, { ...page, ...readState(exchange) });
  } catch (error) {
    // A malformed cookie can be cleared on the page that it must not keep away.
    const { message } = toProxyError(error);
    return answerDocument(exchange, { ...page, host: null, selector: null, problem: message });
  }
}

function readState(
  { incoming, caller, config }: Exchange,
): { host: string | null; selector: Selector | null } {
  const target = selectTarget(incoming.headers, caller.host, "/", config);
  const host = target ? target.origin.origin + target.basePath : null;
  return { host, selector: target && target.selector !== "preset" ? target.selector : null };
}
