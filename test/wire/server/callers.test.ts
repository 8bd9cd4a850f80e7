/** All connections of a server: which ones a closing server ends, and when it is done. */
import { Buffer } from "node:buffer";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import type { WireWatch } from "../../../src/wire/contract.ts";
import { Callers } from "../../../src/wire/server/callers.ts";
import type { Taken } from "../../../src/wire/server/server-context.ts";
import { NotedWire } from "../../support/caller-wire.ts";
import { bytes } from "../../support/flow.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const IDLE_MS = 4_000;
const GET = Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

/** A server whose requests the test answers, in order. */
function serve() {
  const waiting: ((reply: Reply) => void)[] = [];
  const takers: Taken[] = [];
  const callers = new Callers({
    answer(_request, connection) {
      takers.push(connection);
      return new Promise((resolve) => void waiting.push(resolve));
    },
    join: vi.fn(),
    idleTimeoutMs: IDLE_MS,
  });
  /** A connection that has sent this. */
  const take = (...sent: Buffer[]) => {
    const wire = new NotedWire();
    let watch!: WireWatch;
    callers.take({ address: "192.0.2.1", isSecure: false }, (watching) => {
      watch = watching;
      return wire;
    }, vi.fn());
    for (const chunk of sent) watch.onBytes(chunk);
    return { wire, watch };
  };
  const reply = (body: Reply["body"] = bytes("hello")) => {
    waiting.shift()!({ status: 200, headers: new Fields([["date", "now"]]), body });
    return pass(0);
  };
  return { callers, take, reply, takers };
}

/** Whether a server has drained. */
function drainOf(callers: Callers) {
  const drained = vi.fn();
  void callers.drain().then(drained);
  return () => drained.mock.calls.length === 1;
}

describe("a connection", () => {
  it("is read, and answers under its address", async () => {
    const { take, reply, takers } = serve();
    const { wire } = take(GET);
    expect([wire.isPaused, takers.map(({ address }) => address)]).toEqual([false, ["192.0.2.1"]]);
    await reply();
    expect(wire.written).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nhello$/);
  });

  it("of which no wire can be made is closed, and nothing waits for it", async () => {
    const { callers } = serve();
    const close = vi.fn();
    const connect = () => {
      throw new Error("Invalid argument");
    };
    callers.take({ address: "", isSecure: false }, connect, close);
    const hasDrained = drainOf(callers);
    await pass(0);
    expect([close.mock.calls.length, hasDrained()]).toEqual([1, true]);
  });

  it.each([
    { about: "whose handshake is not complete", opens: false, ms: 15_000 },
    { about: "that sends nothing behind its handshake", opens: true, ms: 75_000 },
  ])("$about is closed in time", async ({ opens, ms }) => {
    const { callers } = serve();
    const wire = new NotedWire();
    callers.take({ address: "", isSecure: true, isShaking: true }, (watch) => {
      queueMicrotask(() => void (opens && watch.onOpen()));
      return wire;
    }, vi.fn());
    await pass(ms - 1);
    expect(wire.isDestroyed).toBe(false);
    await pass(1);
    expect([wire.isDestroyed, wire.written]).toEqual([true, ""]);
  });
});

describe("a caller that takes nothing of what waits for it", () => {
  /** A connection with an answer that is not taken. */
  const stalled = async () => {
    const { take, reply } = serve();
    const { wire } = take(GET);
    wire.keeps = true;
    await reply();
    return wire;
  };

  it("is cut off, once the idle timeout is over", async () => {
    const wire = await stalled();
    await pass(IDLE_MS);
    expect(wire.isDestroyed).toBe(false);
    await pass(IDLE_MS / 4);
    expect([wire.isCut, wire.isDestroyed]).toEqual([true, true]);
  });

  it("is left alone while it takes a byte from time to time", async () => {
    const wire = await stalled();
    for (let look = 0; look < 8; look += 1) {
      await pass(IDLE_MS - 1);
      wire.writableLength -= 1;
    }
    expect(wire.isDestroyed).toBe(false);
  });
});

describe("closing what is idle", () => {
  it("closes connections without a request, and no others", async () => {
    const { callers, take, reply } = serve();
    const answered = take(GET);
    await reply();
    const [fresh, begun, busy] = [take(), take(GET.subarray(0, 5)), take(GET)];
    callers.closeIdle();
    const all = [answered, fresh, begun, busy];
    expect(all.map(({ wire }) => wire.isDestroyed)).toEqual([true, true, true, false]);
    expect(callers.isDraining).toBe(false);
  });

  it("leaves the others their connection", async () => {
    const { callers, take, reply } = serve();
    const { wire, watch } = take(GET);
    callers.closeIdle();
    await reply();
    watch.onBytes(GET);
    await reply();
    expect(wire.written.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(wire.written).not.toContain("connection: close");
  });

  it("leaves a response that has not left yet", async () => {
    const { callers, take, reply } = serve();
    const { wire, watch } = take(GET);
    wire.keeps = true;
    await reply();
    callers.closeIdle();
    expect(wire.isDestroyed).toBe(false);
    wire.writableLength = 0;
    watch.onDrain();
    callers.closeIdle();
    expect(wire.isDestroyed).toBe(true);
  });
});

describe("draining", () => {
  it.each([
    { about: "nobody came", count: 0 },
    { about: "all are idle", count: 3 },
  ])("is over at once where $about", async ({ count }) => {
    const { callers, take } = serve();
    const all = Array.from({ length: count }, () => take());
    const isDrained = drainOf(callers);
    await pass(0);
    expect([isDrained(), all.every(({ wire }) => wire.isDestroyed)]).toEqual([true, true]);
    expect(callers.isDraining).toBe(true);
  });

  it("is over at once where all are gone", async () => {
    const { callers, take } = serve();
    take(GET).watch.onClose();
    const isDrained = drainOf(callers);
    await pass(0);
    expect(isDrained()).toBe(true);
  });

  it("waits for every request, and says that its response is the last", async () => {
    const { callers, take, reply } = serve();
    const [one, two] = [take(GET), take(GET)];
    const isDrained = drainOf(callers);
    await pass(60_000);
    await reply();
    one.watch.onClose();
    await pass(0);
    expect([isDrained(), one.wire.finished, two.wire.isDestroyed]).toEqual([false, [true], false]);
    expect(one.wire.written).toContain("connection: close\r\n");
    await reply();
    two.watch.onClose();
    await pass(0);
    expect(isDrained()).toBe(true);
  });

  it("is one and the same, however often it is asked for", async () => {
    const { callers, take } = serve();
    const { watch } = take(GET);
    const first = callers.drain();
    expect(callers.drain()).toBe(first);
    watch.onClose();
    await first;
    expect(callers.drain()).toBe(first);
  });

  it("leaves no timer behind", async () => {
    const { callers, take } = serve();
    const { watch } = take(GET);
    const drained = callers.drain();
    watch.onClose();
    await drained;
    // The one of idle connections runs out.
    await pass(75_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});
