/**
 * TLS connections that are paused, on Node. On every runtime: `test/conformance/secure-targets.ts`.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { createServer, type Server } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectPausable } from "../../../src/wire/tls/pausable-tls.ts";
import { mint } from "../../support/mint.ts";

const SIZE = 1_000_000;

let server: Server;
beforeAll(async () => {
  server = createServer(mint({ names: ["localhost"] }), (socket) => void socket.end(Buffer.alloc(SIZE)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

it.each([{ about: "its own connection", isGiven: false }, { about: "one that is given", isGiven: true }])(
  "gets all bytes and the end by $about, paused after each chunk",
  async ({ isGiven }) => {
    const place = { host: "127.0.0.1", port: (server.address() as AddressInfo).port };
    const socket = connectPausable({
      ...(isGiven ? { socket: connect(place) } : place),
      rejectUnauthorized: false,
    });
    let size = 0;
    socket.on("data", (bytes: Buffer) => {
      size += bytes.length;
      socket.pause();
      setTimeout(() => socket.resume(), 1);
    });
    await once(socket, "end");
    expect(size).toBe(SIZE);
  },
);
