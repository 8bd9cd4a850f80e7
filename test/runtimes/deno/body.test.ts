/**
 * Uploads on Deno: read in large pieces, each into memory of its own.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { FlowBody } from "../../../src/http/flow.ts";
import type { Sink } from "../../../src/http/flow-pipe.ts";
import { createBody } from "../../../src/runtimes/deno/body.ts";

const MIB = 1024 * 1024;

/** A byte stream that fills whatever it is given, each byte other than the one before; its pieces are at most so large. */
class Source {
  readonly memories = new Set<number>();
  /** Reads into memory that somebody has used before. */
  used = 0;
  #sent = 0;
  readonly stream: ReadableStream<Uint8Array>;

  constructor(length: number, pieceBytes: number) {
    this.stream = new ReadableStream({
      type: "bytes",
      pull: (controller) => {
        const view = controller.byobRequest?.view as Uint8Array | undefined;
        if (!view) throw new Error("expected to be read into memory of the reader");
        const size = Math.min(view.byteLength, pieceBytes, length - this.#sent);
        this.memories.add(view.byteLength);
        if (view[0] || view[1]) this.used += 1;
        if (size === 0) controller.close();
        for (let i = 0; i < size; i += 1) view[i] = (this.#sent + i) % 251;
        this.#sent += size;
        controller.byobRequest!.respond(size);
      },
    });
  }
}

/** Keeps chunks for a while, as a slow connection does, and copies them only when they leave. */
class SlowSink implements Sink {
  readonly left: Uint8Array[] = [];
  #waiting: Uint8Array[] = [];
  #drain = () => {};
  readonly done: Promise<void>;
  #resolve = () => {};

  constructor() {
    this.done = new Promise((resolve) => (this.#resolve = resolve));
  }

  get writableLength(): number {
    return this.#waiting.reduce((sum, { length }) => sum + length, 0);
  }

  write(chunk: Uint8Array): boolean {
    this.#waiting.push(chunk);
    if (this.writableLength < MIB) return true;
    setTimeout(() => this.#flush(), 1);
    return false;
  }

  end(last?: Uint8Array): void {
    if (last) this.write(last);
    this.#flush();
    this.#resolve();
  }

  destroy(failure: Error): void {
    throw failure;
  }

  on(event: "drain" | "close", listener: () => void): void {
    if (event === "drain") this.#drain = listener;
  }

  #flush(): void {
    this.left.push(...this.#waiting.map((chunk) => chunk.slice()));
    this.#waiting = [];
    this.#drain();
  }
}

async function pipe(body: FlowBody): Promise<SlowSink> {
  const sink = new SlowSink();
  body.pipe(sink);
  await sink.done;
  return sink;
}

describe("an upload", () => {
  it.each([{ pieceBytes: Infinity }, { pieceBytes: 100_000 }, { pieceBytes: 1_000 }])(
    "arrives as it is from pieces of $pieceBytes bytes, though what is waiting shares no memory with what comes",
    async ({ pieceBytes }) => {
      const sink = await pipe(createBody(new Source(8 * MIB + 7, pieceBytes).stream));
      const bytes = Buffer.concat(sink.left);
      expect(bytes.length).toBe(8 * MIB + 7);
      expect(bytes.findIndex((byte, index) => byte !== index % 251)).toBe(-1);
    },
  );

  it("that is large is read into larger blocks, and a small one is not", async () => {
    const large = new Source(4 * MIB, Infinity);
    await pipe(createBody(large.stream));
    expect([...large.memories]).toEqual([65_536, 262_144]);
    const small = new Source(1_000_000, 5_000);
    await pipe(createBody(small.stream));
    expect([...small.memories]).toEqual([65_536]);
  });

  it("is read into memory that nobody has", async () => {
    const source = new Source(4 * MIB, Infinity);
    await pipe(createBody(source.stream));
    expect(source.used).toBe(0);
  });

  it("that has come already is read as it is", async () => {
    const stream = new Response("abc").body!;
    expect((await pipe(createBody(stream))).left).toEqual([new TextEncoder().encode("abc")]);
  });

  it("that breaks off is cut", async () => {
    const stream = new ReadableStream({ type: "bytes", pull: () => Promise.reject(new Error("gone")) });
    const sink = new SlowSink();
    const cut = new Promise<Error>((resolve) => (sink.destroy = resolve));
    createBody(stream).pipe(sink);
    expect(await cut).toMatchObject({ message: "gone" });
  });

  it("that nobody wants is given up", async () => {
    let reason: unknown;
    const stream = new ReadableStream({ type: "bytes", cancel: (given) => void (reason = given) });
    createBody(stream).cancel("enough");
    await expect.poll(() => reason).toBe("enough");
  });
});
