/** Callers of WebSockets that are silent. */
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchSilence } from "../../../src/wire/websocket/silence.ts";

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
