/**
 * Lets whole suites run through another proxy: their targets say that they are at a public address, and the proxy on the way
 * leads each connection to them.
 * @module
 */
import { afterAll, expect } from "vitest";
import type { Settings } from "./proxy.ts";
import { listenTunnel, type TunnelOptions, type TunnelProxy } from "./tunnel-proxy.ts";
import { aliasTargets, type Upstream } from "./upstream.ts";

/** An address that is public, and that no test reaches. */
export const PUBLIC_ADDRESS = "93.184.216.34";

/** The origin of a target on loopback as if it were at the public address. */
export function aliased({ origin, port }: Upstream): string {
  return `${new URL(origin).protocol}//${PUBLIC_ADDRESS}:${port}`;
}

/** Settings that lead every proxy of a suite through another one, which starts with the first. */
export function routeAll(options: TunnelOptions): () => Promise<Settings> {
  aliasTargets(PUBLIC_ADDRESS);
  let starting: Promise<TunnelProxy> | undefined;
  const start = () => (starting ??= listenTunnel(options));
  afterAll(async () => {
    const tunnel = await start();
    await tunnel.close();
    expect(tunnel.asked.length, "tunnels").toBeGreaterThan(0);
  });
  return async () => ({ UPSTREAM_PROXY: (await start()).address });
}
