/**
 * Which requests leave the parser of a `node:http` server, where the server asks.
 * @module
 */
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { leavesParser } from "../../../src/runtimes/node/websocket.ts";

describe("the parser", () => {
  it.each([
    { httpVersion: "1.1", upgrade: "websocket", leaves: true, seen: "websocket" },
    { httpVersion: "1.1", upgrade: "WebSocket", leaves: true, seen: "WebSocket" },
    { httpVersion: "1.1", upgrade: "h2c, websocket", leaves: true, seen: "h2c, websocket" },
    { httpVersion: "1.1", upgrade: "h2c", leaves: false, seen: "h2c" },
    { httpVersion: "1.1", upgrade: "websocket-x", leaves: false, seen: "websocket-x" },
    // The core does not know the version, so there it sees no offer.
    { httpVersion: "1.0", upgrade: "websocket", leaves: false, seen: undefined },
    { httpVersion: "1.0", upgrade: "h2c", leaves: false, seen: undefined },
  ])("is left by HTTP/$httpVersion with $upgrade: $leaves", ({ httpVersion, upgrade, leaves, seen }) => {
    const incoming = { httpVersion, headers: { upgrade } } as unknown as IncomingMessage;
    expect(leavesParser(incoming)).toBe(leaves);
    expect(incoming.headers.upgrade).toBe(seen);
  });
});
