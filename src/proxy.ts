/**
 * The proxy: reserved paths, and the five steps that every forwarded request takes, in order. Read this first.
 * @module
 */

import { checkAccess } from "./access.ts";
import { type Address, readRequestPath } from "./address.ts";
import { mayReceiveCookies } from "./ambient.ts";
import { readCaller } from "./caller.ts";
import { type Config, type Options, readOptions } from "./config.ts";
import { answerDiagnostic } from "./diagnostic.ts";
import { answerError, ProxyError } from "./error.ts";
import type { Exchange, ForwardOptions, Target } from "./exchange.ts";
import { buildRequest } from "./request.ts";
import { buildResponse } from "./response.ts";
import { isReserved, routeReserved, titleOf } from "./routes.ts";
import type { Incoming, Runtime } from "./runtime.ts";
import { sendRequest } from "./send.ts";
import { sendWithFetch } from "./send-fetch.ts";
import { selectTarget } from "./target.ts";

/** A proxy: a function from request to response, with and without a runtime's help. */
export interface Proxy {
  /** Answers a request in any Web-standard server. Takes exactly one argument. */
  fetch(request: Request): Promise<Response>;
  /** Answers a request with what the runtime lends; never rejects. */
  handle(incoming: Incoming, runtime: Runtime): Promise<Response>;
}

/**
 * Makes a proxy.
 *
 * @param options any of `SETTINGS`, by option name
 * @throws {ConfigError} when an option is unknown or bad
 */
export function createProxy(options: Options = {}): Proxy {
  return createConfiguredProxy(readOptions(options));
}

/** Makes a proxy of settings that are read and checked, as the entries do. */
export function createConfiguredProxy(config: Config): Proxy {
  const handle = async (incoming: Incoming, runtime: Runtime): Promise<Response> => {
    const path = readRequestPath(incoming.url);
    try {
      return await answer({ incoming, runtime, config, path, caller: readCaller(incoming, runtime) });
    } catch (error) {
      const known = error instanceof ProxyError
        ? error
        : new ProxyError("internal", "Cannot answer: the proxy failed, expected it not to", { cause: error });
      return answerError(known, titleOf(path));
    }
  };
  return { handle, fetch: (request) => handle(request, {}) };
}

async function answer(exchange: Exchange): Promise<Response> {
  const { incoming, config, caller, path } = exchange;
  refuseMethod(incoming.method);
  if (path === "*") return new Response(null, { status: 204, headers: { allow: ALLOWED } });
  if (isReserved(path)) return await routeReserved(exchange, forward);
  const target = selectTarget(incoming.headers, caller.host, path, config);
  return target ? await forward(exchange, target) : answerDiagnostic(exchange);
}

async function forward(exchange: Exchange, target: Target, options: ForwardOptions = {}): Promise<Response> {
  const { incoming, runtime, caller, config } = exchange;
  refuseTakeover(incoming, target);
  const checkHop = (address: Address) => checkAccess(address);
  const addresses = await checkHop(target);
  const sendCookies = mayReceiveCookies(incoming.headers, caller.host, target, config);
  const request = await buildRequest(incoming, { ...config, caller, target, sendCookies });
  const answer = await sendRequest({ ...request, ...(addresses && { addresses }) }, {
    ...config,
    ...options,
    send: runtime.send ?? sendWithFetch,
    callerSignal: incoming.signal,
    checkHop,
  });
  return buildResponse(answer, { ...exchange, target, sendCookies });
}

function refuseMethod(method: string): void {
  if (method !== "TRACE" && method !== "CONNECT") return;
  const message = `Cannot use method ${method}: it is not forwarded, expected any other`;
  throw new ProxyError("method_not_allowed", message, { headers: { allow: ALLOWED } });
}

/** A service worker from one target would serve every target behind the same origin (contract 4). */
function refuseTakeover({ headers }: Incoming, { selector }: Target): void {
  if (selector === "label" || headers.get("service-worker") !== "script") return;
  throw new ProxyError(
    "forbidden",
    "Cannot forward a service worker: this address is shared, expected a host label",
  );
}

const ALLOWED = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
