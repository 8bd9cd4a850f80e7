/**
 * Callers on this machine, whose requests are captured while a console is open.
 * @module
 */

import { readAuthority } from "../../core/address/authority.ts";
import { type Cidr, isLoopbackHost } from "../../core/address/ip.ts";
import type { Incoming, Runtime } from "../../core/runtime.ts";
import { isTrustedProxy, namesFront, readHost, readPeer } from "../../core/who/caller.ts";

/**
 * True for a caller on this machine, by the address of its connection: it uses a loopback name, its address is not that of a
 * trusted front proxy, and no field says that it came through one. False where the runtime does not tell the address.
 */
export function isOnMachine(
  incoming: Pick<Incoming, "headers" | "url">,
  runtime: Runtime,
  trusted: readonly Cidr[],
): boolean {
  const peer = readPeer(runtime);
  if (!isLoopbackHost(peer) || isTrustedProxy(peer, trusted) || namesFront(incoming.headers)) return false;
  return readAuthority(readHost(incoming)).isLoopback;
}
