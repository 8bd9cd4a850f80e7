/**
 * At the limit of descriptors: nobody ends the proxy by opening connections.
 * @module
 */
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { delayed, listen, open, type Pool, type Proxy, reply, request } from "../support/topic.ts";
import { startProxy, type Upstream, waitFor } from "../support/topic.ts";

/** More than a runtime has for itself. */
const LIMIT = 64;
const LATE_MS = 1_500;
/** Long enough for the proxy to have seen them all. */
const HANDLED_MS = 200;

/** Takes the descriptors away from a proxy while a request is in flight. */
async function crowd(proxy: Proxy, upstream: Upstream) {
  upstream.answer = delayed(LATE_MS, reply(200, {}, "late"));
  const early = await open(proxy.port);
  const arrived = upstream.next();
  early.write(request("GET", "/p", { Host: "127.0.0.1", proxy_host: upstream.origin }));
  await arrived;
  const opened = await Promise.allSettled(Array.from({ length: 2 * LIMIT }, () => open(proxy.port)));
  const idle = opened.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const leave = () => idle.forEach((connection) => connection.destroy());
  await sleep(HANDLED_MS);
  return { early, leave };
}

export function describeDescriptors(pool: Pool): void {
  describe("a caller that leaves before it is taken", () => {
    const plain = pool.with();

    it("costs the others nothing", async () => {
      const { child } = plain;
      const kept = await open(plain.port);
      const ask = async () => {
        kept.write(request("GET", "/__proxy__/health", { Host: "127.0.0.1" }));
        return (await kept.answer()).status;
      };
      expect(await ask()).toBe(200);
      // The kernel makes connections for a process that stands still.
      process.kill(child.process.pid!, "SIGSTOP");
      for (const connection of await Promise.all([open(plain.port), open(plain.port)])) connection.reset();
      process.kill(child.process.pid!, "SIGCONT");
      // This one is taken behind the two.
      expect((await plain.call("GET /__proxy__/health")).status).toBe(200);
      expect(await ask()).toBe(200);
      expect(child.stderr().trim().split("\n")).toHaveLength(1);
      kept.destroy();
    });
  });

  // Not beside others: a runtime may be busy with what it can't take.
  it("at the limit of descriptors what is in flight is finished, callers are answered once others leave, and a stop waits", async () => {
    const [proxy, upstream] = await Promise.all([startProxy(pool.runtime), listen()]);
    execFileSync("prlimit", ["--pid", String(proxy.process.pid), `--nofile=${LIMIT}:${LIMIT}`]);
    const first = await crowd(proxy, upstream);
    first.leave();
    const next = async () => (await proxy.call("GET /", { timeout: 500 })).status;
    await waitFor(async () => expect(await next()).toBe(200));
    expect(await first.early.answer()).toMatchObject({ status: 200, text: "late", ended: "end" });
    first.early.destroy();
    const last = await crowd(proxy, upstream);
    const stopped = proxy.stop();
    expect(await last.early.answer()).toMatchObject({ status: 200, text: "late", ended: "end" });
    last.leave();
    expect((await stopped).code).toBe(0);
    await upstream.close();
  });
}
