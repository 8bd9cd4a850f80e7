/** The caller's side of a WebSocket on `Deno.serve`: whom Deno lets in, what waits for a side, and how it ends. */
import type { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { answerDeno } from "../../../src/runtimes/deno/websocket.ts";
import { DialledSocket } from "../../../src/wire/websocket/dial.ts";
import { HIGH_BYTES } from "../../../src/wire/websocket/join.ts";
import { OpenSockets } from "../../../src/wire/websocket/open-sockets.ts";
import { Peer } from "../../support/websocket-peer.ts";
import { rowsOf } from "../../support/rows.ts";

const IDLE_MS = 4_000;
const request = new Request("http://a.test");
const watch = { onIn: vi.fn(), onOut: vi.fn(), onEnd: vi.fn() };
/** A WebSocket of Deno. */
const caller = {
  bufferedAmount: 0,
  send: vi.fn(),
  close: vi.fn(),
  onopen: () => {},
  onerror: (() => {}) as (() => void) | null,
  onmessage: (() => {}) as ((event: { data: unknown }) => void) | null,
  onclose: (_event: { wasClean: boolean; code: number; reason: string }) => {},
};
const upgradeWebSocket = vi.fn();
let near: Duplex;
let far: Duplex;
let target: Peer;
let reply: Reply;
let sockets: OpenSockets;

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.stubGlobal("Deno", { upgradeWebSocket });
  upgradeWebSocket.mockImplementation(() => ({ socket: caller, response: new Response() }));
  caller.bufferedAmount = 0;
  [near, far] = duplexPair();
  const socket = new DialledSocket(Object.assign(near, { setKeepAlive() {} }) as Socket, undefined, watch);
  target = new Peer(far as Socket, false, Buffer.alloc(0));
  reply = {
    status: 101,
    statusText: "",
    headers: new Fields([["sec-websocket-accept", "key"]]),
    body: null,
    socket,
  };
  sockets = new OpenSockets(IDLE_MS);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const turns = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe("a caller that is not let in", () => {
  it.each(rowsOf(["about", "spoil"], [
    ["by Deno", () => upgradeWebSocket.mockImplementation(() => fail())],
    ["for fields that Deno cannot write", () => void reply.headers.append("x-a", "\u20ac")],
  ]))("is told so, and the target is let go: $about", async ({ spoil }) => {
    spoil();
    const response = answerDeno(reply, request, sockets);
    expect(response.status).toBe(400);
    expect(response.headers.get("proxy-status")).toMatch(/^fetchvia; error=http_request_error; details="./);
    expect(await response.json())
      .toEqual({ title: "Proxy Error", detail: expect.stringMatching(/^Cannot open a WebSocket: /) });
    expect([near.destroyed, watch.onEnd.mock.calls]).toEqual([true, [[]]]);
  });

  it("because it has left does not hold the target", () => {
    answerDeno(reply, request, sockets);
    caller.onerror?.();
    expect([near.destroyed, watch.onEnd.mock.calls]).toEqual([true, [[]]]);
  });
});

function fail(): never {
  throw new TypeError("Already closed");
}

describe("a caller that is let in", () => {
  beforeEach(() => {
    answerDeno(reply, request, sockets);
    caller.onopen();
  });

  it("gets the fields of the target's 101, and the key's hash from Deno", () => {
    reply.headers.append("set-cookie", "a=1");
    reply.headers.append("set-cookie", "b=2");
    expect([...answerDeno(reply, request, sockets).headers])
      .toEqual([["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
  });

  it("holds the target up until it has taken what waits for it", async () => {
    caller.bufferedAmount = HIGH_BYTES + 1;
    target.text("one");
    await turns();
    target.text("two");
    await vi.advanceTimersByTimeAsync(1_000);
    await turns();
    expect(caller.send.mock.calls).toEqual([["one"]]);
    caller.bufferedAmount = HIGH_BYTES;
    await vi.advanceTimersByTimeAsync(20);
    await turns();
    expect(caller.send.mock.calls).toEqual([["one"], ["two"]]);
  });

  it("is let go where it takes nothing", async () => {
    caller.bufferedAmount = 5;
    target.text("hello");
    await turns();
    await vi.advanceTimersByTimeAsync(2 * IDLE_MS);
    expect(caller.close.mock.calls).toEqual([[1001]]);
    expect(await target.next()).toMatchObject({ closed: 1006 });
    expect([watch.onEnd.mock.calls, vi.getTimerCount()]).toEqual([[[undefined]], 0]);
  });

  it.each(rowsOf(["about", "happen", "ofCaller", "ofTarget"], [
    ["a target that breaks off", () => far.end(), [[1014, undefined]], undefined],
    ["a target that closes", () => target.close(4000, "bye"), [[4000, "bye"]], {
      closed: 4000,
      reason: "bye",
    }],
    ["a target that closes without a code", () => target.close(), [[undefined, undefined]], { closed: 1005 }],
    ["a target that breaks the protocol", () => target.send(3), [[1014, undefined]], { closed: 1002 }],
    ["a caller that breaks off", () => caller.onclose({ wasClean: false, code: 0, reason: "" }), [], {
      closed: 1006,
    }],
    ["a caller that closes", () => caller.onclose({ wasClean: true, code: 4000, reason: "bye" }), [], {
      closed: 4000,
      reason: "bye",
    }],
    [
      "a caller that closes without a code",
      () => caller.onclose({ wasClean: true, code: 1005, reason: "" }),
      [],
      { closed: 1005 },
    ],
    ["a stop of the proxy", () => void sockets.close(), [[1001, undefined]], { closed: 1001 }],
  ]))("ends with $about", async ({ happen, ofCaller, ofTarget }) => {
    happen();
    await turns();
    expect(caller.close.mock.calls).toEqual(ofCaller);
    expect(ofTarget && await target.next()).toEqual(ofTarget && expect.objectContaining(ofTarget));
    caller.onclose({ wasClean: true, code: 1014, reason: "" });
    caller.onmessage?.({ data: "late" });
    await vi.advanceTimersByTimeAsync(31_000);
    await turns();
    expect(watch.onEnd).toHaveBeenCalledOnce();
    expect(caller.close.mock.calls.slice(0, 1)).toEqual(ofCaller);
    expect(caller.send).not.toHaveBeenCalled();
  });

  const LARGE = 64 * 1024 * 1024;
  it.each(rowsOf(["about", "sent", "code", "taken"], [
    ["a message that is too large", [LARGE + 1, 3], 1009, 0],
    ["more than the target takes", [LARGE / 4 + 1, 3], 1013, 1],
  ]))("is told of $about once it is quiet", async ({ sent, code, taken }) => {
    for (const size of sent) caller.onmessage?.({ data: new ArrayBuffer(size) });
    for (let times = 0; times < 9; times += 1) {
      caller.onmessage?.({ data: "more" });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect([caller.close.mock.calls, watch.onIn.mock.calls.length]).toEqual([[], taken]);
    await vi.advanceTimersByTimeAsync(200);
    expect(caller.close.mock.calls).toEqual([[code, expect.stringMatching(/^the (message|target) /)]]);
  });

  it("is closed after two seconds where it does not stop", async () => {
    caller.onmessage?.({ data: new ArrayBuffer(LARGE + 1) });
    for (let times = 0; times < 22; times += 1) {
      caller.onmessage?.({ data: "more" });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(caller.close.mock.calls).toEqual([[1009, "the message is too large"]]);
  });
});
