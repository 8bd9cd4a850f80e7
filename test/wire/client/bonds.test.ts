/**
 * Connections that belong to a caller's: by pool and part, how many, and when they end.
 * @module
 */
import { describe, expect, it, vi } from "vitest";
import { CallerBonds } from "../../../src/wire/client/bonds.ts";
import type { Connection } from "../../../src/wire/client/connection.ts";

function fake(pool: string, state: Partial<Pick<Connection, "isBusy" | "isGone">> = {}) {
  const connection = {
    pool,
    isBusy: false,
    isGone: false,
    keep() {},
    destroy: vi.fn(() => void (connection.isGone = true)),
    ...state,
  };
  return connection as typeof connection & Connection;
}

describe("a connection that belongs to a caller's", () => {
  it("is given by its pool and its part, while no request is on it", () => {
    const bonds = new CallerBonds();
    const connection = fake("pool");
    bonds.keep(connection);
    expect([bonds.take("other"), bonds.part("user").take("pool")]).toEqual([undefined, undefined]);
    expect(bonds.take("pool")).toBe(connection);
    connection.isBusy = true;
    expect(bonds.take("pool")).toBeUndefined();
  });

  it("leaves its place when it is gone", () => {
    const bonds = new CallerBonds();
    const [first, second] = [fake("pool"), fake("pool")];
    bonds.keep(first);
    first.isGone = true;
    expect(bonds.take("pool")).toBeUndefined();
    bonds.keep(second);
    expect(bonds.take("pool")).toBe(second);
  });

  it("ends with it, at once or with its request; not if it was handed over", () => {
    const bonds = new CallerBonds();
    const [idle, busy, released] = [fake("idle"), fake("busy"), fake("released")];
    for (const one of [idle, released]) bonds.keep(one);
    bonds.part("user").keep(busy);
    busy.isBusy = true;
    released.isGone = true;
    bonds.end();
    expect([idle, busy, released].map(({ destroy }) => destroy.mock.calls.length)).toEqual([1, 0, 0]);
    bonds.part("user").keep(busy);
    expect(busy.isGone).toBe(true);
  });

  it("is one of eight at most: the oldest without a request ends, and those that are gone do not count", () => {
    const bonds = new CallerBonds();
    const all = Array.from({ length: 10 }, (_, at) => fake(String(at)));
    for (const [at, connection] of all.entries()) {
      bonds.keep(connection);
      all[0]!.isBusy = true;
      all[1]!.isGone = true;
      expect(all.filter(({ destroy }) => destroy.mock.calls.length > 0)).toEqual(at < 9 ? [] : [all[2]]);
    }
  });
});
