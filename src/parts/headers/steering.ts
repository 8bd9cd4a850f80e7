/**
 * Reads and checks `proxy_headers` and `proxy_seal` (rules 14.1 and 14.3). Loaded with the first request that has one.
 * @module
 */

import { cannotUse, ProxyError } from "../../core/http/error.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import type { Line, Wishes } from "../../core/exchange/findings.ts";
import type { FieldWriter } from "../../core/http/fields.ts";
import { isUpgrade } from "../../core/http/headers.ts";
import type { Reply } from "../../core/http/reply.ts";
import { applyOverrides, type Overrides, readOverrides } from "../../core/way/overrides.ts";
import { sealReply } from "../../core/way/sealed-reply.ts";

/**
 * Reads what a caller asks for.
 *
 * @param lines the lines of the two headers, at least one
 * @throws {ProxyError} `bad_request` naming the field and what was expected; `forbidden` for a page of another site whose
 * origin is not granted
 */
export function readWishes(lines: readonly Line[], exchange: Exchange): Wishes {
  const valuesOf = (kind: string) => lines.filter(([name]) => name.endsWith(kind)).map(([, value]) => value);
  const seals = valuesOf("seal");
  const overrides = valuesOf("headers");
  const isSealed = seals.length > 0;
  const isChanged = overrides.length > 0;
  refuseForeign(exchange, isChanged ? "proxy_headers" : "proxy_seal");
  if (isSealed) checkSeal(seals, exchange);
  return new ReadWishes(
    isChanged ? readOverrides(overrides, "header proxy_headers", exchange.config) : undefined,
    isSealed,
  );
}

/** The wishes, checked. */
class ReadWishes implements Wishes {
  readonly overrides: Overrides | undefined;
  readonly isSealed: boolean;

  constructor(overrides: Overrides | undefined, isSealed: boolean) {
    this.overrides = overrides;
    this.isSealed = isSealed;
  }

  get isChanged(): boolean {
    return this.overrides !== undefined;
  }

  get hasOwnLogin(): boolean {
    return this.overrides?.has("authorization") === true;
  }

  change(headers: FieldWriter): void {
    if (this.overrides) applyOverrides(headers, this.overrides);
  }

  seal(reply: Reply): Reply {
    return sealReply(reply, 200);
  }
}

function checkSeal(seals: readonly string[], { incoming: { headers } }: Exchange): void {
  if (seals.length > 1 || seals[0] !== "1") {
    throw cannotUse("header proxy_seal", "it has another value", "1, once");
  }
  if (isUpgrade(headers)) {
    throw new ProxyError(
      "bad_request",
      "Cannot seal a WebSocket: its response opens a connection. Leave header proxy_seal out",
    );
  }
}

/**
 * A page of another site can send these headers only after a preflight, which is refused unless its origin is granted. This
 * check also refuses the request if the browser sent no preflight.
 */
function refuseForeign({ caller, asker }: Exchange, field: string): void {
  if (!caller.isForeign || asker === "granted" || asker === "stranger") return;
  throw new ProxyError(
    "forbidden",
    `Cannot use header ${field}: a page of another site sent it. Add the page's origin to CORS_ORIGINS`,
    { names: ["CORS_ORIGINS"] },
  );
}
