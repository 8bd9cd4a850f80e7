/**
 * Several processes that serve one port: started, watched over and stopped as one proxy.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectMany, isRunning, startTwo, untilGone, untilReplaced, workersOf } from "../support/workers.ts";
import type { Answer, Fields, Pool, Proxy, RuntimeName } from "../support/topic.ts";
import { call, Child, commandOf, Gate, listen, open, reply, request } from "../support/topic.ts";
import { declareOnce, rowsOnce, runToExit, SOON_MS, waitFor } from "../support/topic.ts";

/** So many connections that each of two workers gets some, but for odds of one in a hundred thousand million. */
const MANY = 36;
/** So many that each of two workers has some of them, but for odds of one in two thousand. */
const FEW = 12;

/** Calls so many times, on a connection each. */
function callMany(proxy: Proxy, many: number): Promise<number[]> {
  return Promise.all(Array.from({ length: many }, async () => (await proxy.call("GET /")).status));
}

/** Calls as so many callers, each from an address of its own. */
function callAsMany(
  proxy: Pick<Proxy, "call">,
  lineOf: (index: number) => string,
  fields: Fields = {},
): Promise<Answer[]> {
  const ask = (_: unknown, index: number) =>
    proxy.call(lineOf(index), { from: `127.0.1.${index + 1}`, fields });
  return Promise.all(Array.from({ length: MANY }, ask));
}

/** Another proxy does not start at the port of this one, which goes on. */
async function expectTaken(runtime: RuntimeName, proxy: Proxy, WORKERS: string): Promise<void> {
  const PORT = String(proxy.port);
  const stderr = `fetchvia cannot start: PORT ${PORT} is in use, expected a free port\n`;
  expect(await runToExit(runtime, { PORT, WORKERS })).toMatchObject({ code: 1, stderr });
  expect((await proxy.call("GET /__proxy__/health")).status).toBe(200);
}

