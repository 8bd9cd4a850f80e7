/**
 * WebSockets, joined: messages, control frames, close codes, and sides that are slow.
 * @module
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acceptOf, Acceptor, headBytes, join, listen, type Pool, type Upstream } from "../support/topic.ts";
import { rowsOf } from "../support/topic.ts";
import { frameOf, type Peer } from "../support/websocket-peer.ts";

const MEBIBYTE = 1_048_576;

const TEXTS = [
  { about: "an empty one", text: "" },
  { about: "ASCII", text: "hello" },
  { about: "all lengths of UTF-8", text: "a\u00e9\u20ac\u{1f600}" },
  { about: "a byte order mark", text: "\ufeffa\ufeff" },
  { about: "borders", text: "\u0000\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}" },
  { about: "125 bytes", text: "x".repeat(125) },
  { about: "126 bytes", text: "x".repeat(126) },
  { about: "65535 bytes", text: "x".repeat(65_535) },
  { about: "1 MiB", text: "\u20acx".repeat(MEBIBYTE / 4) },
];

const SIZES = [0, 1, 65_536, MEBIBYTE, 16 * MEBIBYTE].map((size) => ({ size }));

const CLOSES = [
  { code: 1000, reason: "" },
  { code: 1000, reason: "done" },
  { code: 1001, reason: "going" },
  { code: 1011, reason: "" },
  { code: 3000, reason: "\u20ac" },
  { code: 4999, reason: "x".repeat(123) },
  { code: undefined, reason: "" },
];

const helloOf = ({ isClient }: Peer) => frameOf(1, Buffer.from("hello"), true, isClient);
/** How a side drops a WebSocket: its connection is over, and it has sent no Close frame (RFC 6455 §7.1.5). */
const DROPS = rowsOf(["about", "end"], [
  ["resets", (peer: Peer) => void peer.socket.resetAndDestroy()],
  ["just ends", (peer: Peer) => void peer.socket.end()],
  ["ends within a message", (peer: Peer) => void peer.socket.end(helloOf(peer).subarray(0, -3))],
]);

