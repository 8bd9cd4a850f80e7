/**
 * Finds the proxy's own addresses, in the same way on Bun, Deno and Node.
 * @module
 */

import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Runtime } from "../../core/runtime.ts";
import { normalizeAddress } from "../../core/address/ip.ts";
import { lookUp } from "./look-up.ts";

/** Facts about the addresses that the proxy listens on. */
export type OwnAddresses = Required<Pick<Runtime, "listensOnLoopback" | "isOwnAddress">>;

/**
 * Finds the addresses that the proxy listens on.
 *
 * @param host the name or address that the proxy listens on
 * @param readPort returns the port once the proxy listens
 * @throws {Error} if the host has no address
 */
export async function findOwnAddresses(host: string, readPort: () => number): Promise<OwnAddresses> {
  const bound = (isIP(host) ? [host] : await lookUp(host)).map(normalizeAddress);
  // A host without an address is not loopback: Bun (1.4) would listen on all addresses for `*`.
  if (bound.length === 0) throw new Error(`no address for ${host}`);
  const isEverywhere = bound.some(isWildcard);
  // Interfaces change, so they are listed on each use, and only for targets on the proxy's own port.
  const listOwn = () => isEverywhere ? listOwnAddresses() : bound;
  let ownPort: number | undefined;
  return {
    listensOnLoopback: bound.every(isLoopback),
    // The unspecified address reaches loopback. A proxy bound to every address also owns all of 127.0.0.0/8.
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
