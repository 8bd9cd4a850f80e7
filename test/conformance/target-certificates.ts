/**
 * Certificates of targets by the table: what is refused without them and with them, directly, for WebSockets and inside
 * tunnels of another proxy.
 * @module
 */
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultyTargets, pinFor, versionedTargets } from "../support/faulty-targets.ts";
import { mint } from "../support/mint.ts";
import { PUBLIC_ADDRESS } from "../support/through.ts";
import { listenTunnel, type TunnelProxy } from "../support/tunnel-proxy.ts";
import type { Proxy, RuntimeName, Upstream } from "../support/topic.ts";
import { Acceptor, argOf, expectError, handshake, join, listen } from "../support/topic.ts";
import { startProxy, waitFor } from "../support/topic.ts";

/** How the targets are reached: their host, and members that each of their entries has. */
interface Way {
  about: string;
  host: string;
  through: boolean;
}

const WAYS: Way[] = [
  { about: "directly", host: "localhost", through: false },
  { about: "inside a tunnel", host: PUBLIC_ADDRESS, through: true },
];

/** Entries that a runtime has no use for, and the member that is bad. */
function unusable(runtime: RuntimeName): { member: string; entry: Record<string, unknown> }[] {
  const [one, other] = [mint(), mint()];
  const broken = one.cert.replace(/\n[^-]+\n/, "\nAAAA\n");
  return [
    { member: "key", entry: { cert: one.cert, key: other.key } },
    { member: "cert", entry: { cert: broken, key: one.key } },
    { member: "ca", entry: { ca: one.cert + broken } },
    ...(runtime === "deno" ? [{ member: "minVersion", entry: { minVersion: "TLSv1.1" } }] : []),
  ];
}

/** Targets with faults, and those whose entry mends them, as they are reached in one way. */
function rowsFor(runtime: RuntimeName, { host, through }: Way) {
  const own = { target: undefined as unknown as Upstream, host, through };
  const targets = [...faultyTargets(host), ...versionedTargets(host, runtime)];
  const faults = targets.filter(({ says }) => says).map(({ bare, ...fault }) => ({
    ...fault,
    ...own,
    says: fault.says!,
    entry: bare,
    members: namesOf(bare ?? {}),
  }));
  const mended = targets.flatMap(({ about, tls, mended }) =>
    mended.map((entry) => ({ ...own, about, tls, entry, members: namesOf(entry) }))
  );
  return { faults, mended };
}

