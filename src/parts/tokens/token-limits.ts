/**
 * Keeps a caller within the claims of its token. Claims only narrow what the settings allow, so both are checked, each on
 * its own (rule 10.1).
 * @module
 */

import { judgeAddresses, judgeName, narrowLoopback } from "../../core/address/target-lists.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { CallerToken, Endpoint } from "../../core/exchange/findings.ts";
import { listKeyFields, type TableEntry } from "../../core/exchange/table-entry.ts";
import { isBelow } from "../../core/address/path-prefix.ts";
import type { Incoming } from "../../core/runtime.ts";
import type { Caller } from "../../core/who/caller.ts";
import type { Claims } from "./claims.ts";
import { TokenRefusal } from "./token-refusal.ts";

/** Where a token was shown. */
export interface ShownToken extends Pick<CallerToken, "text" | "isInAddress"> {
  /**
   * Lower-case names of the headers for keys in which the token was shown: the target must take a key in one of them. Empty
   * if the token was shown where the proxy's own token may be.
   */
  readonly fields: readonly string[];
}

/** A token that was verified for one request. */
export class BoundToken implements CallerToken, ShownToken {
  readonly text: string;
  readonly isInAddress: boolean;
  readonly fields: readonly string[];
  readonly claims: Claims;

  constructor({ text, isInAddress, fields }: ShownToken, claims: Claims) {
    this.text = text;
    this.isInAddress = isInAddress;
    this.fields = fields;
    this.claims = claims;
  }

  /** Does not apply to programs: they send no Fetch Metadata and no `Origin`. */
  checkOrigin({ incoming: { headers }, caller }: { incoming: Incoming; caller: Caller }): void {
    const { origins } = this.claims;
    if (!origins || origins.any || !(caller.isBrowser || caller.hasOrigin)) return;
    // Browsers send no Origin with a GET to the page's own origin.
    const isOwn = headers.get("sec-fetch-site") === "same-origin";
    const origin = headers.get("origin") ?? (isOwn ? caller.origin : null);
    if (origin === null || !origins.listed.has(origin)) throw outOf("origins", "the origin of this page");
  }

  checkName({ hostname, port, origin }: Endpoint, isResolved: boolean): void {
    const judgement = judgeName(this.#lists, hostname, port);
    if (judgement === "refused" || (judgement === "needs_addresses" && !isResolved)) {
      throw outOf("targets", origin.host);
    }
  }

  checkAddresses({ hostname, port, origin }: Endpoint, addresses: readonly string[]): readonly string[] {
    const claimed = narrowLoopback(this.#lists, hostname, port, addresses);
    if (judgeAddresses(this.#lists, hostname, port, claimed) === "refused") {
      throw outOf("targets", origin.host);
    }
    return claimed;
  }

  /** Checks the target's own entry: a header that carries a key for one target is an ordinary header for another. */
  checkPlace({ host }: URL, entry: TableEntry | undefined): void {
    const { fields } = this;
    const taken = entry ? listKeyFields(entry) : [];
    if (fields.length === 0 || fields.some((field) => taken.includes(field))) return;
    const state = `${host} takes no key in ${fields.join(", ")}`;
    throw new TokenRefusal({ code: "token_missing", state }, "Send it in the header proxy_token");
  }

  checkHop(method: string, path: string): void {
    const { methods, paths } = this.claims;
    if (methods && !methods.includes(method)) throw outOf("methods", `method ${method}`);
    if (paths && !isBelow(paths, path)) throw outOf("paths", "this path");
  }

  get #lists() {
    return { allow: this.claims.targets ?? [], deny: [] };
  }
}

function outOf(claim: string, what: string): ProxyError {
  return new ProxyError(
    "forbidden",
    `Cannot send this request: ${what} is not in ${claim} of the caller's token. Use another token`,
  );
}
