/**
 * `/__proxy__/explain`: what would happen to a request, decided by the same functions as for a real request. Nothing is
 * sent (rule 11.1).
 * @module
 */

import { formatAddress } from "../../core/address/address.ts";
import type { Grant } from "../../core/address/authority.ts";
import { readGrant } from "../../core/who/asker.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import { mayReachPrivate } from "../../core/may/private-targets.ts";
import { answerJson } from "../../core/http/answer.ts";
import { checkMethod, ProxyError } from "../../core/http/error.ts";
import type { Reply } from "../../core/http/reply.ts";
import type { Incoming } from "../../core/runtime.ts";
import { nameOptions } from "../../core/settings/option-names.ts";
import {
  judgeTarget,
  type JudgingSteps,
  refusalOf,
  tellCookies,
  tellEntry,
  type ToldCookies,
  type ToldEntry,
  type Verdict,
} from "./verdict.ts";
import { type Named, type Question, readQuestion, readWanted, type Wanted } from "./question.ts";

/** What would happen to a request. */
export interface Explanation {
  /** Every selector that names a target, in the order in which they count. */
  selectors: readonly Named[];
  /** The selector that counts; `null` if there is none, or if the choice is refused. */
  chosen: string | null;
  /** The address to which the request would go. */
  target: string | null;
  verdict: Verdict;
  /** The target's entry in the table of targets; `null` without one, and for pages of targets and of strangers. */
  entry: ToldEntry | null;
  /** Whether the proxy follows redirects, or passes them on; `null` without a target. */
  redirects: "follow" | "manual" | null;
  cookies: ToldCookies;
  cors: ToldCors;
}

/** What the origin of the caller's page may do with responses. */
export interface ToldCors {
  /** `null` if the request comes from no page of another origin. */
  origin: string | null;
  /** `listed`: with credentials; `any`: without; `none`: the proxy grants nothing. */
  grant: Grant;
  why: string;
}

/**
 * Answers `/__proxy__/explain` with `url`, `arg`, or `path` and the caller's own selectors.
 *
 * @throws {ProxyError} `bad_request` for parameters that name no request, `forbidden` for look-ups of a caller who may not
 * reach private targets, `method_not_allowed` for other methods than GET and HEAD
 */
export async function answerExplain(exchange: Exchange, steps: JudgingSteps): Promise<Reply> {
  checkMethod(exchange.incoming.method, "GET", "HEAD");
  const wanted = readWanted(exchange);
  if (wanted.looksUp && !exchange.runtime.isOperator && !mayReachPrivate(exchange)) {
    throw new ProxyError(
      "forbidden",
      "Cannot look names up here: that is for callers who may reach private targets. Leave out dns=true",
    );
  }
  const reply = answerJson(await explain(exchange, wanted, steps));
  return exchange.incoming.method === "HEAD" ? { ...reply, body: null } : reply;
}

async function explain(exchange: Exchange, wanted: Wanted, steps: JudgingSteps): Promise<Explanation> {
  const question = await readQuestion(exchange, wanted);
  const { asked, selectors, target } = question;
  const isNamed = target !== undefined && !(target instanceof ProxyError);
  const verdict = await judge(question, steps, wanted.looksUp);
  const name = (text: string) => nameOptions(text, exchange.isEmbedded);
  return {
    selectors,
    chosen: isNamed ? target.selector : null,
    target: isNamed ? formatAddress(target) : null,
    verdict,
    entry: isNamed ? tellEntry(asked, target) : null,
    redirects: isNamed ? (target.follow ? "follow" : "manual") : null,
    cookies: tellCookies(asked, isNamed ? target : undefined, verdict.allowed),
    cors: tellCors(asked.incoming, asked, name),
  };
}

/** If no selector names a target, on its own paths, and for `OPTIONS` that asks the proxy, the proxy answers by itself. */
const ANSWERED_HERE: Verdict = {
  allowed: true,
  rule: "own",
  reason:
    "The proxy answers this itself: no selector names a target, the path is its own, or OPTIONS asks the proxy",
};

async function judge(
  { asked, target }: Question,
  steps: JudgingSteps,
  looksUp: boolean,
): Promise<Verdict> {
  if (target instanceof ProxyError) return refusalOf(target, asked);
  return target ? await judgeTarget(asked, target, steps, looksUp) : ANSWERED_HERE;
}

/** Tells whether a page of the request's origin may read the response. */
export function tellCors(
  incoming: Pick<Incoming, "headers" | "url">,
  { runtime, config }: Pick<Exchange, "runtime" | "config">,
  name: (text: string) => string,
): ToldCors {
  const origin = incoming.headers.get("origin");
  const grant = readGrant(incoming, runtime, config);
  return {
    origin,
    grant,
    why: origin === null ? "The request has no Origin" : name(reasonOf(grant, config)),
  };
}

function reasonOf(grant: Grant, { corsOrigins }: Exchange["config"]): string {
  if (grant === "any") return "CORS_ORIGINS=* allows every origin, without credentials";
  if (grant === "listed") {
    return corsOrigins ? "CORS_ORIGINS lists the origin" : "The origin is one of this machine";
  }
  return corsOrigins
    ? "CORS_ORIGINS does not list the origin"
    : "CORS_ORIGINS is not set, so the target decides";
}
