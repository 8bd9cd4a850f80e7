/**
 * One request as the steps see it, with the parts of a usual proxy.
 * @module
 */
import type { Exchange, Rules } from "../../src/core/exchange/exchange.ts";
import type { Config } from "../../src/core/settings/config.ts";
import { formRules } from "../../src/parts/forms/form-fields.ts";
import { HEADER_RULES } from "../../src/parts/headers/part.ts";
import { linkRules } from "../../src/parts/links/signed-link.ts";
import { tokenRules } from "../../src/parts/tokens/caller-token.ts";
import { exchangeOf as exchangeAlone, type Request } from "./exchange.ts";

export type { Request } from "./exchange.ts";

/** What the parts of a usual proxy do in the steps; `test/support/without-parts.ts` takes lines out. */
function rulesOf(config: Config): Rules[] {
  const isSigned = config.signingKey !== "";
  const rules: (Rules | false)[] = [
    config.addressForms.length > 0 && formRules(config),
    HEADER_RULES,
    isSigned && linkRules(config),
    isSigned && tokenRules({ revoked: new Set() }),
  ];
  return rules.filter((one) => one !== false);
}

/** What is known of a request. */
export function exchangeOf(request: Request = {}): Exchange {
  return exchangeAlone(request, rulesOf);
}