export function describeTargetCertificates(runtime: RuntimeName): void {
  describe("certificates of the table", () => {
    const ways = WAYS.map((way) => ({ ...way, ...rowsFor(runtime, way) }));
    const all = ways.flatMap(({ faults, mended }) => [...faults, ...mended]);
    let proxy: Proxy;
    let tunnel: TunnelProxy;
    beforeAll(async () => {
      tunnel = await listenTunnel({ kind: "http" });
      const table: Record<string, unknown> = {};
      for (const row of all) {
        row.target = await listen({ tls: row.tls });
        const way = row.through ? { upstream: tunnel.address } : {};
        if (row.entry || row.through) table[`${row.host}:${row.target.port}`] = { ...row.entry, ...way };
      }
      proxy = await startProxy(runtime, { TARGETS: JSON.stringify(table), LOG: "off" });
    });
    afterAll(async () => {
      await proxy?.stop("SIGKILL");
      await Promise.all(all.map(({ target }) => target?.close()));
      await tunnel?.close();
    });

    describe.each(ways)("$about", ({ faults, mended }) => {
      it.each(faults)(
        "one $about is refused, and the member named: with $members",
        async ({ host, ...row }) => {
          const origin = `https://${host}:${row.target.port}`;
          const answers = [
            await proxy.call("POST /p", { fields: { proxy_host: origin }, body: "secret" }),
            await proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: origin })}`),
            await proxy.call("GET /p", { fields: handshake({ proxy_host: origin }) }),
          ];
          for (const [index, answer] of answers.entries()) {
            const error = row.error ?? "tls_certificate_error";
            expectError(answer, { status: 502, error, ...(index === 1 && { title: "Fetch API Error" }) });
            expect(answer.text).toMatch(row.says);
            expect(answer.text).toContain(`Cannot reach ${host}:${row.target.port}: `);
          }
          expect(row.target.requests).toEqual([]);
        },
      );

      it.each(mended)("one $about is reached with $members", async ({ host, through, ...row }) => {
        const fields = { proxy_host: `https://${host}:${row.target.port}` };
        const before = tunnel.connections;
        expect(await proxy.call("POST /p", { fields, body: "body" })).toMatchObject({
          status: 200,
          text: "ok",
        });
        expect(await proxy.call("GET /2", { fields })).toMatchObject({ status: 200 });
        // The connection is kept for the next request.
        expect(row.target.requests.map(({ connection }) => connection)).toEqual([1, 1]);
        const acceptor = new Acceptor(row.target);
        const { caller } = await join(proxy.port, "/socket", fields);
        caller.close();
        expect(acceptor.request.target).toBe("/socket");
        expect(tunnel.connections - before).toBe(through ? 2 : 0);
      });
    });

    it("are taken by a new table at once, also where a connection is kept, and stay where the next can't be used", async () => {
      const folder = await mkdtemp(joinPath(tmpdir(), "fetchvia-"));
      const authority = mint({ subject: "reloaded", isAuthority: true });
      const tls = mint({ names: ["localhost"], issuer: authority });
      const target = await listen({ tls: { ...tls, maxVersion: "TLSv1.2" } });
      const file = joinPath(folder, "targets.json");
      const write = async (entry: Record<string, unknown>) => {
        await writeFile(`${file}.next`, JSON.stringify({ "localhost": entry }));
        await rename(`${file}.next`, file);
      };
      await writeFile(joinPath(folder, "ca.pem"), authority.cert);
      await write({});
      const proxy = await startProxy(runtime, { TARGETS: file });
      const fields = { proxy_host: `https://localhost:${target.port}` };
      const status = async () => (await proxy.call("GET /p", { fields })).status;
      /** Writes another table, and lets the proxy look for it now: else requests would fail until it does by itself. */
      const renew = async (entry: Record<string, unknown>) => {
        await write(entry);
        proxy.process.kill("SIGHUP");
      };
      expect(await status()).toBe(502);
      await renew({ ca: "./ca.pem" });
      await waitFor(async () => expect(await status()).toBe(200));
      expect(await status()).toBe(200);
      await renew({ ca: "./ca.pem", pin: pinFor(authority) });
      await waitFor(async () => expect(await status()).toBe(502));
      await renew({ ca: "./ca.pem", pin: [pinFor(authority), pinFor(tls)] });
      await waitFor(async () => expect(await status()).toBe(200));
      await renew({ ca: "./ca.pem", minVersion: "TLSv1.3" });
      await waitFor(async () => expect(await status()).toBe(502));
      await renew({ ca: "./ca.pem", minVersion: "TLSv1.2" });
      await waitFor(async () => expect(await status()).toBe(200));
      for (const { member, entry } of unusable(runtime)) {
        await renew(entry);
        const told = new RegExp(`entry "localhost" has a bad ${member}, expected [^\\n]+\\n`);
        await waitFor(() => expect(proxy.stderr()).toMatch(told));
        expect(await status()).toBe(200);
      }
      expect(proxy.stderr()).not.toContain("PRIVATE KEY");
      await Promise.all([proxy.stop("SIGKILL"), target.close()]);
      await rm(folder, { recursive: true });
    });
  });
}

/** The members of an entry, and the value of the one that has few. */
function namesOf({ minVersion, ...members }: Record<string, unknown>): string {
  return [...Object.keys(members), ...(minVersion ? [`minVersion ${String(minVersion)}`] : [])].join(" and ");
}
