/**
 * WebSockets whose sides do not do their part: callers of HTTP/1.0, callers that do not close, targets that do not read.
 * @module
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { send } from "../support/client.ts";
import { ENDLESS_MESSAGES, expectedOf, OLD_HANDSHAKES, STATUSES } from "../support/exceptions.ts";
import { peakBytes, residentBytes } from "../support/flood.ts";
import { headBytes } from "../support/http.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { acceptOf, Acceptor, handshake, join } from "../support/websocket.ts";
import { frameOf, headOf, type Peer } from "../support/websocket-peer.ts";

const MEBIBYTE = 1_048_576;
const FLOOD_BYTES = 96 * MEBIBYTE;
/** Pings that come in one write. */
const PINGS = Buffer.concat(Array(500).fill(frameOf(9, Buffer.alloc(125), true, false)));
/** Milliseconds that a flood may take on a machine that does other things too. */
const FLOOD_MS = 40_000;
/** What buffers of the kernel, pings in flight and garbage may add; all their pongs would be four times as much. */
const SLACK_BYTES = 96 * MEBIBYTE;
/** A connection is let go within this many milliseconds of its target's. */
const PATIENCE_MS = 8_000;

/** Fragments that never end are sent until there are so many bytes of them. */
const ENDLESS_BYTES = 384 * MEBIBYTE;
const FRAGMENT_BYTES = 256 * 1024;

/** Declares the tests. */
export function describeWebSocketFaults(pool: Pool): void {
  const proxy = pool.with();
  // A proxy of its own: its memory is looked at.
  const measured = pool.with({ TIMEOUT_MS: "29997" });
  const endless = pool.with({ TIMEOUT_MS: "29996" });
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });

  it("a handshake by HTTP/1.0 asks for no WebSocket where the server tells", async () => {
    const seen = expectedOf(OLD_HANDSHAKES, pool.runtime, "200", { status: 200, upgrade: undefined });
    const fields = handshake({ Host: `127.0.0.1:${proxy.port}`, proxy_host: upstream.origin });
    const answer = await send(proxy.port, headBytes("GET /p HTTP/1.0", fields));
    expect({ status: answer.status, upgrade: upstream.request.header("upgrade") }).toEqual(seen);
  });

  it("a 101 by HTTP/1.0 switches to nothing", async () => {
    upstream.answer = (request, socket) => {
      const accept = acceptOf(request.header("sec-websocket-key") ?? "");
      const fields = { Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Accept": accept };
      socket.write(headBytes("HTTP/1.0 101 Switching Protocols", fields));
    };
    const answer = await proxy.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
    expect(answer.status).toBe(expectedOf(STATUSES, pool.runtime, "a 101 by HTTP/1.0", 502));
  });

  it("a caller that never answers a Close frame is let go", async () => {
    const target = new Acceptor(upstream);
    const { caller } = await join(proxy.port, "/", { proxy_host: upstream.origin });
    const ended = new Promise((resolve) => caller.socket.once("end", () => resolve("let go")));
    caller.socket.removeAllListeners("data").resume();
    target.peers[0]!.socket.resetAndDestroy();
    const outcome = await Promise.race([ended, sleep(PATIENCE_MS, "kept")]);
    expect(outcome).toBe("let go");
    caller.socket.destroy();
  });

  it.each([
    { from: "the caller", about: "fragments", size: FRAGMENT_BYTES },
    { from: "the target", about: "fragments", size: FRAGMENT_BYTES },
    { from: "the caller", about: "one frame", size: ENDLESS_BYTES },
    { from: "the target", about: "one frame", size: ENDLESS_BYTES },
  ])("a message of $from without an end costs little memory, in $about", async ({ from, size }) => {
    const acceptor = new Acceptor(upstream);
    const { caller } = await join(endless.port, "/", { proxy_host: upstream.origin });
    const target = acceptor.peers[0]!;
    const { pid = 0 } = endless.child.process;
    const before = await residentBytes(pid);
    const [sender, receiver] = from === "the caller" ? [caller, target] : [target, caller];
    receiver.socket.removeAllListeners("data").resume();
    const { sent, closed } = await pourFragments(sender, size);
    expect(endOf(sent, closed))
      .toBe(expectedOf(ENDLESS_MESSAGES, pool.runtime, from, "closed with 1009"));
    expect(await peakBytes(pid) - before).toBeLessThan(ENDLESS_BYTES / 2);
    sender.socket.destroy();
    await receiver.gone;
  }, FLOOD_MS);

  it("a target that pings on and reads nothing costs no memory", async () => {
    const target = new Acceptor(upstream);
    const { caller } = await join(measured.port, "/", { proxy_host: upstream.origin });
    const { pid = 0 } = measured.child.process;
    const before = await residentBytes(pid);
    caller.socket.pause();
    target.peers[0]!.socket.pause();
    await Promise.race([pour(target.peers[0]!), sleep(6_000)]);
    expect(await residentBytes(pid) - before).toBeLessThan(SLACK_BYTES);
    caller.socket.destroy();
  }, FLOOD_MS);
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
async function pour({ socket }: Peer): Promise<void> {
  for (let sent = 0; sent < FLOOD_BYTES && !socket.destroyed; sent += PINGS.length) {
    if (!socket.write(PINGS)) await once(socket, "drain").catch(() => {});
  }
}
