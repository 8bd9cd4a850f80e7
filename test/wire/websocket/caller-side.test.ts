/** Callers of WebSockets that the runtime does not let in, though the target has. */
import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { CallerSide } from "../../../src/wire/websocket/caller-side.ts";
import { answerDeno, limitFields, releasesConnections } from "../../../src/runtimes/deno/websocket.ts";
import { DialledSocket } from "../../../src/wire/websocket/dial.ts";
import { OpenSockets } from "../../../src/wire/websocket/open-sockets.ts";

const internal = Symbol("internal");
const REFUSING_DENO = {
  internal,
  [internal]: {
    upgradeHttpRaw() {
      throw new TypeError("may only be used with Deno.serve");
    },
  },
};
const request = new Request("http://a.test");
const watch = { onIn: vi.fn(), onOut: vi.fn(), onEnd: vi.fn() };
let target: Socket;
let reply: Reply;

beforeEach(() => {
  vi.resetAllMocks();
  vi.stubGlobal("Deno", REFUSING_DENO);
  target = new Socket();
  const socket = new DialledSocket(target, Buffer.alloc(0), watch);
  reply = { status: 101, statusText: "", headers: new Fields(), body: null, socket };
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("a caller that is not let in is told so, and the target is let go", async () => {
  const response = answerDeno(reply, request, new OpenSockets(0));
  expect(response.status).toBe(400);
  expect(response.headers.get("proxy-status")).toMatch(/^fetchvia; error=http_request_error; details="./);
  expect(await response.json()).toEqual({
    title: "Proxy Error",
    detail: expect.stringMatching(/^Cannot open a WebSocket: /),
  });
  expect(target.destroyed).toBe(true);
  expect(watch.onEnd).toHaveBeenCalledOnce();
});

describe("a caller whose connection the runtime keeps", () => {
  /** A side whose runtime has so many bytes to send, and what is done to it. */
  function open(pending: number) {
    const kept = {
      pending,
      send: vi.fn(),
      close: vi.fn(),
      pause: vi.fn(),
      resume: vi.fn(),
      terminate: vi.fn(),
    };
    const side = new CallerSide(new DialledSocket(target, undefined, watch), new OpenSockets(0));
    side.open(kept);
    return { side, kept };
  }

  it("is cut without a Close frame, behind what is pending", () => {
    const { side, kept } = open(2);
    side.end();
    side.send("more");
    side.close(1001, "");
    kept.pending = 1;
    side.drained();
    expect(kept.terminate).not.toHaveBeenCalled();
    kept.pending = 0;
    side.drained();
    expect(kept.terminate).toHaveBeenCalledOnce();
    expect([kept.send.mock.calls, kept.close.mock.calls]).toEqual([[], []]);
  });

  it("is cut at once where nothing is pending, and once", () => {
    const { side, kept } = open(0);
    kept.terminate.mockImplementation(() => side.closed(1006, ""));
    side.end();
    side.end();
    side.drained();
    expect(kept.terminate).toHaveBeenCalledOnce();
  });

  it("is left to the runtime behind a Close frame", () => {
    const { side, kept } = open(0);
    side.close(4000, "bye");
    side.end();
    expect([kept.close.mock.calls, kept.terminate.mock.calls]).toEqual([[[4000, "bye"]], []]);
  });
});

describe("Deno", () => {
  it("leaves out what is too much for the head of a 101, and nothing that counts", () => {
    const headers = new Fields();
    for (let index = 0; index < 12; index += 1) headers.append(`x-${index}`, "1");
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    headers.append("sec-websocket-accept", "key");
    headers.append("sec-websocket-protocol", "chat");
    const names = [...limitFields({ ...reply, headers }).headers].map(([name]) => name);
    expect(names).toHaveLength(14);
    expect(names.slice(0, 5)).toEqual([
      "sec-websocket-accept",
      "sec-websocket-protocol",
      "set-cookie",
      "set-cookie",
      "x-0",
    ]);
    expect(limitFields(reply)).toBe(reply);
  });

  it.each([
    { about: "lets connections go", deno: REFUSING_DENO, is: true },
    { about: "keeps them", deno: { internal, [internal]: {} }, is: false },
    { about: "has nothing of its own", deno: {}, is: false },
  ])("is asked whether it lets connections go: it $about", ({ deno, is }) => {
    vi.stubGlobal("Deno", deno);
    expect(releasesConnections()).toBe(is);
  });
});
