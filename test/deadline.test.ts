import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadline, Deadlines } from "../src/deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Deadlines of 100 ms, and which of them are over. */
function setUp(ms = 100) {
  const deadlines = new Deadlines(ms);
  const over: string[] = [];
  const create = (name: string) => new Deadline(deadlines, () => over.push(name));
  return { over, create };
}

describe("deadlines", () => {
  it("are over one by one, each in its own time", () => {
    const { over, create } = setUp();
    create("a").start();
    vi.advanceTimersByTime(60);
    create("b").start();
    vi.advanceTimersByTime(39);
    expect(over).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(over).toEqual(["a"]);
    vi.advanceTimersByTime(60);
    expect(over).toEqual(["a", "b"]);
  });

  it("begin anew with every start", () => {
    const { over, create } = setUp();
    const [a, b] = [create("a"), create("b")];
    a.start();
    b.start();
    vi.advanceTimersByTime(90);
    a.start();
    vi.advanceTimersByTime(50);
    expect(over).toEqual(["b"]);
    vi.advanceTimersByTime(50);
    expect(over).toEqual(["b", "a"]);
  });

  it("stand still while they are paused, and for good once they are stopped", () => {
    const { over, create } = setUp();
    const [a, b] = [create("a"), create("b")];
    a.start();
    b.start();
    a.pause();
    b.stop();
    vi.advanceTimersByTime(1_000);
    a.start();
    b.start();
    vi.advanceTimersByTime(1_000);
    expect(over).toEqual(["a"]);
  });

  it("leave no timer behind when none runs", () => {
    const { create } = setUp();
    const [a, b] = [create("a"), create("b")];
    a.start();
    b.start();
    a.stop();
    expect(vi.getTimerCount()).toBe(1);
    b.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("may start others while they expire", () => {
    const deadlines = new Deadlines(100);
    let again = 0;
    const second = new Deadline(deadlines, () => (again += 1));
    new Deadline(deadlines, () => second.start()).start();
    vi.advanceTimersByTime(100);
    expect(again).toBe(0);
    vi.advanceTimersByTime(100);
    expect(again).toBe(1);
  });

  it("never come with 0", () => {
    const { over, create } = setUp(0);
    create("a").start();
    vi.advanceTimersByTime(1e9);
    expect([over, vi.getTimerCount()]).toEqual([[], 0]);
  });
});
