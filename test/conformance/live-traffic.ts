/**
 * Live traffic as a program sees it: every request is counted, and what runs is shown while it runs.
 * @module
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { flood, QuickTarget, TrafficWatch } from "../support/traffic.ts";
import { isRunning, workersOf } from "../support/workers.ts";
import type { Pool, Upstream } from "../support/topic.ts";
import { Acceptor, chunked, declareOnce, declareWith, join, listen, open, reply } from "../support/topic.ts";
import { request, silence, waitFor } from "../support/topic.ts";

/** That of other topics, too, so that one proxy serves them. */
export const QUIET = { LOG: "off", METRICS: "true" };
/** More than are kept. */
const MANY = 1_200;
/** Enough for each of two workers to have some. */
const SHARED = 200;

/** Heads whose Host is no name, or that have none; a target that is private is refused to them. */
const NAMELESS = ["a%b", "1.2.3.4.5", "[:::]", "", "a b", "[", "%", "a:b:c", "xn--a"].flatMap((host) => [
  `GET /nameless?q=1 HTTP/1.1\r\nHost: ${host}\r\n`,
  `GET /nameless?q=1 HTTP/1.0\r\nHost: ${host}\r\n`,
]).concat("GET /nameless?q=1 HTTP/1.0\r\n");

export function describeLiveTraffic(pool: Pool): void {
  const proxy = pool.with(QUIET);
  let upstream: Upstream;
  let watch: TrafficWatch;

  describe("live traffic", () => {
    beforeEach(async () => {
      upstream = await listen();
      watch = new TrafficWatch(proxy.port);
      await watch.opened;
    });
    afterEach(async () => {
      watch.close();
      await upstream.close();
    });

    it(`counts ${MANY} requests that it does not list one by one`, async () => {
      const target = await new QuickTarget().start();
      const before = [watch.sum(1), watch.sum(3)];
      await flood(proxy.port, target.origin, MANY);
      target.close();
      await waitFor(() => expect(watch.sum(1) - before[0]!).toBe(MANY));
      expect(watch.sum(3) - before[1]!).toBe(MANY * 5);
      const listed = watch.entries.filter(({ address }) => address?.endsWith("/flood")).length;
      expect(listed + watch.skipped).toBe(MANY);
      const late = new TrafficWatch(proxy.port);
      await late.opened;
      expect(late.sum(1)).toBe(watch.sum(1));
      expect(late.entries).toHaveLength(1_000);
      late.close();
    }, 60_000);

    it("shows an event stream while it runs, with the bytes so far", async () => {
      const events = Array<string>(12).fill("data: tick\n\n");
      upstream.answer = chunked(200, { "Content-Type": "text/event-stream" }, events, 200);
      const answer = proxy.call("GET /events", { fields: { proxy_host: upstream.origin } });
      const rows = () => watch.everRunning.filter(({ address }) => address?.endsWith("/events"));
      await waitFor(() => expect(rows().length).toBeGreaterThan(2));
      expect(rows().at(-1)).toMatchObject({ status: 200, isRunning: true, selector: "header" });
      expect(rows().at(-1)!.bytesOut).toBeGreaterThan(rows()[0]!.bytesOut);
      await answer;
      await waitFor(() => expect(watch.running).toEqual([]));
      const ended = watch.entries.filter(({ key }) => key === rows()[0]!.key);
      expect(ended).toMatchObject([{ bytesOut: 144, status: 200 }]);
      expect(ended[0]).not.toHaveProperty("isRunning");
    });

    it("shows a request that waits for its answer, without a status", async () => {
      const answers: (() => void)[] = [];
      upstream.answer = (received, socket) => void answers.push(() => void reply(204)(received, socket));
      const answer = proxy.call("GET /waits?secret", { fields: { proxy_host: upstream.origin } });
      await waitFor(() => expect(watch.running).toMatchObject([{ status: 0, isPartial: true }]));
      expect(JSON.stringify(watch.running)).not.toContain("secret");
      for (const send of answers) send();
      expect((await answer).status).toBe(204);
      await waitFor(() => expect(watch.running).toEqual([]));
    });

    declareWith(pool.runtime, "sight of joined WebSockets", () => {
      it("shows a WebSocket while it is open, with the bytes so far", async () => {
        const target = new Acceptor(upstream);
        const { caller } = await join(proxy.port, "/ws", { proxy_host: upstream.origin });
        await waitFor(() => expect(watch.running).toMatchObject([{ status: 101 }]));
        target.peers[0]!.echo();
        caller.text("12345");
        await caller.next();
        await waitFor(() => expect(watch.running[0]?.bytesIn).toBeGreaterThanOrEqual(5));
        caller.close(1000);
        await caller.gone;
        await waitFor(() => expect(watch.running).toEqual([]));
      });
    });
  });

  declareWith(pool.runtime, "a command line", () => describeNameless(pool));
  declareOnce(pool.runtime, () => describeTogether(pool));
}

