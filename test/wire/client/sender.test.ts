/**
 * Connections to targets: used again where their exchange left them clean, closed in time, and in nobody's way.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Cancellation } from "../../../src/core/http/cancellation.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Outgoing } from "../../../src/index.ts";
import type { Interim } from "../../../src/core/interim.ts";
import { takeBody } from "../../../src/core/exchange/web-standard.ts";
import { fromStream } from "../../../src/core/http/read-along.ts";
import { toStandard } from "../../../src/core/http/body.ts";
import { createHttpSender } from "../../../src/wire/client/sender.ts";
import { Gate, raw, silence } from "../../support/answers.ts";
import { listen, type Upstream } from "../../support/upstream.ts";
import { waitFor } from "../../support/wait.ts";
import { rowsOf } from "../../support/rows.ts";

let upstream: Upstream;
let send: ReturnType<typeof createHttpSender>;

beforeEach(async () => {
  upstream = await listen();
  send = createHttpSender();
});
afterEach(() => upstream.close());

function requestOf(parts: Partial<Outgoing> = {}): Outgoing {
  return {
    method: "GET",
    origin: new URL(upstream.origin),
    path: "/p",
    headers: new Fields([["host", upstream.host]]),
    body: null,
    addresses: ["127.0.0.1"],
    signal: new Cancellation(),
    ...parts,
  };
}

/** Sends one request and reads the answer to its end. */
async function ask(parts: Partial<Outgoing> = {}): Promise<string> {
  const { body } = await send(requestOf(parts));
  return await new Response(toStandard(takeBody(body))).text();
}

/** The connection of each request, counted from 1. */
function connections(): number[] {
  return upstream.requests.map(({ connection }) => connection);
}

const HEAD = "HTTP/1.1 200 OK\r\n";
const DEAF = {
  onReused() {},
  onConnected() {},
  onSecured() {},
  onSent() {},
  onFirstByte() {},
  onVersion() {},
  onInterim() {},
};

describe("a connection", () => {
  it.each(rowsOf(["about", "bytes"], [
    ["a length", `${HEAD}Content-Length: 2\r\n\r\nok`],
    ["chunks", `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`],
    ["no body", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["interim answers", `HTTP/1.1 103 Early\r\nX: 1\r\n\r\n${HEAD}Content-Length: 0\r\n\r\n`],
    ["HTTP/1.0 that keeps it", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok"],
    ["some seconds to live", `${HEAD}Keep-Alive: timeout=3, max=9\r\nContent-Length: 2\r\n\r\nok`],
  ]))("is used again after $about", async ({ bytes }) => {
    upstream.answer = raw(bytes);
    for (const path of ["/1", "/2", "/3"]) await ask({ path });
    expect(connections()).toEqual([1, 1, 1]);
  });

  it.each([
    { about: "HTTP/1.0", bytes: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok" },
    { about: "a body where none belongs", bytes: "HTTP/1.1 204 No Content\r\n\r\nok" },
  ])("is not used again after $about", async ({ bytes }) => {
    upstream.answer = raw(bytes);
    for (const path of ["/1", "/2"]) await ask({ path });
    expect(connections()).toEqual([1, 2]);
  });

  it("is not shared by other addresses or origins", async () => {
    await ask();
    await ask({ addresses: ["127.0.0.1", "127.0.0.2"] });
    await ask({ origin: new URL(upstream.origin.replace("127.0.0.1", "localhost")) });
    expect(connections()).toEqual([1, 2, 3]);
  });

  it("serves one request at a time", async () => {
    await Promise.all([ask(), ask(), ask()]);
    expect(new Set(connections()).size).toBe(3);
  });

  it("is closed when nobody needs it for four seconds", async () => {
    await ask();
    const [request] = upstream.requests;
    const started = performance.now();
    expect((await Promise.race([request?.gone, sleep(8_000)]) ?? 0) - started).toBeGreaterThan(2_500);
  });

  it("keeps no process alive while it waits", async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === "TCPSocketWrap").length;
    await ask();
    // What was closed before may still be on its way out.
    await sleep(100);
    const waiting = sockets();
    upstream.answer = silence;
    const signal = new Cancellation();
    const asked = send(requestOf({ signal })).catch(() => {});
    await waitFor(() => expect(connections()).toEqual([1, 1]));
    expect(sockets()).toBe(waiting + 1);
    signal.abort(new Error("enough"));
    await asked;
  });
});

describe("a request", () => {
  it("that is aborted before it is sent never leaves", async () => {
    const signal = new Cancellation();
    signal.abort(new Error("gone"));
    await expect(send(requestOf({ signal }))).rejects.toThrow("gone");
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    { about: "a line end in a field", parts: { headers: new Fields([["x-a", "1\r\nx-b: 2"]]) } },
    { about: "a space in its path", parts: { path: "/a b" } },
    { about: "a space in its method", parts: { method: "GET /x" } },
  ])("with $about is refused, on a new connection and on a kept one", async ({ parts }) => {
    await expect(send(requestOf(parts))).rejects.toThrow("malformed");
    await ask();
    await expect(send(requestOf(parts))).rejects.toThrow("malformed");
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    { about: "longer", length: "3", error: "it is longer than its Content-Length" },
    { about: "shorter", length: "9", error: "it is shorter than its Content-Length" },
  ])("whose body is $about than its length is cut and told, never misread", async ({ length, error }) => {
    upstream.answer = silence;
    const body = fromStream(new Blob(["hello"]).stream() as ReadableStream<Uint8Array>);
    const headers = new Fields([["host", upstream.host], ["content-length", length]]);
    await expect(send(requestOf({ method: "POST", headers, body }))).rejects.toThrow(error);
    await waitFor(() => expect(upstream.requests.map(({ state }) => state)).not.toContain("reading"));
    expect(upstream.requests.filter(({ state }) => state === "whole")).toEqual([]);
  });

  it("leaves empty chunks of its body out, which would end it", async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const text of ["a", "", "b"]) controller.enqueue(new TextEncoder().encode(text));
        controller.close();
      },
    });
    await ask({ method: "POST", body: fromStream(body) });
    expect(upstream.request.body.toString()).toBe("ab");
  });
});

