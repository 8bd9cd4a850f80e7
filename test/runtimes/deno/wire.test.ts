/** Connections of Deno, with its part played: what leaves together, what waits, and memory that is used again. */
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { type Conn, DenoWire } from "../../../src/runtimes/deno/wire.ts";

/** A connection that gives what the test says, and takes so many bytes at once while it is let. */
class FakeConn implements Conn {
  /** What each write was given, and took. */
  readonly writes: string[] = [];
  /** The memory of each read. */
  readonly rooms: ArrayBufferLike[] = [];
  readonly told: string[] = [];
  takes = Infinity;
  #given: ((room: Uint8Array) => number | null)[] = [];
  #read: (() => void) | undefined;
  #fail: ((failure: Error) => void) | undefined;
  #held: (() => void)[] | undefined;

  async read(room: Uint8Array): Promise<number | null> {
    this.rooms.push(room.buffer);
    if (this.#given.length === 0) {
      await new Promise<void>((resolve, reject) => {
        this.#read = resolve;
        this.#fail = reject;
      });
    }
    return this.#given.shift()!(room);
  }

  async write(bytes: Uint8Array): Promise<number> {
    const taken = bytes.subarray(0, this.takes);
    this.writes.push(Buffer.from(taken).toString("latin1"));
    if (this.#held) await new Promise<void>((resolve) => this.#held?.push(resolve));
    return taken.length;
  }

  closeWrite(): Promise<void> {
    this.told.push("close write");
    return Promise.resolve();
  }

  close(): void {
    this.told.push("close");
    this.#fail?.(new Error("bad resource"));
  }

  setNoDelay(isOn: boolean): void {
    this.told.push(`no delay ${isOn}`);
  }

  /** Fills the room of a read, as far as it goes, and waits until it has been taken. */
  give(size: number, byte = 120): Promise<void> {
    return this.#give((room) => room.fill(byte, 0, size).subarray(0, size).length);
  }

  end(): Promise<void> {
    return this.#give(() => null);
  }

  fail(failure: Error): Promise<void> {
    this.#fail?.(failure);
    return turn();
  }

  /** Writes fail from now on, as those on a connection do that was reset. */
  break(failure: Error): void {
    this.write = () => Promise.reject(failure);
  }

  /** Writes take as long as the test says. */
  hold(): void {
    this.#held = [];
  }

  release(): Promise<void> {
    for (const resolve of this.#held?.splice(0) ?? []) resolve();
    return turn();
  }

  #give(fill: (room: Uint8Array) => number | null): Promise<void> {
    this.#given.push(fill);
    this.#read?.();
    return turn();
  }
}

function open({ roomBytes = 4_096, isHalfOpen = true, readsOn = false } = {}) {
  const chunks: Buffer[] = [];
  const watch = {
    onOpen() {},
    onBytes: vi.fn((bytes: Buffer): void => void chunks.push(bytes)),
    onDrain: vi.fn(),
    onClose: vi.fn(),
    ...(readsOn && { onWriteFailed: () => true }),
  };
  const conn = new FakeConn();
  const wire = new DenoWire(watch, { roomBytes, fullBlocks: 2, isHalfOpen });
  wire.adopt(conn);
  wire.resume();
  /** Reads a chunk of so many bytes, and returns it. */
  const take = async (size: number, byte?: number) => {
    await conn.give(size, byte);
    return chunks.at(-1)!;
  };
  return { conn, wire, watch, chunks, take };
}

const lengths = ({ writes }: FakeConn) => writes.map(({ length }) => length);

it("a connection sends small packets at once", () => expect(open().conn.told).toEqual(["no delay true"]));

describe("a write that fails", () => {
  const failure = new Error("reset");

  it("does not end the reading where somebody reads on, and the end is no clean one", async () => {
    const { conn, wire, watch, take } = open({ isHalfOpen: false, readsOn: true });
    conn.break(failure);
    wire.write("upload");
    await turn();
    expect([watch.onClose.mock.calls, wire.writableLength]).toEqual([[], 0]);
    expect(await take(5)).toHaveLength(5);
    await conn.end();
    expect(watch.onClose.mock.calls).toEqual([[failure]]);
    expect(conn.told).toContain("close");
  });

  it("ends the connection where nobody does", async () => {
    const { conn, wire, watch } = open();
    conn.break(failure);
    wire.write("answer");
    await turn();
    expect([watch.onClose.mock.calls, conn.told.includes("close")]).toEqual([[[failure]], true]);
  });
});

describe("what is written", () => {
  it("leaves in one piece where it was corked, and small chunks together", async () => {
    const { conn, wire } = open();
    wire.cork();
    wire.write("\xe9");
    wire.write(Buffer.from("b"));
    wire.cork();
    wire.uncork();
    await turn();
    expect(conn.writes).toEqual([]);
    wire.uncork();
    await turn();
    expect(conn.writes).toEqual(["\xe9b"]);
  });

  it("is joined with what was written while the last was on its way", async () => {
    const { conn, wire } = open();
    conn.hold();
    for (const text of ["a", "b", "c"]) wire.write(text);
    expect(conn.writes).toEqual(["a"]);
    await conn.release();
    expect(conn.writes).toEqual(["a", "bc"]);
  });

  it.each([
    { about: "small ones up to 16 KiB", sizes: [10_000, 6_384, 1], writes: [16_384, 1] },
    { about: "a large one alone", sizes: [1, 20_000, 1, 2], writes: [1, 20_000, 3] },
    { about: "large ones alone", sizes: [20_000, 20_000], writes: [20_000, 20_000] },
  ])("is joined or not: $about", async ({ sizes, writes }) => {
    const { conn, wire } = open();
    wire.cork();
    for (const size of sizes) wire.write(Buffer.alloc(size));
    wire.uncork();
    await turn();
    expect(lengths(conn)).toEqual(writes);
  });

  it("leaves to the last byte, in as many writes as it takes", async () => {
    const { conn, wire, watch } = open();
    conn.takes = 3;
    wire.cork();
    for (const text of ["abc", "def", "gh"]) wire.write(text);
    wire.uncork();
    await turn();
    expect(conn.writes).toEqual(["abc", "def", "gh"]);
    expect(watch.onDrain).toHaveBeenCalledOnce();
  });

  it("is told to have been sent when all has been", async () => {
    const { conn, wire, watch } = open();
    conn.hold();
    wire.write("abc");
    wire.write("de");
    expect(wire.writableLength).toBe(5);
    await conn.release();
    expect([wire.writableLength, watch.onDrain.mock.calls.length]).toEqual([2, 0]);
    await conn.release();
    expect([wire.writableLength, watch.onDrain.mock.calls.length]).toEqual([0, 1]);
    wire.write("f");
    await conn.release();
    expect(watch.onDrain).toHaveBeenCalledTimes(2);
  });

  it("asks for a wait from 256 KiB on", () => {
    const { conn, wire } = open();
    conn.hold();
    expect([wire.write(Buffer.alloc(262_143)), wire.write("x")]).toEqual([true, false]);
  });

  it("goes nowhere once it is destroyed", async () => {
    const { conn, wire, watch } = open();
    conn.hold();
    wire.write("abc");
    wire.write("def");
    wire.destroy();
    wire.destroy();
    expect([wire.write("ghi"), wire.writableLength]).toEqual([true, 0]);
    await conn.release();
    expect(conn.writes).toEqual(["abc"]);
    expect(conn.told).toEqual(["no delay true", "close"]);
    expect([watch.onDrain.mock.calls, watch.onClose.mock.calls]).toEqual([[], []]);
  });
});

describe("what arrives", () => {
  it("is read one after the other", async () => {
    const { take, conn } = open();
    expect([(await take(3, 97)).toString(), (await take(2, 98)).toString()]).toEqual(["aaa", "bb"]);
    expect(conn.rooms).toHaveLength(3);
  });

  it("is not read while it is paused, but for the read that waits", async () => {
    const { wire, chunks, take, conn } = open();
    wire.pause();
    await take(1);
    expect([chunks.length, conn.rooms.length]).toEqual([1, 1]);
    void conn.give(1);
    await turn();
    expect([chunks.length, conn.rooms.length]).toEqual([1, 1]);
    wire.resume();
    await turn();
    expect([chunks.length, conn.rooms.length]).toEqual([2, 3]);
  });

  it("is read once at a time, however often it is resumed", async () => {
    const { wire, watch, take, conn } = open();
    wire.pause();
    wire.resume();
    wire.resume();
    expect(conn.rooms).toHaveLength(1);
    watch.onBytes.mockImplementationOnce(() => {
      wire.pause();
      wire.resume();
    });
    await take(1);
    expect(conn.rooms).toHaveLength(2);
  });

  it("tells of a failure, and ends", async () => {
    const { conn, watch, wire } = open();
    const failure = new Error("reset");
    await conn.fail(failure);
    expect(watch.onClose.mock.calls).toEqual([[failure]]);
    wire.resume();
    expect([conn.told.at(-1), conn.rooms.length]).toEqual(["close", 1]);
  });

  it("tells of no failure where it was destroyed here", async () => {
    const { wire, watch } = open();
    wire.destroy();
    await turn();
    expect(watch.onClose).not.toHaveBeenCalled();
  });

  it("is not read after the end", async () => {
    const { conn, wire, watch } = open();
    await conn.end();
    wire.resume();
    await turn();
    expect([conn.rooms.length, watch.onClose.mock.calls]).toEqual([1, [[undefined]]]);
  });

  it("comes no more where it was destroyed while it was read", async () => {
    const { wire, watch, take, conn } = open();
    watch.onBytes.mockImplementationOnce(() => wire.destroy());
    await take(1);
    expect([conn.rooms.length, watch.onBytes.mock.calls.length]).toEqual([1, 1]);
  });
});

describe("the end", () => {
  it.each([
    { about: "the whole connection", isWhole: true, told: ["close write", "close"] },
    { about: "the sending side", isWhole: false, told: ["close write"] },
  ])("of $about comes when all has been sent", async ({ isWhole, told }) => {
    const { conn, wire, watch } = open();
    conn.hold();
    wire.write("abc");
    wire.write("de");
    wire.finish(isWhole);
    await conn.release();
    expect(conn.told.slice(1)).toEqual([]);
    await conn.release();
    await turn();
    expect([conn.writes, conn.told.slice(1)]).toEqual([["abc", "de"], told]);
    expect(watch.onDrain).not.toHaveBeenCalled();
  });

  it.each([
    { about: "the whole connection", isWhole: true, told: ["close write", "close"] },
    { about: "the sending side", isWhole: false, told: ["close write"] },
  ])("of $about comes at once where nothing waits", async ({ isWhole, told }) => {
    const { conn, wire } = open();
    wire.finish(isWhole);
    await turn();
    expect(conn.told.slice(1)).toEqual(told);
  });

  it("of the sending side goes on reading, and the caller's own ends it all", async () => {
    const { conn, wire, take } = open();
    wire.finish(false);
    expect((await take(1, 97)).toString()).toBe("a");
    await conn.end();
    await turn();
    expect(conn.told.slice(1)).toEqual(["close write", "close"]);
  });

  it("of the caller's side leaves what is to be sent", async () => {
    const { conn, wire, watch } = open();
    await conn.end();
    expect([watch.onClose.mock.calls, conn.told.slice(1)]).toEqual([[[undefined]], []]);
    wire.write("abc");
    await turn();
    expect(conn.writes).toEqual(["abc"]);
    wire.finish(false);
    await turn();
    expect(conn.told.slice(1)).toEqual(["close write", "close"]);
  });

  it("of the caller's side waits for what is being sent", async () => {
    const { conn, wire } = open();
    conn.hold();
    wire.write("abc");
    wire.finish(false);
    await conn.end();
    expect(conn.told.slice(1)).toEqual([]);
    await conn.release();
    await turn();
    expect(conn.told.slice(1)).toEqual(["close write", "close"]);
  });

  it("of the other side ends a connection that is not used half open", async () => {
    const { conn, watch } = open({ isHalfOpen: false });
    await conn.end();
    expect([watch.onClose.mock.calls, conn.told.slice(1)]).toEqual([[[undefined]], ["close"]]);
  });

  it.each([
    { about: "cut", end: (wire: DenoWire) => wire.cut() },
    { about: "destroyed", end: (wire: DenoWire) => wire.destroy() },
  ])("is at once where it is $about", ({ end }) => {
    const { conn, wire } = open();
    conn.hold();
    wire.write("abc");
    end(wire);
    expect(conn.told.slice(1)).toEqual(["close"]);
  });
});
