/** How long addresses are remembered, and how long they are waited for. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProxyError } from "../../../src/core/http/error.ts";
import { createProxy } from "../../../src/index.ts";
import { type Resolve, Resolver } from "../../../src/core/address/dns-cache.ts";
import type { Incoming, Outgoing } from "../../../src/core/runtime.ts";

const PUBLIC = "93.184.216.34";

/** A look-up that gives these in turn, the last one for ever; counts. */
function turns(...answers: (string[] | Error)[]) {
  return vi.fn((_hostname: string, _isComplete?: boolean) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? []);
  });
}

const failure = (code: string) => Object.assign(new Error(`getaddrinfo ${code} a.test`), { code });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("addresses", () => {
  it.each([
    { after: 0, asked: 1 },
    { after: 29_999, asked: 1 },
    { after: 30_000, asked: 2 },
    { after: 3_600_000, asked: 2 },
  ])(
    "are remembered for half a minute: after $after ms it was asked $asked times",
    async ({ after, asked }) => {
      const lookUp = turns([PUBLIC], ["10.1.2.3"]);
      const resolver = new Resolver(1000);
      expect(await resolver.resolve("a.test", lookUp)).toEqual([PUBLIC]);
      await vi.advanceTimersByTimeAsync(after);
      expect(await resolver.resolve("a.test", lookUp)).toEqual(asked === 1 ? [PUBLIC] : ["10.1.2.3"]);
      expect(lookUp).toHaveBeenCalledTimes(asked);
    },
  );

  it.each([
    { ttlMs: 5_000, after: 4_999, asked: 1 },
    { ttlMs: 5_000, after: 5_000, asked: 2 },
    { ttlMs: 0, after: 0, asked: 2 },
    { ttlMs: 3_600_000, after: 30_000, asked: 2 },
  ])("are remembered as long as they hold: $ttlMs ms, asked $asked times after $after ms", async (row) => {
    const { ttlMs, after, asked } = row;
    const lookUp = turns(Object.assign([PUBLIC], { ttlMs }));
    const resolver = new Resolver(1000);
    await resolver.resolve("a.test", lookUp);
    await vi.advanceTimersByTimeAsync(after);
    expect(resolver.recall("a.test") !== undefined).toBe(asked === 1);
    await resolver.resolve("a.test", lookUp);
    expect(lookUp).toHaveBeenCalledTimes(asked);
  });

  it("are forgotten when none can be reached, unless others are known by then", async () => {
    const lookUp = turns([PUBLIC], ["10.1.2.3"]);
    const resolver = new Resolver(1000);
    const before = await resolver.resolve("a.test", lookUp);
    resolver.forget("a.test", before);
    expect(await resolver.resolve("a.test", lookUp)).toEqual(["10.1.2.3"]);
    resolver.forget("a.test", before);
    expect(resolver.recall("a.test")).toEqual(["10.1.2.3"]);
  });

  it.each(["localhost", "localhost.", "app.localhost", "two.words.localhost."])(
    "of %s are loopback's, and nobody is asked",
    async (name) => {
      const lookUp = turns([PUBLIC]);
      const resolver = new Resolver(1000);
      expect(resolver.recall(name)).toEqual(["127.0.0.1", "::1"]);
      expect(await resolver.resolve(name, lookUp)).toEqual(["127.0.0.1", "::1"]);
      expect(lookUp).not.toHaveBeenCalled();
    },
  );

  it.each(["notlocalhost", "localhost.test", "a-localhost"])("of %s are asked for", async (name) => {
    const lookUp = turns([PUBLIC]);
    expect(await new Resolver(1000).resolve(name, lookUp)).toEqual([PUBLIC]);
  });

  it("are not remembered longer by being asked for", async () => {
    const lookUp = turns([PUBLIC], ["10.1.2.3"]);
    const resolver = new Resolver(1000);
    await resolver.resolve("a.test", lookUp);
    await vi.advanceTimersByTimeAsync(20_000);
    await resolver.resolve("a.test", lookUp);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await resolver.resolve("a.test", lookUp)).toEqual(["10.1.2.3"]);
  });

  it("are asked for once at the same time", async () => {
    const lookUp = turns([PUBLIC]);
    const resolver = new Resolver(1000);
    const all = await Promise.all([1, 2, 3].map(() => resolver.resolve("a.test", lookUp)));
    expect(all).toEqual([[PUBLIC], [PUBLIC], [PUBLIC]]);
    expect(lookUp).toHaveBeenCalledTimes(1);
  });

  it("belong to one name", async () => {
    const lookUp = turns([PUBLIC], ["10.1.2.3"]);
    const resolver = new Resolver(1000);
    expect(await resolver.resolve("a.test", lookUp)).toEqual([PUBLIC]);
    expect(await resolver.resolve("b.test", lookUp)).toEqual(["10.1.2.3"]);
    expect(lookUp.mock.calls).toEqual([["a.test", false], ["b.test", false]]);
  });

  it("are asked for in full where a list needs it", async () => {
    const lookUp = turns([PUBLIC]);
    await new Resolver(1000, true).resolve("a.test", lookUp);
    expect(lookUp.mock.calls).toEqual([["a.test", true]]);
  });

  it("of ten thousand names are remembered, and the oldest gives way to the next", async () => {
    const lookUp = turns([PUBLIC]);
    const resolver = new Resolver(0);
    await Promise.all(Array.from({ length: 10_000 }, (_, i) => resolver.resolve(`${i}.test`, lookUp)));
    await resolver.resolve("0.test", lookUp);
    expect(lookUp).toHaveBeenCalledTimes(10_000);
    await resolver.resolve("more.test", lookUp);
    await resolver.resolve("1.test", lookUp);
    expect(lookUp).toHaveBeenCalledTimes(10_001);
    await resolver.resolve("0.test", lookUp);
    expect(lookUp).toHaveBeenCalledTimes(10_002);
  });
});

