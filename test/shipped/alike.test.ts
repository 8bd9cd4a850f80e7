/**
 * One script of requests on Bun, Deno and Node: what comes back, and what reaches the target, are the same bytes. Only the time
 * of day, the ports and the name in `CDN-Loop` differ from one proxy to the next.
 * @module
 */
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../support/client.ts";
import { type Proxy, type RuntimeName, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { waitUntil } from "../support/wait.ts";
import { acceptOf } from "../support/websocket.ts";
import { type Exchange, EXCHANGES, OK } from "./alike/exchanges.ts";
import { REFUSED } from "./alike/refused.ts";

const RUNTIMES: readonly RuntimeName[] = ["bun", "deno", "node"];

/** Asked last on each connection, to see where the one before it has ended. */
const LAST = "GET /__proxy__/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

let proxies: Proxy[];
beforeAll(async () => {
  const settings = { CORS_ORIGINS: "http://good.test", MAX_REQUEST_BYTES: "100", VIA: "here", LOG: "off" };
  proxies = await Promise.all(RUNTIMES.map((runtime) => startProxy(runtime, settings)));
});
afterAll(() => Promise.all(proxies.map((proxy) => proxy.stop("SIGKILL"))));

/** A proxy, and a target that it has never seen. */
interface Side {
  proxy: Proxy;
  target: Upstream;
}

/** What is seen of an exchange on both sides, as text of one letter a byte. */
interface Seen {
  answered: string;
  /** By connection. */
  arrived: string[];
  /** How many whole requests that was. */
  whole: number;
}

async function play(proxy: Proxy, exchange: Exchange): Promise<Seen> {
  const [target, connection] = await Promise.all([listen(), open(proxy.port)]);
  const side = { proxy, target };
  const arrived: Buffer[][] = [];
  target.connected = (socket) => {
    const bytes: Buffer[] = [];
    arrived.push(bytes);
    socket.on("data", (read) => bytes.push(read));
  };
  target.early = (_, socket) => say(socket, exchange.early ?? "");
  target.answer = async (request, socket) => {
    const accept = acceptOf(request.header("sec-websocket-key") ?? "");
    say(socket, fill(exchange.answer ?? "", side).replace("{accept}", accept));
    const got = Buffer.from(exchange.leaves?.after ?? "");
    await waitUntil(() => connection.raw.includes(got));
    LEAVE[exchange.leaves?.by ?? "no"](socket);
  };
  for (const [at, step] of exchange.steps.entries()) {
    connection.write(fill(step, side));
    if (at === 0 && exchange.until) await connection.until(exchange.until);
    else await connection.answer(step.split(" ")[0]);
  }
  // What has been waited for is all where nothing was asked behind it.
  if (exchange.steps.length > 1 || !exchange.until) {
    connection.write(LAST);
    while (!connection.closed) await connection.answer();
  }
  connection.destroy();
  const seen = {
    answered: plain(connection.raw.toString("latin1"), side),
    arrived: arrived.map((bytes) => plain(Buffer.concat(bytes).toString("latin1"), side)),
    whole: target.requests.filter(({ state }) => state === "whole").length,
  };
  await target.close();
  return seen;
}

function say(socket: Socket, text: string): void {
  socket.write(Buffer.from(text, "latin1"));
}

const LEAVE: Record<"end" | "reset" | "no", (socket: Socket) => void> = {
  end: (socket) => void socket.end(),
  reset: (socket) => void socket.resetAndDestroy(),
  no: () => {},
};

/** Puts hosts and ports in. */
function fill(text: string, { proxy, target }: Side): string {
  const filled = text.replaceAll("{own}", `127.0.0.1:${proxy.port}`).replaceAll("{host}", target.host)
    .replaceAll("{port}", String(target.port));
  return filled.replace("{length}", String(filled.length - filled.indexOf("\r\n\r\n") - 4));
}

/** Takes out what no two proxies have in common. */
function plain(text: string, { proxy, target }: Side): string {
  return text
    // What is made by chance may hold the digits of a port.
    .replaceAll(/^(date: ).*\r$/gim, "$1{now}")
    .replaceAll(/^(sec-websocket-key: ).*\r$/gim, "$1{key}")
    .replaceAll(/fetchvia-[\w-]+/g, "{loop}")
    .replaceAll(String(proxy.port), "{own}")
    .replaceAll(String(target.port), "{target}");
}

function playAll(exchange: Exchange): Promise<Seen[]> {
  return Promise.all(proxies.map((proxy) => play(proxy, exchange)));
}

describe("the same bytes on Bun, Deno and Node", () => {
  it.each(EXCHANGES)("$title", async (exchange) => {
    const [bun, deno, node] = await playAll(exchange);
    expect(bun!.answered).toMatch(/^HTTP\/1\.1 \d/);
    expect({ deno, node }).toEqual({ deno: bun, node: bun });
  });
});

describe("what h1spec and Http11Probe want refused", () => {
  it.each(REFUSED)("is a $status: $bytes", async ({ bytes, status }) => {
    const seen = await playAll({ steps: [bytes], answer: OK });
    const [answered = "", ...others] = new Set(seen.map(({ answered }) => answered));
    const statuses = [...answered.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, said]) => Number(said));
    // A refusal that is no matter of framing leaves the connection to the last request.
    expect([[status], [status, 200]]).toContainEqual(statuses);
    expect({ others, whole: seen.map(({ whole }) => whole) }).toEqual({ others: [], whole: [0, 0, 0] });
  });
});
