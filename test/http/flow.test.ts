/**
 * The flow of a body: pushed in as it comes, read once, never faster than its reader, and cut where it must be.
 * @module
 */
import { describe, expect, it, vi } from "vitest";
import { FlowBody, type Sink } from "../../src/http/flow.ts";

/** A source that notes what it is told. */
function sourced() {
  const told: unknown[] = [];
  const body = new FlowBody({
    pause: () => void told.push("pause"),
    resume: () => void told.push("resume"),
    cancel: (reason) => void told.push(["cancel", reason]),
  });
  return { body, told };
}

/** A sink that notes what it is given; it takes so many chunks before it wants to wait. */
class NotedSink implements Sink {
  readonly given: string[] = [];
  readonly listeners: Record<string, () => void> = {};
  room: number;

  constructor(room = Infinity) {
    this.room = room;
  }

  write(chunk: Uint8Array): boolean {
    this.given.push(textOf(chunk));
    this.room -= 1;
    return this.room > 0;
  }

  end(last?: Uint8Array): void {
    this.given.push(`${last ? textOf(last) : ""}.`);
  }

  destroy(failure: Error): void {
    this.given.push(`!${failure.message}`);
  }

  on(event: "drain" | "close", listener: () => void): void {
    this.listeners[event] = listener;
  }
}

