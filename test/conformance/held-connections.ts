/**
 * Nobody holds a connection of the proxy by doing nothing: its descriptor is gone in time, whatever has been said so far.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SECURE } from "../support/certificate.ts";
import { GONE, hold, holdsConnection, untilGone } from "../support/descriptors.ts";
import { expectError } from "../support/expect.ts";
import type { Pool } from "../support/pool.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { PUBLIC_ADDRESS } from "../support/through.ts";

const TEST_MS = 40_000;
const LIMIT_MS = 400;
const UPGRADE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Proxies between the proxy and a target that do nothing behind their first bytes, by the target that is asked for. */
const OTHERS = [
  { about: "to another proxy", scheme: "https", bytes: "", place: `${PUBLIC_ADDRESS}:1001` },
  {
    about: "inside a tunnel",
    scheme: "http",
    bytes: "HTTP/1.1 200 OK\r\n\r\n",
    place: `${PUBLIC_ADDRESS}:1002`,
  },
];

/** Who takes what comes, and says no more than it was told to. */
interface Mute {
  port: number;
  sockets: readonly Socket[];
}

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
    const plain = pool.with();
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
    let proxy: Proxy;
    const others = new Map<string, Mute>();
    const stops: (() => unknown)[] = [];

    /** A target that answers the first bytes of every connection with these, and does nothing more. */
    async function listenMute(text: string): Promise<Mute> {
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

    beforeAll(async () => {
      const table: Record<string, object> = {};
      for (const { place, scheme, bytes } of OTHERS) {
        const other = await listenMute(bytes);
        others.set(place, other);
        table[place] = { upstream: `${scheme}://127.0.0.1:${other.port}` };
      }
      const limited = { TIMEOUT_MS: String(LIMIT_MS), LOG: "off", TARGETS: JSON.stringify(table) };
      proxy = await startProxy(pool.runtime, limited);
    });
    afterAll(() => Promise.all([proxy.stop("SIGKILL"), ...stops.map((stop) => stop())]));

    /** Waits until the proxy has none of these connections any more. */
    async function untilLetGo({ sockets, port }: Mute) {
      expect(sockets.length).toBeGreaterThan(0);
      const { pid = 0 } = proxy.process;
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
      await untilLetGo(target);
    });

    it.each(OTHERS)("within a TLS handshake $about is gone in time", async ({ place }) => {
      const answer = await proxy.call("GET /p", { fields: { proxy_host: `https://${place}` } });
      expectError(answer, { status: 504 });
      await untilLetGo(others.get(place)!);
    });
  });
}