export function describeWorkers(pool: Pool): void {
  describe("several workers", () => {
    const plain = pool.with();

    it("warn once and have one start line, never share with another proxy, and all answer; another takes the place of one that dies, and then they end together and soon", async () => {
      const proxy = await startTwo(pool, { PROXY_TOKN: "s3cret" });
      const facts = `(${pool.runtime} VERSION, pid ${proxy.process.pid}, 2 workers, private targets allowed)`;
      const address = `http://127.0.0.1:${proxy.port}`;
      expect(proxy.stderr().trim().replace(/\d+\.\d+\.\d+(?=,)/, "VERSION").split("\n")).toEqual([
        "fetchvia: WARNING, the variable PROXY_TOKN has no effect. Did you mean PROXY_TOKEN?",
        `fetchvia listening on ${address} ${facts}, console at ${address}/__proxy__/`,
      ]);
      const connections = await connectMany(proxy, MANY);
      for (const workers of ["2", "1"]) await expectTaken(pool.runtime, proxy, workers);
      const [first, ...others] = workersOf(proxy);
      expect(others).toHaveLength(1);
      process.kill(first!, "SIGKILL");
      const cut = () => connections.filter(({ closed }) => closed).length;
      await waitFor(() => expect(cut()).toBeGreaterThan(0));
      await untilReplaced(proxy, first!);
      expect(cut()).toBeLessThan(MANY);
      expect(await callMany(proxy, MANY)).toEqual(Array<number>(MANY).fill(200));
      const replaced = `fetchvia: worker ${first} ended with SIGKILL, another takes its place\n`;
      await waitFor(() => expect(proxy.stderr()).toContain(replaced));
      const workers = workersOf(proxy);
      const { code, took } = await proxy.stop();
      expect([code, took < SOON_MS]).toEqual([0, true]);
      await untilGone(workers);
    });

    declareOnce(pool.runtime, () => {
      it("serve on with a bad table where another can't take a place, until it is mended; where none serves, all end", async () => {
        const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
        const file = join(folder, "targets.json");
        writeFileSync(file, "{}");
        const proxy = await startTwo(pool, { TARGETS: file });
        writeFileSync(file, "{");
        const [first] = workersOf(proxy);
        process.kill(first!, "SIGKILL");
        const says = (text: string) => waitFor(() => expect(proxy.stderr()).toContain(text));
        await says(
          `fetchvia: nothing takes the place of worker ${first} yet: Cannot use ${file}: it is not JSON`,
        );
        expect(await callMany(proxy, MANY)).toEqual(Array<number>(MANY).fill(200));
        writeFileSync(file, "{}");
        await says(`fetchvia: the place of worker ${first} is taken\n`);
        expect(workersOf(proxy)).toHaveLength(2);
        writeFileSync(file, "{");
        const exit = proxy.exit();
        for (const pid of workersOf(proxy)) process.kill(pid, "SIGKILL");
        expect((await exit).code).toBe(1);
        expect(proxy.stderr()).toContain(`fetchvia cannot go on: Cannot use ${file}: it is not JSON`);
        rmSync(folder, { recursive: true });
      });
    });

    it("tell the port that 0 stands for and the console, which is there, and share that port", async () => {
      const child = new Child(pool.runtime, { PORT: "0", WORKERS: "2", MOUNT_PATH: "/in" });
      await waitFor(() => expect(child.stderr()).toContain("listening"));
      const told = /, 2 workers, private targets allowed\), console at http:\/\/127\.0\.0\.1:(\d+)(\/\S+)\n$/;
      const [, port, path] = told.exec(child.stderr()) ?? [];
      const ask = () => call(Number(port), `GET ${path}`, { fields: { Accept: "text/html" } });
      const answers = await Promise.all(Array.from({ length: MANY }, ask));
      await child.stop();
      expect(path).toBe("/in/__proxy__/");
      const pages = answers.filter(({ status, text }) => status === 200 && text.includes("<title>"));
      expect(pages).toHaveLength(MANY);
    });

    it("are not started beside one that has the port", () => expectTaken(pool.runtime, plain.child, "2"));

    it.each(rowsOnce(pool.runtime, [
      { settings: { HOST: "192.0.2.1" }, told: "HOST 192.0.2.1 can't be listened on" },
      { settings: { TLS_CERT: "/nowhere.pem", TLS_KEY: "/nowhere.pem" }, told: 'TLS_CERT is "/nowhere.pem"' },
      { settings: { MAX_CONCURRENT: "1" }, told: "WORKERS is 2, expected at most MAX_CONCURRENT, 1" },
    ]))("that can't start say why once: $told", async ({ settings, told }) => {
      const { code, stderr } = await runToExit(pool.runtime, { PORT: "0", WORKERS: "2", ...settings });
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).toContain(`fetchvia cannot start: ${told}`);
      expect(code).toBe(1);
    });
  });

  describe("the end of several workers", () => {
    it("finishes what is in flight when every process gets SIGINT", async () => {
      const [proxy, upstream] = await Promise.all([startTwo(pool), listen()]);
      const gate = new Gate();
      upstream.answer = gate.hold(reply(200, {}, "late"));
      const fields = { Host: "127.0.0.1", proxy_host: upstream.origin };
      const connections = await Promise.all(Array.from({ length: MANY }, () => open(proxy.port)));
      for (const connection of connections) connection.write(request("GET", "/p", fields));
      await waitFor(() => expect(upstream.requests).toHaveLength(MANY));
      // As a terminal does.
      for (const pid of [...workersOf(proxy), proxy.process.pid!]) process.kill(pid, "SIGINT");
      const exit = proxy.exit();
      // One that comes just then may be taken and never be answered; the next one is refused.
      const next = () => proxy.call("GET /__proxy__/health", { timeout: 200 });
      const refused = () => expect(next()).rejects.toThrow("ECONNREFUSED");
      await waitFor(refused);
      gate.open();
      const answers = await Promise.all(connections.map((connection) => connection.answer()));
      expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(["late"]));
      const { code, took } = await exit;
      expect([code, took < SOON_MS]).toEqual([0, true]);
      expect(proxy.stderr().trim().split("\n").slice(1))
        .toEqual([`fetchvia: stopping, ${MANY} in flight, 10 s at most`]);
      await upstream.close();
    });

    it("comes with that of the first process, even where the channel tells nothing", async () => {
      const [command = "", ...args] = commandOf(pool.runtime);
      const marks = { FETCHVIA_WORKER: "[]", FETCHVIA_FIRST: "1" };
      const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
      const worker = spawn(command, args, { env: { ...process.env, ...marks }, stdio: [...stdio] });
      await once(worker, "message");
      expect(await once(worker, "exit")).toEqual([0, null]);
    });
  });

  describe("together, several workers", () => {
    const counted = pool.with({ WORKERS: "2", METRICS: "true", RATE_LIMIT: "10/60s" });
    const crowded = pool.with({ WORKERS: "2", MAX_CONCURRENT: String(FEW) });

    it("give a caller its allowance once", async () => {
      const statuses = await callMany(counted.child, MANY);
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(MANY - 10);
    });

    it("count in one place, whoever is asked", async () => {
      await callAsMany(counted, () => "POST /");
      const read = async () => (await counted.call("GET /__proxy__/metrics")).text;
      const texts = await Promise.all(Array.from({ length: 10 }, read));
      const total = /^fetchvia_requests_total\{.*"POST".*"2xx"\} (\d+)$/m;
      expect(new Set(texts.map((text) => total.exec(text)?.[1]))).toEqual(new Set([String(MANY)]));
    });

    it("let no more in than the limit says, and finish them when the first process gets SIGTERM", async () => {
      const upstream = await listen();
      const held: (() => void)[] = [];
      upstream.answer = (received, socket) => void held.push(() => void reply(200)(received, socket));
      const options = { fields: { proxy_host: upstream.origin } };
      const statuses: number[] = [];
      const calls = Array.from({ length: MANY }, async () => {
        statuses.push((await crowded.call("GET /p", options)).status);
      });
      await waitFor(() => expect(statuses).toHaveLength(MANY - FEW));
      expect(new Set(statuses)).toEqual(new Set([503]));
      // Those who are let in have further to go than those who are not.
      await waitFor(() => expect(held).toHaveLength(FEW));
      const stopped = crowded.child.stop();
      await waitFor(() => expect(crowded.child.stderr()).toContain(`stopping, ${FEW} in flight`));
      for (const answer of held) answer();
      await Promise.all(calls);
      expect(statuses.slice(MANY - FEW)).toEqual(Array(FEW).fill(200));
      const { code, took } = await stopped;
      expect([code, took < SOON_MS]).toEqual([0, true]);
      await upstream.close();
    });

    it("show their traffic together", async () => {
      const upstream = await listen();
      const watching = await open(counted.port, { from: "127.0.2.1" });
      watching.write(request("GET", "/__proxy__/traffic", { Host: "localhost" }));
      await watching.until("event: ring");
      await callAsMany(counted, (index) => `GET /p${index}.`, { proxy_host: upstream.origin });
      await waitFor(() => {
        const ended = watching.raw.toString().match(/^data: .*?"entries":\[.*?\],"skipped"/gm);
        const seen = (ended ?? []).join("").match(/\/p\d+\./g) ?? [];
        expect(new Set(seen).size).toBe(MANY);
        expect(seen).toHaveLength(MANY);
      });
      watching.destroy();
      await upstream.close();
    });

    it("show one console: the ticket of its page is good for all", async () => {
      const fields = { Accept: "text/html", "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate" };
      const pages = await callAsMany(counted, () => "GET /__proxy__/", fields);
      const tickets = pages.map(({ text }) => /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/.exec(text)?.[0]);
      expect(tickets[0]).toBeDefined();
      expect(new Set(tickets).size).toBe(1);
    });

    it("leave one that is stuck out of the metrics, and end with the first process all the same", async ({ onTestFinished }) => {
      const workers = workersOf(counted.child);
      const [stuck] = workers;
      // Stops it as a debugger does.
      process.kill(stuck!, "SIGSTOP");
      onTestFinished(() => void (isRunning(stuck!) && process.kill(stuck!, "SIGKILL")));
      const ask = () => counted.call("GET /__proxy__/metrics", { timeout: 4_000 });
      const answers = await Promise.allSettled(Array.from({ length: MANY }, ask));
      const texts = answers.map((answer) => answer.status === "fulfilled" ? answer.value.text : "");
      expect(texts.filter(Boolean).length).toBeGreaterThan(0);
      // All ten seconds of a stop pass.
      expect((await counted.child.stop()).code).toBe(0);
      await untilGone(workers);
    });
  });
}
