/**
 * Nobody holds a connection of the proxy by doing nothing: its descriptor is gone in time, whatever has been said so far.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CERT_FILE, KEY_FILE } from "../support/certificate.ts";
import { GONE, hold, holdsConnection, untilGone } from "../support/descriptors.ts";
import { expectError } from "../support/expect.ts";
import type { Pool } from "../support/pool.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { PUBLIC_ADDRESS } from "../support/through.ts";

const TEST_MS = 40_000;
const SECURE = { TLS_CERT: CERT_FILE, TLS_KEY: KEY_FILE, LOG: "off" };
const LIMIT_MS = 400;
const UPGRADE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** The first bytes of a handshake. */
function readHello(): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read() {}, write: (chunk: Buffer) => resolve(chunk) });
    connectTls({ socket, servername: "localhost" }).on("error", () => {});
  });
}

/** Declares the tests. */
export function describeHeldConnections(pool: Pool): void {
  describe.concurrent("a connection that is held", () => {
    describeCallers(pool);
    describeTargets(pool);
  });
}

function describeCallers(pool: Pool): void {
  describe("by a caller", () => {
    const secure = pool.with(SECURE);
    const plain = pool.with({ LOG: "off" });
    let hello: Buffer;
    beforeAll(async () => void (hello = await readHello()));

    it.each([
      { about: "without a byte", bytes: () => Buffer.alloc(0) },
      { about: "with part of a ClientHello", bytes: () => hello.subarray(0, 11) },
      { about: "with a handshake that stops behind the ServerHello", bytes: () => hello },
      { about: "with a ClientHello that is none", bytes: () => Buffer.from("\x16GET / HTTP/1.1\r\n\r\n") },
      { about: "with plain http", bytes: () => Buffer.from("GET / HTTP/1.1\r\n\r\n") },
      { about: "with half a request in plain http", bytes: () => Buffer.from("GET / HTT") },
    ])("by TLS, $about, is gone in time", async ({ bytes }) => {
      await untilGone(secure.child, await hold(secure.port, bytes()));
    }, TEST_MS);

    it.each([
      { about: "half a head", bytes: "GET / HTT" },
      { about: "a last request", bytes: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" },
    ])("without TLS, with $about, is gone in time", async ({ bytes }) => {
      await untilGone(plain.child, await hold(plain.port, bytes));
    }, TEST_MS);
  });
}

function describeTargets(pool: Pool): void {
  describe.sequential("by a target", () => {
    const proxy = pool.with({ TIMEOUT_MS: String(LIMIT_MS), LOG: "off" });
    const stops: (() => unknown)[] = [];
    afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

    /** A target that answers the first bytes of every connection with these, and does nothing more. */
    async function listenMute(text: string) {
      const bytes = Buffer.from(text, "latin1");
      const sockets: Socket[] = [];
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        sockets.push(socket.on("error", () => {}).resume());
        socket.once("data", () => socket.write(bytes));
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      stops.push(() => server.close(), () => sockets.forEach((socket) => socket.destroy()));
      return { port: (server.address() as AddressInfo).port, sockets };
    }

    /** Waits until the proxy has none of these connections any more. */
    async function untilLetGo({ process: { pid = 0 } }: Proxy, sockets: readonly Socket[], port: number) {
      expect(sockets.length).toBeGreaterThan(0);
      const held = () => sockets.filter(({ remotePort = 0 }) => holdsConnection(pid, remotePort, port));
      await vi.waitFor(() => expect(held()).toEqual([]), GONE);
    }

    it.each([
      { about: "that says nothing", bytes: "", fields: {} },
      { about: "that sends part of a ServerHello", bytes: "\x16\x03\x03\x00\x7a\x02\x00", fields: {} },
      { about: "that says nothing to a WebSocket", bytes: "", fields: UPGRADE },
    ])("within its TLS handshake is gone in time, $about", async ({ bytes, fields }) => {
      const target = await listenMute(bytes);
      const answer = await proxy.call("GET /p", {
        fields: { ...fields, proxy_host: `https://localhost:${target.port}` },
      });
      expectError(answer, { status: 504 });
      await untilLetGo(proxy.child, target.sockets, target.port);
    });

    it.each([
      { about: "to another proxy", scheme: "https", bytes: "" },
      { about: "inside a tunnel", scheme: "http", bytes: "HTTP/1.1 200 OK\r\n\r\n" },
    ])("within a TLS handshake $about is gone in time", async ({ scheme, bytes }) => {
      const other = await listenMute(bytes);
      const TARGETS = JSON.stringify({
        [PUBLIC_ADDRESS]: { upstream: `${scheme}://127.0.0.1:${other.port}` },
      });
      const own = await startProxy(pool.runtime, { TIMEOUT_MS: String(LIMIT_MS), LOG: "off", TARGETS });
      stops.push(() => own.stop("SIGKILL"));
      const answer = await own.call("GET /p", { fields: { proxy_host: `https://${PUBLIC_ADDRESS}` } });
      expectError(answer, { status: 504 });
      await untilLetGo(own, other.sockets, other.port);
    });
  });
}
