/** The first bytes of a connection over https; one that says nothing is closed. */
import { expect, it, vi } from "vitest";
import { readFirst } from "../../../src/runtimes/deno/listen.ts";
import type { Conn } from "../../../src/runtimes/deno/wire.ts";

const LIMIT_MS = 15_000;

/** A connection whose reads give these texts, then its end. */
function connOf(texts: string[], read?: Conn["read"]) {
  const give = (room: Uint8Array) => {
    const text = texts.shift();
    return Promise.resolve(text === undefined ? null : new TextEncoder().encodeInto(text, room).written);
  };
  return {
    read: vi.fn(read ?? give),
    close: vi.fn(),
    write: vi.fn(),
    closeWrite: vi.fn(),
    setNoDelay: vi.fn(),
  };
}

it("gives the bytes of the first read alone", async () => {
  const conn = connOf(["abc", "de"]);
  expect((await readFirst(conn, LIMIT_MS))?.toString()).toBe("abc");
  expect([conn.read.mock.calls.length, conn.close.mock.calls.length]).toEqual([1, 0]);
});

it.each([
  { about: "ends", read: () => Promise.resolve(null) },
  { about: "fails", read: () => Promise.reject(new Error("reset")) },
])("a connection that $about at once is closed", async ({ read }) => {
  const conn = connOf([], read);
  expect(await readFirst(conn, LIMIT_MS)).toBeUndefined();
  expect(conn.close).toHaveBeenCalledOnce();
});

it("a connection that says nothing is closed in time, once", async () => {
  vi.useFakeTimers();
  let fail!: (reason: Error) => void;
  const conn = connOf([], () => new Promise((_, reject) => void (fail = reject)));
  conn.close.mockImplementation(() => fail(new Error("closed")));
  const first = readFirst(conn, LIMIT_MS);
  vi.advanceTimersByTime(LIMIT_MS);
  vi.useRealTimers();
  expect(await first).toBeUndefined();
  expect(conn.close).toHaveBeenCalledOnce();
});