/** What callers without a name leave for those who watch. */
function describeNameless(pool: Pool): void {
  describe("live traffic with capture", () => {
    const proxy = pool.with({ LOG: "off", CAPTURE: "64KiB" });

    it("goes on when a Host is no name, and the others are served", async () => {
      const upstream = await listen();
      const watch = new TrafficWatch(proxy.port);
      await watch.opened;
      const statuses: number[] = [];
      for (const head of NAMELESS) {
        const caller = await open(proxy.port);
        caller.write(Buffer.from(`${head}proxy_host: ${upstream.privateOrigin}\r\n\r\n`, "latin1"));
        statuses.push((await caller.answer()).status);
        caller.destroy();
      }
      // All of them are told, with their queries, and nobody is cut off by that.
      await waitFor(() => expect(watch.sum(1)).toBe(NAMELESS.length));
      const refused = () => watch.entries.filter(({ status }) => status === 403);
      await waitFor(() => expect(refused()).toHaveLength(statuses.filter((status) => status === 403).length));
      expect(new Set(statuses)).toEqual(new Set([400, 403]));
      expect(new Set(refused().map(({ query }) => query))).toEqual(new Set(["?q=1"]));
      const served = await proxy.call("GET /served", { fields: { proxy_host: upstream.origin } });
      expect([served.status, watch.isOpen, upstream.targets]).toEqual([200, true, ["/served"]]);
      watch.close();
      await upstream.close();
    });
  });
}

/** What several processes show together. */
function describeTogether(pool: Pool): void {
  describe("live traffic of several workers", () => {
    const proxy = pool.with({ WORKERS: "2", LOG: "off" });

    it(`counts ${SHARED} requests of all, and shows what runs in each until it dies`, async () => {
      const [upstream, target] = [await listen(), await new QuickTarget().start()];
      upstream.answer = silence;
      const watch = new TrafficWatch(proxy.port);
      await watch.opened;
      await flood(proxy.port, target.origin, SHARED);
      target.close();
      await waitFor(() => expect(watch.sum(1)).toBe(SHARED));
      const fields = { proxy_host: upstream.origin };
      const held = await Promise.all(Array.from({ length: 24 }, async () => {
        const connection = await open(proxy.port);
        connection.write(request("GET", "/hangs", { Host: "localhost", ...fields }));
        return connection;
      }));
      await waitFor(() => expect(watch.running).toHaveLength(held.length));
      const [first] = workersOf(proxy.child);
      process.kill(first!, "SIGKILL");
      await waitFor(() => expect(isRunning(first!)).toBe(false));
      // If that was the one that told, another tells.
      let other = watch;
      await waitFor(() => {
        other = other.isOpen ? other : new TrafficWatch(proxy.port);
        expect(other.running.length).toBeGreaterThan(0);
        expect(other.running.length).toBeLessThan(held.length);
      });
      for (const connection of held) connection.destroy();
      await waitFor(() => expect(other.running).toEqual([]));
      watch.close();
      other.close();
      await upstream.close();
    }, 60_000);
  });
}
