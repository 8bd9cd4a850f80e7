/**
 * Limits that several proxies share through a real Redis server: counted together, and what happens when it fails.
 * @module
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { type Proxy, ROOT, runToExit, type Settings, startProxy } from "../support/proxy.ts";
import { Redis } from "../support/redis.ts";
import { waitFor } from "../support/wait.ts";

const RUNTIMES = [{ runtime: "bun" }, { runtime: "deno" }, { runtime: "node" }] as const;
const FAILS = "this process counts by itself until it is back";

let redis: Redis;
beforeEach(async () => {
  redis = await Redis.create();
  await redis.start();
  return () => redis.stop();
});

/** The statuses of so many calls, one after the other. */
async function callMany(proxy: Proxy, many: number, line = "GET /"): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < many) statuses.push((await proxy.call(line)).status);
  return statuses;
}

/** How many commands a client has sent at once. */
const count = (asked: Buffer) => String(asked).split(/^\*\d+\r\n/m).length - 1;

const settingsOf = (limit: string): Settings => ({ RATE_LIMIT: limit, RATE_LIMIT_STORE: redis.address });

describe("proxies that share a store", () => {
  it("share the limit, whatever runs them", async () => {
    const proxies = await Promise.all(
      RUNTIMES.map(({ runtime }) => startProxy(runtime, settingsOf("7/60s"))),
    );
    const statuses: number[] = [];
    for (const proxy of [...proxies, ...proxies, ...proxies]) {
      statuses.push((await proxy.call("GET /")).status);
    }
    expect(statuses).toEqual([...Array<number>(7).fill(200), 429, 429]);
    expect(await redis.keys()).toEqual(["fetchvia:60s:127.0.0.1"]);
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  });
});

describe("a proxy of one's own on Node", () => {
  it("lets the process end once it has drained", async () => {
    const config = JSON.stringify({ PORT: "0", LOG: "off", ...settingsOf("7/60s") });
    const code = `import { readConfig } from "fetchvia"; import { listen } from "fetchvia/node";
      await (await listen(readConfig(${config}))).drain(); console.log("drained");`;
    const { stdout } = await promisify(execFile)("node", ["--input-type=module", "-e", code], { cwd: ROOT });
    expect(stdout).toBe("drained\n");
  });
});

