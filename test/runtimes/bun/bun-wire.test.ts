/** Connections of Bun, with its socket played: which writes leave together, and that none is lost. */
import { describe, expect, it } from "vitest";
import { type BunSocket, BunWire } from "../../../src/runtimes/bun/bun-wire.ts";

const SHORT = "a".repeat(10);
const LONG = "b".repeat(5_000);

/** A wire whose socket notes the length of each write, and takes so many bytes at a time. */
function opened(room = Infinity) {
  const written: string[] = [];
  const socket = {
    setNoDelay() {},
    write(bytes: Uint8Array) {
      const taken = bytes.subarray(0, room);
      written.push(Buffer.from(taken).toString("latin1"));
      return taken.length;
    },
  };
  const wire = new BunWire({ onOpen() {}, onBytes() {}, onDrain() {}, onClose() {} });
  wire.adopt(socket as unknown as BunSocket);
  return { wire, written };
}

describe("what is corked together", () => {
  it.each([
    { about: "two short ones", pieces: [SHORT, SHORT], writes: [20] },
    { about: "head and long body", pieces: [SHORT, LONG], writes: [10, 5_000] },
    { about: "a chunk between its lines", pieces: [SHORT, LONG, SHORT], writes: [5_020] },
    { about: "a longer one between them", pieces: [SHORT, LONG + LONG, SHORT], writes: [10, 10_000, 10] },
    { about: "one", pieces: [LONG], writes: [5_000] },
    { about: "nothing", pieces: [], writes: [] },
  ])("is copied where that costs less than system calls: $about", ({ pieces, writes }) => {
    const { wire, written } = opened();
    wire.cork();
    for (const piece of pieces) wire.write(piece, "latin1");
    expect(written).toEqual([]);
    wire.uncork();
    expect(written.map(({ length }) => length)).toEqual(writes);
    expect(written.join("")).toBe(pieces.join(""));
  });

  it("counts as not sent", () => {
    const { wire } = opened();
    wire.cork();
    wire.write(SHORT, "latin1");
    wire.write(LONG, "latin1");
    expect(wire.writableLength).toBe(5_010);
    wire.uncork();
    expect(wire.writableLength).toBe(0);
  });

  it("waits for the outer cork, and keeps its order", () => {
    const { wire, written } = opened();
    wire.cork();
    wire.write("1", "latin1");
    wire.cork();
    wire.write("2", "latin1");
    wire.uncork();
    expect(written).toEqual([]);
    wire.write("3", "latin1");
    wire.uncork();
    expect(written).toEqual(["123"]);
  });

  it("stays in order behind what the system does not take yet", () => {
    const { wire, written } = opened(4);
    wire.write("123456", "latin1");
    wire.cork();
    wire.write("7", "latin1");
    wire.write("8", "latin1");
    wire.uncork();
    expect(wire.writableLength).toBe(4);
    wire.drained();
    expect([written.join(""), wire.writableLength]).toEqual(["12345678", 0]);
  });
});

describe("a write that fails, because the other side has reset the connection", () => {
  function broken() {
    const told: string[] = [];
    const socket = { setNoDelay() {}, write: () => -1 } as unknown as BunSocket;
    const wire = new BunWire({
      onOpen() {},
      onBytes: (bytes) => void told.push(bytes.toString()),
      onDrain() {},
      onClose: (failure) => void told.push(failure ? "failed" : "clean"),
      onWriteFailed: () => told.push("stop writing") > 0,
    });
    wire.adopt(socket);
    return { wire, socket, told };
  }

  it("is told once, does not end the reading, and is no clean end", async () => {
    const { wire, socket, told } = broken();
    wire.write(SHORT, "latin1");
    wire.drained();
    await Promise.resolve();
    wire.received(Buffer.from("said before"));
    wire.closed(socket);
    expect(told).toEqual(["stop writing", "said before", "failed"]);
  });

  it("loses nothing of what counts as not sent", () => {
    const { wire } = broken();
    expect([wire.write(SHORT, "latin1"), wire.writableLength]).toEqual([false, 10]);
  });
});

describe("a connection to a target", () => {
  /** A wire that dials, and sockets that tell what happens to them. */
  function dialling(...addresses: string[]) {
    const told: string[] = [];
    const wire = new BunWire({
      onOpen: () => void told.push("open"),
      onBytes() {},
      onDrain() {},
      onClose: (failure) => void told.push(`close ${failure?.message}`),
    });
    wire.dial(addresses, (address) => {
      told.push(`dial ${address}`);
      return Promise.reject(new Error("also told by an event"));
    });
    const make = (name: string) => {
      return { setNoDelay() {}, close: () => void told.push(`${name} closed`) } as unknown as BunSocket;
    };
    return { wire, told, make };
  }

  it("is the first that is made; nothing is heard of one that comes too late", () => {
    const { wire, told, make } = dialling("192.0.2.1", "192.0.2.2");
    const [first, late] = [make("first"), make("late")];
    wire.failed(new Error("refused"));
    wire.opened(first);
    wire.opened(late);
    wire.closed(late, new Error("late"));
    expect(told).toEqual(["dial 192.0.2.1", "dial 192.0.2.2", "open", "late closed"]);
    wire.closed(first, new Error("gone"));
    expect(told.at(-1)).toBe("close gone");
  });

  it("that nobody waits for any more is closed", () => {
    const { wire, told, make } = dialling("192.0.2.1");
    wire.destroy();
    wire.opened(make("it"));
    expect(told).toEqual(["dial 192.0.2.1", "it closed"]);
  });

  it("that fails is told behind everything that is still at work", async () => {
    const { wire, told } = dialling("192.0.2.1");
    wire.failed(new Error("refused"));
    expect(told).toEqual(["dial 192.0.2.1"]);
    await Promise.resolve();
    expect(told.at(-1)).toBe("close refused");
  });
});
