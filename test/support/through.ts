/**
 * Lets whole suites run through another proxy: their targets say that they are at a public address, and the proxy on the way
 * leads each connection to them.
 * @module
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { mint } from "./mint.ts";
import type { Complete } from "./pool.ts";
import { listenTunnel, type TunnelOptions, type TunnelProxy } from "./tunnel-proxy.ts";
import { aliasTargets, type Upstream } from "./upstream.ts";

/** An address that is public, and that no test reaches. */
export const PUBLIC_ADDRESS = "93.184.216.34";

/** The origin of a target on loopback as if it were at the public address. */
export function aliased({ origin, port }: Upstream): string {
  return `${new URL(origin).protocol}//${PUBLIC_ADDRESS}:${port}`;
}

/** Settings that lead every proxy of a suite through another one, which starts with the first. */
export function routeAll(options: TunnelOptions): Complete {
  aliasTargets(PUBLIC_ADDRESS);
  let starting: Promise<TunnelProxy> | undefined;
  const start = () => (starting ??= listenTunnel(options));
  afterAll(async () => {
    const tunnel = await start();
    await tunnel.close();
    expect(tunnel.asked.length, "tunnels").toBeGreaterThan(0);
  });
  return async (settings) => ({ ...settings, UPSTREAM_PROXY: (await start()).address });
}

/** The same through one that is asked over TLS. Its certificate is trusted beside those that a proxy trusts by itself. */
export function routeAllSecurely(login: string): Complete {
  const minted = mint({ subject: "another proxy", names: ["127.0.0.1"] });
  const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const route = routeAll({ kind: "https", login, tls: minted });
  let files = 0;
  return async (settings) => {
    const own = settings.NODE_EXTRA_CA_CERTS;
    const file = join(folder, `trusted-${files++}.pem`);
    writeFileSync(file, minted.cert + (own === undefined ? "" : readFileSync(own, "utf8")));
    return { ...await route(settings), NODE_EXTRA_CA_CERTS: file, DENO_CERT: file };
  };
}
