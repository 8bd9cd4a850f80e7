/** What has been read of a connection comes before the rest, and a connection that says nothing is closed. */
import { expect, it, vi } from "vitest";
import { readFirst, StartedConn } from "../../../src/runtimes/deno/started-connection.ts";
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

it("gives the first bytes, in pieces that fit, and then the rest", async () => {
  const conn = connOf(["abc", "de"]);
  const started = new StartedConn(conn, (await readFirst(conn, LIMIT_MS))!);
  const room = new Uint8Array(2);
  const read = async () => new TextDecoder().decode(room.subarray(0, (await started.read(room)) ?? 0));
  expect([await read(), await read(), await read(), await started.read(room)]).toEqual([
    "ab",
    "c",
    "de",
    null,
  ]);
  expect(conn.close).not.toHaveBeenCalled();
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

it("hands on what is written", async () => {
  const conn = connOf([]);
  const started = new StartedConn(conn, new Uint8Array());
  started.setNoDelay(true);
  await started.write(new Uint8Array(1));
  await started.closeWrite();
  started.close();
  expect([conn.setNoDelay, conn.write, conn.closeWrite, conn.close].map(({ mock }) => mock.calls.length))
    .toEqual([1, 1, 1, 1]);
});
