/** A caller's connection: one request after the other, in order, and an end that harms no response. */
import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Body } from "../../../src/core/http/body.ts";
import { createDeadlines } from "../../../src/core/http/deadlines.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { CallerConnection } from "../../../src/wire/server/caller-connection.ts";
import type { Host } from "../../../src/wire/server/server-context.ts";
import type { ReceivedRequest } from "../../../src/wire/server/received-request.ts";
import { NotedWire } from "../../support/caller-wire.ts";
import { rowsOf } from "../../support/rows.ts";
import { bytes, NotedSink, sourced } from "../../support/flow.ts";

const MIB = 1_048_576;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A request that came, and the way to answer it. */
interface Asked {
  request: ReceivedRequest;
  reply(reply: Reply): Promise<unknown>;
  fail(error: Error): Promise<unknown>;
}

/** A connection whose requests the test answers. */
function open({ isSecure = false, wire = new NotedWire() } = {}) {
  const asked: Asked[] = [];
  const faults: string[] = [];
  const refuse = (fault: ProxyError) => {
    faults.push(fault.code);
    return Promise.reject(fault);
  };
  const host = {
    answer: (request: ReceivedRequest) =>
      request.fault ? refuse(request.fault) : new Promise<Reply>((resolve, reject) => {
        const reply = (given: Reply) => {
          resolve(given);
          return pass(0);
        };
        const fail = (error: Error) => {
          reject(error);
          return pass(0);
        };
        asked.push({ request, reply, fail });
      }),
    join: vi.fn(),
    times: {
      head: createDeadlines(15_000, false),
      idle: createDeadlines(75_000, false),
      linger: createDeadlines(2_000, false),
    },
    isDraining: false as boolean,
    onGone: vi.fn(),
  } satisfies Host;
  const connection = new CallerConnection({ address: "192.0.2.1", isSecure }, host);
  connection.open(wire);
  const send = (text: string) => connection.onBytes(Buffer.from(text, "latin1"));
  /** All that was written leaves. */
  const drain = () => {
    wire.writableLength = 0;
    connection.onDrain();
  };
  return {
    connection,
    wire,
    host,
    asked,
    faults,
    send,
    drain,
    goneCount: () => host.onGone.mock.calls.length,
  };
}

/** A connection whose first request has been answered. */
async function answered(request: string, reply: Reply) {
  const opened = open();
  opened.send(request);
  await opened.asked[0]?.reply(reply);
  return opened;
}

/** A reply with a date of its own, so that its head is short. */
function replyOf(body: Body | string, fields: [string, string][] = []): Reply {
  const content = typeof body === "string" ? bytes(body) : body;
  return { status: 200, headers: new Fields([["date", "now"], ...fields]), body: content };
}

/** The same on the wire. */
function written(body: string, lines = ""): string {
  return `HTTP/1.1 200 OK\r\ndate: now\r\ncontent-length: ${body.length}\r\n${lines}\r\n${body}`;
}

const get = (path: string, lines = "") => `GET ${path} HTTP/1.1\r\nHost: a.test\r\n${lines}\r\n`;
const oldGet = (path: string, lines = "") => `GET ${path} HTTP/1.0\r\n${lines}\r\n`;
const post = (path: string, length: number, lines = "") =>
  `POST ${path} HTTP/1.1\r\nHost: a.test\r\nContent-Length: ${length}\r\n${lines}\r\n`;
const CHUNKED = "POST /up HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n";
const EXPECTING = post("/up", 5, "Expect: 100-continue\r\n");
const CLOSE = "connection: close\r\n";
const LENGTH_9: [string, string][] = [["content-length", "9"]];

it("a request is asked with all that is known of it", () => {
  const { connection, asked, send } = open();
  send(get("/a?b", "X-A:  1 \r\nx-a: 2\r\n"));
  expect(asked[0]?.request).toMatchObject({
    method: "GET",
    url: "/a?b",
    isCurrent: true,
    body: null,
    isReceived: true,
    lines: ["Host", "a.test", "X-A", "1", "x-a", "2"],
  });
  expect(connection.address).toBe("192.0.2.1");
});

