/**
 * A proxy inside a server of others: what it reads of its process, and requests to switch protocols. Its other answers: `test/shipped/connect.test.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fetchvia } from "../../../src/runtimes/node/connect.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { reply } from "../../support/answers.ts";
import { call, open, request, send } from "../../support/client.ts";
import { headBytes } from "../../support/http.ts";
import { listen, type Upstream } from "../../support/upstream.ts";
import { Acceptor, HANDSHAKE, join as joinSocket } from "../../support/websocket.ts";
import { frameOf } from "../../support/websocket-peer.ts";

const TABLE = { "localhost": { set: { "x-api-key": "{{MOUNTED_KEY}}" } } };
let folder: string;
let upstream: Upstream;
beforeEach(async () => {
  vi.stubEnv("MOUNTED_KEY", "s3cret");
  folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
  upstream = await listen();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await upstream.close();
});

it.each<{ about: string; targets: () => Options["targets"] }>([
  { about: "an object", targets: () => TABLE },
  {
    about: "a file",
    targets() {
      const file = join(folder, "targets.json");
      writeFileSync(file, JSON.stringify(TABLE));
      return file;
    },
  },
])("sends the keys of its environment, with $about", async ({ targets }) => {
  const target = `http://localhost:${upstream.port}`;
  const api = fetchvia({ prefix: "/api", target, targets: targets() });
  const server = createServer((incoming, outgoing) => api(incoming, outgoing, () => outgoing.end()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const answer = await call((server.address() as AddressInfo).port, "GET /api/p");
  await api.close();
  server.close();
  expect(answer.status).toBe(200);
  expect(upstream.requests.map((request) => request.header("x-api-key"))).toEqual(["s3cret"]);
});

it.each([
  { name: "localhost", path: "/api/p", status: 200 },
  { name: "localhost", path: "/app", status: 204 },
  { name: "other.test", path: "/api/p", status: 400 },
])("answers what an address in the request line leads to: $name$path", async ({ name, path, status }) => {
  const api = fetchvia({ prefix: "/api", target: `http://127.0.0.1:${upstream.port}` });
  const server = createServer((incoming, outgoing) => {
    api(incoming, outgoing, () => outgoing.writeHead(204).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const line = `GET http://${name}:${port}${path} HTTP/1.1`;
  const answer = await send(port, `${line}\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
  await api.close();
  server.close();
  expect(answer.status).toBe(status);
});

it("judges private targets by the address on which its server listens now", async () => {
  const api = fetchvia({ prefix: "/api", target: `http://127.0.0.1:${upstream.port}` });
  const server = createServer((incoming, outgoing) => api(incoming, outgoing, () => outgoing.end()));
  const ask = async (host: string) => {
    server.listen(0, host);
    await once(server, "listening");
    const { status } = await call((server.address() as AddressInfo).port, "GET /api/p");
    server.closeAllConnections();
    await once(server.close(), "close");
    return status;
  };
  expect([await ask("127.0.0.1"), await ask("0.0.0.0")]).toEqual([200, 403]);
  await api.close();
});

const servers: Server[] = [];

/** Serves a proxy for `/api`; a server with no listener for upgrades takes them for ordinary requests. */
async function serve(isListening: boolean): Promise<{ port: number; close(): Promise<void> }> {
  const api = fetchvia({ prefix: "/api", target: upstream.origin });
  const server = createServer((incoming, outgoing) => api(incoming, outgoing, () => outgoing.end("app")));
  servers.push(server);
  server.on(isListening ? "upgrade" : "unused", api.upgrade);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    await api.close();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

describe.each([{ isListening: true }, { isListening: false }])("with upgrades: $isListening,", (row) => {
  let port: number;
  beforeEach(async () => {
    const served = await serve(row.isListening);
    port = served.port;
    return served.close;
  });
  const tcp = { Connection: "Upgrade", Upgrade: "tcp" };

  it.each([
    { line: "GET /api", fields: tcp, status: 501, arrived: [] },
    { line: "POST /api", fields: tcp, status: 501, arrived: [] },
    { line: "GET /api", fields: { ...tcp, Upgrade: "h2c, odd/1" }, status: 501, arrived: [] },
    { line: "GET /api", fields: { ...tcp, Connection: "keep-alive" }, status: 200, arrived: ["/api"] },
    { line: "POST /api", fields: { ...tcp, Upgrade: "h2c, TLS/1.0" }, status: 200, arrived: ["/api"] },
    { line: "GET /other", fields: tcp, status: 200, arrived: [] },
    { line: "GET /other", fields: HANDSHAKE, status: 200, arrived: [] },
  ])("$line with $fields is a $status", async ({ line, fields, status, arrived }) => {
    const body = line.startsWith("POST") ? "body" : "";
    expect((await call(port, line, { fields, body })).status).toBe(status);
    expect(upstream.targets).toEqual(arrived);
  });

  it("HTTP/2.0 in a request line is a 400", async () => {
    const { status } = await send(port, "GET /api HTTP/2.0\r\nHost: localhost\r\n\r\n");
    expect([status, upstream.targets]).toEqual([400, []]);
  });

  it.each(["tcp", "websocket"])("%s of HTTP/1.0 is ignored", async (upgrade) => {
    const fields = { ...HANDSHAKE, Upgrade: upgrade, Host: `127.0.0.1:${port}` };
    const answer = await send(port, headBytes("GET /api HTTP/1.0", fields));
    expect([answer.status, upstream.request.header("upgrade")]).toEqual([200, undefined]);
  });
});

describe("an upgrade", () => {
  let port: number;
  beforeEach(async () => {
    const served = await serve(true);
    port = served.port;
    return served.close;
  });

  it("that is refused leaves no request behind", async () => {
    const caller = await open(port);
    const refused = request("POST", "/api", { Host: "a", Connection: "Upgrade", Upgrade: "tcp" }, "body");
    caller.write(Buffer.concat([refused, request("GET", "/api/next", { Host: "a" })]));
    expect((await caller.answer()).status).toBe(501);
    expect(await caller.answer()).toMatchObject({ status: 0 });
    expect(upstream.targets).toEqual([]);
  });

  it.each([
    { of: "the target", way: "end" as const },
    { of: "the target", way: "resetAndDestroy" as const },
    { of: "the caller", way: "end" as const },
    { of: "the caller", way: "resetAndDestroy" as const },
  ])("to a WebSocket ends without a Close frame: $way of $of", async ({ of, way }) => {
    const joined = new Acceptor(upstream).next();
    const { caller } = await joinSocket(port, "/api", {});
    const [from, to] = of === "the target" ? [await joined, caller] : [caller, await joined];
    from.socket[way]();
    expect(await to.next()).toMatchObject({ closed: 1006 });
  });

  it("to a WebSocket passes early frames of both sides on", async () => {
    const joined = new Acceptor(upstream).next();
    const { answer } = upstream;
    upstream.answer = (asked, socket) => {
      socket.cork();
      void answer(asked, socket);
      socket.write(frameOf(1, Buffer.from("first"), true, false));
      socket.uncork();
    };
    const caller = await open(port);
    const head = headBytes("GET /api HTTP/1.1", {
      Host: "127.0.0.1",
      ...HANDSHAKE,
      Upgrade: "h2c, websocket",
    });
    caller.write(Buffer.concat([head, frameOf(1, Buffer.from("early"), true, true)]));
    await caller.until("first");
    expect(await (await joined).next()).toEqual({ text: "early" });
    caller.destroy();
  });

  it("that is refused ends with its connection, also if the caller does not leave", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const caller = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    caller.write(headBytes("GET /api HTTP/1.1", { Host: "a", Connection: "Upgrade", Upgrade: "tcp" }));
    await once(caller.resume(), "end");
    const timers = vi.getTimerCount();
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    // A closed connection answers what comes with a reset.
    const failed = new Promise((resolve) => void caller.once("error", resolve));
    const writing = setInterval(() => caller.write("x"), 10);
    await failed;
    clearInterval(writing);
    expect(timers).toBeGreaterThan(0);
  });

  it("that is only offered leaves no listener on its connection", async () => {
    const sockets: Socket[] = [];
    upstream.answer = reply(204);
    const caller = await open(port);
    const ask = async () => {
      const fields = { Host: `127.0.0.1:${port}`, Connection: "Upgrade", Upgrade: "h2c" };
      caller.write(headBytes("GET /api HTTP/1.1", fields));
      await caller.answer();
      return sockets.map((socket) => socket.listenerCount("error"));
    };
    servers.at(-1)?.on("request", ({ socket }) => sockets.splice(0, 1, socket));
    expect(await ask()).toEqual(await ask());
    caller.destroy();
  });

  it("whose body has not come does no harm if its connection fails", async () => {
    const api = fetchvia({ prefix: "/api", target: upstream.origin });
    // As Node (26) does it: the parser keeps the connection, and a stream in its place fails with it.
    const server = createServer((incoming, outgoing) => {
      outgoing.detachSocket(incoming.socket);
      const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
      incoming.socket.on("error", (error) => stream.destroy(error));
      server.removeAllListeners("request").on("request", api);
      api.upgrade(incoming, stream as Socket, Buffer.alloc(0));
      server.emit("taken", stream);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const taken = once(server, "taken");
    const caller = await open((server.address() as AddressInfo).port);
    const fields = { Host: "a", Connection: "Upgrade", Upgrade: "h2c", "Content-Length": "5" };
    caller.write(Buffer.concat([headBytes("POST /api HTTP/1.1", fields), Buffer.from("ab")]));
    const [stream] = await taken as [Duplex];
    caller.reset();
    await new Promise((resolve) => void stream.once("close", resolve));
    await api.close();
    server.close();
    expect(stream.errored).toMatchObject({ code: "ECONNRESET" });
  });
});
