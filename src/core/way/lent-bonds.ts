/**
 * Decides which of the logins that are bound to the caller's connection a request may use.
 *
 * Such a login needs no credentials in the request, so it goes only where credentials could go. Several users may share
 * one connection: each of them has a part of its own.
 * @module
 * @see RFC 4559 §6
 */

import type { Exchange, Prepared } from "../exchange/exchange.ts";
import type { Bonds, Outgoing } from "../runtime.ts";

/**
 * The bonds for a request; `undefined` if it may have none.
 *
 * @param sent the fields that are sent
 */
export function lendBonds(
  exchange: Exchange,
  request: Prepared,
  sent: Outgoing["headers"],
): Bonds | undefined {
  const { incoming: { bonds, headers }, caller, config, asker, token } = exchange;
  if (!bonds || request.isStray) return undefined;
  // Almost always the connection has one user.
  const isKeyed = sent !== request.headers &&
    sent.get("authorization") !== request.headers.get("authorization");
  const isShared = config.trustedProxies.length > 0 || token !== undefined;
  if (!isKeyed && !isShared && asker !== "console" && asker !== "granted") return bonds;
  const page = asker === "granted" ? headers.get("origin") : asker === "console" && "console";
  const user = isShared && [caller.address, token?.claims.id];
  // A key that the proxy adds does not belong to the caller, who may lose the right to use it.
  return bonds.part(JSON.stringify([page, user, isKeyed]));
}