it("a body is read no faster than it is taken", () => {
  const { wire, asked, send } = open();
  send(post("/up", 4));
  const sink = new NotedSink(1);
  asked[0]?.request.body?.pipe(sink);
  expect(wire.isPaused).toBe(false);
  send("ab");
  expect(wire.isPaused).toBe(true);
  sink.room = 2;
  sink.listeners["drain"]?.();
  expect(wire.isPaused).toBe(false);
  send("cd");
  expect(sink.given).toEqual(["ab", "cd."]);
});

describe("responses", () => {
  it("leave a connection open for the next request", async () => {
    const { wire, asked, send } = await answered(get("/a"), replyOf("one"));
    send(get("/b"));
    await asked[1]?.reply(replyOf("two"));
    expect(wire.written).toBe(written("one") + written("two"));
    expect([wire.finished, wire.isDestroyed, wire.isPaused]).toEqual([[], false, false]);
  });

  it("come in the order of the requests, one at a time", async () => {
    const { wire, asked, send } = open();
    send(get("/a") + get("/b") + get("/c"));
    expect(asked.map(({ request }) => request.url)).toEqual(["/a"]);
    await asked[0]?.reply(replyOf("one"));
    expect(asked.map(({ request }) => request.url)).toEqual(["/a", "/b"]);
    expect(wire.written).toBe(written("one"));
    send(get("/d"));
    await asked[1]?.reply(replyOf("two"));
    await asked[2]?.reply(replyOf("three"));
    await asked[3]?.reply(replyOf("four"));
    expect(asked.map(({ request }) => request.url)).toEqual(["/a", "/b", "/c", "/d"]);
    expect(wire.written).toBe(["one", "two", "three", "four"].map((text) => written(text)).join(""));
  });

  it("of a connection that ends behind more bytes leave its reading side open, or a reset would overtake them", async () => {
    const { wire, asked } = await answered(get("/a", "Connection: close\r\n") + get("/b"), replyOf("one"));
    expect([wire.written, wire.finished, asked.length]).toEqual([written("one", CLOSE), [false], 1]);
  });

  it("that fail are an error", async () => {
    const { wire, asked, send } = open();
    send(get("/a"));
    await asked[0]?.fail(new Error("secret"));
    expect(wire.written).toMatch(/^HTTP\/1\.1 500 Internal Server Error\r\n/);
    expect(wire.written).not.toContain("secret");
  });

  it("wait while more than 1 MiB has not been sent", async () => {
    const { wire, asked, send, drain } = open();
    wire.keeps = true;
    send(get("/a") + get("/b"));
    await asked[0]?.reply(replyOf("x".repeat(MIB)));
    expect(asked).toHaveLength(1);
    drain();
    expect(asked).toHaveLength(2);
  });

  it("up to 1 MiB that has not been sent do not hold the next request", async () => {
    const { wire, asked, send } = open();
    wire.keeps = true;
    send(get("/a") + get("/b"));
    await asked[0]?.reply(replyOf("x".repeat(MIB - 200)));
    expect(asked).toHaveLength(2);
  });
});

describe("a response that is a stream", () => {
  it("goes out as it comes, in chunks, and the connection goes on", async () => {
    const { body, told } = sourced();
    const { wire, asked } = await answered(get("/a") + get("/b"), replyOf(body));
    const head = "HTTP/1.1 200 OK\r\ndate: now\r\ntransfer-encoding: chunked\r\n\r\n";
    expect([wire.written, told]).toEqual([head, ["resume"]]);
    body.push(bytes("one"));
    expect([wire.written, asked.length]).toEqual([`${head}3\r\none\r\n`, 1]);
    body.end();
    expect([wire.written, asked.length]).toEqual([`${head}3\r\none\r\n0\r\n\r\n`, 2]);
  });

  it.each(rowsOf(["about", "request", "fields", "isCut"], [
    ["in chunks", get("/a"), [], false],
    ["of a length", get("/a"), LENGTH_9, false],
    ["of a length, in HTTP/1.0", oldGet("/a"), LENGTH_9, false],
    ["without a length, in HTTP/1.0", oldGet("/a"), [], true],
  ]))("that fails looks incomplete: $about", async ({ request, fields, isCut }) => {
    const { body } = sourced();
    const { wire, goneCount } = await answered(request, replyOf(body, fields));
    body.push(bytes("one"));
    const before = wire.written;
    body.end(new Error("cut"));
    expect([wire.isDestroyed, wire.isCut, wire.finished]).toEqual([true, isCut, []]);
    expect([wire.written, goneCount()]).toEqual([before, 1]);
  });

  it("is given up when the caller leaves", async () => {
    const { body, told } = sourced();
    const { connection, wire } = await answered(get("/a"), replyOf(body));
    connection.onClose();
    expect(told).toEqual(["resume", ["cancel", undefined]]);
    expect(wire.isDestroyed).toBe(true);
  });
});

