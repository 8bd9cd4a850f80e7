/** Lines on their way out: in order, whole, and no more of them in memory than may wait. */
import { describe, expect, it, vi } from "vitest";
import { Output } from "../../../src/runtimes/process/output.ts";
import { rowsOf } from "../../support/rows.ts";

/** So many bytes as a line of this text takes. */
const LINE = "x".repeat(1023);
const MIB_LINES = 1024;

/** An outlet that takes what `take` says of each write. */
function createOutlet(take: (bytes: Uint8Array) => number | Promise<number>) {
  const told: string[] = [];
  const written: string[] = [];
  const output = new Output({
    async write(bytes) {
      const length = await take(bytes);
      written.push(Buffer.from(bytes.subarray(0, length)).toString());
      return length;
    },
    writeNow: (bytes) => void written.push(Buffer.from(bytes).toString()),
    tell: (state) => void told.push(state),
  }, 50);
  return { output, told, written: () => written.join("") };
}

function failWith(code: string): never {
  throw Object.assign(new Error(code), { code });
}

describe("output", () => {
  it("gathers lines", async () => {
    const writes: number[] = [];
    const { output, written } = createOutlet((bytes) => (writes.push(bytes.length), bytes.length));
    for (let line = 0; line < 60; line += 1) output.push("a");
    await expect.poll(written).toBe("a\n".repeat(60));
    expect(writes).toEqual([100, 20]);
  });

  it("goes on where a write has stopped, within a line too", async () => {
    const { output, written } = createOutlet(() => 2);
    output.push("abc");
    output.push("def");
    await expect.poll(written).toBe("abc\ndef\n");
  });

  it.each(rowsOf(["code", "told"], [
    ["EAGAIN", []],
    ["ENOSPC", [
      "fails (ENOSPC): its lines wait, and those beyond 16 MiB are dropped",
      "is back: 0 lines were dropped",
    ]],
  ]))("waits after $code, and loses nothing", async ({ code, told: expected }) => {
    const take = vi.fn((_bytes: Uint8Array): number => failWith(code));
    const { output, told, written } = createOutlet(take);
    output.push("first");
    await expect.poll(() => take.mock.calls.length).toBeGreaterThan(0);
    take.mockImplementation((bytes) => bytes.length);
    output.push("second");
    await expect.poll(written).toBe("first\nsecond\n");
    expect(told).toEqual(expected);
  });

  it("keeps 16 MiB for a reader who stalls, drops what is beyond, and tells how much", async () => {
    let go = () => {};
    const stalled = new Promise<void>((resolve) => (go = resolve));
    const { output, told, written } = createOutlet(async (bytes) => {
      await stalled;
      return bytes.length;
    });
    for (let line = 0; line < 20 * MIB_LINES; line += 1) output.push(LINE);
    await expect.poll(() => told).toEqual([
      "fails (nobody reads it): its lines wait, and those beyond 16 MiB are dropped",
    ]);
    go();
    await expect.poll(() => told[1]).toBeDefined();
    const lines = written().length / (LINE.length + 1);
    expect(lines).toBeGreaterThan(15.9 * MIB_LINES);
    expect(lines).toBeLessThanOrEqual(16 * MIB_LINES);
    expect(told[1]).toBe(`is back: ${20 * MIB_LINES - lines} lines were dropped`);
  });

  it("finishes with what waits", async () => {
    const { output, written } = createOutlet((bytes) => bytes.length);
    output.push("last");
    await output.finish();
    expect(written()).toBe("last\n");
  });

  it("gives up finishing after a second", async () => {
    const { output } = createOutlet(() => new Promise<number>(() => {}));
    output.push("last");
    await expect(output.finish()).resolves.toBeUndefined();
  });

  it("writes at the end of the process what nobody writes yet", () => {
    const { output, written } = createOutlet((bytes) => bytes.length);
    output.push("last");
    output.finishNow();
    expect(written()).toBe("last\n");
  });
});
