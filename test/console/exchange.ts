/** An exchange as the console's handlers get it. @module */
import { type Options, readOptions } from "../../src/core/settings/config.ts";
import type { Exchange } from "../../src/core/exchange/exchange.ts";
import { Fields } from "../../src/core/http/fields.ts";
import { makePlan } from "../../src/core/exchange/plan.ts";
import { LENT } from "../support/exchange.ts";
import { RequestRecord } from "../../src/core/exchange/record.ts";

/** What of a request matters to a test. */
export interface Asked {
  path?: string;
  method?: string;
  fields?: Record<string, string>;
  options?: Options;
  isSecure?: boolean;
}

/** Makes an exchange. */
export function exchangeOf(asked: Asked = {}): Exchange {
  const { path = "/__proxy__/", method = "GET", fields = {}, options = {}, isSecure = false } = asked;
  const origin = `${isSecure ? "https" : "http"}://localhost:8080`;
  const incoming = {
    url: origin + path,
    method,
    headers: new Fields(Object.entries(fields)),
    body: null,
    signal: new AbortController().signal,
  };
  const basis = { runtime: {}, config: readOptions(options), parts: LENT.parts };
  return {
    incoming,
    ...basis,
    plan: makePlan(incoming, basis),
    caller: {
      host: "localhost:8080",
      origin,
      isSecure,
      address: "127.0.0.1",
      isBrowser: "sec-fetch-site" in fields,
      hasOrigin: false,
      isForeign: false,
    },
    carried: { header: undefined, cookie: undefined, label: undefined },
    asker: "user",
    path,
    record: new RequestRecord(method, []),
    ...LENT,
  };
}
