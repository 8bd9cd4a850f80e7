/**
 * A target's connection in every state: whose it is, kept or fresh, what has been read, and what each event means.
 * @module
 * @see rules 17.2, 17.3, 17.7, 17.8, 17.12
 */
import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HopWatch, TlsFacts } from "../../../src/core/hop-watch.ts";
import type { Outgoing, Upstream } from "../../../src/core/runtime.ts";
import { Cancellation } from "../../../src/core/http/cancellation.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { CallerBonds } from "../../../src/wire/client/bonds.ts";
import { createHttpSender } from "../../../src/wire/client/sender.ts";
import type { WireWatch } from "../../../src/wire/contract.ts";
import { NotedWire } from "../../support/caller-wire.ts";
import { measureGrowth } from "../../support/growth.ts";
import { rowsOf } from "../../support/rows.ts";

const WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const LAST = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
const REFUSED = "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n";
const LOGIN = "HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n";
const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const HINTS = "HTTP/1.1 103 Early Hints\r\n\r\n";
const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\n\r\n";
const RESET = Object.assign(new Error("reset"), { code: "ECONNRESET" });

const HOST: [string, string] = ["host", "127.0.0.1:1"];
const BYTES = Buffer.from("hello");
const UPLOAD = { body: BYTES, headers: new Fields([HOST, ["content-length", "5"]]) };

/** Two turns of the event loop, after which all that waits for one goes on. */
async function turn(): Promise<void> {
  for (const _ of [1, 2, 3]) await new Promise((resolve) => setImmediate(resolve));
}

/** One target's connection as the target sees it. */
interface Target {
  readonly wire: NotedWire;
  readonly watch: WireWatch;
  say(text: string): void;
}

/** A caller's request on its way. */
interface Asked {
  /** The status, or the code of the failure. */
  readonly outcome: Promise<number | string | undefined>;
  readonly answer: Promise<Upstream>;
  readonly signal: Cancellation;
}

/** A sender, the target's side of each of its connections, and the caller's side of each request. */
class Stage {
  readonly targets: Target[] = [];
  readonly asked: Asked[] = [];
  readonly bonds = new CallerBonds();
  /** False to leave connections as they are being made. */
  opens = true;
  /** What each connection tells of its TLS. */
  readTls: (() => TlsFacts) | undefined;
  readonly #send = createHttpSender({
    connect: (_options, _isSecure, watch) => {
      const wire = new NotedWire();
      this.targets.push({ wire, watch, say: (text) => watch.onBytes(Buffer.from(text)) });
      queueMicrotask(() => void (this.opens && watch.onOpen(this.readTls)));
      return wire;
    },
  });

  /** The last connection. */
  get target(): Target {
    return this.targets.at(-1)!;
  }

  /** Begins a request, in this turn. */
  ask(parts: Partial<Outgoing> = {}): void {
    const signal = new Cancellation();
    const answer = this.#send({
      method: "GET",
      origin: new URL("http://127.0.0.1:1"),
      path: "/p",
      headers: new Fields([HOST]),
      body: null,
      addresses: ["127.0.0.1"],
      bonds: this.bonds,
      signal,
      ...parts,
    });
    const outcome = answer.then(({ status }) => status, (failure: { code?: string }) => failure.code);
    this.asked.push({ outcome, answer, signal });
  }

  /** Begins a request, and waits until it stands on its connection. */
  async begin(parts?: Partial<Outgoing>): Promise<void> {
    this.ask(parts);
    await turn();
  }

  /** One whole exchange on the connection that it takes; the number of that connection, from 0. */
  async exchange(text: string, parts?: Partial<Outgoing>): Promise<number> {
    const before = this.targets.map(({ wire }) => wire.written.length);
    await this.begin(parts);
    const used = this.targets.findIndex(({ wire }, at) => wire.written.length !== (before[at] ?? 0));
    this.targets[used]!.say(text);
    await this.asked.at(-1)!.outcome;
    return used;
  }
}