it("a caller that waits for a 100 gets none while the response is a stream", async () => {
  const { body } = sourced();
  const { wire, asked } = await answered(EXPECTING, replyOf(body));
  asked[0]?.request.body?.pipe(new NotedSink());
  expect(wire.written).not.toContain("100 Continue");
  expect(wire.written).toContain(CLOSE);
});

describe("a body that is left when the response has been given", () => {
  it.each([
    { about: "of a length", head: post("/up", 5), rest: ["he", "llo"] },
    { about: "in chunks", head: CHUNKED, rest: ["5\r\nhel", "lo\r\n0\r\n\r\n"] },
  ])("$about is read on, and then comes the next request", async ({ head, rest }) => {
    const { wire, asked, send } = await answered(head, replyOf("one"));
    expect([wire.written, wire.isPaused, wire.finished]).toEqual([written("one"), false, []]);
    for (const piece of rest) send(piece);
    send(get("/b"));
    await asked[1]?.reply(replyOf("two"));
    expect(wire.written).toBe(written("one") + written("two"));
  });

  it("is read on, however large, once nobody wants it", async () => {
    const { wire, asked, send } = open();
    send(post("/up", 200_000));
    send("x".repeat(65_536));
    expect(wire.isPaused).toBe(true);
    asked[0]?.request.body?.cancel();
    await asked[0]?.reply(replyOf("one"));
    expect(wire.isPaused).toBe(false);
    send("x".repeat(134_464));
    send(get("/b"));
    expect([wire.isPaused, asked[1]?.request.url]).toEqual([false, "/b"]);
  });

  it("is read on, however large, where nobody has looked at it", async () => {
    const { wire, asked, send } = await answered(post("/up", 200_000), replyOf("no"));
    send("x".repeat(100_000));
    expect(wire.isPaused).toBe(false);
    send(`${"x".repeat(100_000)}${get("/b")}`);
    expect(asked[1]?.request.url).toBe("/b");
  });

  it("is waited for while it comes, and then the connection ends", async () => {
    const { wire, send, goneCount } = await answered(post("/up", 5), replyOf("one"));
    await pass(1_999);
    send("h");
    await pass(1_999);
    expect(wire.finished).toEqual([]);
    await pass(1);
    expect([wire.finished, wire.isDestroyed]).toEqual([[false], false]);
    await pass(2_000);
    expect([wire.isDestroyed, goneCount()]).toEqual([true, 1]);
  });

  it("whose framing breaks ends the connection", async () => {
    const { wire, asked, send } = await answered(CHUNKED, replyOf("one"));
    send("none\r\n");
    send(get("/b"));
    expect([wire.finished, asked.length]).toEqual([[false], 1]);
  });
});

describe("bytes behind a request", () => {
  it("are read up to 64 KiB", async () => {
    const { wire, asked, send } = open();
    send(get("/a"));
    send("x".repeat(65_535));
    expect(wire.isPaused).toBe(false);
    send("x");
    expect(wire.isPaused).toBe(true);
    await asked[0]?.reply(replyOf("one"));
    expect(wire.isPaused).toBe(false);
  });

  it("are requests, however many", async () => {
    const { wire, asked, send } = open();
    send(get("/a").repeat(2_500));
    expect(wire.isPaused).toBe(true);
    for (let count = 0; count < 2_500; count += 1) {
      await asked[count]?.reply(replyOf("one"));
      await setImmediate();
    }
    expect([asked.length, wire.isPaused]).toEqual([2_500, false]);
    expect(wire.written).toBe(written("one").repeat(2_500));
  });
});

