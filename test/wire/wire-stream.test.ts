/**
 * A caller's connection as a stream: bytes pass both ways, no faster than each side takes them.
 * @module
 */
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { WireStream } from "../../src/wire/wire-stream.ts";
import { NotedWire } from "../support/caller-wire.ts";

function streamOf(rest?: string) {
  const wire = new NotedWire();
  wire.isPaused = false;
  const stream = new WireStream(wire, rest === undefined ? undefined : Buffer.from(rest));
  return { wire, stream };
}

describe("what arrives", () => {
  it("is not read before somebody reads", async () => {
    const { wire, stream } = streamOf();
    expect(wire.isPaused).toBe(true);
    stream.resume();
    await turn();
    expect(wire.isPaused).toBe(false);
  });

  it("comes behind what had arrived before", async () => {
    const { stream } = streamOf("one");
    stream.onBytes(Buffer.from("two"));
    stream.onClose(undefined);
    expect(Buffer.concat(await stream.toArray() as Buffer[]).toString()).toBe("onetwo");
  });

  it("is not read on while nobody takes it", async () => {
    const { wire, stream } = streamOf();
    stream.read();
    expect(wire.isPaused).toBe(false);
    stream.onBytes(Buffer.alloc(65_535));
    expect(wire.isPaused).toBe(false);
    stream.onBytes(Buffer.alloc(1));
    expect(wire.isPaused).toBe(true);
    stream.read();
    await turn();
    expect(wire.isPaused).toBe(false);
  });

  it("ends where the caller ends, and what is written still goes out", async () => {
    const { wire, stream } = streamOf();
    stream.resume();
    stream.onClose(undefined);
    stream.onClose(undefined);
    await once(stream, "end");
    expect(wire.isDestroyed).toBe(false);
    stream.write("bye");
    expect(wire.written).toBe("bye");
  });
});

describe("what is written", () => {
  it("is sent where the connection takes it at once and tells nothing", async () => {
    const { wire, stream } = streamOf();
    stream.write("one");
    stream.write("two");
    await turn();
    expect([wire.written, stream.writableLength]).toEqual(["onetwo", 0]);
  });

  it("goes to the connection, the next when that has sent the last", async () => {
    const { wire, stream } = streamOf();
    wire.keeps = true;
    const onSent = vi.fn();
    stream.write("one", onSent);
    stream.write("two");
    await turn();
    expect([wire.written, onSent.mock.calls.length]).toEqual(["one", 0]);
    stream.onDrain();
    await turn();
    expect([wire.written, onSent.mock.calls.length]).toEqual(["onetwo", 1]);
    stream.onDrain();
    stream.onDrain();
    await turn();
    expect(stream.writableLength).toBe(0);
  });

  it("waits in a stream that says when it has enough", async () => {
    const { wire, stream } = streamOf();
    wire.keeps = true;
    const onDrain = vi.fn();
    stream.on("drain", onDrain);
    expect(stream.write(Buffer.alloc(65_536))).toBe(false);
    await turn();
    expect(onDrain).not.toHaveBeenCalled();
    stream.onDrain();
    await turn();
    expect(onDrain).toHaveBeenCalledOnce();
  });

  it("ends with the sending side alone, once all has been sent", async () => {
    const { wire, stream } = streamOf();
    wire.keeps = true;
    stream.end("bye");
    await turn();
    expect([wire.written, wire.finished]).toEqual(["bye", []]);
    stream.onDrain();
    await turn();
    expect([wire.finished, wire.isDestroyed]).toEqual([[false], false]);
  });

  it("leaves nothing behind once both sides have ended", async () => {
    const { wire, stream } = streamOf();
    stream.resume();
    stream.end("bye");
    stream.onDrain();
    stream.onClose(undefined);
    await once(stream, "close");
    expect([wire.written, wire.finished, wire.isDestroyed]).toEqual(["bye", [false], true]);
  });
});

describe("a failure", () => {
  it("of the connection is seen by who reads", async () => {
    const { wire, stream } = streamOf("one");
    stream.onClose(new Error("gone"));
    await expect(stream.toArray()).rejects.toThrow("gone");
    expect(wire.isDestroyed).toBe(true);
  });

  it("of the connection is thrown at nobody where nobody reads yet", async () => {
    const { stream } = streamOf();
    stream.onClose(new Error("gone"));
    await turn();
    expect(stream.errored).toMatchObject({ message: "gone" });
  });

  it("of the other side ends the connection", async () => {
    const { wire, stream } = streamOf();
    stream.destroy();
    await once(stream, "close");
    expect([wire.isDestroyed, wire.finished]).toEqual([true, []]);
  });
});
