/**
 * How the proxy stops: no new connection, what is in flight is finished, exit 0.
 * @module
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { rowsOnce } from "../support/capabilities.ts";
import { Gate, raw, reply, silence } from "../support/answers.ts";
import { open, request } from "../support/client.ts";
import type { Entry } from "../support/lines.ts";
import type { Pool } from "../support/pool.ts";
import { type Exit, type Proxy, SOON_MS, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { waitFor } from "../support/wait.ts";
import { Acceptor, join } from "../support/websocket.ts";

/** Long enough for the signal to have been handled. */
const HANDLED_MS = 150;
/** Part of the head of a request. */
const HEAD_START = "GET /p HTTP/1.1\r\nHo";
/** More than the kernel takes of an answer that nobody reads. */
const SLOW_BYTES = 12_000_000;

async function startBoth(pool: Pool): Promise<{ proxy: Proxy; upstream: Upstream }> {
  const [proxy, upstream] = await Promise.all([startProxy(pool.runtime), listen()]);
  return { proxy, upstream };
}

/** Sends a request and waits until the target has it. */
async function begin(proxy: Proxy, upstream: Upstream) {
  const connection = await open(proxy.port);
  const arrived = upstream.next();
  connection.write(request("GET", "/p", { Host: "127.0.0.1", proxy_host: upstream.origin }));
  await arrived;
  return connection;
}

/** Checks that the proxy ended well, and as soon as nothing was in flight. */
function expectSoon({ code, took }: Exit): void {
  expect(code).toBe(0);
  expect(took).toBeLessThan(SOON_MS);
}

/** Declares the tests. */
export function describeStop(pool: Pool): void {
  describe.concurrent("stop", () => {
    it("waits for no connection without a request: idle, silent, or within a head, the first or a later one", async () => {
      const { proxy, upstream } = await startBoth(pool);
      const answered = [await begin(proxy, upstream), await begin(proxy, upstream)];
      for (const connection of answered) await connection.answer();
      const unused = [await open(proxy.port), await open(proxy.port)];
      answered[0]!.write(HEAD_START);
      unused[0]!.write(HEAD_START);
      await sleep(HANDLED_MS);
      expectSoon(await proxy.stop());
      expect(proxy.stderr()).not.toContain("in flight");
      for (const connection of unused) connection.destroy();
      await upstream.close();
    });

    it("finishes responses, begun or not, or read slowly, and a WebSocket that has begun to close; it accepts no new connection meanwhile, and more signals change nothing", async () => {
      const { proxy, upstream } = await startBoth(pool);
      upstream.answer = reply(200, {}, "x".repeat(SLOW_BYTES));
      const slow = await begin(proxy, upstream);
      slow.pause();
      const gates = [new Gate(), new Gate()];
      upstream.answer = gates[0]!.hold(reply(200, {}, "late"));
      const waiting = await begin(proxy, upstream);
      upstream.answer = async (received, socket) => {
        socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none \r\n");
        await gates[1]!.hold((_, held) => void held.write("3\r\ntwo\r\n0\r\n\r\n"))(received, socket);
      };
      const streaming = await begin(proxy, upstream);
      await streaming.until("one ");
      const acceptor = new Acceptor(upstream);
      const { caller } = await join(proxy.port, "/", { proxy_host: upstream.origin });
      const target = acceptor.peers[0]!;
      target.socket.removeAllListeners("data");
      caller.close(4000);
      await once(target.socket, "data");
      proxy.process.kill("SIGINT");
      proxy.process.kill("SIGTERM");
      const next = () => proxy.call("GET /__proxy__/health", { timeout: 200 }).catch(String);
      // Not by `rejects`: beside other tests, what fails before it holds would count against one of those.
      await waitFor(async () => expect(await next()).toContain("ECONNREFUSED"));
      const stopped = proxy.stop("SIGINT");
      await sleep(HANDLED_MS);
      target.text("last");
      target.close(4000);
      expect([await caller.next(), await caller.next()]).toMatchObject([{ text: "last" }, { closed: 4000 }]);
      for (const gate of gates) gate.open();
      slow.resume();
      expect(await waiting.answer()).toMatchObject({ status: 200, text: "late", ended: "end" });
      expect(await streaming.answer()).toMatchObject({ status: 200, text: "one two", ended: "end" });
      const { body, ended } = await slow.answer();
      expect([body.length, ended]).toEqual([SLOW_BYTES, "end"]);
      const end = performance.now();
      const { code } = await stopped;
      expectSoon({ code, took: performance.now() - end });
      expect(proxy.stderr()).toContain("\nfetchvia: stopping, 4 in flight, 10 s at most\n");
      await upstream.close();
    });

    it.each(rowsOnce(pool.runtime, [
      { about: "one process", settings: {} },
      { about: "two workers", settings: { WORKERS: "2" } },
    ]))(
      "waits ten seconds at most, but for no WebSocket, which is closed at once; then each request leaves its line: $about",
      async ({ settings }) => {
        const [proxy, upstream] = await Promise.all([
          startProxy(pool.runtime, { LOG: "json", ...settings }),
          listen(),
        ]);
        upstream.answer = silence;
        const waiting = await begin(proxy, upstream);
        upstream.answer = raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nbegun ");
        const streaming = await begin(proxy, upstream);
        await streaming.until("begun ");
        const acceptor = new Acceptor(upstream);
        const { caller } = await join(proxy.port, "/", { proxy_host: upstream.origin });
        const stopped = proxy.stop();
        expect(await caller.next()).toMatchObject({ closed: 1001 });
        expect(await acceptor.peers[0]!.next()).toMatchObject({ closed: 1001 });
        caller.close(1001);
        acceptor.peers[0]!.close(1001);
        const { code, took } = await stopped;
        expect(code).toBe(0);
        expect(took).toBeGreaterThan(9_900);
        const entries = proxy.stdout().trim().split("\n").map((line) => JSON.parse(line) as Entry);
        const cut = entries.filter(({ error }) => error === "proxy_stopped");
        expect(cut.map(({ status }) => status).toSorted()).toEqual([200, 503]);
        expect(entries.filter(({ status }) => status === 101)).toHaveLength(1);
        expect(proxy.stderr()).toContain("fetchvia: cut 2 requests that had not finished after 10 s\n");
        for (const connection of [waiting, streaming]) connection.destroy();
        await upstream.close();
      },
    );
  });
}
