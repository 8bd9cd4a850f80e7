/**
 * Capture: when each step of a hop was over, the messages of a WebSocket, and what is kept as a HAR file.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { declareWith, rowsWith } from "../support/capabilities.ts";
import { capture, textOf } from "../support/captured.ts";
import { checkHar } from "../support/har-check.ts";
import { mint } from "../support/mint.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { Acceptor, join } from "../support/websocket.ts";
import { OPCODES } from "../../src/wire/websocket/frames.ts";
import { rowsOf } from "../support/rows.ts";

const TABLE = JSON.stringify({ localhost: { insecure: true } });

/** Declares the tests. */
export function describeCaptureHops(pool: Pool): void {
  const tables = rowsWith(pool.runtime, "connections of its own", [{ TARGETS: TABLE }]);
  const proxy = pool.with({ LOG: "json", CAPTURE: "64KiB", ...tables[0] });
  const short = pool.with({ LOG: "json", CAPTURE: "4" });
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });
  const ask = (origin: string) => () =>
    proxy.call("POST /p", { fields: { proxy_host: origin }, body: "a body" });

  declareWith(pool.runtime, "connections of its own", () =>
    describe("capture of a hop", () => {
      it("tells when it was connected and sent, and which connection was there before", async () => {
        const first = (await capture(proxy, ask(upstream.origin))).hops[0]?.times;
        const second = (await capture(proxy, ask(upstream.origin))).hops[0]?.times;
        const { startMs, connectedMs, sentMs, firstByteMs, endMs } = first ?? { startMs: NaN };
        const steps = [startMs, connectedMs, sentMs, firstByteMs, endMs];
        expect(steps).toEqual([...steps].sort((one = NaN, other = NaN) => one - other));
        expect(first).toMatchObject({ isReused: false });
        expect(first?.securedMs).toBeUndefined();
        expect(second).toMatchObject({ isReused: true, sentMs: expect.any(Number) });
        expect(second?.connectedMs).toBeUndefined();
      });

      it("tells when TLS was agreed upon", async () => {
        const secure = await listen({ tls: mint({ names: ["localhost"] }) });
        const { times, tls } = (await capture(proxy, ask(`https://localhost:${secure.port}`))).hops[0] ?? {};
        const agreed = { protocol: "TLSv1.3", cipher: expect.stringMatching(/^TLS_[A-Z]/) };
        expect(tls).toMatchObject(agreed);
        expect(times?.securedMs).toBeGreaterThanOrEqual(times?.connectedMs ?? NaN);
        expect(times?.firstByteMs).toBeGreaterThanOrEqual(times?.securedMs ?? NaN);
        const kept = (await capture(proxy, ask(`https://localhost:${secure.port}`))).hops[0];
        expect(kept).toMatchObject({ tls: agreed, times: { isReused: true } });
        await secure.close();
      });
    }));

  declareWith(pool.runtime, "sight of joined WebSockets", () =>
    describe("capture of a WebSocket", () => {
      const talk = async (port: number) => {
        const target = new Acceptor(upstream);
        const { caller } = await join(port, "/p", { proxy_host: upstream.origin });
        const [peer] = target.peers;
        caller.text("hello");
        await peer?.next();
        peer?.send(OPCODES.binary, Buffer.from([1, 2, 3, 4, 5]));
        await caller.next();
        caller.close(1000, "bye");
        await peer?.next();
        peer?.close(1000, "bye");
        await caller.next();
      };

      it("has its messages with direction and size", async () => {
        const { messages = [], hops, isRunning } = await capture(proxy, () => talk(proxy.port));
        expect(hops[0]?.response?.status).toBe(101);
        expect(isRunning).toBe(false);
        const told = messages.map((message) => [message.from, message.kind, message.size, textOf(message)]);
        expect(told).toEqual(expect.arrayContaining([
          ["caller", "text", 5, "hello"],
          ["target", "binary", 5, "\x01\x02\x03\x04\x05"],
          ["caller", "close", 5, "\x03\xe8bye"],
        ]));
        const times = messages.map(({ atMs }) => atMs);
        expect(times).toEqual([...times].sort((one, other) => one - other));
      });

      it("keeps the first bytes of each", async () => {
        const { messages = [] } = await capture(short, () => talk(short.port));
        expect(messages.find(({ kind }) => kind === "text")).toMatchObject({ size: 5 });
        expect(messages.filter(({ kind }) => kind !== "close").map(textOf))
          .toEqual(["hell", "\x01\x02\x03\x04"]);
      });
    }));

  describe("what is kept as HAR", () => {
    it("is HAR 1.2, whole or in part, with no secret in it", async () => {
      upstream.answer = reply(200, { "Content-Type": "text/plain", "Set-Cookie": "sid=s3cr3t" }, "text");
      const fields = { proxy_host: upstream.origin, Authorization: "Bearer s3cr3t" };
      const { id } = await capture(proxy, () => proxy.call("GET /har?token=s3cr3t", { fields }));
      const one = await proxy.call(`GET /__proxy__/traffic.har?id=${id}`);
      const all = await proxy.call("GET /__proxy__/traffic.har");
      expect([one.status, one.header("content-type")]).toEqual([200, "application/json"]);
      expect([checkHar(one.json()), checkHar(all.json())]).toEqual([[], []]);
      const { log } = one.json() as { log: { entries: { response: { content: { text: string } } }[] } };
      expect(log.entries.map(({ response }) => response.content.text)).toEqual(["text"]);
      expect(one.text + all.text).not.toContain("s3cr3t");
    });

    it.each(rowsOf(["about", "fields"], [
      ["a page of a target", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" }],
      ["a page of another site", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" }],
    ]))("is not for $about", async ({ fields }) => {
      expect((await proxy.call("GET /__proxy__/traffic.har", { fields })).status).toBe(403);
    });

    it("tells in which bodies a text is", async () => {
      upstream.answer = reply(200, {}, "a needle in it");
      const { id } = await capture(
        proxy,
        () => proxy.call("GET /", { fields: { proxy_host: upstream.origin } }),
      );
      const found = async (text: string) => (await proxy.call(`GET /__proxy__/capture?body=${text}`)).json();
      expect(await found("needle")).toContain(id);
      expect(await found("no+such+text+anywhere")).toEqual([]);
    });
  });
}
