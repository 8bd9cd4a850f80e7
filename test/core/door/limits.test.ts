/** The two limits: requests of a caller in a time, and requests at once. @module */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Gate, RateLimiter, TokenLimiter } from "../../../src/core/door/limits.ts";

const limited = (seconds: string, whose = "RATE_LIMIT of this proxy, for each caller") =>
  expect.objectContaining({
    code: "rate_limited",
    status: 429,
    message: expect.stringMatching(
      new RegExp(`^Too many requests \\(limit \\d+ per \\d+ s: ${whose}\\)\\. Retry in ${seconds} s$`),
    ),
    headers: { "retry-after": seconds },
  });

describe("TokenLimiter", () => {
  it("counts each id by the rate in its token, and no other", async () => {
    const limiter = new TokenLimiter();
    const claims = { id: "ci", rate: { requests: 1, seconds: 60 } };
    await limiter.take(claims);
    await limiter.take({ ...claims, id: "other" });
    await limiter.take({ id: "ci" });
    await expect(limiter.take(claims)).rejects.toThrow(limited("60", "rate of the caller's token ci"));
  });

  it("counts in the store, under a name that no address has", async () => {
    const counted: unknown[] = [];
    const limiter = new TokenLimiter({
      count: (caller, seconds) => Promise.resolve({ requests: counted.push([caller, seconds]), msLeft: 1 }),
    });
    await limiter.take({ id: "127.0.0.1", rate: { requests: 1, seconds: 9 } });
    expect(counted).toEqual([["token 127.0.0.1", 9]]);
  });
});

describe("RateLimiter", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("lets so many through in a time, then none until it is over", async () => {
    const limiter = new RateLimiter({ requests: 2, seconds: 10 });
    await limiter.take("192.0.2.1");
    vi.advanceTimersByTime(3_500);
    await limiter.take("192.0.2.1");
    await expect(limiter.take("192.0.2.1")).rejects.toThrow(limited("7"));
    vi.advanceTimersByTime(6_400);
    await expect(limiter.take("192.0.2.1")).rejects.toThrow(limited("1"));
    vi.advanceTimersByTime(200);
    await expect(limiter.take("192.0.2.1")).resolves.toBeUndefined();
  });

  it("counts in the store that it is given", async () => {
    const counted: unknown[] = [];
    const limiter = new RateLimiter({ requests: 2, seconds: 10 }, {
      count: (caller, seconds) =>
        Promise.resolve({ requests: counted.push([caller, seconds]) + 1, msLeft: 4_001 }),
    });
    await limiter.take("2001:db8:0:1::1");
    await expect(limiter.take("192.0.2.1")).rejects.toThrow(limited("5"));
    expect(counted).toEqual([["2001:db8:0:1", 10], ["192.0.2.1", 10]]);
  });

  it("asks nobody to wait longer than its time, whatever the store says", async () => {
    const store = { count: () => Promise.resolve({ requests: 2, msLeft: 3_625_000 }) };
    await expect(new RateLimiter({ requests: 1, seconds: 10 }, store).take("192.0.2.1"))
      .rejects.toThrow(limited("10"));
  });

  it.each([
    { how: "by a promise", count: () => Promise.reject(new Error("gone")) },
    { how: "at once", count: () => expect.fail("gone") },
    { how: "to give numbers", count: () => Promise.resolve({ requests: NaN, msLeft: 1 }) },
    { how: "to give anything", count: () => Promise.resolve(undefined as never) },
  ])("counts by itself while the store fails $how", async (store) => {
    const limiter = new RateLimiter({ requests: 1, seconds: 10 }, store);
    await limiter.take("192.0.2.1");
    await expect(limiter.take("192.0.2.1")).rejects.toThrow(limited("10"));
  });

  it("holds for the longest time that can be set", async () => {
    const limiter = new RateLimiter({ requests: 1, seconds: 2_147_483 });
    await limiter.take("192.0.2.1");
    vi.advanceTimersByTime(60_000);
    await expect(limiter.take("192.0.2.1")).rejects.toThrow(limited("2147423"));
  });

  it.each([
    { one: "192.0.2.1", other: "192.0.2.2" },
    { one: "2001:db8:0:1::1", other: "2001:db8:0:2::1" },
    { one: "::1", other: "192.0.2.1" },
    { one: "", other: "192.0.2.1" },
    { one: "2001:db8::", other: "2001:db8:1::" },
  ])("counts $one and $other apart", async ({ one, other }) => {
    const limiter = new RateLimiter({ requests: 1, seconds: 10 });
    await limiter.take(one);
    await expect(limiter.take(other)).resolves.toBeUndefined();
  });

  it.each([
    { one: "2001:db8:0:1::1", other: "2001:db8:0:1:ffff:ffff:ffff:ffff" },
    { one: "2001:db8::1", other: "2001:db8:0:0:1::" },
    { one: "::1", other: "::2" },
    { one: "1:2:3:4:5:6:7:8", other: "1:2:3:4::" },
    { one: "a::b:c:d:e:f:1", other: "a:0:b:c::" },
    { one: "", other: "" },
  ])("takes $one and $other for one caller", async ({ one, other }) => {
    const limiter = new RateLimiter({ requests: 1, seconds: 10 });
    await limiter.take(one);
    await expect(limiter.take(other)).rejects.toThrow(limited("10"));
  });
});

describe("Gate", () => {
  const overloaded = expect.objectContaining({
    code: "overloaded",
    status: 503,
    message: expect.stringMatching(/^Too many concurrent requests \(limit [12]\)$/),
    headers: { "retry-after": "1" },
  });

  it("lets so many in, and more when one has left", () => {
    const gate = new Gate(2);
    const [one, two, three] = [{}, {}, {}];
    gate.enter(one);
    gate.enter(two);
    expect(() => gate.enter(three)).toThrow(overloaded);
    gate.leave(one);
    gate.enter(three);
    expect(() => gate.enter({})).toThrow(overloaded);
  });

  it("counts who leaves once, and nobody who never came in", () => {
    const gate = new Gate(1);
    const visitor = {};
    gate.leave({});
    gate.enter(visitor);
    gate.leave({});
    gate.leave(visitor);
    gate.leave(visitor);
    gate.enter({});
    expect(() => gate.enter({})).toThrow(overloaded);
  });
});
