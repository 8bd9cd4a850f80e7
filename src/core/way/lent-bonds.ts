/**
 * Decides which logins that are bound to the caller's connection a request may go on with.
 *
 * Such a login needs no credentials in the request, so it goes only where credentials could go. What one connection
 * carries may come from several users: each has a part of its own.
 * @module
 * @see RFC 4559 §6
 */

import type { Exchange, Prepared } from "../exchange/exchange.ts";
import type { Bonds, Outgoing } from "../runtime.ts";

/**
 * The bonds for a request; `undefined` if it may have none.
 *
 * @param sent the fields that go out
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
  // A key that the proxy adds is not the caller's, who may lose it.
  return bonds.part(JSON.stringify([page, user, isKeyed]));
}