describe("requests that are answered without an event", () => {
  /** Answers at once, as the proxy's own pages do. */
  function openQuick() {
    const opened = open();
    const host = Object.assign(opened.host, { answer: vi.fn(() => Promise.resolve(replyOf("one"))) });
    return { ...opened, count: () => host.answer.mock.calls.length };
  }
  /** Lets everything happen that needs no event. */
  const settle = async () => {
    for (let times = 0; times < 1_000; times += 1) await Promise.resolve();
  };
  const turns = async (count: number) => {
    for (let times = 0; times < count; times += 1) {
      await setImmediate();
      await settle();
    }
  };

  it("leave the turn of the event loop to others after some of them", async () => {
    const { send, count, wire } = openQuick();
    send(get("/a").repeat(100));
    await settle();
    const first = count();
    expect(first).toBeLessThanOrEqual(33);
    await turns(1);
    expect(count()).toBeGreaterThan(first);
    expect(count()).toBeLessThanOrEqual(2 * 33);
    await turns(10);
    expect(wire.written).toBe(written("one").repeat(100));
  });

  it("leave it where writes are complete meanwhile", async () => {
    const { send, count, drain } = openQuick();
    send(get("/a").repeat(100));
    await settle();
    drain();
    await settle();
    expect(count()).toBeLessThanOrEqual(33);
  });

  it("are answered to a caller that has closed its side, who is let go then", async () => {
    const { connection, wire, send } = openQuick();
    send(get("/a").repeat(100));
    await settle();
    connection.onClose();
    await turns(10);
    expect(wire.written).toBe(written("one").repeat(100));
    expect([wire.finished, wire.isDestroyed]).toEqual([[true], false]);
  });

  it("are left with a caller that is gone", async () => {
    const { connection, wire, send, count } = openQuick();
    send(get("/a").repeat(100));
    await settle();
    const before = count();
    connection.onClose();
    connection.onClose(new Error("reset"));
    await turns(10);
    expect([count(), wire.isDestroyed]).toEqual([before, true]);
  });

  it("are left where the server drains", async () => {
    const { host, wire, send, count } = openQuick();
    send(get("/a").repeat(100));
    await settle();
    const before = count();
    host.isDraining = true;
    await turns(10);
    expect([count(), wire.finished]).toEqual([before, [false]]);
  });
});