describe("answers of one turn", () => {
  it.each(rowsOf(["about", "length", "order"], [
    ["that are whole go on together", 2, ["byte 1", "byte 2", "answer 1", "answer 2"]],
    ["that stream go on at once", 1_000_000, ["byte 1", "answer 1", "byte 2", "answer 2"]],
  ]))("$about", async ({ length, order }) => {
    const gate = new Gate();
    upstream.answer = gate.hold(raw(`${HEAD}Content-Length: ${length}\r\n\r\nok`));
    const seen: string[] = [];
    const sent = [1, 2].map(async (number) => {
      const watch = { ...DEAF, onFirstByte: () => void seen.push(`byte ${number}`) };
      await send(requestOf({ path: `/${number}`, watch }));
      seen.push(`answer ${number}`);
    });
    await waitFor(() => expect(upstream.requests).toHaveLength(2));
    gate.open();
    await Promise.all(sent);
    expect(seen).toEqual(order);
  });
});

describe("a watched request", () => {
  /** Sends one, and returns the events in order. */
  async function watch(parts: Partial<Outgoing> = {}): Promise<string[]> {
    const events: string[] = [];
    const note = (name: string) => () => void events.push(name);
    const watched = {
      onReused: note("reused"),
      onConnected: note("connected"),
      onSecured: note("secured"),
      onSent: note("sent"),
      onFirstByte: note("first byte"),
      onVersion: (version: string) => void events.push(version),
      onInterim: ({ status }: Interim) => void events.push(String(status)),
    };
    await ask({ ...parts, watch: watched });
    return events;
  }

  it("tells of a new connection, and of one that is used again", async () => {
    expect(await watch()).toEqual(["connected", "sent", "first byte", "HTTP/1.1"]);
    upstream.answer = raw("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
    expect(await watch()).toEqual(["reused", "sent", "first byte", "HTTP/1.0"]);
  });

  it("tells of its first byte once, and of what comes before the answer", async () => {
    const interims = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\n\r\n";
    upstream.answer = raw(`${interims}${HEAD}Content-Length: 2\r\n\r\nok`);
    expect(await watch())
      .toEqual(["connected", "sent", "first byte", "HTTP/1.1", "100", "HTTP/1.1", "103", "HTTP/1.1"]);
  });

  it("is sent when its body is", async () => {
    const body = fromStream(new Blob(["abc"]).stream());
    const headers = new Fields([["host", upstream.host], ["content-length", "3"]]);
    const events = await watch({ method: "POST", headers, body });
    expect(events).toEqual(["connected", "sent", "first byte", "HTTP/1.1"]);
  });
});
