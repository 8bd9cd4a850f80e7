/**
 * Connections by `Bun.connect`, with its part played: what is kept of writes, and when `node:net` connects in its place.
 */
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConnectionOptions } from "../../../src/wire/client/connection-options.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Outgoing } from "../../../src/index.ts";
import { createHttpSender } from "../../../src/wire/client/sender.ts";
import { connectBun } from "../../../src/runtimes/bun/wire.ts";
import type { Wire } from "../../../src/wire/contract.ts";
import { waitFor } from "../../support/wait.ts";

/** What the handlers are given; only what is used. */
interface Handlers {
  open(socket: object): void;
  drain(socket: object): void;
  connectError(socket: object, failure: Error): void;
}
interface Attempt {
  socket: Handlers;
  data: Wire;
}

const OPTIONS: ConnectionOptions = {
  host: "a.test",
  port: 1,
  pool: "a",
  addresses: ["127.0.0.1"],
  route: undefined,
  target: "a.test:1",
};
const OUTGOING: Outgoing = {
  method: "GET",
  origin: new URL("http://a.test:1"),
  path: "/",
  headers: new Fields([["host", "a.test:1"]]),
  body: null,
  addresses: ["127.0.0.1"],
  signal: new AbortController().signal,
};
/** More than may be left waiting for their target. */
const MANY = 40;

let attempts: Attempt[] = [];

beforeEach(() => {
  attempts = [];
  const connect = (attempt: Attempt) => {
    attempts.push(attempt);
    return new Promise(() => {});
  };
  vi.stubGlobal("Bun", { connect });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function watch() {
  return { onOpen: vi.fn(), onBytes: vi.fn(), onDrain: vi.fn(), onClose: vi.fn() };
}

/** A connection whose system takes so many bytes at a time. */
function open(room: { bytes: number }) {
  const watching = watch();
  const wire = connectBun(OPTIONS, false, watching);
  const written: string[] = [];
  const { socket, data } = attempts.at(-1) as Attempt;
  const native = {
    data,
    setNoDelay() {},
    close() {},
    write(bytes: Uint8Array) {
      const taken = bytes.subarray(0, room.bytes);
      if (taken.length) written.push(Buffer.from(taken).toString("latin1"));
      room.bytes -= taken.length;
      return taken.length;
    },
  };
  socket.open(native);
  return { wire, written, watching, drain: () => socket.drain(native) };
}

describe("connectBun", () => {
  it("writes what the system takes, keeps the rest in order, and tells when it has left", () => {
    const room = { bytes: 4 };
    const { wire, written, watching, drain } = open(room);
    expect([wire.write("abc", "latin1"), wire.write(Buffer.from("def"))]).toEqual([true, false]);
    expect([wire.write("gh", "latin1"), wire.writableLength]).toEqual([false, 4]);
    room.bytes = 3;
    drain();
    expect([watching.onDrain.mock.calls.length, wire.writableLength]).toEqual([0, 1]);
    room.bytes = 100;
    drain();
    drain();
    expect([watching.onDrain.mock.calls.length, written.join("")]).toEqual([1, "abcdefgh"]);
  });

  it("tells of a failure that comes within Bun.connect, once somebody waits for the connection", async () => {
    const failure = new Error("no route");
    vi.stubGlobal("Bun", {
      connect({ socket, data }: Attempt) {
        socket.connectError({ data }, failure);
        return Promise.reject(failure);
      },
    });
    await expect(createHttpSender({ connect: connectBun })(OUTGOING)).rejects.toBe(failure);
  });

  it("tells of a target that refuses, however many do", async () => {
    for (let count = 0; count < MANY; count += 1) {
      const watching = watch();
      const wire = connectBun(OPTIONS, false, watching);
      watching.onClose.mockImplementation(() => wire.destroy());
      const { socket, data } = attempts.at(-1) as Attempt;
      socket.connectError({ data }, new Error("refused"));
      await Promise.resolve();
      expect(watching.onClose).toHaveBeenCalledOnce();
    }
    expect(attempts).toHaveLength(MANY);
  });

  it("is used no more while many that were given up wait for a target, and again when they are over", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const port = (server.address() as { port: number }).port;
    const wires = Array.from({ length: MANY }, () => connectBun({ ...OPTIONS, port }, false, watch()));
    for (const wire of wires) wire.destroy();
    expect(attempts).toHaveLength(MANY);
    const watching = watch();
    const other = connectBun({ ...OPTIONS, host: "127.0.0.1", port }, false, watching);
    expect(attempts).toHaveLength(MANY);
    await waitFor(() => expect(watching.onOpen).toHaveBeenCalledOnce());
    other.destroy();
    for (const { socket, data } of attempts.slice(1)) socket.connectError({ data }, new Error("refused"));
    const close = vi.fn();
    const { socket, data } = attempts[0] as Attempt;
    socket.open({ data, close });
    expect(close).toHaveBeenCalledOnce();
    connectBun(OPTIONS, false, watch());
    expect(attempts).toHaveLength(MANY + 1);
    server.close();
  });
});
