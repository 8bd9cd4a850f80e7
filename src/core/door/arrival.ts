/**
 * Handles every request before and after the steps: record, admission, errors and CORS fields.
 * @module
 */

import type { Admission, Doorkeeper } from "./admission.ts";
import { isPage, isPageAt, isReserved, stripMount, titleOf } from "../address/reserved-paths.ts";
import { readCallerAddress } from "../who/caller.ts";
import { type Facts, readFacts, readGrant } from "../who/asker.ts";
import { readRequestPath } from "../address/address.ts";
import { answerPreflight, writeCors } from "./cors.ts";
import { answerJson } from "../http/answer.ts";
import { answerError, toProxyError } from "../http/error.ts";
import type { Times } from "../http/deadlines.ts";
import type { Exchange, Hooks, Plan } from "../exchange/exchange.ts";
import { readPath, tellDecision } from "../exchange/hooks.ts";
import type { CallerToken } from "../exchange/findings.ts";
import { checkRequestTarget, checkSizes, refuseMethod, refusePlain } from "./request-line.ts";
import { isSealed, needsSeal } from "../may/host-cookie.ts";
import { nameOptionsOf } from "../settings/option-names.ts";
import type { LiveSettings, Part } from "../part.ts";
import type { Plans } from "../exchange/plan.ts";
import type { RequestRecord } from "../exchange/record.ts";
import type { Reply } from "../http/reply.ts";
import type { Incoming, Runtime } from "../runtime.ts";
import { asksToken, PAGE_TOKEN_FIELDS, TOKEN_FIELDS } from "../may/token-duty.ts";
import { checkUpgrade } from "../way/handshake.ts";

/** State between requests that every request needs. */
export interface Reception extends Pick<Exchange, "key" | "loopId" | "resolver" | "ticket"> {
  readonly plans: Plans;
  readonly settings: Pick<LiveSettings, "config">;
  readonly doorkeeper: Doorkeeper;
  /** What the parts do in the steps. */
  readonly hooks: Hooks;
  /** The parts' `arrive` functions, called with each request as it came in. */
  readonly arrivals: readonly NonNullable<Part["arrive"]>[];
  /** False until what the settings require is loaded. */
  readonly isPrepared: boolean;
  prepare(): Promise<void>;
  /** Begins the record of a request. */
  begin(method: string): RequestRecord;
  /** The timeouts of a request in this runtime. */
  deadlines(runtime: Runtime): Times;
  /** True once the plain origin has served pages of public hosts. */
  readonly hasStrangers: boolean;
  /** True if each request is logged under its id. */
  readonly hasLog: boolean;
  /** True if the settings are options in code. */
  readonly isEmbedded?: boolean;
}

/** Answers an admitted request. */
export type Answerer = (exchange: Exchange) => Reply | Promise<Reply>;

/** Receives a request and answers it, also after errors; never rejects. */
export async function receive(
  incoming: Incoming,
  runtime: Runtime,
  state: Reception,
  answerer: Answerer,
): Promise<Reply> {
  const { config } = state.settings;
  const arrived = readRequestPath(incoming.url);
  // A framework may already have stripped the mount path.
  const path = stripMount(arrived, config.mountPath) ?? arrived;
  const record = state.begin(incoming.method);
  let plan: Plan | undefined;
  let reply: Reply;
  let hasFailed = false;
  try {
    if (!state.isPrepared) await state.prepare();
    for (const arrive of state.arrivals) arrive(record, incoming, path, runtime);
    plan = state.plans.find(incoming, { runtime, config, parts: state.hooks });
    reply = await admit({ incoming, runtime, config, path, record, plan }, state, answerer);
    if (record.refusal) await tellDecision({ record, ...plan }, record.refusal);
  } catch (error) {
    hasFailed = true;
    record.caller ||= readCallerAddress(incoming.headers, runtime, config.trustedProxies);
    const failure = plan?.parts.witness.length ? await tellFailure(error, record, plan) : error;
    reply = answerFailure(failure, { incoming, config, path, record, plan }, state);
  }
  // The id leads to the log line; a target's own `x-request-id` passes untouched.
  if (state.hasLog && (hasFailed || !record.target)) reply.headers.set("x-request-id", record.id);
  if (asksToken(config) || record.callerId !== undefined) {
    reply.headers.append("vary", isPage(path) ? PAGE_TOKEN_FIELDS : TOKEN_FIELDS);
  }
  const grant = plan?.grant ?? readGrant(incoming, runtime, config);
  writeCors(reply.headers, incoming, runtime, config, grant);
  record.caller ||= readCallerAddress(incoming.headers, runtime, config.trustedProxies);
  record.capture?.answer(reply, incoming.method);
  const hasBody = reply.body !== null && incoming.method !== "HEAD";
  const bytes = hasBody ? Number(reply.headers.get("content-length") ?? 0) : 0;
  record.answered(reply.sealed ?? reply.status, bytes);
  return reply;
}

