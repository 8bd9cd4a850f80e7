/**
 * At the limit of descriptors: nobody ends the proxy by opening connections.
 * @module
 */
import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { delayed, listen, open, type Pool, reply, request, startProxy, waitFor } from "../support/topic.ts";

/** More than a runtime has for itself. */
const LIMIT = 64;
const LATE_MS = 1_500;
/** Long enough for the proxy to have seen them all. */
const HANDLED_MS = 200;

/** Starts a proxy that may have few descriptors, sends it a request, and takes the descriptors away. */
async function startPoor(pool: Pool) {
  const [proxy, upstream] = await Promise.all([startProxy(pool.runtime), listen()]);
  execFileSync("prlimit", ["--pid", String(proxy.process.pid), `--nofile=${LIMIT}:${LIMIT}`]);
  upstream.answer = delayed(LATE_MS, reply(200, {}, "late"));
  const early = await open(proxy.port);
  const arrived = upstream.next();
  early.write(request("GET", "/p", { Host: "127.0.0.1", proxy_host: upstream.origin }));
  await arrived;
  const opened = await Promise.allSettled(Array.from({ length: 2 * LIMIT }, () => open(proxy.port)));
  const idle = opened.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const leave = () => idle.forEach((connection) => connection.destroy());
  await sleep(HANDLED_MS);
  return { proxy, upstream, early, leave };
}

export function describeDescriptors(pool: Pool): void {
  it("a caller that leaves before it is taken costs the others nothing", async () => {
    const proxy = await startProxy(pool.runtime);
    const kept = await open(proxy.port);
    const ask = async () => {
      kept.write(request("GET", "/__proxy__/health", { Host: "127.0.0.1" }));
      return (await kept.answer()).status;
    };
    expect(await ask()).toBe(200);
    // The kernel makes connections for a process that stands still.
    process.kill(proxy.process.pid!, "SIGSTOP");
    for (const connection of await Promise.all([open(proxy.port), open(proxy.port)])) connection.reset();
    process.kill(proxy.process.pid!, "SIGCONT");
    // This one is taken behind the two.
    expect((await proxy.call("GET /__proxy__/health")).status).toBe(200);
    expect(await ask()).toBe(200);
    expect(proxy.stderr().trim().split("\n")).toHaveLength(1);
    await proxy.stop("SIGKILL");
  });

  // Not beside others: a runtime may be busy with what it can't take.
  describe("at the limit of descriptors", () => {
    it("what is in flight is finished, and callers are answered once others leave", async () => {
      const { proxy, upstream, early, leave } = await startPoor(pool);
      leave();
      const next = async () => (await proxy.call("GET /", { timeout: 500 })).status;
      await waitFor(async () => expect(await next()).toBe(200));
      expect(await early.answer()).toMatchObject({ status: 200, text: "late", ended: "end" });
      expect((await proxy.stop()).code).toBe(0);
      await upstream.close();
    });

    it("a stop waits for what is in flight", async () => {
      const { proxy, upstream, early, leave } = await startPoor(pool);
      const stopped = proxy.stop();
      expect(await early.answer()).toMatchObject({ status: 200, text: "late", ended: "end" });
      leave();
      expect((await stopped).code).toBe(0);
      await upstream.close();
    });
  });
}