describe("a look-up that fails", () => {
  it.each([
    { about: "an unknown name", answer: failure("ENOTFOUND"), code: "dns_error" },
    { about: "a server that fails", answer: failure("EAI_AGAIN"), code: "dns_error" },
    { about: "a server that refuses", answer: failure("ESERVFAIL"), code: "dns_error" },
    { about: "no address", answer: [], code: "dns_error" },
    { about: "the system's own time limit", answer: failure("ETIMEOUT"), code: "dns_timeout" },
  ])("is $code, and tried again the next time: $about", async ({ answer, code }) => {
    const lookUp = turns(answer, [PUBLIC]);
    const resolver = new Resolver(1000);
    await expect(resolver.resolve("a.test", lookUp)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(/^Cannot reach a\.test: (?!.*getaddrinfo)/),
    });
    expect(await resolver.resolve("a.test", lookUp)).toEqual([PUBLIC]);
  });

  it.each([
    { about: "throws without a code", lookUp: () => Promise.reject(new Error("no")) },
    { about: "throws at once", lookUp: () => JSON.parse("") },
    { about: "throws no error", lookUp: () => Promise.reject("no") },
    { about: "is refused itself", lookUp: () => Promise.reject(failure("ECONNREFUSED")) },
    { about: "gives nothing", lookUp: () => Promise.resolve(undefined) },
    { about: "gives one address", lookUp: () => Promise.resolve(PUBLIC) },
    { about: "gives objects", lookUp: () => Promise.resolve([{ address: PUBLIC }]) },
  ])("is told as its own failure where it $about", async ({ lookUp }) => {
    await expect(new Resolver(1000).resolve("a.test", lookUp as unknown as Resolve)).rejects.toMatchObject({
      code: "dns_error",
      message: "Cannot reach a.test: the DNS look-up of its name failed",
      cause: expect.anything(),
    });
  });

  it("may choose its error", async () => {
    const chosen = new ProxyError("forbidden", "Cannot reach it");
    await expect(new Resolver(1000).resolve("a.test", () => Promise.reject(chosen))).rejects.toBe(chosen);
  });

  it.each([
    { timeoutMs: 250, elapsed: 250 },
    { timeoutMs: 30_000, elapsed: 30_000 },
  ])("by silence is over after $timeoutMs ms", async ({ timeoutMs, elapsed }) => {
    const resolver = new Resolver(timeoutMs);
    const settled = vi.fn();
    const looking = resolver.resolve("a.test", () => new Promise(() => {})).catch(settled);
    await vi.advanceTimersByTimeAsync(elapsed - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await looking;
    expect(settled).toHaveBeenCalledWith(expect.objectContaining({ code: "dns_timeout", status: 504 }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it("by silence is waited for where there is no limit", async () => {
    const settled = vi.fn();
    new Resolver(0).resolve("a.test", () => new Promise(() => {})).then(settled, settled);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(settled).not.toHaveBeenCalled();
  });

  it("is tried again after silence", async () => {
    const resolver = new Resolver(100);
    const first = resolver.resolve("a.test", () => new Promise(() => {})).catch(() => "silent");
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toBe("silent");
    expect(await resolver.resolve("a.test", turns([PUBLIC]))).toEqual([PUBLIC]);
  });
});

describe("a name that turns private", () => {
  const sent: Outgoing[] = [];
  const send = (outgoing: Outgoing) => {
    sent.push(outgoing);
    return Promise.resolve({ status: 200, statusText: "", headers: new Headers(), body: null });
  };
  const ask = (host: string): Incoming => ({
    url: "/",
    method: "GET",
    headers: new Headers({ host, proxy_host: "http://a.test" }),
    body: null,
    signal: new AbortController().signal,
  });
  beforeEach(() => void sent.splice(0));

  it("is dialled as it was judged, and refused once that is forgotten", async () => {
    const runtime = { send, resolve: turns([PUBLIC], ["127.0.0.1"]), listensOnLoopback: true };
    const proxy = createProxy();
    const statuses = [(await proxy.handle(ask("evil.test"), runtime)).status];
    await vi.advanceTimersByTimeAsync(29_999);
    statuses.push((await proxy.handle(ask("evil.test"), runtime)).status);
    await vi.advanceTimersByTimeAsync(1);
    statuses.push((await proxy.handle(ask("evil.test"), runtime)).status);
    expect(statuses).toEqual([200, 200, 403]);
    expect(sent.map(({ addresses }) => addresses)).toEqual([[PUBLIC], [PUBLIC]]);
  });

  it("is judged by who asks, remembered or not", async () => {
    const resolve = turns(["10.1.2.3"]);
    const runtime = { send, resolve, listensOnLoopback: true };
    const proxy = createProxy();
    expect((await proxy.handle(ask("localhost"), runtime)).status).toBe(200);
    expect((await proxy.handle(ask("evil.test"), runtime)).status).toBe(403);
    expect((await proxy.handle(ask("localhost"), runtime)).status).toBe(200);
    expect(sent).toHaveLength(2);
    expect(resolve).toHaveBeenCalledTimes(1);
  });
});