/** What brings a new connection into a state. */
const STATES: Record<string, (stage: Stage) => Promise<void>> = {
  async dialling(stage) {
    stage.opens = false;
    await stage.begin();
    stage.opens = true;
  },
  fresh: (stage) => stage.begin(),
  async kept(stage) {
    await stage.exchange(WHOLE);
  },
  async reused(stage) {
    await stage.exchange(WHOLE);
    await stage.begin();
  },
  async "reused for a POST"(stage) {
    await stage.exchange(WHOLE);
    await stage.begin({ method: "POST", ...UPLOAD });
  },
  async "reused for a POST, this turn"(stage) {
    await stage.exchange(WHOLE);
    stage.ask({ method: "POST", ...UPLOAD });
  },
  async "reused for a POST again, this turn"(stage) {
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    for (const _ of [1, 2, 3]) await stage.exchange(WHOLE);
    stage.ask({ method: "POST", ...UPLOAD });
    now.mockRestore();
  },
  async "reused for a POST after two, this turn"(stage) {
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now());
    for (const _ of [1, 2]) await stage.exchange(WHOLE);
    stage.ask({ method: "POST", ...UPLOAD });
    now.mockRestore();
  },
  async "reused for a POST after a while, this turn"(stage) {
    for (const _ of [1, 2, 3]) await stage.exchange(WHOLE);
    const now = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 200);
    stage.ask({ method: "POST", ...UPLOAD });
    now.mockRestore();
  },
  async "within a head"(stage) {
    await STATES.reused!(stage);
    stage.target.say("HTTP/1.1 2");
  },
  async "within a body"(stage) {
    await stage.begin();
    stage.target.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel");
  },
  async "before an upload that goes on"(stage) {
    const headers = new Fields([HOST, ["content-length", "9"]]);
    await stage.begin({
      method: "POST",
      headers,
      body: new FlowBody({ pause() {}, resume() {}, cancel() {} }),
    });
    stage.target.say(WHOLE);
  },
  async "before an upload that is not taken"(stage) {
    stage.ask({ method: "POST", ...UPLOAD });
    stage.target.wire.keeps = true;
    await turn();
    stage.target.say(WHOLE);
  },
  async bound(stage) {
    await stage.exchange(LOGIN);
  },
  async "bound and reused"(stage) {
    await stage.exchange(LOGIN);
    await stage.begin();
  },
};

/** What happens then. */
const EVENTS: Record<string, (stage: Stage) => unknown> = {
  nothing() {},
  end: ({ target }) => target.watch.onClose(),
  reset: ({ target }) => target.watch.onClose(RESET),
  "failed write": ({ target }) => void (target.watch.onWriteFailed?.() || target.watch.onClose(RESET)),
  response: ({ target }) => target.say(WHOLE),
  "interim responses": ({ target }) => target.say(CONTINUE + HINTS),
  "many interim responses": ({ target }) => target.say(HINTS.repeat(5_000)),
  "a flood of interim responses": ({ target }) => target.say(HINTS.repeat(10_001)),
  "last response": ({ target }) => target.say(LAST),
  "response and a byte": ({ target }) => target.say(`${WHOLE}!`),
  "two responses": ({ target }) => target.say(WHOLE + WHOLE),
  switch: ({ target }) => target.say(SWITCHED),
  "rest of the body": ({ target }) => target.say("lo"),
  "no HTTP": ({ target }) => target.say("220 mail\r\n"),
  drain({ target }) {
    target.wire.writableLength = 0;
    target.watch.onDrain();
  },
  abort: ({ asked }) => asked.at(-1)!.signal.abort(Object.assign(new Error(), { code: "ABORTED" })),
  "caller's end": ({ bonds }) => bonds.end(),
};

