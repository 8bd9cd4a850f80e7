/**
 * What Bun, Deno and Node lend in the same way: which addresses are the proxy's own.
 * @module
 */

import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Runtime } from "../../exchange/runtime.ts";
import { normalizeAddress } from "../../address/ip.ts";
import { lookUp } from "./look-up.ts";

/** What is known of the addresses that the proxy listens on. */
export type OwnAddresses = Required<Pick<Runtime, "listensOnLoopback" | "isOwnAddress">>;

/**
 * Finds what the proxy listens on.
 *
 * @param host the name or address that the proxy listens on
 * @param readPort the port that it listens on, once it does
 * @throws {Error} where there is no such address
 */
export async function findOwnAddresses(host: string, readPort: () => number): Promise<OwnAddresses> {
  const bound = (isIP(host) ? [host] : await lookUp(host)).map(normalizeAddress);
  // What has no address is not loopback: Bun (1.4) would take `*` for all of them.
  if (bound.length === 0) throw new Error(`no address for ${host}`);
  const isEverywhere = bound.some(isWildcard);
  // Interfaces come and go; only for targets on the proxy's own port they are asked for.
  const listOwn = () => isEverywhere ? listOwnAddresses() : bound;
  let ownPort: number | undefined;
  return {
    listensOnLoopback: bound.every(isLoopback),
    // The unspecified address reaches loopback; bound to every address, the proxy has all of 127.0.0.0/8 too.
    isOwnAddress: (address, port) =>
      port === (ownPort ??= readPort()) &&
      (listOwn().includes(address) || (isWildcard(address) && listOwn().some(isLoopback)) ||
        (isEverywhere && isLoopback(address))),
  };
}

function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => list ?? []).map(({ address }) => address);
}

function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

function isLoopback(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}
