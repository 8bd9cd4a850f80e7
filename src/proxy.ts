/**
 * The proxy: reserved paths, and the five steps that every forwarded request takes, in order. Read this first.
 * @module
 */

import { checkAccess } from "./steps/access.ts";
import { refuseTakeover } from "./door/admission.ts";
import { judgeAmbient } from "./exchange/cookie-rights.ts";
import { markAnswer } from "./exchange/answer-marks.ts";
import { receive } from "./door/arrival.ts";
import { type Config, type Options, readOptions } from "./settings/config.ts";
import { judgeCredentials } from "./exchange/credentials.ts";
import { answerDiagnostic } from "./pages/diagnostic.ts";
import type { Exchange, ForwardOptions, Target } from "./exchange/exchange.ts";
import { isUpgrade } from "./http/headers.ts";
import { buildRequest } from "./steps/request.ts";
import { buildResponse } from "./steps/response.ts";
import { hasAddress, isReserved } from "./address/reserved.ts";
import { routeReserved } from "./pages/routes.ts";
import { type Reply, toResponse } from "./exchange/reply.ts";
import type { Incoming, Runtime, Shared } from "./exchange/runtime.ts";
import { sendRequest } from "./steps/send.ts";
import { sendWithFetch } from "./exchange/send-fetch.ts";
import type { Parts } from "./exchange/record.ts";
import { State } from "./state.ts";
import { selectTarget } from "./steps/target.ts";
import { checkUpgrade, createUpgradeSender } from "./exchange/websocket.ts";

/** A proxy: a function from request to response, with and without a runtime's help. */
export interface Proxy {
  /** Answers a request in any Web-standard server. Takes exactly one argument. */
  fetch(request: Request): Promise<Response>;
  /** Answers a request with what the runtime lends; never rejects. */
  handle(incoming: Incoming, runtime?: Runtime): Promise<Response>;
  /** The same, for an entry that takes the answer in a lighter form than a `Response`. */
  reply(incoming: Incoming, runtime?: Runtime): Promise<Reply>;
  /** Ends what would never end by itself, so that a server that drains need not wait for it. */
  close(): void;
}

/**
 * Makes a proxy.
 *
 * @param options any of `SETTINGS`, by option name
 * @param shared what it shares with other processes
 * @throws {ConfigError} when an option is unknown or bad
 */
export function createProxy(options: Options = {}, shared: Shared = {}): Proxy {
  return createConfiguredProxy(readOptions(options), shared);
}

/**
 * Makes a proxy of settings that are read and checked, as the entries do.
 *
 * @throws {ConfigError} when a setting asks for a part that is not there
 */
export function createConfiguredProxy(config: Config, parts: Parts = {}): Proxy {
  const state = new State(config, parts);
  const reply = (incoming: Incoming, runtime: Runtime = {}) =>
    receive(incoming, runtime, config, state, (exchange) => route(exchange, state));
  const handle = async (request: Incoming, lent?: Runtime) => toResponse(await reply(request, lent), request);
  return { reply, handle, close: () => state.traffic?.close(), fetch: (request) => handle(request) };
}

function route(exchange: Exchange, state: State): Reply | Promise<Reply> {
  const { incoming, config, caller, carried, path } = exchange;
  const target = isReserved(path) ? undefined : selectTarget(carried, caller.isBrowser, path, config);
  checkUpgrade(exchange, target !== undefined || hasAddress(path));
  refuseTakeover(incoming.headers, target);
  if (isReserved(path)) return routeReserved(exchange, state, (...args) => forward(state, ...args));
  return target ? forward(state, exchange, target) : answerDiagnostic(exchange);
}

async function forward(state: State, exchange: Exchange, target: Target, options: ForwardOptions = {}) {
  const { runtime, caller, config, record } = exchange;
  const { loopId, resolver, deadlines } = exchange;
  const { follow = false, described: outgoing = exchange.incoming } = options;
  state.aim(exchange, outgoing.method, target);
  const access = { exchange, target, resolver };
  const judged = checkAccess(target, access);
  const addresses = judged instanceof Promise ? await judged : judged;
  const ambient = judgeAmbient(exchange, target);
  const judging = judgeCredentials(exchange, target, ambient);
  const passage = judging && await judging;
  const context = { config, caller, target, ambient, passage, loopId, addresses, deadlines };
  const built = buildRequest(outgoing, context);
  const request = built instanceof Promise ? await built : built;
  const upgrade = target.selector !== "arg" && isUpgrade(outgoing.headers) ? runtime.upgrade : undefined;
  const answer = await sendRequest(request, {
    config,
    deadlines,
    follow: follow && !upgrade,
    send: upgrade ? createUpgradeSender(exchange, upgrade) : runtime.send ?? sendWithFetch,
    callerSignal: outgoing.signal,
    record,
    checkHop: (address) => checkAccess(address, access),
  });
  const reply = buildResponse(answer, { exchange, target, method: outgoing.method, ambient, deadlines });
  return markAnswer(reply, exchange, target, passage);
}