function textOf(chunk: Uint8Array): string {
  return new TextDecoder().decode(chunk);
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

describe("a body that is piped", () => {
  it("goes out chunk by chunk, its last one with the end", () => {
    const { body, told } = sourced();
    const sink = new NotedSink();
    body.pipe(sink);
    body.push(bytes("a"));
    body.push(bytes("b"), true);
    expect(sink.given).toEqual(["a", "b."]);
    expect(told).toEqual(["resume"]);
  });

  it("goes out whole where it came before its reader", () => {
    const { body } = sourced();
    body.push(bytes("a"));
    body.push(bytes("b"));
    body.end();
    const sink = new NotedSink();
    body.pipe(sink);
    expect(sink.given).toEqual(["a", "b."]);
  });

  it("is empty where nothing came", () => {
    const { body } = sourced();
    body.end();
    const sink = new NotedSink();
    body.pipe(sink);
    expect(sink.given).toEqual(["."]);
  });

  it.each([{ when: "before" }, { when: "after" }])("is cut by what failed $when it was read", ({ when }) => {
    const { body } = sourced();
    const sink = new NotedSink();
    body.push(bytes("a"));
    const steps = { before: [() => body.end(new Error("cut")), () => body.pipe(sink)] };
    const order = when === "before" ? steps.before : steps.before.toReversed();
    for (const step of order) step();
    expect(sink.given).toEqual(["a", "!cut"]);
  });

  it("waits for its sink", () => {
    const { body, told } = sourced();
    const sink = new NotedSink(1);
    body.pipe(sink);
    body.push(bytes("a"));
    expect(told).toEqual(["resume", "pause"]);
    sink.room = 2;
    sink.listeners["drain"]?.();
    expect(told).toEqual(["resume", "pause", "resume"]);
    body.push(bytes("b"));
    expect(sink.given).toEqual(["a", "b"]);
  });

  it("is given up when its sink closes, and not twice", () => {
    const { body, told } = sourced();
    const sink = new NotedSink();
    const onEnd = vi.fn();
    body.watch({ maxBytes: 0, stalled: () => new Error(), tooLarge: () => new Error(), onEnd });
    body.pipe(sink);
    sink.listeners["close"]?.();
    sink.listeners["close"]?.();
    body.push(bytes("late"));
    expect(told).toEqual(["resume", ["cancel", undefined]]);
    expect(sink.given).toEqual([]);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it("is not given up when its sink closes after the end", () => {
    const { body, told } = sourced();
    const sink = new NotedSink();
    body.pipe(sink);
    body.push(bytes("a"), true);
    sink.listeners["close"]?.();
    expect(told).toEqual(["resume"]);
  });
});

describe("a body that nobody reads yet", () => {
  it("is paused at 64 KiB", () => {
    const { body, told } = sourced();
    body.push(new Uint8Array(65_535));
    expect(told).toEqual([]);
    body.push(new Uint8Array(1));
    expect(told).toEqual(["pause"]);
  });

  it("is given up, which its watch is told", () => {
    const { body, told } = sourced();
    const onEnd = vi.fn();
    body.watch({ maxBytes: 0, stalled: () => new Error(), tooLarge: () => new Error(), onEnd });
    body.cancel("reason");
    expect(told).toEqual([["cancel", "reason"]]);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });
});

describe("a body that is gathered", () => {
  const gathered = () => {
    const { body, told } = sourced();
    const done = vi.fn();
    const stop = vi.fn();
    let expire = () => {};
    const wait = (call: () => void) => {
      expire = call;
      return { stop };
    };
    body.gather({ maxBytes: 100_000, joinedBytes: 4, wait }, done);
    return { body, told, done, stop, expire: () => expire() };
  };

  it("is handed on whole when its last chunk is here", () => {
    const { body, done, stop } = gathered();
    body.push(bytes("ab"));
    expect(done).not.toHaveBeenCalled();
    body.push(bytes("c"), true);
    expect(done.mock.calls).toEqual([[bytes("abc"), undefined]]);
    expect(stop).toHaveBeenCalled();
  });

  it("stays in pieces where it is too long to be joined", async () => {
    const { body, done, stop } = gathered();
    body.push(bytes("abc"));
    body.push(bytes("de"), true);
    expect(done.mock.calls).toEqual([[undefined, undefined]]);
    expect(stop).toHaveBeenCalled();
    expect(await new Response(body.stream()).text()).toBe("abcde");
  });

  it("is one piece already, however long", () => {
    const { body, done } = gathered();
    body.push(bytes("abcde"), true);
    expect(done.mock.calls).toEqual([[bytes("abcde"), undefined]]);
  });

  it("may hold more than 64 KiB meanwhile", () => {
    const { body, told } = gathered();
    body.push(new Uint8Array(99_999));
    expect(told).toEqual(["resume"]);
    body.push(new Uint8Array(1));
    expect(told).toEqual(["resume", "pause"]);
  });

  it("is read on as usual when the patience is over", async () => {
    const { body, done, expire } = gathered();
    body.push(bytes("a"));
    expire();
    expect(done.mock.calls).toEqual([[undefined, undefined]]);
    const text = new Response(body.stream()).text();
    body.push(bytes("b"));
    body.end();
    expect(await text).toBe("ab");
    expect(done).toHaveBeenCalledTimes(1);
  });

  it("hands on what cut it", () => {
    const { body, done } = gathered();
    body.push(bytes("a"));
    body.end(new Error("cut"));
    expect(done.mock.calls).toEqual([[undefined, new Error("cut")]]);
  });
});

describe("a body that is read as a stream", () => {
  it.each([
    { about: "reads 64 KiB ahead by itself", aheadBytes: undefined, told: ["resume"] },
    { about: "reads nothing ahead where that is asked for", aheadBytes: 0, told: [] },
  ])("$about", async ({ aheadBytes, told: expected }) => {
    const { body, told } = sourced();
    body.aheadBytes = aheadBytes ?? body.aheadBytes;
    body.stream();
    await Promise.resolve();
    expect(told).toEqual(expected);
  });

  it("asks the source for each chunk where nothing is read ahead", async () => {
    const { body, told } = sourced();
    body.aheadBytes = 0;
    const reader = body.stream().getReader();
    const first = reader.read();
    await Promise.resolve();
    body.push(bytes("a"));
    expect(await first).toEqual({ done: false, value: bytes("a") });
    expect(told).toEqual(["resume", "pause"]);
  });
});
