/**
 * Attempts at the addresses of a target: their order, when the next begins, and what is left of them.
 * @module
 */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { canDial, Dialling } from "../../src/wire/dialling.ts";

const REFUSED = new Error("refused");
const [A, B, C] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];
const [V6, OTHER_V6] = ["2001:db8::1", "2001:db8::2"];

/** A connection that has begun, what it has dialled so far, and how it failed. */
function begin(...addresses: string[]) {
  const dialled: string[] = [];
  const failures: Error[] = [];
  const dialling = new Dialling(addresses, {
    dial: (address) => void dialled.push(address),
    onFailure: (failure) => void failures.push(failure),
  });
  dialling.begin();
  return { dialling, dialled, failures };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe("the next address", () => {
  it.each([
    { about: "at once after a failure", ms: 0, fails: true, dialled: [A, B] },
    { about: "not before a quarter of a second of silence", ms: 249, fails: false, dialled: [A] },
    { about: "after a quarter of a second of silence", ms: 250, fails: false, dialled: [A, B] },
    { about: "and the one after it", ms: 500, fails: false, dialled: [A, B, C] },
    { about: "a quarter of a second after that failure", ms: 250, fails: true, dialled: [A, B, C] },
  ])("is tried $about", ({ ms, fails, dialled }) => {
    const attempt = begin(A, B, C);
    for (const failure of fails ? [REFUSED] : []) attempt.dialling.failed(failure);
    vi.advanceTimersByTime(ms);
    expect(attempt.dialled).toEqual(dialled);
  });

  it.each([
    { given: [A, B, V6, OTHER_V6], order: [A, V6, B, OTHER_V6] },
    { given: [V6, OTHER_V6, A], order: [V6, A, OTHER_V6] },
    { given: [V6, A, B, C], order: [V6, A, B, C] },
    { given: [A, B], order: [A, B] },
  ])("is of the other family: $given", ({ given, order }) => {
    const { dialled } = begin(...given);
    vi.advanceTimersByTime(10_000);
    expect(dialled).toEqual(order);
  });

  it("waits while eight are silent, until one of them fails", () => {
    const addresses = Array.from({ length: 12 }, (_, index) => `192.0.2.${index}`);
    const { dialling, dialled } = begin(...addresses);
    vi.advanceTimersByTime(60_000);
    expect(dialled).toEqual(addresses.slice(0, 8));
    dialling.failed(REFUSED);
    vi.advanceTimersByTime(60_000);
    expect(dialled).toEqual(addresses.slice(0, 9));
    dialling.cancel();
    for (let left = 8; left > 0; left -= 1) dialling.failed(REFUSED);
  });

  it("is tried no more once one is connected", () => {
    const { dialling, dialled } = begin(A, B);
    expect(dialling.connected()).toBe(true);
    vi.advanceTimersByTime(10_000);
    expect(dialled).toEqual([A]);
  });

  it("is tried no more once nobody waits", () => {
    const { dialling, dialled } = begin(A, B);
    dialling.cancel();
    vi.advanceTimersByTime(10_000);
    dialling.failed(REFUSED);
    expect(dialled).toEqual([A]);
  });
});

describe("a connection", () => {
  it("is the first that is made, and no other", () => {
    const { dialling } = begin(A, B);
    vi.advanceTimersByTime(250);
    expect([dialling.connected(), dialling.connected()]).toEqual([true, false]);
  });

  it("is not wanted once nobody waits", () => {
    const { dialling } = begin(A);
    dialling.cancel();
    expect(dialling.connected()).toBe(false);
  });

  it("may still be made by one address when another has failed", () => {
    const { dialling, failures } = begin(A, B);
    vi.advanceTimersByTime(250);
    dialling.failed(REFUSED);
    expect(failures).toEqual([]);
    expect(dialling.connected()).toBe(true);
  });

  it("has failed when all have, with the first failure", () => {
    const { dialling, failures } = begin(A, B);
    dialling.failed(REFUSED);
    dialling.failed(new Error("unreachable"));
    expect(failures).toEqual([REFUSED]);
  });

  it("fails where each attempt does so before it has returned", () => {
    const failures: Error[] = [];
    const dialled: string[] = [];
    const dialling = new Dialling([A, B], {
      dial(address) {
        dialled.push(address);
        dialling.failed(REFUSED);
      },
      onFailure: (failure) => void failures.push(failure),
    });
    dialling.begin();
    expect([dialled, failures]).toEqual([[A, B], [REFUSED]]);
  });
});

describe("attempts that nobody waits for", () => {
  it("are 32 at most, until they have ended", () => {
    const attempts = Array.from({ length: 32 }, () => begin(A));
    expect(canDial()).toBe(true);
    for (const { dialling } of attempts) dialling.cancel();
    expect(canDial()).toBe(false);
    attempts[0]!.dialling.failed(REFUSED);
    expect(canDial()).toBe(true);
    for (const { dialling } of attempts.slice(1)) expect(dialling.connected()).toBe(false);
  });

  it("are also those that came too late", () => {
    const attempts = Array.from({ length: 32 }, () => begin(A, B));
    vi.advanceTimersByTime(250);
    for (const { dialling } of attempts) dialling.connected();
    expect(canDial()).toBe(false);
    for (const { dialling } of attempts) dialling.failed(REFUSED);
    expect(canDial()).toBe(true);
  });

  it("are counted once", () => {
    for (const { dialling } of Array.from({ length: 32 }, () => begin(A))) {
      dialling.cancel();
      dialling.cancel();
      dialling.failed(REFUSED);
    }
    const others = Array.from({ length: 31 }, () => begin(A));
    for (const { dialling } of others) dialling.cancel();
    expect(canDial()).toBe(true);
    for (const { dialling } of others) dialling.failed(REFUSED);
  });
});
