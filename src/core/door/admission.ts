/**
 * Decides who gets in: limits, token, cross-site and preflight rules, cheapest first (rules 5.7 to 5.13).
 * @module
 */

import { type FieldReader, Fields } from "../http/fields.ts";
import type { Config } from "../settings/config.ts";
import { answerPreflight } from "./cors.ts";
import type { Grant } from "../address/authority.ts";
import { checkSite, refusePrefetch } from "./cross-site.ts";
import { ProxyError } from "../http/error.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import { enforce } from "../exchange/hooks.ts";
import { isLook, isUpgrade } from "../http/headers.ts";
import type { Reply } from "../http/reply.ts";
import { answerOptions, asksProxy } from "./request-line.ts";
import type { RequestRecord } from "../exchange/record.ts";
import { Gate, RateLimiter, RefusalLimiter, TokenLimiter } from "./limits.ts";
import type { CallerToken } from "../exchange/findings.ts";
import { isAt, isPageAt, RESERVED } from "../address/reserved-paths.ts";
import { asksToken, needsToken } from "../may/token-duty.ts";
import { withIncoming } from "../exchange/plan.ts";
import type { RateStore } from "../runtime.ts";
import { checkToken, type Shown } from "./check-token.ts";
import { answerSignIn, answerSignInPage, takeSignIn } from "./sign-in.ts";
import { checkLength } from "../way/request-body.ts";

/** Admits requests; holds the counters of one proxy. */
export class Doorkeeper {
  readonly #rate: RateLimiter | undefined;
  /** Limits requests for metrics; `undefined` unless both a rate limit and metrics are set. */
  readonly #scrapers: RefusalLimiter | undefined;
  readonly #gate: Gate | undefined;
  readonly #loopId: string;
  readonly #tokens: TokenLimiter;

  /**
   * @param loopId this proxy's id in `CDN-Loop`
   * @param rateStore counts in memory where absent
   */
  constructor(config: Config, loopId: string, rateStore?: RateStore) {
    this.#tokens = new TokenLimiter(rateStore);
    this.#rate = config.rateLimit && new RateLimiter(config.rateLimit, rateStore);
    this.#scrapers = config.rateLimit && config.metrics ? new RefusalLimiter(config.rateLimit) : undefined;
    this.#gate = config.maxConcurrent > 0 ? new Gate(config.maxConcurrent) : undefined;
    this.#loopId = loopId;
  }

  /** Frees the place of a finished request. */
  leave(record: RequestRecord): void {
    this.#gate?.leave(record);
  }