describe("proxies that share a store for callers' tokens", () => {
  it("share the rate of each, and need no RATE_LIMIT", async () => {
    const settings = { SIGNING_KEY: "k", RATE_LIMIT_STORE: redis.address };
    const proxies = await Promise.all(RUNTIMES.map(({ runtime }) => startProxy(runtime, settings)));
    const expires = Math.floor(Date.now() / 1_000) + 600;
    const fields = { proxy_token: await mintToken({ id: "ci", expires, rate: "4/60s" }, "k") };
    const statuses: number[] = [];
    for (const proxy of [...proxies, ...proxies]) {
      statuses.push((await proxy.call("GET /", { fields })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    expect(await redis.keys()).toEqual(["fetchvia:60s:token ci"]);
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  });
});

describe.each(RUNTIMES)("a store on $runtime", ({ runtime }) => {
  let proxy: Proxy;
  const start = async (settings: Settings) => (proxy = await startProxy(runtime, settings));
  afterEach(async () => void await proxy?.stop("SIGKILL"), 20_000);

  /** A store that has failed is left alone for a second: calls until it is asked again, and answers. */
  const untilBack = () =>
    vi.waitFor(async () => {
      await proxy.call("GET /");
      expect(proxy.stderr()).toContain("is back: it counts again");
    }, { timeout: 20_000, interval: 200 });

  it("says when to come again, and forgets in time", async () => {
    await start(settingsOf("2/6s"));
    expect(await callMany(proxy, 3)).toEqual([200, 200, 429]);
    expect((await proxy.call("GET /")).header("retry-after")).toMatch(/^[1-6]$/);
    await sleep(6_100);
    expect(await callMany(proxy, 3)).toEqual([200, 200, 429]);
  });

  it("counts for several workers", async () => {
    await start({ ...settingsOf("5/60s"), WORKERS: "2" });
    const answers = await Promise.all(Array.from({ length: 20 }, () => proxy.call("GET /")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  it("never stops health", async () => {
    await start(settingsOf("1/60s"));
    expect(new Set(await callMany(proxy, 5, "GET /__proxy__/health"))).toEqual(new Set([200]));
    expect(await callMany(proxy, 2)).toEqual([200, 429]);
  });

  it("that is lost leaves the count to each process, and takes it up again", async () => {
    await start(settingsOf("2/60s"));
    expect(await callMany(proxy, 3)).toEqual([200, 200, 429]);
    await redis.stop();
    // Its own count begins now; nobody is let in without one.
    await waitFor(() => expect(proxy.stderr()).toContain(FAILS));
    expect(await callMany(proxy, 3)).toEqual([200, 200, 429]);
    await redis.start();
    await untilBack();
    expect(await redis.keys()).toEqual(["fetchvia:60s:127.0.0.1"]);
    expect(proxy.stderr().trim().split("\n")).toHaveLength(3);
  });

  it("that hangs keeps callers waiting for half a second, once in a second", async () => {
    await start(settingsOf("100/60s"));
    await proxy.call("GET /");
    redis.pause(true);
    const started = performance.now();
    expect(new Set(await callMany(proxy, 20))).toEqual(new Set([200]));
    // Ten seconds, if each of them waited.
    expect(performance.now() - started).toBeLessThan(9_000);
    await waitFor(() => expect(proxy.stderr()).toContain(`fails (ETIMEDOUT): ${FAILS}`));
    redis.pause(false);
    await untilBack();
  });

  it.each([
    { about: "is not there", address: () => "redis://:marker-password@127.0.0.1:1", reason: "ECONNREFUSED" },
    { about: "refuses", address: () => redis.address.replace("marker", "wrong-marker"), reason: "WRONGPASS" },
    { about: "has no such database", address: () => redis.address.replace(/1$/, "99"), reason: "ERR" },
  ])("that $about is no reason not to start; no line shows its password", async ({ address, reason }) => {
    await start({ RATE_LIMIT: "2/60s", RATE_LIMIT_STORE: address() });
    expect(await callMany(proxy, 3)).toEqual([200, 200, 429]);
    await waitFor(() =>
      expect(proxy.stderr()).toContain(
        `fetchvia: the store in RATE_LIMIT_STORE fails (${reason}): ${FAILS}\n`,
      )
    );
    expect(proxy.stderr() + proxy.stdout()).not.toContain("marker");
  });

  it.each([
    { about: "less than one request", reply: "*2\r\n:-5\r\n:100\r\n", reason: "EPROTO", least: 1 },
    { about: "lists", reply: "*2\r\n*1\r\n:1\r\n*1\r\n:9\r\n", reason: "EPROTO", least: 1 },
    { about: "texts", reply: "*2\r\n+OK\r\n+OK\r\n", reason: "EPROTO", least: 1 },
    { about: "a reply that never ends", reply: "$999999999\r\na", reason: "ETIMEDOUT", least: 2 },
  ])("that answers with $about does not count, and keeps no connection", async ({ reply, reason, least }) => {
    const sockets: Socket[] = [];
    const store = createServer((socket) => {
      sockets.push(socket.on("error", () => {}));
      socket.on(
        "data",
        (asked) => socket.write(/eval/i.test(String(asked)) ? reply : "+OK\r\n".repeat(count(asked))),
      );
    }).listen(0, "127.0.0.1");
    await once(store, "listening");
    const { port } = store.address() as AddressInfo;
    await start({ RATE_LIMIT: "2/60s", RATE_LIMIT_STORE: `redis://127.0.0.1:${port}` });
    expect(await callMany(proxy, 3)).toEqual([200, 200, 429]);
    await waitFor(() => expect(proxy.stderr()).toContain(`fails (${reason}): ${FAILS}`));
    await waitFor(() => expect(sockets.length).toBeGreaterThanOrEqual(least));
    sockets.forEach((socket) => socket.destroy());
    store.close();
  });
});

const BAD = [
  { settings: { RATE_LIMIT_STORE: "redis://:marker@a.test" }, told: "expected RATE_LIMIT with it" },
  {
    settings: { RATE_LIMIT_STORE: "http://:marker@a.test", RATE_LIMIT: "1/1s" },
    told: "expected an address such as redis:",
  },
];

describe.each(RUNTIMES)("a bad setting on $runtime", ({ runtime }) => {
  it.each(BAD)("stops the start without its password: $told", async ({ settings, told }) => {
    const { code, stderr } = await runToExit(runtime, { PORT: "0", ...settings });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(told);
    expect(stderr).not.toContain("marker");
    expect(code).toBe(1);
  });
});
