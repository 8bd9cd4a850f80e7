/**
 * Writes that fail on a socket of `node:net`: what has arrived is still read, and the end is no clean one.
 * @module
 */
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { watchSocket } from "../../src/wire/socket-wire.ts";

/** A socket whose writes fail in this way, and what its watch is told. */
function failing(code: string, readsOn: boolean) {
  const told: string[] = [];
  const socket = new Socket();
  socket._write = (_chunk, _coding, done) => done(Object.assign(new Error(code), { code }));
  watchSocket(socket, {
    onOpen() {},
    onBytes: (bytes) => void told.push(bytes.toString()),
    onDrain() {},
    onClose: (failure) => void told.push(failure ? "failed" : "clean"),
    onWriteFailed: () => readsOn,
  });
  return { socket, told };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a write that fails", () => {
  it.each(["EPIPE", "ECONNRESET"])(
    "as on a reset connection (%s) leaves what was said before",
    async (code) => {
      const { socket, told } = failing(code, true);
      Object.defineProperty(socket, "remoteAddress", { value: "127.0.0.1" });
      socket.write("upload");
      await turn();
      expect(socket.destroyed).toBe(false);
      socket.push("said before");
      socket.push(null);
      await turn();
      expect(told).toEqual(["said before", "failed"]);
      socket.destroy();
    },
  );

  it.each([
    { code: "EPIPE", readsOn: false, about: "nobody reads on" },
    { code: "EPROTO", readsOn: true, about: "that says nothing of a reset" },
  ])("ends the connection where $about", async ({ code, readsOn }) => {
    const { socket, told } = failing(code, readsOn);
    socket.write("upload");
    await turn();
    expect([socket.destroyed, told[0]]).toEqual([true, "failed"]);
  });
});
