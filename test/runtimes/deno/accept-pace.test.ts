/** Whose turn it is on Deno: in order, few at once, and no place is lost. */
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Admission } from "../../../src/runtimes/deno/accept-pace.ts";
import { type Conn, DenoWire } from "../../../src/runtimes/deno/wire.ts";

/** The timers that were set: time passes when a test says so, since a busy machine takes longer than a slow target. */
const timers = vi.hoisted((): (() => void)[] => []);
vi.mock("node:timers", () => ({ setTimeout: (run: () => void) => timers.push(run) }));

const AT_ONCE = 32;

beforeEach(pass);

/** Lets the time of slow targets pass, and leaves no timer behind. */
function pass(): void {
  for (let run = timers.shift(); run; run = timers.shift()) run();
}

/** Fills every place. */
function fill(): Admission[] {
  const taken = Array.from({ length: AT_ONCE }, () => new Admission());
  for (const each of taken) expect(each.enter()).toBeUndefined();
  return taken;
}

it("lets those who wait go on in order, each as one before it is answered", async () => {
  const taken = fill();
  const order: string[] = [];
  const first = new Admission();
  const second = new Admission();
  const gone = [
    first.enter()!.then(() => order.push("first")),
    second.enter()!.then(() => order.push("second")),
  ];
  taken[7]!.leave();
  await gone[0];
  expect(order).toEqual(["first"]);
  taken[0]!.leave();
  await gone[1];
  expect(order).toEqual(["first", "second"]);
  for (const each of [...taken, first, second]) each.leave();
});

it("holds nobody up for targets that take long", async () => {
  const taken = fill();
  const next = new Admission();
  const admitted = next.enter();
  expect(timers).toHaveLength(1);
  pass();
  await admitted;
  for (const each of [...taken, next]) each.leave();
  // What was left behind counts once: every place is free again.
  for (const each of fill()) each.leave();
});

it("lets one that was taken up read on", () => {
  const taken = fill();
  expect(taken[0]!.enter()).toBeUndefined();
  for (const each of taken) each.leave();
});

describe("a connection", () => {
  function open() {
    const admission = new Admission();
    const watch = { onOpen() {}, onBytes: vi.fn(), onDrain() {}, onClose() {} };
    const wire = new DenoWire(watch, { roomBytes: 16, fullBlocks: 2, isHalfOpen: true, admission });
    const never = new Promise<number>(() => {});
    const conn = {
      read: vi.fn().mockResolvedValueOnce(1).mockReturnValue(never),
      write: (bytes: Uint8Array) => Promise.resolve(bytes.length),
      closeWrite: () => never,
      setNoDelay() {},
      close() {},
    };
    wire.adopt(conn as unknown as Conn);
    wire.resume();
    return { wire, watch };
  }

  it("hands out nothing before its turn", async () => {
    const taken = fill();
    const { wire, watch } = open();
    await turn();
    expect(watch.onBytes).not.toHaveBeenCalled();
    taken[0]!.leave();
    await turn();
    expect(watch.onBytes).toHaveBeenCalledOnce();
    for (const each of taken) each.leave();
    wire.destroy();
    for (const each of fill()) each.leave();
  });

  it("gives its place back with its answer", async () => {
    const { wire } = open();
    await turn();
    wire.write("answer");
    for (const each of fill()) each.leave();
    wire.destroy();
  });

  it("that is destroyed while it waits takes no place", async () => {
    const taken = fill();
    const { wire, watch } = open();
    await turn();
    wire.destroy();
    for (const each of taken) each.leave();
    await turn();
    expect(watch.onBytes).not.toHaveBeenCalled();
    for (const each of fill()) each.leave();
  });
});
