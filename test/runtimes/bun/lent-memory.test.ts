/**
 * Memory of large chunks on Bun: it is given back once all has been sent (see `loans.test.ts`), where it holds nothing else.
 * @module
 */
import { expect, it, vi } from "vitest";
import { LentMemory } from "../../../src/runtimes/bun/lent-memory.ts";

const LARGE = 65_536;

/** A chunk as Bun reads it, and what was done with its memory. */
function chunkOf(size: number, room = size) {
  const memory = new ArrayBuffer(room);
  const transfer = vi.fn();
  Object.assign(memory, { transfer });
  return { bytes: Buffer.from(memory, 0, size), transfer };
}

/** Behind everything that is still at work. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

it.each([
  { about: "a large one", chunk: chunkOf(LARGE), calls: [[0]] },
  { about: "a small one", chunk: chunkOf(LARGE - 1), calls: [] },
  { about: "one in shared memory", chunk: chunkOf(LARGE, 2 * LARGE), calls: [] },
])("the memory of a chunk is given back once it has been sent: $about, $calls", async ({ chunk, calls }) => {
  const memory = new LentMemory();
  const say = memory.begin();
  const handed: Buffer[] = [];
  memory.hand(chunk.bytes, { onBytes: (bytes) => void handed.push(bytes) });
  await settled();
  expect(chunk.transfer.mock.calls).toEqual([]);
  say(true);
  await settled();
  expect(handed[0]).toBe(chunk.bytes);
  expect(chunk.transfer.mock.calls).toEqual(calls);
});
