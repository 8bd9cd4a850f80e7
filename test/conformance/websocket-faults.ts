/**
 * WebSockets whose sides do not do their part: callers of HTTP/1.0, callers that do not close, targets that do not read.
 * @module
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { send } from "../support/client.ts";
import { expectedOf, OLD_HANDSHAKES, SILENT_CALLERS, STATUSES } from "../support/exceptions.ts";
import { residentBytes } from "../support/flood.ts";
import { headBytes } from "../support/http.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { acceptOf, Acceptor, handshake, join } from "../support/websocket.ts";
import { frameOf, type Peer } from "../support/websocket-peer.ts";

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

/** Declares the tests. */
export function describeWebSocketFaults(pool: Pool): void {
  const proxy = pool.with();
  // A proxy of its own: its memory is looked at.
  const measured = pool.with({ TIMEOUT_MS: "29997" });
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });

  it("a handshake by HTTP/1.0 asks for no WebSocket where the server tells", async () => {
    const { status, upgrade } = OLD_HANDSHAKES[pool.runtime].instead;
    const fields = handshake({ Host: `127.0.0.1:${proxy.port}`, proxy_host: upstream.origin });
    const answer = await send(proxy.port, headBytes("GET /p HTTP/1.0", fields));
    expect(answer.status).toBe(status);
    expect(upstream.request.header("upgrade")).toBe(upgrade);
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
    expect(outcome).toBe(expectedOf(SILENT_CALLERS, pool.runtime, "no answer", "let go"));
    caller.socket.destroy();
  });

  it("a target that pings on and reads nothing costs no memory", async () => {
    const target = new Acceptor(upstream);
    const { caller } = await join(measured.port, "/", { proxy_host: upstream.origin });
    const { pid = 0 } = measured.proxy.process;
    const before = await residentBytes(pid);
    caller.socket.pause();
    target.peers[0]!.socket.pause();
    await Promise.race([pour(target.peers[0]!), sleep(6_000)]);
    expect(await residentBytes(pid) - before).toBeLessThan(SLACK_BYTES);
    caller.socket.destroy();
  }, FLOOD_MS);
}

/** Sends pings as fast as they are taken. */
async function pour({ socket }: Peer): Promise<void> {
  for (let sent = 0; sent < FLOOD_BYTES && !socket.destroyed; sent += PINGS.length) {
    if (!socket.write(PINGS)) await once(socket, "drain").catch(() => {});
  }
}
