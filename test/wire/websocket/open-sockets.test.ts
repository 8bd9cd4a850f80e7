/** The open WebSockets of a server, which the proxy closes when it stops. */
import { expect, it, vi } from "vitest";
import { OpenSockets } from "../../../src/wire/websocket/open-sockets.ts";

it.each([1, 2])(
  "are told to go away, and whoever closes them waits until they are gone: %d times",
  async (times) => {
    const sockets = new OpenSockets(0);
    const socket = { place: -1, goAway: vi.fn(), look: () => {} };
    sockets.add(socket);
    let settled = 0;
    const closes = Array.from({ length: times }, () => sockets.close().then(() => (settled += 1)));
    await Promise.resolve();
    expect([socket.goAway.mock.calls.length, settled]).toEqual([times, 0]);
    sockets.delete(socket);
    await Promise.all(closes);
    await sockets.close();
    expect(settled).toBe(times);
  },
);
