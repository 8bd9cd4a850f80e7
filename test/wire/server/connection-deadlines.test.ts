/** How long a connection may wait, with one wait at a time. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeadlines } from "../../../src/core/http/deadlines.ts";
import { ConnectionDeadlines } from "../../../src/wire/server/connection-deadlines.ts";
import { rowsOf } from "../../support/rows.ts";

const HEAD_MS = 15_000;
const IDLE_MS = 75_000;
const LINGER_MS = 2_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => void vi.advanceTimersByTime(ms);

/** Limits of a connection with so many unsent bytes, and how often each came to its end. */
function limited({ isShared = true } = {}) {
  const waiting = { unsent: 0, countUnsent: () => waiting.unsent, onSlowHead: vi.fn(), onOver: vi.fn() };
  const limits = new ConnectionDeadlines({
    head: createDeadlines(HEAD_MS, isShared),
    idle: createDeadlines(IDLE_MS, isShared),
    linger: createDeadlines(LINGER_MS, isShared),
  }, waiting);
  const onBody = vi.fn();
  const ends = () => ({
    slowHead: waiting.onSlowHead.mock.calls.length,
    body: onBody.mock.calls.length,
    over: waiting.onOver.mock.calls.length,
  });
  return { limits, waiting, onBody, ends };
}

type Limits = ReturnType<typeof limited>;

const NOTHING = { slowHead: 0, body: 0, over: 0 };
const SLOW_HEAD = { ...NOTHING, slowHead: 1 };
const SLOW_BODY = { ...NOTHING, body: 1 };
const OVER = { ...NOTHING, over: 1 };

/** What a connection can wait for, with its limit. */
const WAITS = rowsOf(["about", "begin", "ms", "end"], [
  ["the first request", () => {}, IDLE_MS, OVER],
  ["a request", ({ limits }: Limits) => limits.waitForRequest(), IDLE_MS, OVER],
  ["a head", ({ limits }: Limits) => limits.waitForHead(), HEAD_MS, SLOW_HEAD],
  ["a body", ({ limits, onBody }: Limits) => limits.waitForBody(onBody), LINGER_MS, SLOW_BODY],
  ["its end", ({ limits }: Limits) => limits.waitForEnd(), LINGER_MS, OVER],
  ["a TLS handshake", ({ limits }: Limits) => limits.waitForHandshake(), HEAD_MS, OVER],
]);

describe.each([{ isShared: true }, { isShared: false }])(
  "a wait, with a shared timer: $isShared",
  (options) => {
    it.each(WAITS)("for $about is over in time, once", ({ begin, ms, end }) => {
      const connection = limited(options);
      begin(connection);
      pass(ms - 1);
      expect(connection.ends()).toEqual(NOTHING);
      pass(1);
      expect(connection.ends()).toEqual(end);
      pass(10 * IDLE_MS);
      expect(connection.ends()).toEqual(end);
    });

    it.each(WAITS)("for $about can be stopped", ({ begin, ms }) => {
      const connection = limited(options);
      begin(connection);
      pass(ms - 1);
      connection.limits.stop();
      connection.limits.goOn();
      pass(10 * IDLE_MS);
      expect(connection.ends()).toEqual(NOTHING);
      expect(vi.getTimerCount()).toBe(0);
    });

    it.each(WAITS)(
      "for $about is the only one, whatever it waited for before",
      ({ about, begin, ms, end }) => {
        const connection = limited(options);
        const { limits, onBody } = connection;
        limits.waitForHead();
        limits.waitForEnd();
        limits.waitForBody(onBody);
        limits.waitForRequest();
        pass(1_000);
        begin(connection);
        pass(about === "the first request" ? ms - 1_000 : ms);
        expect(connection.ends()).toEqual(end);
        pass(10 * IDLE_MS);
        expect(connection.ends()).toEqual(end);
      },
    );
  },
);

describe("a head", () => {
  it("has no more time if it trickles", () => {
    const { limits, ends } = limited();
    for (let second = 0; second < 15; second += 1) {
      limits.waitForHead();
      pass(1_000);
    }
    expect(ends()).toEqual(SLOW_HEAD);
  });

  it("has its own time again after a request", () => {
    const { limits, ends } = limited();
    limits.waitForHead();
    pass(HEAD_MS - 1);
    limits.waitForRequest();
    limits.waitForHead();
    pass(HEAD_MS - 1);
    expect(ends()).toEqual(NOTHING);
    pass(1);
    expect(ends()).toEqual(SLOW_HEAD);
  });
});

it.each([
  { about: "for a while", writesMs: 9_000, overMs: 10_500 },
  { about: "for ever", writesMs: 60_000, overMs: 31_500 },
  { about: "not at all", writesMs: 0, overMs: 2_000 },
])(
  "a caller that goes on writing behind the end is read $about, half a minute at most",
  ({ writesMs, overMs }) => {
    const { limits, ends } = limited();
    limits.waitForEnd();
    const step = (now: number) => {
      void (now < writesMs && limits.drop());
      pass(500);
    };
    for (let now = 0; now < overMs - 500; now += 500) step(now);
    expect(ends()).toEqual(NOTHING);
    step(overMs - 500);
    expect(ends()).toEqual(OVER);
  },
);

describe("what goes on", () => {
  it.each([
    { about: "a body", begin: WAITS[3]!.begin, end: SLOW_BODY },
    { about: "the end", begin: WAITS[4]!.begin, end: OVER },
  ])("gives $about its whole time again", ({ begin, end }) => {
    const connection = limited();
    begin(connection);
    for (let count = 0; count < 10; count += 1) {
      pass(LINGER_MS - 1);
      connection.limits.goOn();
    }
    expect(connection.ends()).toEqual(NOTHING);
    pass(LINGER_MS);
    expect(connection.ends()).toEqual(end);
  });

  it.each([
    { about: "a request", begin: WAITS[1]!.begin, ms: IDLE_MS, end: OVER },
    { about: "a head", begin: WAITS[2]!.begin, ms: HEAD_MS, end: SLOW_HEAD },
  ])("gives $about no more time", ({ begin, ms, end }) => {
    const connection = limited();
    begin(connection);
    pass(ms - 1);
    connection.limits.goOn();
    pass(1);
    expect(connection.ends()).toEqual(end);
  });
});

describe("a response that its caller still reads", () => {
  const READS = [
    { about: "while the connection is idle", begin: WAITS[1]!.begin, ms: IDLE_MS },
    { about: "while the connection ends", begin: WAITS[4]!.begin, ms: LINGER_MS },
  ];

  it.each(READS)("is not cut off $about", ({ begin, ms }) => {
    const connection = limited();
    connection.waiting.unsent = 1_000;
    begin(connection);
    pass(ms);
    for (let look = 0; look < 80; look += 1) {
      connection.waiting.unsent -= 1;
      pass(LINGER_MS);
    }
    expect(connection.ends()).toEqual(NOTHING);
    connection.waiting.unsent = 0;
    pass(LINGER_MS);
    expect(connection.ends()).toEqual(OVER);
  });
});
