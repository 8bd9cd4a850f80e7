/** Connections that `Deno.serve` has let go of, as streams, and callers on them that are silent. */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnStream, type RawConn } from "../../../src/runtimes/deno/released-connection.ts";
import { watchSilence } from "../../../src/wire/websocket/silence.ts";
import { frameOf } from "../../support/websocket-peer.ts";
import { waitFor } from "../../support/wait.ts";

const HEAD = Buffer.from("HTTP/1.1 101 Switching Protocols\r\n\r\n");

/** A connection that takes three bytes at once, and gives what it is given. */
class FakeConn implements RawConn {
  written = "";
  isClosed = false;
  #given: (string | Buffer | null)[] = [];
  #wake: () => void = () => {};

  give(next: string | Buffer | null): void {
    this.#given.push(next);
    this.#wake();
  }

  async read(room: Uint8Array): Promise<number | null> {
    while (this.#given.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    const next = this.#given.shift()!;
    if (next === null) return null;
    const bytes = Buffer.from(next as string);
    room.set(bytes);
    return bytes.length;
  }

  write(bytes: Uint8Array): Promise<number> {
    if (this.isClosed) return Promise.reject(new Error("closed"));
    const part = bytes.subarray(0, 3);
    this.written += Buffer.from(part).toString("latin1");
    return Promise.resolve(part.length);
  }

  close(): void {
    this.isClosed = true;
  }
}

describe("a connection", () => {
  it("gets its head, and then what is written, to the last byte", async () => {
    const conn = new FakeConn();
    const stream = new ConnStream(conn, HEAD);
    stream.write("hello");
    await new Promise<void>((resolve) => void stream.write(" there", () => resolve()));
    expect(conn.written).toBe(`${HEAD}hello there`);
  });

  it("gives what comes, each chunk in a memory of its own", async () => {
    const conn = new FakeConn();
    const stream = new ConnStream(conn, HEAD);
    conn.give("one");
    conn.give("two");
    conn.give(null);
    const chunks = await stream.toArray() as Buffer[];
    expect(Buffer.concat(chunks).toString()).toBe("onetwo");
  });

  it.each([
    { about: "has closed", last: frameOf(8, Buffer.from([3, 232]), true, true), waits: false },
    { about: "is gone", last: null, waits: false },
    { about: "has said nothing of it", last: frameOf(1, Buffer.from("x"), true, true), waits: true },
  ])("is closed at once where the caller $about: not $waits", async ({ last, waits }) => {
    const conn = new FakeConn();
    const stream = new ConnStream(conn, HEAD).resume();
    conn.give(last);
    await waitFor(() => expect(stream.readableLength + Number(conn.written.length < HEAD.length)).toBe(0));
    await new Promise(setImmediate);
    stream.end();
    const closed = once(stream, "close");
    expect(await Promise.race([closed.then(() => false), sleep(500, true)])).toBe(waits);
    await closed;
    expect(conn.isClosed).toBe(true);
  });

  it("that fails is over, and nothing is thrown", async () => {
    const conn = new FakeConn();
    conn.close();
    const stream = new ConnStream(conn, HEAD);
    await new Promise((resolve) => stream.once("close", resolve));
    expect(stream.errored).toMatchObject({ message: "closed" });
  });
});

describe("a silent caller", () => {
  const ping = vi.fn(() => true);
  let stream: PassThrough;
  beforeEach(() => {
    vi.useFakeTimers();
    ping.mockClear();
    stream = new PassThrough();
    watchSilence(stream, { ping });
  });
  afterEach(() => {
    stream.destroy();
    vi.useRealTimers();
  });

  it("is pinged, and gone where it does not answer", async () => {
    await vi.advanceTimersByTimeAsync(119_000);
    expect(ping).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ping).toHaveBeenCalledOnce();
    expect(stream.destroyed).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([stream.destroyed, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it("stays where it answers", async () => {
    await vi.advanceTimersByTimeAsync(121_000);
    stream.write("pong");
    await vi.advanceTimersByTimeAsync(61_000);
    expect(stream.destroyed).toBe(false);
    expect(ping).toHaveBeenCalledOnce();
  });

  it("is not blamed where nobody reads it", async () => {
    stream.pause();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(ping).not.toHaveBeenCalled();
    expect(stream.destroyed).toBe(false);
  });
});
