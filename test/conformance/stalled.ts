/**
 * Whoever takes nothing of what waits for it is let go, with the other side: callers who never read, and targets too.
 * @module
 */
import { once } from "node:events";
import { readdir, readlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { beforeEach, describe, expect, it } from "vitest";
import { SECURE as BY_TLS } from "../support/certificate.ts";
import { declareOnce } from "../support/capabilities.ts";
import { flood, pour } from "../support/flood.ts";
import { reply } from "../support/answers.ts";
import { request } from "../support/client.ts";
import type { Pool, Shared } from "../support/pool.ts";
import { type Handler, listen, type Upstream } from "../support/upstream.ts";
import { Acceptor, join } from "../support/websocket.ts";

const IDLE_MS = 1_000;
/** More than the kernel holds on both sides of the proxy. */
const LARGE = 60_000_000;
/** How long what is let go may take on a busy machine. */
const PATIENCE_MS = 60_000;
const IDLE = { IDLE_TIMEOUT_MS: String(IDLE_MS) };
const PATIENT = { IDLE_TIMEOUT_MS: "4000" };
const SECURE = { ...IDLE, ...BY_TLS };
const CAPTURED = { ...IDLE, CONSOLE: "true", CAPTURE: "64KiB" };
/** An answer that is whole before it is written. */
const SHORT_BYTES = 60_000;

/** An answer that is poured until it is cut. */
const pouring = (...fields: string[]): Handler => (_request, socket) => {
  socket.write(["HTTP/1.1 200 OK", ...fields, "", ""].join("\r\n"));
  pourOn(socket);
};

/** Writes until the other side has closed. */
function pourOn(socket: Socket): void {
  void pour(socket, LARGE).catch(() => {});
}

/** Declares the tests. */
export function describeStalled(pool: Pool): void {
  describe("who takes nothing", () => {
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });
    describeCallers(pool, () => upstream);
    describeTargets(pool, () => upstream);
    describeSockets(pool, () => upstream);
    describeSlow(pool, () => upstream);
  });
}

function describeCallers(pool: Pool, upstreamOf: () => Upstream): void {
  const [plain, secure] = [pool.with(IDLE), pool.with(SECURE)];

  const odd = pouring("Content-Type: odd/1");
  const rows = [
    { about: "an answer with a length", by: plain, answer: pouring(`Content-Length: ${LARGE}`) },
    { about: "an answer without one", by: plain, answer: odd },
    { about: "events", by: plain, answer: pouring("Content-Type: text/event-stream") },
    { about: "an answer by https", by: secure, answer: odd },
  ];
  declareOnce(
    pool.runtime,
    () => void rows.push({ about: "a captured answer", by: pool.with(CAPTURED), answer: odd }),
  );
  it.each(rows)(
    "a caller of $about is let go, and so is its target",
    async ({ by, answer }) => {
      const upstream = upstreamOf();
      upstream.answer = answer;
      const before = await socketsOf(by);
      const arrived = upstream.next();
      const caller = await open(by, by === secure);
      caller.write(get(by, upstream));
      await (await arrived).gone;
      await gone(by, before);
      caller.destroy();
    },
    PATIENCE_MS,
  );

  it("a caller of many short answers is let go", async () => {
    const upstream = upstreamOf();
    upstream.answer = reply(200, { Connection: "close" }, Buffer.alloc(SHORT_BYTES));
    const before = await socketsOf(plain);
    const caller = await open(plain, false);
    caller.write(Buffer.concat(Array(LARGE / SHORT_BYTES).fill(get(plain, upstream))));
    await once(caller, "readable");
    await gone(plain, before);
    caller.destroy();
  }, PATIENCE_MS);
}

