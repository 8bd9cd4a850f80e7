import { describe, expect, it } from "vitest";
import { Cancellation, toAbortSignal } from "../../../src/core/http/cancellation.ts";

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

describe("listeners", () => {
  it.each([
    { removed: [], told: ["a", "b", "c"] },
    { removed: ["a"], told: ["b", "c"] },
    { removed: ["b"], told: ["a", "c"] },
    { removed: ["a", "b", "c"], told: [] },
  ])("are told but for those removed: $removed", ({ removed, told }) => {
    const cancellation = new Cancellation();
    const seen: string[] = [];
    const listeners = Object.fromEntries(["a", "b", "c"].map((name) => [name, () => void seen.push(name)]));
    for (const listener of Object.values(listeners)) cancellation.addEventListener("abort", listener);
    for (const name of removed) cancellation.removeEventListener("abort", listeners[name]!);
    cancellation.abort("gone");
    expect(seen).toEqual(told);
  });

  it("are told once, however often they were added", () => {
    const cancellation = new Cancellation();
    let told = 0;
    const [one, other] = [() => void (told += 1), () => void (told += 1)];
    for (const listener of [one, one, other, other, one]) cancellation.addEventListener("abort", listener);
    cancellation.abort("gone");
    expect(told).toBe(2);
  });

  it("are not told if they come after it", () => {
    const cancellation = new Cancellation();
    cancellation.abort("gone");
    let told = 0;
    cancellation.addEventListener("abort", () => void (told += 1));
    cancellation.abort("again");
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
