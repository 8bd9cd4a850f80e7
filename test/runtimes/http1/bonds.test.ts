/**
 * Connections that belong to a caller's: who gets them, and when they end.
 * @module
 */
import { describe, expect, it, vi } from "vitest";
import { CallerBonds, giveBack } from "../../../src/runtimes/http1/bonds.ts";
import type { Connection } from "../../../src/runtimes/http1/connection.ts";

function fake() {
  const connection = { isGone: false, wait: vi.fn(), destroy: vi.fn(() => void (connection.isGone = true)) };
  return connection as typeof connection & Connection;
}

describe("a connection that belongs to a caller's", () => {
  it("is given for one request at a time, by its pool and its part", () => {
    const bonds = new CallerBonds();
    const connection = fake();
    bonds.keep("pool", connection);
    expect([bonds.take("other"), bonds.part("user").take("pool")]).toEqual([undefined, undefined]);
    expect(bonds.take("pool")).toBe(connection);
    expect(bonds.take("pool")).toBeUndefined();
    bonds.keep("pool", connection);
    expect(bonds.take("pool")).toBe(connection);
  });

  it("stays the one, whatever comes meanwhile", () => {
    const bonds = new CallerBonds();
    const [first, second] = [fake(), fake()];
    bonds.keep("pool", first);
    bonds.take("pool");
    bonds.keep("pool", second);
    expect([first.isGone, second.isGone]).toEqual([false, true]);
    bonds.keep("pool", first);
    expect(bonds.take("pool")).toBe(first);
  });

  it("leaves its place when it is gone", () => {
    const bonds = new CallerBonds();
    const [first, second] = [fake(), fake()];
    bonds.keep("pool", first);
    bonds.take("pool");
    giveBack(first, "pool", bonds, 0);
    expect(first.isGone).toBe(true);
    giveBack(second, "pool", bonds, 1);
    expect(bonds.take("pool")).toBe(second);
  });

  it("ends with it, at once or with its request", () => {
    const bonds = new CallerBonds();
    const [idle, busy] = [fake(), fake()];
    bonds.keep("idle", idle);
    bonds.part("user").keep("busy", busy);
    bonds.part("user").take("busy");
    bonds.end();
    expect([idle.isGone, busy.isGone]).toEqual([true, false]);
    bonds.part("user").keep("busy", busy);
    expect(busy.isGone).toBe(true);
  });

  it("is one of eight at most: the oldest idle one ends", () => {
    const bonds = new CallerBonds();
    const all = Array.from({ length: 9 }, fake);
    bonds.keep("0", all[0]!);
    bonds.take("0");
    for (const [at, connection] of all.slice(1).entries()) bonds.keep(String(at + 1), connection);
    expect(all.map(({ isGone }) => isGone)).toEqual([false, true, ...Array(7).fill(false)]);
  });

  it("ends with its response where nobody has lent bonds", () => {
    const connection = fake();
    giveBack(connection, "pool", undefined, 1);
    expect(connection.isGone).toBe(true);
  });
});
