/** A connection of Deno below TLS: it stops with its reader, sends everything in order, and is closed once. */
import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { carry } from "../../../src/runtimes/deno/secure-wire.ts";
import { waitFor } from "../../support/wait.ts";

/** A connection whose reads the test settles, and which takes so many bytes of each write. */
function connect({ taken = Infinity } = {}) {
  const reads: { room: Uint8Array; resolve(size: number | null): void; reject(failure: Error): void }[] = [];
  const written: string[] = [];
  const conn = {
    read: (room: Uint8Array) =>
      new Promise<number | null>((resolve, reject) => void reads.push({ room, resolve, reject })),
    write(bytes: Uint8Array) {
      const part = bytes.subarray(0, taken);
      written.push(Buffer.from(part).toString());
      return Promise.resolve(part.length);
    },
    closeWrite: vi.fn(() => Promise.resolve()),
    close: vi.fn(),
    setNoDelay: vi.fn(),
  };
  const carrier = carry(conn, "192.0.2.1");
  /** Settles the oldest read with these bytes. */
  const receive = (text: string) => {
    const { room, resolve } = reads.shift()!;
    room.set(Buffer.from(text));
    resolve(text.length);
  };
  return { carrier, conn, reads, written, receive };
}

describe("a connection below TLS", () => {
  it("hands out copies of what it reads, and its end", async () => {
    const { carrier, reads, receive } = connect();
    const seen: string[] = [];
    carrier.on("data", (bytes: Buffer) => seen.push(bytes.toString()));
    await waitFor(() => expect(reads).toHaveLength(1));
    receive("one");
    await waitFor(() => expect(reads).toHaveLength(1));
    receive("two");
    await waitFor(() => expect(reads).toHaveLength(1));
    reads[0]!.resolve(null);
    await once(carrier, "end");
    expect([seen, carrier.remoteAddress]).toEqual([["one", "two"], "192.0.2.1"]);
  });

  it("reads nothing while it is held, and goes on where it stopped", async () => {
    const { carrier, reads, receive } = connect();
    carrier.resume();
    await waitFor(() => expect(reads).toHaveLength(1));
    carrier.hold();
    receive("one");
    await once(carrier, "data");
    await new Promise(setImmediate);
    expect(reads).toEqual([]);
    carrier.goOn();
    carrier.goOn();
    expect(reads).toHaveLength(1);
  });

  it.each([{ taken: Infinity, written: ["a", "bcde"] }, { taken: 2, written: ["a", "bc", "de"] }])(
    "sends all, and what waits in one piece, where $taken bytes are taken at once",
    async ({ taken, written }) => {
      const given = connect({ taken });
      for (const text of ["a", "bcd", "e"]) given.carrier.write(text);
      given.carrier.end();
      await once(given.carrier, "finish");
      expect([given.written, given.conn.closeWrite.mock.calls.length]).toEqual([written, 1]);
      expect(given.carrier.wire.takenBytes).toBe(5);
    },
  );

  it("has no address behind a reset, and is closed", async () => {
    const { carrier, conn, reads } = connect();
    carrier.resume();
    await waitFor(() => expect(reads).toHaveLength(1));
    const closed = new Promise((resolve) => carrier.once("close", resolve));
    reads[0]!.reject(new Error("Connection reset by peer"));
    await closed;
    expect([carrier.remoteAddress, conn.close.mock.calls.length]).toEqual([undefined, 1]);
  });

  it("is closed once", async () => {
    const { carrier, conn } = connect();
    carrier.destroy();
    carrier.destroy();
    await once(carrier, "close");
    expect(conn.close).toHaveBeenCalledOnce();
  });
});
