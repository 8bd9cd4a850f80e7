/**
 * What Bun hands in, as the core reads it: a caller who leaves is noticed, and its signal asked for only where it is needed.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toStandard } from "../../../src/core/http/body.ts";
import { BunRequest } from "../../../src/runtimes/bun/bun-request.ts";

/** Longer than anyone's leaving stays unnoticed. */
const NOTICED_MS = 200;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  // The timer is everyone's: none may be left to a clock that no longer runs.
  vi.runAllTimers();
  vi.useRealTimers();
});

/** A request whose signal tells when it is asked for. */
function visit(body?: string) {
  const controller = new AbortController();
  const init = { method: "PUT", headers: { "X-A": "1" }, ...(body && { body }) };
  const request = new Request("http://localhost:8080/a?b", init);
  const signal = vi.fn(() => controller.signal);
  Object.defineProperty(request, "signal", { get: signal });
  const incoming = new BunRequest(request);
  const left = vi.fn();
  incoming.signal.addEventListener("abort", left);
  return { incoming, request, signal, left, leave: () => controller.abort("gone") };
}

describe("BunRequest", () => {
  it("is what the core reads", async () => {
    const { incoming, request } = visit("body");
    expect([incoming.method, incoming.url]).toEqual(["PUT", "http://localhost:8080/a?b"]);
    expect([incoming.headers.get("x-a"), request.bodyUsed]).toEqual(["1", false]);
    expect(await new Response(toStandard(incoming.body)).text()).toBe("body");
  });

  it("asks for no signal where the answer comes soon", () => {
    const { incoming, signal } = visit();
    incoming.signal.stop();
    vi.advanceTimersByTime(10_000);
    expect(signal).not.toHaveBeenCalled();
  });

  it("notices who leaves at once", () => {
    const { incoming, left, leave } = visit();
    leave();
    vi.advanceTimersByTime(NOTICED_MS);
    expect([left.mock.calls.length, incoming.signal.aborted, incoming.signal.reason]).toEqual([
      1,
      true,
      "gone",
    ]);
  });

  it("notices who leaves later", () => {
    const { incoming, left, leave } = visit();
    vi.advanceTimersByTime(10_000);
    expect([left.mock.calls.length, incoming.signal.aborted]).toEqual([0, false]);
    leave();
    expect([left.mock.calls.length, incoming.signal.aborted]).toEqual([1, true]);
  });

  it("notices who leaves while the answer is on its way", () => {
    const { incoming, left, leave } = visit();
    incoming.signal.watch();
    leave();
    expect(left).toHaveBeenCalledOnce();
  });

  it("notices at once who leaves in the middle of an upload", () => {
    const { left, leave } = visit("body");
    leave();
    expect(left).toHaveBeenCalledOnce();
  });
});