function describeTargets(pool: Pool, upstreamOf: () => Upstream): void {
  // No pause of the caller may look as if its upload had stalled.
  const proxy = pool.with(PATIENT);

  it.each([
    { about: "before it answers", early: "", ends: /^HTTP\/1\.1 504 /, keeps: 1 },
    {
      about: "behind the head of events",
      early: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n",
      ends: /^HTTP\/1\.1 200 /,
      keeps: 0,
    },
  ])("a target of an upload is let go $about, and its caller is told", async ({ early, ends, keeps }) => {
    const upstream = upstreamOf();
    upstream.early = (_request, socket) => {
      socket.pause();
      socket.write(early);
    };
    const before = await socketsOf(proxy);
    const caller = await open(proxy, false);
    const read: Buffer[] = [];
    caller.on("data", (bytes) => read.push(bytes));
    caller.write(request("POST", "/p", [...fieldsOf(proxy, upstream), ["Content-Length", String(LARGE)]]));
    pourOn(caller);
    await expect.poll(() => Buffer.concat(read).toString("latin1"), { timeout: PATIENCE_MS }).toMatch(ends);
    // The caller's own connection may stay for its next request.
    await gone(proxy, before + keeps);
    caller.destroy();
  }, PATIENCE_MS);
}

function describeSockets(pool: Pool, upstreamOf: () => Upstream): void {
  const [plain, secure] = [pool.with(IDLE), pool.with(SECURE)];

  const rows = [
    { who: "a caller", proxy: plain, tls: false },
    { who: "a caller by wss", proxy: secure, tls: true },
    { who: "a target", proxy: plain, tls: false },
  ];
  it.each(rows)(
    "$who of a WebSocket is let go, and so is the other side",
    async ({ who, proxy, tls }) => {
      const upstream = upstreamOf();
      const acceptor = new Acceptor(upstream);
      const before = await socketsOf(proxy);
      const { caller } = await join(proxy.port, "/", { proxy_host: upstream.origin }, { tls });
      const target = acceptor.peers[0]!;
      const [still, other] = who === "a target" ? [target, caller] : [caller, target];
      still.socket.pause();
      other.socket.removeAllListeners("data").resume();
      const message = Buffer.alloc(65_536, 7);
      const write = () => {
        while (!other.socket.destroyed && other.send(2, message));
      };
      other.socket.on("drain", write);
      write();
      await other.gone;
      await gone(proxy, before);
      still.socket.destroy();
    },
    PATIENCE_MS,
  );
}

function describeSlow(pool: Pool, upstreamOf: () => Upstream): void {
  // All of it takes longer, and no pause of a busy machine does.
  const proxy = pool.with(PATIENT);

  it("but a caller who reads slowly gets all of it", async () => {
    const upstream = upstreamOf();
    const size = 24_000_000;
    upstream.answer = flood(size);
    const caller = await open(proxy, false);
    let count = 0;
    let head = 0;
    const whole = new Promise<void>((resolve, reject) => {
      caller.on("data", (bytes: Buffer) => {
        head ||= bytes.indexOf("\r\n\r\n") + 4;
        count += bytes.length;
        settleWhen(count - head === size, resolve);
        caller.pause();
        setTimeout(() => caller.resume(), 15);
      });
      caller.once("close", () => reject(new Error(`cut after ${count} bytes`)));
    });
    caller.write(get(proxy, upstream));
    await whole;
    caller.destroy();
  }, PATIENCE_MS * 2);
}

function settleWhen(isWhole: boolean, resolve: () => void): void {
  if (isWhole) resolve();
}

function fieldsOf(proxy: Shared, upstream: Upstream): [string, string][] {
  return [["Host", `127.0.0.1:${proxy.port}`], ["proxy_host", upstream.origin]];
}

function get(proxy: Shared, upstream: Upstream): Buffer {
  return request("GET", "/p", fieldsOf(proxy, upstream));
}

/** A connection that is not read by itself. */
async function open({ port }: Shared, tls: boolean): Promise<Socket> {
  const place = { port, host: "127.0.0.1" };
  const socket = tls ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place);
  socket.on("error", () => {});
  await once(socket, tls ? "secureConnect" : "connect");
  return socket;
}

/** How many sockets the process of a proxy has. */
async function socketsOf({ child }: Shared): Promise<number> {
  const folder = `/proc/${child.process.pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => "")),
  );
  return links.filter((link) => link.startsWith("socket:")).length;
}

/** Waits until all descriptors that came since are gone. */
async function gone(proxy: Shared, before: number): Promise<void> {
  await expect.poll(() => socketsOf(proxy), { timeout: PATIENCE_MS }).toBeLessThanOrEqual(before);
}
