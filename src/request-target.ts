/**
 * What a caller may ask for in the first line of its request.
 * @module
 */

import { ProxyError } from "./error.ts";
import type { Incoming } from "./runtime.ts";

/**
 * Refuses what is no path on the web, where the runtime's own server lets it through: another scheme, and a `*` that is not
 * that of `OPTIONS`.
 *
 * @throws {ProxyError} `bad_request`
 * @see RFC 9112 §3.2
 */
export function checkRequestTarget({ method, url }: Pick<Incoming, "method" | "url">): void {
  if (url === "*") {
    if (method !== "OPTIONS") refuse("it is *", "OPTIONS with it");
  } else if (!url.startsWith("/") && !/^https?:\/\//i.test(url)) {
    refuse("its scheme is none that is forwarded", "http or https");
  }
}

function refuse(state: string, expected: string): never {
  throw new ProxyError("bad_request", `Cannot use the request target: ${state}, expected ${expected}`);
}