/** `gets`: what its last request ends with; `tries`: connections that saw it; `next`: which one the next request takes. */
it.each(rowsOf(["state", "event", "gets", "tries", "next"], [
  ["dialling", "end", "ECONNRESET", 1, "another"],
  ["dialling", "abort", "ABORTED", 1, "another"],
  ["fresh", "end", "ECONNRESET", 1, "another"],
  ["fresh", "reset", "ECONNRESET", 1, "another"],
  ["fresh", "abort", "ABORTED", 1, "another"],
  ["fresh", "response", 200, 1, "same"],
  ["fresh", "interim responses, response", 200, 1, "same"],
  ["fresh", "many interim responses, many interim responses, response", 200, 1, "same"],
  ["fresh", "a flood of interim responses", "HPE_INVALID_ANSWER", 1, "another"],
  ["fresh", "last response", 200, 1, "another"],
  ["fresh", "response and a byte", 200, 1, "another"],
  ["fresh", "two responses", 200, 1, "another"],
  ["fresh", "switch", "UnrequestedUpgrade", 1, "another"],
  ["fresh", "no HTTP", "HPE_INVALID_ANSWER", 1, "another"],
  ["fresh", "caller's end, response", 200, 1, "same"],
  ["kept", "nothing", 200, 1, "same"],
  ["kept", "end", 200, 1, "another"],
  ["kept", "reset", 200, 1, "another"],
  ["kept", "response", 200, 1, "another"],
  ["kept", "no HTTP", 200, 1, "another"],
  ["kept", "failed write", 200, 1, "another"],
  ["kept", "caller's end", 200, 1, "same"],
  ["reused", "end", 200, 2, "another"],
  ["reused", "reset", 200, 2, "another"],
  ["reused", "failed write, reset", 200, 2, "another"],
  ["reused", "abort", "ABORTED", 1, "another"],
  ["reused", "abort, end", "ABORTED", 1, "another"],
  ["reused", "response", 200, 1, "same"],
  ["reused for a POST", "end", "ECONNRESET", 1, "another"],
  ["reused for a POST", "failed write, reset", "ECONNRESET", 1, "another"],
  ["reused for a POST", "failed write, response", 200, 1, "another"],
  ["reused for a POST", "response", 200, 1, "same"],
  ["reused for a POST, this turn", "end", 200, 2, "another"],
  ["reused for a POST again, this turn", "end", "ECONNRESET", 1, "another"],
  ["reused for a POST after two, this turn", "end", 200, 2, "another"],
  ["reused for a POST after a while, this turn", "end", 200, 2, "another"],
  ["reused for a POST, this turn", "reset", 200, 2, "another"],
  ["reused for a POST, this turn", "response", 200, 2, "another"],
  ["reused for a POST, this turn", "abort", "ABORTED", 1, "another"],
  ["within a head", "end", "ECONNRESET", 1, "another"],
  ["within a head", "reset", "ECONNRESET", 1, "another"],
  ["within a body", "end", "ECONNRESET", 1, "another"],
  ["within a body", "rest of the body", 200, 1, "same"],
  ["before an upload that goes on", "nothing", 200, 1, "another"],
  ["before an upload that goes on", "end", 200, 1, "another"],
  ["before an upload that goes on", "failed write", 200, 1, "another"],
  ["before an upload that is not taken", "nothing", 200, 1, "another"],
  ["before an upload that is not taken", "end", 200, 1, "another"],
  ["before an upload that is not taken", "drain", 200, 1, "same"],
  ["bound", "nothing", 401, 1, "same"],
  ["bound", "end", 401, 1, "another"],
  ["bound", "response", 401, 1, "another"],
  ["bound", "caller's end", 401, 1, "another"],
  ["bound and reused", "end", 200, 2, "another"],
  ["bound and reused", "response", 200, 1, "same"],
  ["bound and reused", "last response", 200, 1, "another"],
  ["bound and reused", "abort", "ABORTED", 1, "another"],
  ["bound and reused", "caller's end, response", 200, 1, "another"],
]))(
  "a connection that is $state, at $event: $gets with $tries, then $next",
  async ({ state, event, gets, tries, next }) => {
    const stage = new Stage();
    await STATES[state]!(stage);
    const first = stage.targets.length;
    for (const one of event.split(", ")) EVENTS[one]!(stage);
    await turn();
    expect(1 + stage.targets.length - first).toBe(tries);
    for (const { say } of stage.targets.slice(first)) say(LAST);
    expect(await stage.asked.at(-1)!.outcome).toBe(gets);
    expect((await stage.exchange(WHOLE)) < first ? "same" : "another").toBe(next);
  },
);

it.each([
  { method: "GET", tries: 2 },
  { method: "HEAD", tries: 2 },
  { method: "OPTIONS", tries: 2 },
  { method: "GET", body: BYTES, tries: 1 },
  { method: "POST", tries: 1 },
  { method: "PUT", tries: 1 },
  { method: "PATCH", tries: 1 },
  { method: "DELETE", tries: 1 },
  { method: "PROPFIND", tries: 1 },
])(
  "a request that meets the end of a connection that was kept $method with $body has $tries of two tries",
  async ({ method, body, tries }) => {
    for (const how of [undefined, RESET]) {
      const stage = new Stage();
      await stage.exchange(WHOLE);
      await stage.begin({ method, ...(body && UPLOAD) });
      stage.target.watch.onClose(how);
      await turn();
      expect(stage.targets.length).toBe(tries);
      stage.target.watch.onClose(how);
      expect(await stage.asked.at(-1)!.outcome).toBe("ECONNRESET");
      expect(stage.targets.length).toBe(tries);
    }
  },
);