export function describeWebSocketMessages(pool: Pool): void {
  const proxy = pool.with();
  let upstream: Upstream;
  let caller: Peer;
  let target: Peer;
  beforeEach(async () => {
    upstream = await listen();
    const acceptor = new Acceptor(upstream);
    ({ caller } = await join(proxy.port, "/", { proxy_host: upstream.origin }));
    target = acceptor.peers[0]!;
  });
  afterEach(async () => {
    caller.socket.destroy();
    await upstream.close();
  });

  describe("a message", () => {
    it.each(TEXTS)("of text comes back: $about", async ({ text }) => {
      target.echo();
      caller.text(text);
      expect(await caller.next()).toEqual({ text });
    });

    it.each(SIZES)("of $size bytes comes back", async ({ size }) => {
      const bytes = Buffer.alloc(size, Buffer.from(Array.from({ length: 251 }, (_, index) => index)));
      target.echo();
      caller.send(2, bytes);
      const { binary } = await caller.next();
      expect(binary?.equals(bytes)).toBe(true);
    });

    it.each([{ from: "the caller" }, { from: "the target" }])(
      "of fragments, with a ping between them, comes whole from $from",
      async ({ from }) => {
        const [sender, receiver] = from === "the caller" ? [caller, target] : [target, caller];
        sender.send(1, Buffer.from("\u20ac").subarray(0, 1), false);
        sender.send(9, "between");
        sender.send(0, Buffer.from("\u20ac").subarray(1), false);
        sender.send(0, "", false);
        sender.send(0, "!");
        expect(await receiver.next()).toEqual({ text: "\u20ac!" });
        expect(await sender.next()).toEqual({ pong: "between" });
      },
    );

    it("of very many fragments comes whole from the target", async () => {
      const fragment = frameOf(0, Buffer.from("a"), false, false);
      target.send(1, "b", false);
      target.socket.write(Buffer.alloc(100_000 * fragment.length, fragment));
      target.send(0, "c");
      expect(await caller.next()).toEqual({ text: `b${"a".repeat(100_000)}c` });
    });

    it("keeps its place among many", async () => {
      const sent = Array.from({ length: 500 }, (_, index) => `message ${index}`);
      target.echo();
      for (const text of sent) caller.text(text);
      const back: unknown[] = [];
      for (const _ of sent) back.push((await caller.next()).text);
      expect(back).toEqual(sent);
    });

    it.each([
      { about: "in one packet", cuts: [] },
      { about: "cut within the 101", cuts: [20] },
      { about: "cut before its end", cuts: [-6] },
      { about: "cut behind it", cuts: [-4] },
      { about: "cut within the frame", cuts: [-3] },
      { about: "cut everywhere", cuts: [9, 40, -7, -5, -4, -2, -1] },
    ])("may come with the target's 101, $about", async ({ cuts }) => {
      upstream.answer = async (request, socket) => {
        const accept = acceptOf(request.header("sec-websocket-key") ?? "");
        const fields = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Accept": accept };
        const head = headBytes("HTTP/1.1 101 Switching Protocols", fields);
        const bytes = Buffer.concat([head, Buffer.from([0x81, 2, 0x68, 0x69])]);
        for (const [index, end] of [...cuts, bytes.length].entries()) {
          const piece = bytes.subarray([0, ...cuts][index], end);
          await new Promise((resolve) => socket.write(piece, resolve));
        }
      };
      const joined = await join(proxy.port, "/", { proxy_host: upstream.origin });
      expect(await joined.caller.next()).toEqual({ text: "hi" });
      joined.caller.socket.destroy();
    });
  });

  describe("a ping", () => {
    it.each([
      { from: "the caller", payload: "" },
      { from: "the caller", payload: "x".repeat(125) },
      { from: "the target", payload: "alive" },
    ])("of $from is answered", async ({ from, payload }) => {
      const sender = from === "the caller" ? caller : target;
      sender.send(9, payload);
      expect(await sender.next()).toEqual({ pong: payload });
    });
  });

  describe("an end", () => {
    it.each(CLOSES)("of the caller with $code reaches the target", async ({ code, reason }) => {
      caller.close(code, reason);
      expect(await target.next()).toEqual({ closed: code ?? 1005, reason });
      expect(await caller.next()).toMatchObject({ closed: code ?? 1005 });
      await Promise.all([caller.gone, target.gone]);
    });

    it.each(CLOSES)("of the target with $code reaches the caller", async ({ code, reason }) => {
      target.close(code, reason);
      expect(await caller.next()).toEqual({ closed: code ?? 1005, reason });
      expect(await target.next()).toMatchObject({ closed: code ?? 1005 });
      target.socket.end();
      await Promise.all([caller.gone, target.gone]);
    });

    it.each(DROPS)("of a target that $about comes without a Close frame", async ({ end }) => {
      end(target);
      expect(await caller.next()).toMatchObject({ closed: 1006 });
      await caller.gone;
    });

    it.each(DROPS)("of a caller that $about comes without a Close frame", async ({ end }) => {
      end(caller);
      expect(await target.next()).toMatchObject({ closed: 1006 });
      await target.gone;
    });

    it("of a target that ends with its handshake comes without a Close frame", async () => {
      const left = new Acceptor(upstream).next().then((peer) => peer.socket.end());
      const { caller: another } = await join(proxy.port, "/", { proxy_host: upstream.origin });
      await left;
      expect(await another.next()).toMatchObject({ closed: 1006 });
    });

    it("of a target that does not answer a Close frame comes without one", async () => {
      target.socket.removeAllListeners("data").once("data", () => target.socket.end());
      caller.close(1000);
      expect(await caller.next()).toMatchObject({ closed: 1006 });
    });

    it.each([{ of: "the target" }, { of: "the caller" }])(
      "of $of without a Close frame comes behind all that it has sent",
      async ({ of }) => {
        const [from, to] = of === "the target" ? [target, caller] : [caller, target];
        from.send(2, Buffer.alloc(2 * MEBIBYTE, 7));
        from.socket.end();
        expect((await to.next()).binary?.length).toBe(2 * MEBIBYTE);
        expect(await to.next()).toMatchObject({ closed: 1006 });
      },
    );

    it("comes after the last message", async () => {
      const bytes = Buffer.alloc(2 * MEBIBYTE, 7);
      target.send(2, bytes);
      target.close(4000, "last");
      expect((await caller.next()).binary?.length).toBe(bytes.length);
      expect(await caller.next()).toEqual({ closed: 4000, reason: "last" });
    });
  });
}
