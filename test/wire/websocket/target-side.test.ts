/**
 * The target's side of a WebSocket where messages pass: how pings are answered, and what waits for a target that does not read.
 */
import type { Socket } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { HIGH_BYTES } from "../../../src/wire/websocket/join.ts";
import { TargetSide } from "../../../src/wire/websocket/target-side.ts";
import { Peer } from "../../support/websocket-peer.ts";
import { waitFor } from "../../support/wait.ts";

let connection: Duplex;
let side: TargetSide;
let target: Peer;
const listener = {
  onData: vi.fn(),
  onDrain: vi.fn(),
  onClose: vi.fn(),
  onFault: vi.fn(),
  onFlood: vi.fn(),
  onEnd: vi.fn(),
  onGone: vi.fn(),
};

beforeEach(() => {
  vi.resetAllMocks();
  const [near, far] = duplexPair();
  connection = near;
  side = new TargetSide(near as Socket);
  side.start(listener);
  target = new Peer(far as Socket, false, Buffer.alloc(0));
});

describe("a target's side", () => {
  it("answers every ping of a target that reads", async () => {
    for (const payload of ["1", "2", "3"]) target.send(9, payload);
    expect([await target.next(), await target.next(), await target.next()])
      .toEqual([{ pong: "1" }, { pong: "2" }, { pong: "3" }]);
  });

  it("keeps the answer to the last ping for a target that does not read", async () => {
    target.socket.pause();
    expect(side.send(new Uint8Array(HIGH_BYTES + 1))).toBe(false);
    const waiting = connection.writableLength;
    for (const payload of ["1", "2", "3"]) target.send(9, payload);
    target.text("read all the same");
    await waitFor(() => expect(listener.onData).toHaveBeenCalledWith("read all the same"));
    expect(connection.writableLength).toBe(waiting);
    target.socket.resume();
    expect((await target.next()).binary).toHaveLength(HIGH_BYTES + 1);
    expect(await target.next()).toEqual({ pong: "3" });
    target.send(9, "4");
    expect(await target.next()).toEqual({ pong: "4" });
  });

  it("answers no ping behind its Close frame", async () => {
    target.socket.pause();
    side.send(new Uint8Array(HIGH_BYTES + 1));
    target.send(9, "1");
    await turn();
    side.close(1000, "");
    target.socket.resume();
    expect((await target.next()).binary).toHaveLength(HIGH_BYTES + 1);
    expect(await target.next()).toEqual({ closed: 1000, reason: "" });
  });
});