describe("a connection with a login", () => {
  it.each([
    { about: "asked for", text: LOGIN, fields: HOST },
    { about: "sent", text: WHOLE, fields: ["authorization", "Negotiate x"] as [string, string] },
  ])(
    "that was $about is its caller's alone, and gone where callers are not told apart",
    async ({ text, fields }) => {
      const stage = new Stage();
      const headers = new Fields([fields]);
      const other = { bonds: new CallerBonds() };
      expect(await stage.exchange(text, { headers })).toBe(0);
      expect(await stage.exchange(WHOLE, other)).toBe(1);
      expect(await stage.exchange(WHOLE)).toBe(0);
      expect(await stage.exchange(text, { headers, bonds: undefined })).toBe(1);
      expect(stage.targets.map(({ wire }) => wire.isDestroyed)).toEqual([false, true]);
    },
  );

  it("that is busy is not shared by its own caller either, and stays the one", async () => {
    const stage = new Stage();
    await STATES["bound and reused"]!(stage);
    expect(await stage.exchange(LOGIN)).toBe(1);
    expect(stage.target.wire.isDestroyed).toBe(true);
    stage.targets[0]!.say(WHOLE);
    expect(await stage.exchange(WHOLE)).toBe(0);
  });
});

it.each([
  { state: "kept", keeps: false },
  { state: "reused", keeps: false },
  { state: "reused for a POST", keeps: false },
  { state: "reused for a POST, this turn", keeps: false },
  { state: "fresh", keeps: true },
  { state: "within a head", keeps: true },
  { state: "bound", keeps: true },
  { state: "bound and reused", keeps: true },
])(
  "of a target that ends two connections without a word each $state, the next is kept: $keeps",
  async ({ state, keeps }) => {
    const stage = new Stage();
    for (const _ of [1, 2]) {
      await STATES[state]!(stage);
      stage.target.watch.onClose();
      await turn();
      stage.target.say(LAST);
      await stage.asked.at(-1)!.outcome;
    }
    const used = await stage.exchange(WHOLE);
    expect(await stage.exchange(WHOLE) === used).toBe(keeps);
  },
);

describe("a connection that is broken or left", () => {
  it("is told of twice, and counts as one", async () => {
    const stage = new Stage();
    await STATES.kept!(stage);
    for (const how of [undefined, RESET]) stage.target.watch.onClose(how);
    expect([await stage.exchange(WHOLE), await stage.exchange(WHOLE)]).toEqual([1, 1]);
  });

  it("is closed, though its response is complete", async () => {
    const stage = new Stage();
    await STATES["reused for a POST"]!(stage);
    for (const event of ["failed write", "response"]) EVENTS[event]!(stage);
    expect(stage.target.wire.isDestroyed).toBe(true);
  });

  it("is not written to", async () => {
    const stage = new Stage();
    await STATES["reused for a POST, this turn"]!(stage);
    EVENTS.abort!(stage);
    await turn();
    expect(stage.target.wire.written).not.toContain("POST");
  });
});

it("the TLS of a connection is read once, for the first request that is watched", async () => {
  const stage = new Stage();
  const readTls = vi.fn(() => ({ protocol: "TLSv1.3" }));
  stage.readTls = readTls;
  const origin = new URL("https://127.0.0.1:1");
  for (const _ of [1, 2]) await stage.exchange(WHOLE, { origin });
  expect(readTls).not.toHaveBeenCalled();
  const watch = {
    ...{ onReused: vi.fn(), onConnected: vi.fn(), onSecured: vi.fn(), onSent: vi.fn() },
    ...{ onFirstByte: vi.fn(), onVersion: vi.fn(), onInterim: vi.fn() },
  } satisfies HopWatch;
  for (const _ of [1, 2]) await stage.exchange(WHOLE, { origin, watch });
  const [[connection, tls], again] = watch.onReused.mock.calls as [[object, TlsFacts], unknown[]];
  expect([again[0] === connection, again[1] === tls]).toEqual([true, true]);
  expect([tls, readTls.mock.calls.length]).toEqual([{ protocol: "TLSv1.3" }, 1]);
});