/** Has the parts hear of a failure, and returns it; or why one could not take it. */
async function tellFailure(error: unknown, record: RequestRecord, { parts }: Plan): Promise<unknown> {
  try {
    await tellDecision({ record, parts }, toProxyError(error));
    return error;
  } catch (failure) {
    return failure;
  }
}

type Failed = Omit<Arrived, "runtime" | "plan"> & { plan: Plan | undefined };

function answerFailure(error: unknown, failed: Failed, state: Reception): Reply {
  const { path, record } = failed;
  const known = nameOptionsOf(toProxyError(error), state.isEmbedded);
  record.fail(known);
  record.reason = known.reason;
  record.setting = known.setting;
  record.isStreaming = false;
  return answerError(known, titleOf(path), isOfSdk(failed, state));
}

/** True if a caller's token stands in the header of a key (rule 21.1). A part that fails must not hide the error. */
function isOfSdk({ incoming, config, path, plan }: Failed, state: Reception): boolean {
  try {
    const parts = plan?.parts ?? state.hooks;
    return parts.showsKey.some((shows) => shows({ incoming, config, path, parts }));
  } catch {
    return false;
  }
}

function admit(
  arrived: Arrived,
  state: Reception,
  answerer: Answerer,
): Reply | Promise<Reply> {
  const { incoming, runtime, config, path, record, plan } = arrived;
  const { grant } = plan;
  let facts: Facts | undefined;
  try {
    if (incoming.fault) throw incoming.fault;
    refusePlain(incoming);
    refuseMethod(incoming.method);
    checkRequestTarget(incoming);
    checkSizes(incoming, path, config.mountPath);
    if (!isPageAt(path, "health")) facts = plan.facts ??= readFacts(incoming, plan, state.ticket);
  } catch (refusal) {
    const address = readCallerAddress(incoming.headers, runtime, config.trustedProxies);
    return state.doorkeeper.refuse(address, refusal);
  }
  if (!facts) {
    checkUpgrade(arrived, false);
    return answerPreflight(arrived, grant) ?? answerJson({ status: "ok" });
  }
  record.caller = facts.caller.address;
  const exchange = createExchange(arrived, facts, state);
  const enter = (admission: Admission) => {
    if (typeof admission === "object" && "status" in admission) return admission;
    const known = note(exchange, admission);
    if (!state.hasStrangers || !needsSeal(known)) return answerer(known);
    return isSealed(known).then((is) => answerer(is ? known : { ...known, isUnsealed: true }));
  };
  const admission = state.doorkeeper.admit(exchange, isReserved(exchange.path), grant);
  return admission instanceof Promise ? admission.then(enter) : enter(admission);
}

/** Adds the token or signature that admitted the request; returns the same object without one. */
function note(exchange: Exchange, admission: "signed" | CallerToken | undefined): Exchange {
  if (admission === undefined) return exchange;
  return admission === "signed"
    ? { ...exchange, asker: "granted", isSigned: true }
    : { ...exchange, token: admission };
}

/** The facts about a request before its caller is known. */
type Arrived = Pick<Exchange, "incoming" | "runtime" | "config" | "path" | "record" | "plan">;

/** Makes the exchange that the steps read. Written out, because a spread of this many fields would make every read slow. */
function createExchange(arrived: Arrived, { caller, carried, asker }: Facts, state: Reception): Exchange {
  const { incoming, runtime, config, record, plan } = arrived;
  const { parts } = plan;
  const { key, resolver, loopId, ticket, isEmbedded = false } = state;
  const { path, form } = readPath(arrived.path, carried, config, parts);
  return {
    incoming,
    runtime,
    config,
    path,
    form,
    record,
    caller,
    carried,
    asker,
    key,
    resolver,
    plan,
    loopId,
    parts,
    ticket,
    isEmbedded,
    deadlines: state.deadlines(runtime),
  };
}
