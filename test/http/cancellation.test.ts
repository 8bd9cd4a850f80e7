import { describe, expect, it } from "vitest";
import { Cancellation, toAbortSignal } from "../../src/http/cancellation.ts";

describe("Cancellation", () => {
  it("tells every listener once, with the first reason", () => {
    const cancellation = new Cancellation();
    const told: unknown[] = [];
    cancellation.addEventListener("abort", () => told.push(["first", cancellation.reason]));
    cancellation.addEventListener("abort", () => told.push(["second", cancellation.aborted]));
    cancellation.abort("gone");
    cancellation.abort("again");
    expect(told).toEqual([["first", "gone"], ["second", true]]);
    expect(cancellation.reason).toBe("gone");
  });

  it("tells nobody who no longer listens", () => {
    const cancellation = new Cancellation();
    let told = 0;
    const listener = () => (told += 1);
    cancellation.addEventListener("abort", listener);
    cancellation.removeEventListener("abort", listener);
    cancellation.abort(undefined);
    expect(told).toBe(0);
  });
});

describe("toAbortSignal", () => {
  it("gives a signal of the standard as it is", () => {
    const { signal } = new AbortController();
    expect(toAbortSignal(signal)).toBe(signal);
  });

  it("follows a cancellation that comes later", () => {
    const cancellation = new Cancellation();
    const signal = toAbortSignal(cancellation);
    expect(signal.aborted).toBe(false);
    cancellation.abort("gone");
    expect([signal.aborted, signal.reason]).toEqual([true, "gone"]);
  });

  it("is aborted where the cancellation was before", () => {
    const cancellation = new Cancellation();
    cancellation.abort("gone");
    expect([toAbortSignal(cancellation).aborted, toAbortSignal(cancellation).reason]).toEqual([true, "gone"]);
  });
});