it("a head that comes byte by byte costs what its length asks, and is read with all before and behind it", async () => {
  const growth = await measureGrowth(async (length) => {
    const stage = new Stage();
    await stage.begin();
    const lines = `X: ${"x".repeat(62)}\r\n`.repeat(length / 67);
    for (const byte of `${HINTS}HTTP/1.1 201 OK\r\n${lines}Content-Length: 2\r\n\r\n`) stage.target.say(byte);
    stage.target.say("ok");
    const { status, headers, body } = await stage.asked[0]!.answer;
    expect([status, headers.get("content-length"), String(body)]).toEqual([201, "2", "ok"]);
  });
  expect(growth).toBeLessThan(3);
});

it("a body that nobody reads pauses its connection while it comes, and leaves the next request's alone", async () => {
  const stage = new Stage();
  await stage.begin();
  const { wire, say } = stage.target;
  wire.resume();
  say(`HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n${"x".repeat(100_000)}`);
  const { body } = await stage.asked[0]!.answer;
  expect(wire.isPaused).toBe(true);
  const reader = (body as FlowBody).stream().getReader();
  await reader.read();
  expect(wire.isPaused).toBe(false);
  say("x".repeat(100_000));
  expect(await stage.exchange(WHOLE)).toBe(0);
  const [paused, resumed] = [vi.spyOn(wire, "pause"), vi.spyOn(wire, "resume")];
  while (!(await reader.read()).done);
  expect([paused.mock.calls, resumed.mock.calls]).toEqual([[], []]);
});

describe("a connection whose time is over, while timers are late", () => {
  afterEach(() => void vi.useRealTimers());

  it.each(rowsOf(["method", "text", "waitMs", "next"], [
    ["GET", WHOLE, 3_999, 0],
    ["GET", WHOLE, 9_000, 0],
    ["POST", WHOLE, 3_999, 0],
    ["POST", WHOLE, 4_000, 1],
    ["POST", LOGIN, 9_000, 0],
    ["POST", WHOLE.replace("\r\n", "\r\nKeep-Alive: timeout=3\r\n"), 2_000, 1],
  ]))("after $waitMs ms is taken by $method: $next", async ({ method, text, waitMs, next }) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const stage = new Stage();
    await stage.exchange(text);
    vi.advanceTimersByTime(waitMs);
    expect(await stage.exchange(WHOLE, { method })).toBe(next);
  });
});

