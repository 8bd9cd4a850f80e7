/**
 * WebSockets whose sides do not do their part: callers of HTTP/1.0, callers that do not close, targets that do not read.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Pool } from "../support/topic.ts";
import { acceptOf, Acceptor, expectedOf, handshake, headBytes, join } from "../support/topic.ts";
import { OLD_HANDSHAKES, send, STATUSES, useUpstream } from "../support/topic.ts";

/** A connection is let go within this many milliseconds of its target's. */
const PATIENCE_MS = 20_000;

export function describeWebSocketFaults(pool: Pool): void {
  const proxy = pool.with();
  const upstream = useUpstream();

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
    expect(await Promise.race([ended, sleep(PATIENCE_MS, "kept")])).toBe("let go");
    caller.socket.destroy();
  });
}
