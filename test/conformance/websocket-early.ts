/**
 * What a caller sends with its handshake, or before the 101 has come back: it is passed on in order, and no request where the
 * handshake is refused.
 * @module
 */
import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Connection, Handler, Pool, Upstream } from "../support/topic.ts";
import { acceptOf, Gate, HANDSHAKE, headBytes, listen, open, reply, rowsWith } from "../support/topic.ts";
import { frameOf, headOf } from "../support/websocket-peer.ts";

const ONE = frameOf(1, Buffer.from("one"), true, true);
const TWO = frameOf(2, Buffer.alloc(100_000, 2), true, true);
/** More than all buffers between a caller and a proxy hold. */
const LARGE_BYTES = 16_000_000;

/** What goes with the handshake, what before the 101, and what behind it. */
const PIECES = [
  { about: "with the handshake", pieces: [ONE, "", ""] },
  { about: "before the 101", pieces: ["", ONE, ""] },
  { about: "in two pieces", pieces: [ONE.subarray(0, 3), ONE.subarray(3), ""] },
  { about: "at all times", pieces: [ONE, TWO, ONE] },
  { about: "a large one", pieces: [TWO, TWO, ""] },
];

const REFUSED: {
  about: string;
  fields: Readonly<Record<string, string>>;
  status: number;
  arrived: number;
}[] = [
  { about: "the target", fields: {}, status: 403, arrived: 1 },
  { about: "the proxy", fields: { "Sec-WebSocket-Version": "8" }, status: 400, arrived: 0 },
];

export function describeEarlyFrames(pool: Pool): void {
  describe("bytes before the 101", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    let caller: Connection;
    let gate: Gate;
    beforeEach(async () => {
      upstream = await listen();
      gate = new Gate();
      caller = await open(proxy.port);
      return () => {
        caller.destroy();
        return upstream.close();
      };
    });
    const handshake = (fields: Readonly<Record<string, string>> = {}) =>
      headBytes("GET /p HTTP/1.1", {
        Host: `127.0.0.1:${proxy.port}`,
        proxy_host: upstream.origin,
        ...HANDSHAKE,
        ...fields,
      });
    /** The proxy has read what was written before by the time that it has answered this. */
    const beRead = () => proxy.call("GET /__proxy__/health");

    it.each(PIECES)("arrive in order: $about", async ({ pieces: [first = "", second = "", third = ""] }) => {
      const target = accepting(first.length + second.length + third.length);
      upstream.answer = gate.hold(target.answer);
      const asked = upstream.next();
      caller.write(Buffer.concat([handshake(), Buffer.from(first)]));
      await asked;
      caller.write(second);
      await beRead();
      gate.open();
      await caller.until("\r\n\r\nfirst");
      caller.write(third);
      expect((await target.received).equals(Buffer.concat([first, second, third].map(Buffer.from))))
        .toBe(true);
    });

    it("wait with the caller while there are many", async () => {
      const large = Buffer.concat([headOf(2, LARGE_BYTES, true, true), randomBytes(LARGE_BYTES)]);
      const target = accepting(large.length);
      upstream.answer = gate.hold(target.answer);
      const asked = upstream.next();
      caller.write(handshake());
      await asked;
      let hasLeft = false;
      const sent = caller.send(large).then(() => (hasLeft = true));
      await beRead();
      expect(hasLeft).toBe(false);
      gate.open();
      await sent;
      expect(digest(await target.received)).toBe(digest(large));
    }, 30_000);

    const refused = rowsWith(pool.runtime, "a server of its own", REFUSED);
    it.each(refused)("of a handshake that $about refuses are no request", async (row) => {
      const { fields, status, arrived } = row;
      upstream.answer = reply(403, {}, "no");
      const next = headBytes("GET /next HTTP/1.1", { Host: "127.0.0.1", proxy_host: upstream.origin });
      caller.write(Buffer.concat([handshake(fields), next]));
      expect((await caller.answer()).status).toBe(status);
      expect(await caller.answer()).toMatchObject({ status: 0, ended: "cut" });
      expect(upstream.targets).toEqual(Array(arrived).fill("/p"));
    });
  });
}

/** A target that accepts a handshake, with the first bytes of its own in the same packet, and reads so many. */
function accepting(size: number): { answer: Handler; received: Promise<Buffer> } {
  const chunks: Buffer[] = [];
  let settle: (bytes: Buffer) => void;
  const received = new Promise<Buffer>((resolve) => (settle = resolve));
  const answer: Handler = (request, socket) => {
    socket.removeAllListeners("data");
    const accept = acceptOf(request.header("sec-websocket-key") ?? "");
    const fields = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Accept": accept };
    socket.write(Buffer.concat([headBytes("HTTP/1.1 101 Switching", fields), Buffer.from("first")]));
    let left = size;
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      left -= chunk.length;
      if (left <= 0) settle(Buffer.concat(chunks));
    });
  };
  return { answer, received };
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
