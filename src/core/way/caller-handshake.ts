/**
 * WebSocket handshakes of callers: reads and checks them (RFC 6455 §4). `target-handshake.ts` sends those to targets.
 * @module
 */

import { ProxyError } from "../http/error.ts";
import type { Exchange, Target } from "../exchange/exchange.ts";
import { hasToken, isUpgrade, readUpgrade } from "../http/headers.ts";
import type { Incoming } from "../runtime.ts";

const KEY = /^[A-Za-z0-9+/]{22}==$/;
/** Maximum characters that a refusal shows of another protocol's name. */
const MAX_SHOWN = 60;
/** The only version of the protocol. */
export const VERSION = "13";

/** Converts a `ws` address to `http`: a handshake is an HTTP request (RFC 6455 §3). */
export function toHttp(address: string): string {
  return address.replace(/^ws(s?):\/\//i, "http$1://");
}

/** True for a request that opens a WebSocket to its target, as the incoming handshake asks. */
export function opensSocket({ incoming }: Pick<Exchange, "incoming">, target: Target): boolean {
  return (target.selector !== "arg" || target.isSocket === true) && isUpgrade(incoming.headers);
}

/**
 * Checks a WebSocket handshake; requests without a protocol upgrade pass. A handshake must never get a 200.
 *
 * @param hasTarget whether the request names a target that sockets can connect to
 * @throws {ProxyError} `bad_request` for a bad handshake, `not_implemented` if the runtime has no WebSockets, and for
 * any other protocol
 */
export function checkUpgrade(
  { incoming, runtime }: Pick<Exchange, "incoming" | "runtime">,
  hasTarget: boolean,
): void {
  const protocol = readUpgrade(incoming.headers);
  if (protocol === undefined) return;
  if (protocol !== "websocket") {
    const shown = JSON.stringify(protocol.slice(0, MAX_SHOWN));
    const message =
      `Cannot switch to the protocol ${shown}: it is not supported, expected websocket or no Upgrade`;
    throw new ProxyError("not_implemented", message);
  }
  if (!hasTarget) {
    throw refusal("no target is named", "expected a host selector or url");
  }
  if (!runtime.upgrade) {
    throw new ProxyError("not_implemented", "Cannot open a WebSocket: this runtime does not support it");
  }
  checkHandshake(incoming);
}

/** @see RFC 6455 §4.2.1 */
function checkHandshake({ method, headers }: Incoming): void {
  const length = headers.get("content-length") ?? "0";
  if (method !== "GET" || length !== "0" || headers.has("transfer-encoding")) {
    throw refusal("the handshake has another method or a body", "expected a GET without a body");
  }
  if (!hasToken(headers.get("connection"), "upgrade")) {
    throw refusal("its Connection header lacks Upgrade", "expected Connection: Upgrade");
  }
  if (headers.get("sec-websocket-version") !== VERSION) {
    throw refusal("its version is not supported", `expected Sec-WebSocket-Version: ${VERSION}`);
  }
  if (!KEY.test(headers.get("sec-websocket-key") ?? "")) {
    throw refusal("Sec-WebSocket-Key is missing or malformed", "expected the Base64 of 16 bytes");
  }
}

function refusal(state: string, expected: string): ProxyError {
  const headers = { "sec-websocket-version": VERSION };
  return new ProxyError("bad_request", `Cannot open a WebSocket: ${state}, ${expected}`, { headers });
}