  /**
   * Admits a request, synchronously if nothing must be awaited. Its place is kept until `leave`.
   *
   * @returns the response if there already is one
   * @throws {ProxyError} `loop`, `rate_limited`, `token_missing`, `forbidden`, `request_too_large` or `overloaded`
   */
  admit(exchange: Exchange, isReserved: boolean, grant: Grant): Admission | Promise<Admission> {
    const { headers } = exchange.incoming;
    if (headers.get("cdn-loop")?.includes(this.#loopId)) {
      throw new ProxyError(
        "loop",
        "Cannot forward this request: it came through this proxy before. Use a target that does not lead back here",
      );
    }
    const admit = () => this.#admitCounted(exchange, isReserved, grant);
    if (this.#scrapers && isPageAt(exchange.path, "metrics")) {
      // Only requests that may see the metrics are not counted: a caller's own token does not allow that.
      return this.#scrapers.judge(exchange.caller.address, async () => await admit(), isPlain);
    }
    const taken = this.#rate?.take(exchange.caller.address);
    return taken ? taken.then(admit) : admit();
  }

  /**
   * Counts a request that was refused before its caller was known; rejects with that refusal.
   *
   * @param address the caller's IP address; `""` when unknown
   * @throws {ProxyError} `rate_limited` instead, when the limit is exceeded
   */
  async refuse(address: string, refusal: unknown): Promise<never> {
    await this.#rate?.take(address);
    throw refusal;
  }

  #admitCounted(exchange: Exchange, isReserved: boolean, grant: Grant): Admission | Promise<Admission> {
    const response = answerPreflight(exchange, grant);
    if (response) return response;
    if (!needsToken(exchange)) return this.#admitKnown(exchange, isReserved, grant, "nothing");
    if (isPageAt(exchange.path, "sign-in") && asksToken(exchange.config)) {
      return this.#signIn(exchange, grant);
    }
    const enter = async (shown: Shown): Promise<Admission> => {
      if (typeof shown === "string") return this.#admitKnown(exchange, isReserved, grant, shown);
      exchange.record.callerId = shown.claims.id;
      shown.checkOrigin(exchange);
      await enforce(exchange, () => this.#tokens.take(shown.claims));
      return this.#admitKnown({ ...exchange, token: shown }, isReserved, grant, shown);
    };
    return checkToken(exchange, isReserved && !isAt(exchange.path), noteCaller(exchange)).then(
      enter,
      (refusal) => answerSignInPage(exchange, refusal),
    );
  }

  /** Signs a user in. A page of another site must not sign its visitor in. Only the typed token counts, no cookie. */
  async #signIn(exchange: Exchange, grant: Grant): Promise<Reply> {
    checkSite(exchange, grant);
    return await takeSignIn(exchange, async (token) => {
      const { method, url, signal } = exchange.incoming;
      const incoming = { method, url, signal, headers: new Fields(), body: null };
      const path = `${RESERVED}/?token=${encodeURIComponent(token)}`;
      const shown = await checkToken(
        { ...withIncoming(exchange, incoming), path },
        true,
        noteCaller(exchange),
      );
      return typeof shown === "string" ? exchange.config.proxyToken : shown.text;
    });
  }

  #admitKnown(exchange: Exchange, isReserved: boolean, grant: Grant, shown: Shown): Admission {
    // The key's owner approved exactly this request, wherever it comes from. The method is not part of the link.
    const isSigned = shown === "signature" && isLook(exchange.incoming.method);
    if (mayBeForeign(exchange, isReserved)) {
      refusePrefetch(exchange);
      if (!isSigned) checkSite(exchange, grant);
    }
    const isInAddress = shown === "address" || exchange.token?.isInAddress;
    const signIn = isInAddress ? answerSignIn(exchange) : undefined;
    if (signIn) return signIn;
    if (asksProxy(exchange.incoming, exchange.path)) return answerOptions();
    // A target may have a limit of its own, so its length is checked when the target is known.
    if (exchange.parts.limit.length === 0) {
      checkLength(exchange.incoming.headers, exchange.config.maxRequestBytes);
    }
    // Metrics matter most when the proxy is full.
    if (this.#gate && !isPageAt(exchange.path, "metrics")) this.#gate.enter(exchange.record);
    return isSigned ? "signed" : exchange.token;
  }
}

/** A response if there already is one; otherwise the signed link or the caller's token that admitted the request. */
export type Admission = Reply | "signed" | CallerToken | undefined;

/** True for an ordinary admission: without a response, a signed link or a caller's own token. */
function isPlain(admission: Admission): boolean {
  return admission === undefined;
}

/**
 * A page can open WebSockets across sites, but cannot add header fields to the handshake. So a handshake with the
 * header selector is not from a page.
 */
function mayBeForeign({ incoming: { headers }, carried }: Exchange, isReserved: boolean): boolean {
  return isReserved || (isUpgrade(headers) && carried.header === undefined);
}

/**
 * Refuses a service worker script on an origin that targets share: one target's worker would control all of them
 * (rule 4.18).
 *
 * @throws {ProxyError} `forbidden`
 */
export function refuseTakeover(headers: FieldReader, target: Target | undefined): void {
  if (target?.selector === "label" || headers.get("service-worker") !== "script") return;
  throw new ProxyError(
    "forbidden",
    "Cannot forward a service worker: all targets share this origin. Use a host label",
  );
}

/** Writes into the record whose token was refused. */
function noteCaller({ record }: Exchange): (id: string | undefined) => void {
  return (id) => void (record.callerId = id);
}