describe("what is no request", () => {
  it.each(rowsOf(["about", "text", "status"], [
    ["a malformed line", "hello\r\n\r\n", "400 Bad Request"],
    ["a TLS handshake", "\x16\x03\x01", "400 Bad Request"],
    ["two kinds of framing", post("/", 5, "Transfer-Encoding: chunked\r\n"), "400 Bad Request"],
    ["no Host", "GET / HTTP/1.1\r\n\r\n", "400 Bad Request"],
    ["too many fields", get("/", "x:\r\n".repeat(1_000)), "431 Request Header Fields Too Large"],
  ]))("is refused, and its connection ends: $about", async ({ text, status }) => {
    const { wire, asked, faults, send, goneCount } = open();
    send(text);
    send(get("/b"));
    await pass(0);
    expect(faults).toEqual([status.startsWith("431") ? "fields_too_large" : "bad_request"]);
    expect(wire.written.startsWith(`HTTP/1.1 ${status}\r\n`)).toBe(true);
    expect(wire.written).toContain(`\r\n${CLOSE}`);
    expect(wire.written.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expect([wire.finished, asked]).toEqual([[false], []]);
    await pass(2_000);
    expect([wire.isDestroyed, goneCount()]).toEqual([true, 1]);
  });

  it("is read for a while longer, as long as its caller writes", async () => {
    const { wire, send } = open();
    send("hello\r\n\r\n");
    await pass(1_500);
    send("more");
    await pass(1_500);
    expect(wire.isDestroyed).toBe(false);
    await pass(2_000);
    expect(wire.isDestroyed).toBe(true);
  });

  it("waits for the responses to what was before it", async () => {
    const { wire, asked, send } = open();
    send(`${get("/a")}hello\r\n\r\n`);
    expect(wire.written).toBe("");
    await asked[0]?.reply(replyOf("one"));
    expect(wire.written.startsWith(`${written("one")}HTTP/1.1 400 Bad Request\r\n`)).toBe(true);
    expect(wire.finished).toEqual([false]);
  });
});

describe("a caller that leaves", () => {
  it.each([{ about: "cleanly", failure: undefined }, {
    about: "with a failure",
    failure: new Error("reset"),
  }])("$about aborts its request", async ({ failure }) => {
    const { connection, wire, asked, send, goneCount } = open();
    const onAbort = vi.fn();
    const sink = new NotedSink();
    send(post("/up", 5));
    asked[0]?.request.signal.addEventListener("abort", onAbort);
    asked[0]?.request.body?.pipe(sink);
    send("he");
    connection.onClose(failure);
    connection.onClose(failure);
    const reason = failure ?? expect.objectContaining({ code: "ECONNRESET" });
    expect(asked[0]?.request.signal).toMatchObject({ aborted: true, reason });
    expect(onAbort).toHaveBeenCalledOnce();
    expect(sink.given).toEqual(["he", `!${failure?.message ?? "closed"}`]);
    expect([wire.isDestroyed, goneCount()]).toEqual([true, 1]);
    await asked[0]?.reply(replyOf("late"));
    expect(wire.written).toBe("");
  });

  it("gives up what answers it later", async () => {
    const { connection, asked, send } = open();
    const { body, told } = sourced();
    const socket = { cancel: vi.fn() };
    send(get("/a"));
    connection.onClose();
    await asked[0]?.reply({ ...replyOf(body), socket });
    expect(told).toEqual([["cancel", undefined]]);
    expect(socket.cancel).toHaveBeenCalledOnce();
  });

  it.each([
    { about: "a small one", size: 3 },
    { about: "so large that it holds the next request", size: 2 * MIB },
  ])("after its response still gets it: $about", async ({ size }) => {
    const { connection, wire, asked, send } = open();
    wire.keeps = true;
    send(get("/a"));
    await asked[0]?.reply(replyOf("x".repeat(size)));
    connection.onClose();
    expect([wire.finished, wire.isDestroyed]).toEqual([[true], false]);
    expect(asked[0]?.request.signal.aborted).toBe(false);
  });

  it.each([{ upgrade: "h2c", isWhole: true }, { upgrade: "websocket", isWhole: false }])(
    "may still write after its last response where it asked for $upgrade: its connection ends at once, $isWhole",
    async ({ upgrade, isWhole }) => {
      const lines = `Connection: Upgrade, close\r\nUpgrade: ${upgrade}\r\n`;
      const { wire } = await answered(get("/a", lines), replyOf("one"));
      expect(wire.finished).toEqual([isWhole]);
    },
  );

  it("before any request leaves nothing behind", () => {
    const { connection, wire, goneCount } = open();
    connection.onClose();
    expect([wire.isDestroyed, wire.written, goneCount(), vi.getTimerCount()]).toEqual([true, "", 1, 0]);
  });
});

describe("a server that drains", () => {
  it.each([
    { about: "nothing has come", text: "" },
    { about: "part of a head has come", text: "GET /a" },
  ])("closes a connection where $about", ({ text }) => {
    const { connection, wire, host, send, goneCount } = open();
    send(text);
    host.isDraining = true;
    connection.drain();
    expect([wire.isDestroyed, wire.written, goneCount(), vi.getTimerCount()]).toEqual([true, "", 1, 0]);
  });

  it("answers what it has, and says that it was the last", async () => {
    const { connection, wire, host, asked, send } = open();
    send(get("/a") + get("/b"));
    host.isDraining = true;
    connection.drain();
    expect(wire.isDestroyed).toBe(false);
    await asked[0]?.reply(replyOf("one"));
    expect([wire.written, wire.finished, asked.length]).toEqual([written("one", CLOSE), [false], 1]);
  });

  it("ends behind a response that has begun", async () => {
    const { body } = sourced();
    const { connection, wire, host } = await answered(get("/a"), replyOf(body));
    host.isDraining = true;
    connection.drain();
    body.push(bytes("one"), true);
    expect(wire.written).toMatch(/3\r\none\r\n0\r\n\r\n$/);
    expect([wire.finished, wire.isDestroyed]).toEqual([[true], false]);
  });

  it("closes no connection whose response has not been sent, and closes it then", async () => {
    const { connection, wire, host, asked, send, drain } = open();
    wire.keeps = true;
    send(get("/a"));
    await asked[0]?.reply(replyOf("one"));
    host.isDraining = true;
    connection.drain();
    expect(wire.isDestroyed).toBe(false);
    drain();
    expect(wire.isDestroyed || wire.finished.length === 1).toBe(true);
  });
});

describe("time", () => {
  it("for a head that has begun is 15 seconds, however it trickles", async () => {
    const { wire, send, asked } = open();
    await pass(70_000);
    send("GET / HT");
    await pass(10_000);
    send("TP/1.1\r\n");
    await pass(4_999);
    expect(wire.written).toBe("");
    await pass(1);
    expect(wire.written).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect([wire.finished, asked]).toEqual([[false], []]);
    await pass(2_000);
    expect([wire.isDestroyed, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it("without a request begins anew with each response, and with no empty lines", async () => {
    const { wire, asked, send } = open();
    await pass(70_000);
    send(get("/a"));
    await pass(200_000);
    expect(wire.isDestroyed).toBe(false);
    await asked[0]?.reply(replyOf("one"));
    for (const text of ["\r\n", "\r", "\n", "\r\n\r"]) {
      await pass(18_000);
      send(text);
    }
    await pass(2_999);
    expect([wire.isDestroyed, wire.written]).toEqual([false, written("one")]);
    await pass(1);
    expect(wire.isDestroyed).toBe(true);
  });

  it("for a body or a response has no limit here", async () => {
    const { wire, asked, send } = open();
    const { body } = sourced();
    send(post("/up", 5));
    await pass(100_000);
    send("hello");
    await asked[0]?.reply(replyOf(body));
    await pass(100_000);
    expect([wire.isDestroyed, wire.finished, vi.getTimerCount()]).toEqual([false, [], 0]);
  });

  it("for the end of a connection is 2 seconds from when all has been sent", async () => {
    const { wire, asked, send, goneCount } = open();
    wire.keeps = true;
    send(get("/a", "Connection: close\r\n"));
    await asked[0]?.reply(replyOf("one"));
    await pass(10_000);
    expect([wire.isDestroyed, goneCount()]).toEqual([false, 0]);
    wire.writableLength = 0;
    await pass(2_000);
    expect([wire.isDestroyed, goneCount()]).toEqual([true, 1]);
  });
});

describe("a connection that changes its protocol", () => {
  const REPLY: Reply = { ...replyOf(null), status: 101, socket: { cancel() {} } };

  it("is joined, and nothing more is read or written here", async () => {
    const { connection, wire, host, asked, send, goneCount } = await answered(`${get("/a")}first`, REPLY);
    expect(host.join.mock.calls).toEqual([[REPLY, connection]]);
    const { wire: released, rest } = connection.release();
    expect([released, rest?.toString(), wire.written]).toEqual([wire, "first", ""]);
    send(get("/b"));
    expect([asked.length, goneCount(), vi.getTimerCount()]).toEqual([1, 1, 0]);
  });

  it("may go on as a stream", async () => {
    const { connection, wire, send, drain } = await answered(`${get("/a")}first`, REPLY);
    const stream = connection.releaseStream();
    send(" second");
    const onSent = vi.fn();
    stream.write("third", onSent);
    drain();
    connection.onClose();
    expect(Buffer.concat(await stream.toArray() as Buffer[]).toString()).toBe("first second");
    expect([wire.written, onSent.mock.calls.length]).toEqual(["third", 1]);
  });

  it("has nothing first where nothing came", async () => {
    const { connection } = await answered(get("/a"), REPLY);
    expect(connection.release().rest).toBeUndefined();
  });
});
