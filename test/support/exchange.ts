/**
 * One request as the steps see it, made of as little as a test says.
 * @module
 */
import { readRequestPath } from "../../src/core/address/address.ts";
import { Resolver } from "../../src/core/address/dns-cache.ts";
import { hooksOf, NO_HOOKS, readPath } from "../../src/core/exchange/hooks.ts";
import { readCaller } from "../../src/core/who/caller.ts";
import { type Config, type Options, readOptions } from "../../src/core/settings/config.ts";
import type { Exchange, Rules } from "../../src/core/exchange/exchange.ts";
import { type Asker, readAsker, readGrant } from "../../src/core/who/asker.ts";
import { makePlan } from "../../src/core/exchange/plan.ts";
import { ProcessKey } from "../../src/core/exchange/process-key.ts";
import { createTimes } from "../../src/core/http/deadlines.ts";
import { type RecordSink, RequestRecord } from "../../src/core/exchange/record.ts";
import { takeBody } from "../../src/core/exchange/web-standard.ts";
import type { HandedBody, Incoming, Runtime } from "../../src/core/runtime.ts";
import { readCarried } from "../../src/core/who/host-selectors.ts";

/** What the console's page was given. */
export const TICKET = "the ticket of the tests";

/** What the proxy of the tests keeps. */
export const LENT = {
  deadlines: createTimes({ timeoutMs: 30_000, idleTimeoutMs: 30_000 }, false),
  resolver: new Resolver(30_000, false),
  key: new ProcessKey("k"),
  ticket: TICKET,
  loopId: "fetchvia-test",
  parts: NO_HOOKS,
};

/** What a request is made of; everything has a default. */
export interface Request {
  method?: string;
  path?: string;
  /** Fields; `undefined` sends none. */
  fields?: Readonly<Record<string, string | undefined>>;
  body?: HandedBody;
  /** Settings of the proxy. */
  options?: Options;
  runtime?: Runtime;
  sinks?: RecordSink[];
  asker?: Asker;
}

/** The request as a runtime hands it in; its Host is `localhost:8080` unless given. */
export function incomingOf({ method = "GET", path = "/", fields = {}, body = null }: Request): Incoming {
  const given = Object.entries({ host: "localhost:8080", ...fields });
  const headers = new Headers(given.filter((field): field is [string, string] => field[1] !== undefined));
  const url = `http://localhost:8080${path}`;
  return { method, url, headers, body: takeBody(body), signal: new AbortController().signal };
}

/**
 * The same with all that is known of it.
 *
 * @param rulesOf what parts do in the steps; none by default
 */
export function exchangeOf(request: Request = {}, rulesOf: (config: Config) => Rules[] = () => []): Exchange {
  const incoming = incomingOf(request);
  const config = readOptions(request.options ?? {});
  const runtime = request.runtime ?? { clientAddress: "127.0.0.1", listensOnLoopback: true };
  const caller = readCaller(incoming, runtime, config.trustedProxies);
  const carried = readCarried(incoming.headers, caller.host, config);
  const grant = readGrant(incoming, runtime, config);
  const parts = hooksOf(rulesOf(config));
  const { path, form } = readPath(readRequestPath(incoming.url), carried, config, parts);
  return {
    incoming,
    runtime,
    config,
    caller,
    carried,
    asker: request.asker ?? readAsker({ incoming, caller, carried, config }, grant, TICKET),
    path,
    form,
    record: new RequestRecord(incoming.method, request.sinks ?? []),
    ...LENT,
    parts,
    plan: makePlan(incoming, { runtime, config, parts }),
  };
}
