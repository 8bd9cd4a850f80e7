/**
 * How a request is handled: by one of the proxy's own pages, or by the five steps in order. Read this first.
 * @module
 */

import { refuseTakeover } from "./door/admission.ts";
import { receive } from "./door/arrival.ts";
import type { Exchange, Forward, Target } from "./exchange/exchange.ts";
import { meet } from "./exchange/hooks.ts";
import { discard } from "./http/body.ts";
import type { Reply } from "./http/reply.ts";
import { type HandedRequest, respond } from "./exchange/web-standard.ts";
import type { MakeParts, OpenSettings, Parts } from "./part.ts";
import type { Incoming, Runtime } from "./runtime.ts";
import { checkUpgrade } from "./way/handshake.ts";
import { checkRuntime } from "./way/choose-route.ts";
import { hasAddress, isFetch, isPageAt, isReserved } from "./address/reserved-paths.ts";
import { answerDiagnostic, refuseForwardProxy } from "./pages/diagnostic.ts";
import { openPage } from "./pages/routes.ts";
import type { Config } from "./settings/config.ts";
import { State } from "./state.ts";
import { checkAccess } from "./steps/access.ts";
import { buildRequest } from "./steps/request.ts";
import { buildResponse, relayInterims } from "./steps/response.ts";
import { sendRequest } from "./steps/send.ts";
import { selectTarget } from "./steps/target.ts";

/** A proxy: a function from request to response. No method rejects: a failure is answered with `ProxyError.status`. */
export interface Proxy {
  /**
   * Answers a request in any Web-standard server, and sends it with the global `fetch`. Takes exactly one argument.
   * Names can't be resolved here, so a name is refused (403) unless `allowTargets` names that host, or
   * `trustNames` is `true`.
   */
  fetch(request: Request): Promise<Response>;
  /** Answers a request with the capabilities of a runtime: `proxy.handle(request, { ...runtime, clientAddress })`. */
  handle(request: HandedRequest, runtime?: Runtime): Promise<Response>;
  /** Like `handle`, but makes no `Response`: for entries that write the response themselves. @internal */
  reply(incoming: Incoming, runtime?: Runtime): Promise<Reply>;
  /** Throws a `ConfigError` if a setting requires something that the runtime can't do. @internal */
  check(runtime: Runtime): void;
  /** Ends streams that would never end by themselves (live traffic), so that a server can drain. */
  close(): void;
}

/**
 * Makes a proxy from settings that have been read, and adds its parts.
 *
 * @param lent what the proxy is made from in addition to its settings
 * @throws {ConfigError} when a setting requires something that is missing
 */
export function createProxyOf(config: Config, lent: Parts, make: MakeParts, open?: OpenSettings): Proxy {
  const state = new State(config, lent, make, open);
  const forwardNoted: Forward = (exchange, target) => {
    state.note(exchange, target);
    return forward(exchange, target);
  };
  const answer = (exchange: Exchange) => route(exchange, state, forwardNoted);
  const reply = (incoming: Incoming, runtime?: Runtime) => receive(incoming, runtime ?? {}, state, answer);
  const handle: Proxy["handle"] = (request, lent) => respond(request, (taken) => reply(taken, lent));
  const check = (runtime: Runtime) => checkRuntime(config, runtime);
  const close = () => state.parts.forEach((part) => part.close?.());
  return { reply, handle, check, close, fetch: (request) => handle(request) };
}

/** Reserved paths are pages. Everything else goes to the target that the caller named, if there is one. */
function route(exchange: Exchange, state: State, forward: Forward): Reply | Promise<Reply> {
  const { incoming, path } = exchange;
  const met = !isReserved(path) || hasAddress(path) || isFetch(path) ? meet(exchange) : undefined;
  if (met) return met;
  const target = isReserved(path) ? undefined : selectTarget(exchange, path); // 1
  checkUpgrade(exchange, target !== undefined || hasAddress(path) || isPageAt(path, "socket"));
  refuseTakeover(incoming.headers, target);
  if (isReserved(path)) return openPage(exchange, state.parts, { forward, checkAccess, buildRequest });
  // A target of the settings is not one that the caller named.
  if (!target || target.selector === "preset") refuseForwardProxy(exchange);
  return target ? forward(exchange, target) : answerDiagnostic(exchange);
}

async function forward(exchange: Exchange, target: Target): Promise<Reply> {
  await exchange.runtime.untilTurnEnd?.();
  const judged = checkAccess(target, exchange, target); // 2
  const addresses = judged instanceof Promise ? await judged : judged;
  const built = buildRequest(exchange, target, addresses); // 3
  const request = built instanceof Promise ? await built : built;
  const interims = relayInterims(request, exchange, target);
  const response = await sendRequest(request, exchange, target, checkAccess, interims); // 4, and 2 for each redirect
  try {
    const reply = buildResponse(response, request, exchange, target); // 5
    return reply instanceof Promise ? await reply : reply;
  } catch (failure) {
    discard(response.body);
    response.socket?.cancel();
    throw failure;
  }
}
