/**
 * WebSockets in which more comes than is read, or a message never ends: what they cost in memory.
 * @module
 */
import { once } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import { peakBytes, residentBytes } from "../support/flood.ts";
import { frameOf, headOf, type Peer } from "../support/websocket-peer.ts";
import type { Pool, Shared, Upstream } from "../support/topic.ts";
import { Acceptor, alike, ENDLESS_MESSAGES, expectedOf, join, listen, settled } from "../support/topic.ts";

const MEBIBYTE = 1_048_576;
const FLOOD_BYTES = 160 * MEBIBYTE;
const PIECE_BYTES = 65_536;
/** Milliseconds that a flood may take on a machine that does other things too. */
const FLOOD_MS = 240_000;
/** What buffers of the kernel, messages in flight and garbage may add. */
const SLACK_BYTES = 160 * MEBIBYTE;
/** Pings that come in one write. */
const PINGS = Buffer.concat(Array(500).fill(frameOf(9, Buffer.alloc(125), true, false)));
/** All their pongs would be four times as much as may be held of them. */
const PINGS_BYTES = 96 * MEBIBYTE;

/** Fragments that never end are sent until there are so many bytes of them. */
const ENDLESS_BYTES = 384 * MEBIBYTE;
const FRAGMENT_BYTES = 256 * 1024;

export function describeWebSocketFloods(pool: Pool): void {
  describe("more than is read of a WebSocket", () => describeFloods(pool));
}

function describeFloods(pool: Pool): void {
  // Proxies of their own: their memory is looked at.
  const measured = pool.with({ TIMEOUT_MS: "29998" });
  const endless = pool.with({ TIMEOUT_MS: "29996" });
  let upstream: Upstream;
  let caller: Peer;
  let target: Peer;
  const open = async (by: Shared) => {
    const acceptor = new Acceptor(upstream);
    ({ caller } = await join(by.port, "/", { proxy_host: upstream.origin }));
    target = acceptor.peers[0]!;
  };
  beforeEach(async () => {
    upstream = await listen();
    return async () => {
      caller.socket.destroy();
      await upstream.close();
    };
  });

  describe("a flood", () => {
    it("stops while the caller does not read, and comes whole then", async () => {
      await open(measured);
      const { pid = 0 } = measured.child.process;
      const before = await residentBytes(pid);
      caller.socket.pause();
      const isOver = pour(target, false);
      await hasStopped(target);
      expect(await residentBytes(pid) - before).toBeLessThan(SLACK_BYTES);
      expect(target.socket.bytesWritten).toBeLessThan(FLOOD_BYTES / 2);
      expect(await drained(caller, isOver)).toBe(FLOOD_BYTES);
    }, FLOOD_MS);

    it("of a caller stops while the target does not read, and comes whole then", async () => {
      await open(measured);
      const { pid = 0 } = measured.child.process;
      const before = await residentBytes(pid);
      target.socket.pause();
      const isOver = pour(caller, true);
      await hasStopped(caller);
      expect(await residentBytes(pid) - before).toBeLessThan(SLACK_BYTES);
      expect(await drained(target, isOver)).toBe(FLOOD_BYTES);
    }, FLOOD_MS);

    it("of a caller leaves no memory behind", async () => {
      await open(measured);
      const { pid = 0 } = measured.child.process;
      const before = await residentBytes(pid);
      for (let time = 0; time < 3; time += 1) {
        expect(await drained(target, pour(caller, true))).toBe(FLOOD_BYTES);
      }
      expect(await residentBytes(pid) - before).toBeLessThan(SLACK_BYTES);
    }, FLOOD_MS);
  });

  it.each([
    ...alike("from", { about: "fragments", size: FRAGMENT_BYTES })`the caller | the target`,
    ...alike("from", { about: "one frame", size: ENDLESS_BYTES })`the caller | the target`,
  ])("a message of $from without an end costs little memory, in $about", async ({ from, size }) => {
    await open(endless);
    const { pid = 0 } = endless.child.process;
    const before = await residentBytes(pid);
    const [sender, receiver] = from === "the caller" ? [caller, target] : [target, caller];
    receiver.socket.removeAllListeners("data").resume();
    const { sent, closed } = await pourFragments(sender, size);
    expect(endOf(sent, closed)).toBe(expectedOf(ENDLESS_MESSAGES, pool.runtime, from, "closed with 1009"));
    expect(await peakBytes(pid) - before).toBeLessThan(ENDLESS_BYTES / 2);
    sender.socket.destroy();
    await receiver.gone;
  }, FLOOD_MS);

  it("a target that pings on and reads nothing costs no memory", async () => {
    await open(measured);
    const { pid = 0 } = measured.child.process;
    const before = await residentBytes(pid);
    caller.socket.pause();
    target.socket.pause();
    void pourPings(target);
    await hasStopped(target);
    expect(await residentBytes(pid) - before).toBeLessThan(PINGS_BYTES);
  }, FLOOD_MS);
}

/** Sends messages as fast as they are taken. */
async function pour({ socket }: Peer, isMasked: boolean): Promise<void> {
  const frame = frameOf(2, Buffer.alloc(PIECE_BYTES, 7), true, isMasked);
  for (let sent = 0; sent < FLOOD_BYTES && !socket.destroyed; sent += PIECE_BYTES) {
    if (!socket.write(frame)) await once(socket, "drain").catch(() => {});
  }
}

/** Waits until no more of what a peer sends is taken. */
async function hasStopped({ socket }: Peer): Promise<void> {
  await settled(() => socket.bytesWritten, 1_000);
}

/** Reads on, and tells how many bytes of messages have come. */
async function drained(peer: Peer, isOver: Promise<void>): Promise<number> {
  let size = 0;
  peer.socket.resume();
  while (size < FLOOD_BYTES) size += (await peer.next(15_000)).binary?.length ?? NaN;
  await isOver;
  return size;
}

/** What ended a message, in words. */
function endOf(sent: number, closed: number | undefined): string {
  if (closed === undefined) return "not at all";
  return sent < ENDLESS_BYTES / 2 ? `closed with ${closed}` : "late";
}

/** Sends one message without an end, in frames of this size, until there is a Close frame or the connection is gone. */
async function pourFragments(
  peer: Peer,
  size: number,
): Promise<{ sent: number; closed: number | undefined }> {
  const { socket, isClient } = peer;
  const start = socket.bytesWritten;
  const piece = Buffer.alloc(FRAGMENT_BYTES, 7);
  let closed: number | undefined;
  void peer.next(FLOOD_MS).then((told) => (closed = told.closed), () => {});
  peer.send(2, "x", false);
  let sent = 0;
  for (; sent < ENDLESS_BYTES && closed === undefined; sent += piece.length) {
    if (sent % size === 0) socket.write(headOf(0, size, false, isClient));
    await new Promise((resolve) => socket.write(piece, resolve));
  }
  return { sent: socket.bytesWritten - start, closed };
}

/** Sends pings as fast as they are taken. */
async function pourPings({ socket }: Peer): Promise<void> {
  for (let sent = 0; sent < PINGS_BYTES && !socket.destroyed; sent += PINGS.length) {
    if (!socket.write(PINGS)) await once(socket, "drain").catch(() => {});
  }
}
