/**
 * WebSockets and the rest of the proxy: limits, the log, TLS, many at once, and how it stops.
 * @module
 */
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import WebSocket, { WebSocketServer } from "ws";
import { CERT_FILE, CERTIFICATE, PRIVATE_KEY, SECURE } from "../support/certificate.ts";
import { Entries } from "../support/lines.ts";
import type { Pool } from "../support/topic.ts";
import { Acceptor, declareWith, ERROR_TYPES, expectedOf, expectError, handshake } from "../support/topic.ts";
import { join, listen, useUpstream } from "../support/topic.ts";

/** Of a proxy whose log nobody else reads, so that it holds the lines of one test. */
const TRUSTING = { NODE_EXTRA_CA_CERTS: CERT_FILE };
/** How a connection ends without a Close frame; by TLS the second has no `close_notify` either. */
const DROPS = [{ way: "end" as const }, { way: "destroy" as const }];

export function describeWebSocketLife(pool: Pool): void {
  const plain = pool.with();
  const upstream = useUpstream();

  describe("an open WebSocket", () => {
    declareWith(pool.runtime, "sight of joined WebSockets", () => {
      const few = pool.with({ MAX_CONCURRENT: "1", IDLE_TIMEOUT_MS: "200" });
      const logging = pool.with(TRUSTING);

      it("keeps its place in MAX_CONCURRENT, may idle, and is logged when it is over", async () => {
        const target = new Acceptor(upstream);
        const entries = new Entries(few);
        const { caller } = await join(few.port, "/secret?q", { proxy_host: upstream.origin });
        const refused = await few.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
        expectError(refused, { status: 503 });
        await new Promise((resolve) => setTimeout(resolve, 500));
        target.peers[0]!.echo();
        caller.text("12345");
        expect(await caller.next()).toEqual({ text: "12345" });
        expect(entries.lines).toHaveLength(1);
        caller.close(1000);
        await caller.gone;
        const [, entry] = await entries.read(2);
        expect(entry)
          .toMatchObject({ method: "GET", status: 101, selector: "header", target: upstream.host });
        expect(entry?.["bytes_in"]).toBeGreaterThanOrEqual(5);
        expect(entry?.["bytes_out"]).toBeGreaterThanOrEqual(5);
        expect(JSON.stringify(entry)).not.toContain("secret");
        const { caller: next } = await join(few.port, "/", { proxy_host: upstream.origin });
        next.socket.destroy();
      });

      it("is no failure of the target when its caller leaves without a word", async () => {
        new Acceptor(upstream);
        const entries = new Entries(logging);
        const { caller } = await join(logging.port, "/", { proxy_host: upstream.origin });
        caller.socket.end();
        const [entry] = await entries.read(1);
        expect(entry).toMatchObject({ status: 101 });
        expect(entry).not.toHaveProperty("error");
      });

      it.each([{ way: "end" as const }, { way: "resetAndDestroy" as const }])(
        "is a failure of the target that drops it, by $way",
        async ({ way }) => {
          const joined = new Acceptor(upstream).next();
          const entries = new Entries(logging);
          const { caller } = await join(logging.port, "/", { proxy_host: upstream.origin });
          (await joined).socket[way]();
          await caller.gone;
          const [entry] = await entries.read(1);
          expect(entry).toMatchObject({ status: 101, error: "connection_terminated", cause: ["ECONNRESET"] });
        },
      );
    });

    it("is one of two hundred", async () => {
      const target = new Acceptor(upstream);
      const enter = () => join(plain.port, "/", { proxy_host: upstream.origin });
      const joined = await Promise.all(Array.from({ length: 200 }, enter));
      for (const peer of target.peers) peer.echo();
      joined.forEach(({ caller }, index) => caller.text(`caller ${index}`));
      const back = await Promise.all(joined.map(async ({ caller }) => (await caller.next()).text));
      expect(back).toEqual(joined.map((_, index) => `caller ${index}`));
      for (const { caller } of joined) caller.close(1000);
      await Promise.all(joined.map(({ caller }) => caller.gone));
    });

    declareWith(pool.runtime, "a command line", () => {
      it("that never answers does not keep the proxy from stopping", async () => {
        const proxy = await pool.own();
        new Acceptor(upstream);
        const { caller } = await join(proxy.port, "/", { proxy_host: upstream.origin });
        caller.socket.removeAllListeners("data").removeAllListeners("end").pause();
        expect((await proxy.stop()).code).toBe(0);
        caller.socket.destroy();
      });
    });
  });

  describe("over TLS a WebSocket", () => {
    declareWith(pool.runtime, "authorities of its environment", () => {
      const trusting = pool.with(TRUSTING);
      it.each([{ path: "/__proxy__/?url=wss://{host}/p" }, { path: "/__proxy__/?url=https://{host}/p" }])(
        "is joined by $path where the certificate is trusted",
        async ({ path }) => {
          const target = await listen({ tls: { cert: CERTIFICATE, key: PRIVATE_KEY } });
          const acceptor = new Acceptor(target);
          const { caller } = await join(trusting.port, path.replace("{host}", target.host), {});
          acceptor.peers[0]!.echo();
          caller.send(2, Buffer.alloc(300_000, 7));
          expect((await caller.next()).binary?.length).toBe(300_000);
          acceptor.peers[0]!.close(4000, "bye");
          expect(await caller.next()).toEqual({ closed: 4000, reason: "bye" });
          await target.close();
        },
      );

      it.each(DROPS)("is dropped where its target's $way", async ({ way }) => {
        const target = await listen({ tls: { cert: CERTIFICATE, key: PRIVATE_KEY } });
        const joined = new Acceptor(target).next();
        const { caller } = await join(trusting.port, `/__proxy__/?url=wss://${target.host}/p`, {});
        (await joined).send(2, Buffer.alloc(300_000, 7));
        expect((await caller.next()).binary?.length).toBe(300_000);
        (await joined).socket[way]();
        expect(await caller.next()).toMatchObject({ closed: 1006 });
        await target.close();
      });
    });

    it("is 502 where the certificate is not", async () => {
      const target = await listen({ tls: { cert: CERTIFICATE, key: PRIVATE_KEY } });
      new Acceptor(target);
      const error = expectedOf(ERROR_TYPES, pool.runtime, "tls_certificate_error", "tls_certificate_error");
      const answer = await plain.call(`GET /__proxy__/?url=wss://${target.host}/`, { fields: handshake() });
      expectError(answer, { status: 502, error });
      expect(target.requests).toEqual([]);
      await target.close();
    });

    declareWith(pool.runtime, "a TLS listener of its own", () => {
      const secure = pool.with(SECURE);
      it("is joined for a caller who comes by TLS", async () => {
        const target = new Acceptor(upstream);
        const { caller } = await join(secure.port, "/", { proxy_host: upstream.origin }, { tls: true });
        target.peers[0]!.echo();
        caller.text("hello");
        expect(await caller.next()).toEqual({ text: "hello" });
        caller.close(1000);
        await caller.gone;
      });

      it.each(DROPS)("is dropped for a caller who comes by TLS, where its target's $way", async ({ way }) => {
        const joined = new Acceptor(upstream).next();
        const { caller } = await join(secure.port, "/", { proxy_host: upstream.origin }, { tls: true });
        const target = await joined;
        target.send(2, Buffer.alloc(300_000, 7));
        expect((await caller.next()).binary?.length).toBe(300_000);
        target.socket[way]();
        expect(await caller.next()).toMatchObject({ closed: 1006 });
      });

      it.each(DROPS)("is dropped for a target whose caller by TLS goes: $way", async ({ way }) => {
        const joined = new Acceptor(upstream).next();
        const { caller } = await join(secure.port, "/", { proxy_host: upstream.origin }, { tls: true });
        caller.socket[way]();
        expect(await (await joined).next()).toMatchObject({ closed: 1006 });
      });
    });
  });

  describe("the library ws", () => {
    it.each([{ deflate: false }, { deflate: true }])(
      "talks to itself, compressing: $deflate",
      async ({ deflate }) => {
        const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: deflate });
        server.on("connection", (socket: WebSocket) => {
          const echo = (data: Buffer, isBinary: boolean) => socket.send(isBinary ? data : String(data));
          socket.on("message", echo);
        });
        await once(server, "listening");
        const end = `ws://127.0.0.1:${server.address().port}/`;
        const address = `ws://127.0.0.1:${plain.port}/__proxy__/?url=${end}`;
        const socket = new WebSocket(address, ["one", "two"], { perMessageDeflate: deflate });
        await once(socket, "open");
        expect(socket.protocol).toBe("one");
        socket.send("x".repeat(100_000));
        expect(String((await once(socket, "message"))[0])).toBe("x".repeat(100_000));
        socket.close(4001, "bye");
        const [code, reason] = await once(socket, "close");
        expect([code, String(reason)]).toEqual([4001, "bye"]);
        server.close();
      },
    );
  });
}
