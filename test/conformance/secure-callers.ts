/**
 * Callers by TLS: large bodies come whole both ways, nobody pushes more than the other side takes, and ends are clean.
 * @module
 */
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { describe, expect, it } from "vitest";
import { SECURE } from "../support/certificate.ts";
import { digestOf, drain, flood, listenSink, pour } from "../support/flood.ts";
import { expectError, open, type Pool, reply, rowsOf, settled, useLink, waitFor } from "../support/topic.ts";

const SIZE = 24_000_000;
const LARGE = 150_000_000;
/** What the kernel may hold on both sides of the proxy. */
const KERNEL_BYTES = 72 * 1_048_576;
/** More than the kernel holds, and longer than the proxy needs to have the rest. */
const LATE_SIZE = 12_000_000;
const LATE_MS = 1_000;
const TEST_MS = 30_000;
const UPGRADE = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

async function dialSecurely(port: number): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }).on("error", () => {});
  await once(socket, "secureConnect");
  return socket;
}

export function describeSecureCallers(pool: Pool): void {
  describe("callers by TLS", () => {
    const link = useLink(pool, SECURE);
    /** A request of HTTP/1.0, whose response is nothing but a head and the body. */
    const get = () => link.bytes("GET /p").toString("latin1").replace("HTTP/1.1", "HTTP/1.0");
    const post = (size: number) => link.bytes("POST /p", { fields: { "Content-Length": String(size) } });

    it("get large bodies whole", async () => {
      link.upstream.answer = flood(SIZE);
      const socket = await dialSecurely(link.proxy.port);
      socket.write(get());
      expect(await drain(socket, SIZE)).toMatchObject({ size: SIZE, digest: digestOf(SIZE) });
      socket.destroy();
    }, TEST_MS);

    it("send large bodies whole", async () => {
      const sink = await listenSink(SIZE);
      const socket = await dialSecurely(link.proxy.port);
      socket.write(post(SIZE).toString("latin1").replace(link.upstream.origin, sink.origin));
      void pour(socket, SIZE);
      expect(await sink.drained).toMatchObject({ size: SIZE, digest: digestOf(SIZE) });
      await once(socket, "data");
      socket.destroy();
      sink.close();
    }, TEST_MS);

    it("are stopped by a target that stops", async () => {
      link.early = (_request, socket) => void socket.pause();
      const socket = await dialSecurely(link.proxy.port);
      socket.write(post(LARGE));
      void pour(socket, LARGE);
      expect(await settled(() => socket.bytesWritten)).toBeLessThan(KERNEL_BYTES);
      socket.destroy();
    }, TEST_MS);

    it("stop the target where they stop", async () => {
      const sockets: Socket[] = [];
      link.upstream.answer = (request, socket) => {
        sockets.push(socket);
        return flood(LARGE)(request, socket);
      };
      const socket = await dialSecurely(link.proxy.port);
      socket.write(get());
      socket.pause();
      await waitFor(() => expect(sockets).toHaveLength(1));
      expect(await settled(() => sockets[0]!.bytesWritten)).toBeLessThan(KERNEL_BYTES);
      socket.destroy();
    }, TEST_MS);

    it("get the whole of a last response that they read late", async () => {
      link.upstream.answer = reply(200, {}, Buffer.alloc(LATE_SIZE, "x"));
      const connection = await open(link.proxy.port, { tls: true });
      connection.write(get());
      connection.pause();
      await sleep(LATE_MS);
      connection.resume();
      const answer = await connection.answer("GET", TEST_MS);
      expect({ size: answer.body.length, ended: answer.ended }).toEqual({ size: LATE_SIZE, ended: "end" });
      connection.destroy();
    }, TEST_MS);

    it.each([
      { about: "the first of two requests that come together", count: 2, ended: "end" },
      { about: "the last request", count: 1, ended: "end" },
    ])("see a clean end behind $about", async ({ count, ended }) => {
      link.upstream.answer = reply(200, {}, "x".repeat(100_000));
      const connection = await open(link.proxy.port, { tls: true });
      connection.write(get().repeat(count));
      const answer = await connection.answer();
      expect({ size: answer.body.length, ended: answer.ended }).toEqual({ size: 100_000, ended });
      connection.destroy();
    });

    it.each(rowsOf(["about", "text", "told"], [
      ["a GET", "GET /p?q=secret HTTP/1.1\r\nHost: localhost:8443", "https://localhost:8443"],
      ["a body", "PATCH / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1", "https://a.test"],
      ["an unusual method", "m-search * HTTP/1.1\r\nHost: a.test", "https://a.test"],
      ["empty lines", "\r\n\r\nGET / HTTP/1.1\r\nHost: a.test", "https://a.test"],
      ["HTTP/1.0 without Host", "GET / HTTP/1.0", "https"],
      ["a foreign address", "GET http://b.test/ HTTP/1.1\r\nHost: b.test", "https"],
      ["CONNECT", "CONNECT b.test:443 HTTP/1.1\r\nHost: b.test:443", "https"],
      ["a Host with markup", 'GET / HTTP/1.1\r\nHost: "><b>', "https"],
      ["a WebSocket", `GET / HTTP/1.1\r\nHost: a.test\r\n${UPGRADE}`, "https://a.test"],
    ]))("that speak plain http are told the address of https: $about", async ({ text, told }) => {
      const connection = await open(link.proxy.port);
      connection.write(`${text}\r\n\r\n`);
      const answer = await connection.answer();
      expectError(answer, { status: 400 });
      const { detail } = answer.json() as { detail: string };
      expect(detail).toBe(`Cannot answer plain http: this port speaks https, expected ${told}`);
      connection.destroy();
    });

    it("that speak plain http slowly get their response, and others are not kept waiting", async () => {
      const slow = await open(link.proxy.port);
      slow.write("G");
      const other = await open(link.proxy.port, { tls: true });
      other.write("GET /__proxy__/health HTTP/1.1\r\nHost: a\r\n\r\n");
      expect((await other.answer()).status).toBe(200);
      slow.write("ET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      expectError(await slow.answer(), { status: 400 });
      for (const connection of [slow, other]) connection.destroy();
    });
  });
}