describe("a target that is asked whether it wants a body", () => {
  afterEach(() => void vi.useRealTimers());
  const continuation = { isAwaited: true, onBody: undefined, onContinue: undefined };
  const headers = new Fields([HOST, ["content-length", "5"]]);

  /** An upload whose caller has sent it, and knows whether it was cut. */
  function upload() {
    const cut: string[] = [];
    return { body: new FlowBody({ pause() {}, resume() {}, cancel: () => void cut.push("cut") }), cut };
  }

  /** `says`: a response's bytes, or an event; `taken`: what it has been sent of the body. */
  it.each([
    { says: [CONTINUE, WHOLE], gets: 200, taken: "hello", next: 0 },
    { says: [CONTINUE + WHOLE], gets: 200, taken: "hello", next: 0 },
    { says: [HINTS, CONTINUE, CONTINUE, WHOLE], gets: 200, taken: "hello", next: 0 },
    { says: ["HTTP/1.1 100 Con", "tinue\r\n\r\n", WHOLE], gets: 200, taken: "hello", next: 0 },
    { says: [WHOLE], gets: 200, taken: "", next: 1 },
    { says: [REFUSED], gets: 413, taken: "", next: 1 },
    { says: [HINTS, REFUSED, CONTINUE], gets: 413, taken: "", next: 1 },
    { says: [CONTINUE, REFUSED], gets: 413, taken: "hello", next: 0 },
    { says: [CONTINUE, LAST], gets: 200, taken: "hello", next: 1 },
    { says: ["end"], gets: "ECONNRESET", taken: "", next: 1 },
    { says: [CONTINUE, "reset"], gets: "ECONNRESET", taken: "hello", next: 1 },
    { says: ["failed write", REFUSED, CONTINUE, "reset"], gets: 413, taken: "", next: 1 },
    { says: ["failed write", CONTINUE, "reset"], gets: "ECONNRESET", taken: "", next: 1 },
  ])("and says $says: $gets, has got '$taken', then $next", async ({ says, gets, taken, next }) => {
    const stage = new Stage();
    const { body } = upload();
    await stage.begin({ method: "POST", headers, body, continuation: { ...continuation } });
    body.push(BYTES, true);
    for (const one of says) (EVENTS[one] ?? (({ target }: Stage) => target.say(one)))(stage);
    expect(await stage.asked[0]!.outcome).toBe(gets);
    const [head, sent] = stage.targets[0]!.wire.written.split("\r\n\r\n");
    expect([head?.includes("expect: 100-continue"), sent]).toEqual([true, taken]);
    expect(stage.targets[0]!.wire.isDestroyed).toBe(next === 1);
    expect(await stage.exchange(WHOLE)).toBe(next);
  });

  it.each([
    { silentMs: 999, says: [], taken: "" },
    { silentMs: 1_000, says: [], taken: "hello" },
    { silentMs: 999, says: [HINTS, HINTS], taken: "" },
    { silentMs: 1_000, says: [HINTS], taken: "hello" },
    { silentMs: 999, says: Array(5).fill(HINTS), taken: "" },
    { silentMs: 999, says: Array(6).fill(HINTS), taken: "hello" },
  ])(
    "and says nothing for $silentMs ms, before and after $says: has got '$taken'",
    async ({ silentMs, says, taken }) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const stage = new Stage();
      const { body } = upload();
      await stage.begin({ method: "POST", headers, body, continuation: { ...continuation } });
      body.push(BYTES, true);
      for (const hint of says) {
        vi.advanceTimersByTime(999);
        stage.target.say(hint);
      }
      vi.advanceTimersByTime(silentMs);
      expect(stage.target.wire.written.split("\r\n\r\n")[1]).toBe(taken);
    },
  );

  it.each([
    { says: [WHOLE], gets: 200, cut: [], next: 0 },
    { says: [CONTINUE, HINTS, WHOLE], gets: 200, cut: [], next: 0 },
    { says: [`${WHOLE}!`], gets: 200, cut: ["cut"], next: 1 },
    { says: [LAST], gets: 200, cut: ["cut"], next: 1 },
    { says: ["failed write", REFUSED], gets: 413, cut: ["cut"], next: 1 },
    { says: ["failed write", "reset"], gets: "ECONNRESET", cut: ["cut"], next: 1 },
    { says: [REFUSED, "reset"], gets: 413, cut: ["cut"], next: 1 },
    { says: ["reset"], gets: "ECONNRESET", cut: ["cut"], next: 1 },
  ])("no more, and says $says within it: $gets, cut: $cut, then $next", async ({ says, gets, cut, next }) => {
    const stage = new Stage();
    const sent = upload();
    await stage.begin({ method: "POST", headers, body: sent.body });
    sent.body.push(Buffer.from("hel"));
    for (const one of says) (EVENTS[one] ?? (({ target }: Stage) => target.say(one)))(stage);
    sent.body.push(Buffer.from("lo"), true);
    expect(await stage.asked[0]!.outcome).toBe(gets);
    expect([sent.cut, stage.targets[0]!.wire.written.endsWith("hello")]).toEqual([cut, cut.length === 0]);
    expect(await stage.exchange(WHOLE)).toBe(next);
  });

  it.each([
    { versions: ["1.1"], asks: true },
    { versions: ["1.0"], asks: false },
    { versions: ["1.0", "1.1"], asks: true },
  ])("after $versions is asked: $asks", async ({ versions, asks }) => {
    const stage = new Stage();
    for (const version of versions) {
      await stage.exchange(`HTTP/${version} 200 OK\r\nContent-Length: 0\r\n\r\n`);
    }
    await stage.begin({ ...UPLOAD, method: "POST", continuation });
    expect(stage.target.wire.written.includes("expect: 100-continue")).toBe(asks);
  });
});

it.each([["whole", WHOLE], ["malformed", "HTTP/3\r\n\r\n"]])(
  "a request whose response is %s leaves no listener on its signal, which would keep it in memory",
  async (_, text) => {
    const stage = new Stage();
    const { signal } = new AbortController();
    await stage.begin({ signal });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    stage.target.say(text);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  },
);
