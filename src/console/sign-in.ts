/**
 * A browser shows the token once, at `/__proxy__/?token=…`: it is kept in a cookie and leaves the address bar.
 * @module
 */

import type { Exchange } from "../exchange.ts";
import { decodeParameter, readParameter, readQuery } from "../query.ts";

/**
 * Keeps the token that stands in the address.
 *
 * @returns the way on to the page without it; `undefined` when there is nothing to keep
 */
export function answerSignIn({ config, caller, path }: Exchange): Response | undefined {
  const shown = readParameter(readQuery(path), "token");
  const isRight = config.proxyToken !== "" && shown !== undefined &&
    decodeParameter(shown) === config.proxyToken;
  if (!isRight) return undefined;
  const { mountPath } = config;
  const flags = caller.isSecure ? "; Secure" : "";
  return new Response(null, {
    status: 303,
    headers: {
      "location": `${mountPath}/__proxy__/`,
      "set-cookie": `proxy_token=${config.proxyToken}; Path=${
        mountPath || "/"
      }; HttpOnly; SameSite=Lax${flags}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
}
