/**
 * Memory of large chunks on Bun: it is given back once all has been sent, and stays otherwise.
 * @module
 */
import { describe, expect, it, vi } from "vitest";
import { LentMemory } from "../../../src/runtimes/bun/lent-memory.ts";

const LARGE = 65_536;
const IGNORED = { onBytes() {} };

/** A chunk as Bun reads it, and whether its memory has been given back. */
function chunkOf(size: number, room = size) {
  const memory = new ArrayBuffer(room);
  const transfer = vi.fn();
  Object.assign(memory, { transfer });
  return { bytes: Buffer.from(memory, 0, size), isBack: () => transfer.mock.calls.length > 0, transfer };
}

/** Behind everything that is still at work. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the memory of a chunk", () => {
  it.each([
    { about: "a large one", chunk: chunkOf(LARGE), isBack: true },
    { about: "a small one", chunk: chunkOf(LARGE - 1), isBack: false },
    { about: "one in shared memory", chunk: chunkOf(LARGE, 2 * LARGE), isBack: false },
  ])("is given back once it has been sent: $about, $isBack", async ({ chunk, isBack }) => {
    const memory = new LentMemory();
    const say = memory.begin();
    memory.hand(chunk.bytes, IGNORED);
    await settled();
    expect(chunk.isBack()).toBe(false);
    say(true);
    await settled();
    expect(chunk.isBack()).toBe(isBack);
  });

  it("is given back once, and leaves nothing", async () => {
    const memory = new LentMemory();
    const say = memory.begin();
    const chunk = chunkOf(LARGE);
    memory.hand(chunk.bytes, IGNORED);
    say(true);
    say(true);
    await settled();
    say(true);
    await settled();
    expect(chunk.transfer.mock.calls).toEqual([[0]]);
  });

  it("stays if more of its message was handed out, and has not been sent", async () => {
    const memory = new LentMemory();
    const say = memory.begin();
    const chunk = chunkOf(LARGE);
    memory.hand(chunk.bytes, {
      onBytes() {
        say(true);
        say(false);
      },
    });
    await settled();
    expect(chunk.isBack()).toBe(false);
    say(true);
    await settled();
    expect(chunk.isBack()).toBe(true);
  });

  it("stays while it is being handed out", () => {
    const memory = new LentMemory();
    const say = memory.begin();
    const chunk = chunkOf(LARGE);
    let wasBack = true;
    memory.hand(chunk.bytes, {
      onBytes() {
        say(true);
        wasBack = chunk.isBack();
      },
    });
    expect(wasBack).toBe(false);
  });

  it("stays where nobody says that its message has been sent", async () => {
    const memory = new LentMemory();
    memory.begin();
    const chunk = chunkOf(LARGE);
    memory.hand(chunk.bytes, IGNORED);
    const say = memory.begin();
    say(true);
    await settled();
    expect(chunk.isBack()).toBe(false);
  });

  it("of the next message stays whatever is said of the one before", async () => {
    const memory = new LentMemory();
    const say = memory.begin();
    memory.begin();
    const next = chunkOf(LARGE);
    memory.hand(next.bytes, IGNORED);
    say(true);
    await settled();
    expect(next.isBack()).toBe(false);
  });

  it("stays where the next message begins in it", async () => {
    const memory = new LentMemory();
    const say = memory.begin();
    const [whole, shared] = [chunkOf(LARGE), chunkOf(LARGE)];
    let sayNext!: (isSent: boolean) => void;
    memory.hand(whole.bytes, IGNORED);
    memory.hand(shared.bytes, { onBytes: () => void (sayNext = memory.begin()) });
    say(true);
    sayNext(true);
    await settled();
    expect([whole.isBack(), shared.isBack()]).toEqual([true, false]);
  });

  it("is left to the collector behind 4 more", async () => {
    const memory = new LentMemory();
    const say = memory.begin();
    const chunks = Array.from({ length: 5 }, () => chunkOf(LARGE));
    for (const { bytes } of chunks) memory.hand(bytes, IGNORED);
    say(true);
    await settled();
    expect(chunks.map(({ isBack }) => isBack())).toEqual([false, ...Array(4).fill(true)]);
  });
});
