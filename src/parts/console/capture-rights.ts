/**
 * Checks who may see and switch captures: callers that may see live traffic. What pages of the console check and read alike.
 * @module
 */

import { PROOF_FIELD } from "../../core/http/headers.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import { isTold, maySeeTraffic } from "../../core/may/private-targets.ts";
import { showsTokenCookie } from "../../core/may/token-duty.ts";
import { ProxyError } from "../../core/http/error.ts";
import { isTrustedProxy, namesFront, readPeer } from "../../core/who/caller.ts";

/** The parameters of a path. */
export function readSearch(path: string): URLSearchParams {
  return new URLSearchParams(path.split("?")[1]);
}

/** Refuses a caller. The message says why, and what to do. */
export function forbid(message: string): never {
  throw new ProxyError("forbidden", message);
}

/**
 * Refuses callers that may not see captures. A target's own page shares this origin with the console (cookie selector), so
 * a browser must send the ticket, which the page contains only when it is opened as its own document. Without Fetch
 * Metadata, browsers look like programs and even the ticket proves nothing: any page may fetch it.
 *
 * @throws {ProxyError} `forbidden`
 */
export function checkCaptureRights(exchange: Exchange): void {
  const { incoming: { headers }, config, path, ticket } = exchange;
  if (!maySeeTraffic(exchange)) {
    forbid(
      "Cannot show captures here: it needs the proxy's token, or a proxy that only this machine reaches",
    );
  }
  if (!isTold(exchange) && (config.proxyToken === "" || showsTokenCookie(exchange))) {
    forbid(
      "Cannot show captures here: over plain http a target's page may have asked. Use https or a loopback address, " +
        "or show the token in the header proxy_token",
    );
  }
  if (!headers.has("sec-fetch-site")) return;
  const shown = headers.get(PROOF_FIELD) ?? readSearch(path).get("ticket");
  if (shown === ticket) return;
  forbid(
    "Cannot show captures to this page: only the console may show them. Reload a console opened before a restart",
  );
}

/** True if the caller may see captures. */
export function maySeeCaptures(exchange: Exchange): boolean {
  try {
    checkCaptureRights(exchange);
    return true;
  } catch {
    return false;
  }
}

/**
 * True for a console whose event stream switches capture on while it is open. It says so, it may see captures, and it comes
 * through no front proxy, behind which nobody is known to be on this machine. A link can't: only a script opens a stream.
 */
export function maySwitchByOpening(exchange: Exchange): boolean {
  const { incoming: { method, headers }, path } = exchange;
  const isScript = headers.get("sec-fetch-site") === "same-origin" &&
    headers.get("sec-fetch-dest") === "empty";
  return isScript && method === "GET" && readSearch(path).has("capture") &&
    isDirect(exchange) && maySeeCaptures(exchange);
}

/** True if the caller comes through no front proxy, by what is known. */
function isDirect({ incoming: { headers }, config, runtime }: Exchange): boolean {
  const peer = readPeer(runtime);
  return peer !== "" && !isTrustedProxy(peer, config.trustedProxies) && !namesFront(headers);
}

/**
 * Refuses a console that can't switch capture on by being open: it would turn off what is on, and begin nothing.
 *
 * @throws {ProxyError} `forbidden`
 */
export function checkOpening(exchange: Exchange): void {
  if (exchange.asker !== "console" || isDirect(exchange)) return;
  forbid(
    "Cannot capture while this console is open: it comes through another proxy, where nobody is known to be on this " +
      "machine. Choose headers or a size",
  );
}

/**
 * Refuses callers that may not switch capture: every page but the console.
 *
 * @throws {ProxyError} `forbidden`
 */
export function checkSwitchRights(exchange: Exchange): void {
  checkCaptureRights(exchange);
  const { asker } = exchange;
  if (asker === "console" || asker === "program") return;
  forbid("Cannot switch capture from this page: only the console and programs may. Use the console");
}
