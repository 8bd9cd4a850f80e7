/** What a process captures: whether, which requests, how long. @module */
import { afterEach, describe, expect, it, vi } from "vitest";
import { Captures } from "../../../src/parts/capture/captures.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { Cancellation } from "../../../src/core/http/cancellation.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Outgoing, Runtime } from "../../../src/core/runtime.ts";
import { incomingOf } from "../../support/exchange.ts";
import { alike } from "../../support/rows.ts";

const captureBytes = 1_048_576;
const KEY = "00112233445566778899aabbccddeeff";

/** The runtime of a caller on this machine. */
const LOCAL = { clientAddress: "127.0.0.1" };

function begin(captures: Captures, path = "/", fields = {}, runtime: Runtime = LOCAL): RequestRecord {
  const record = new RequestRecord("GET", []);
  captures.begin(record, { incoming: incomingOf({ path, fields }), path, runtime }, []);
  return record;
}

function outgoingOf(): Outgoing {
  const [origin, headers, signal] = [new URL("http://a.test"), new Fields(), new Cancellation()];
  return { method: "GET", origin, path: "/", headers, body: null, addresses: undefined, signal };
}

afterEach(() => void vi.useRealTimers());

describe("captures", () => {
  it.each([
    { capture: "off" as const, bodyBytes: null, requests: 0 },
    { capture: "console" as const, bodyBytes: null, requests: 0, whileOpen: { whileOpen: true } },
    { capture: "heads" as const, bodyBytes: 0, requests: 1 },
    { capture: 100, bodyBytes: 100, requests: 1 },
  ])("follow the setting $capture", ({ capture, bodyBytes, requests, whileOpen = {} }) => {
    const captures = new Captures({ capture, captureBytes, trustedProxies: [] }, KEY);
    const record = begin(captures);
    expect(captures.state).toEqual({ bodyBytes, ...whileOpen, requests, bytes: 0, maxBytes: captureBytes });
    expect(record.capture !== undefined).toBe(requests === 1);
    expect(captures.read(record.id, null) !== undefined).toBe(requests === 1);
  });

  it.each([
    { about: "", lent: {}, numbers: ["1", "2", "1"] },
    { about: " of one of several processes", lent: { processNumber: 3 }, numbers: ["3.1", "3.2", "3.1"] },
  ])("number the connections$about in order", async ({ lent, numbers }) => {
    const captures = new Captures({ capture: "heads", captureBytes, trustedProxies: [] }, KEY, lent);
    const [one, other] = [{}, {}];
    const seen = [one, other, one].map(async (connection) => {
      const { capture, id } = begin(captures);
      const send = capture!.watch(({ watch }) => {
        watch?.onConnected(connection);
        return Promise.reject(new Error("over"));
      });
      await send(outgoingOf()).catch(() => {});
      return captures.read(id, null)?.hops[0]?.connection;
    });
    expect(await Promise.all(seen)).toEqual(numbers);
  });

  it("can be switched on for a time, and follow the setting again after it", () => {
    vi.useFakeTimers({ now: 1_000 });
    const captures = new Captures({ capture: "off", captureBytes, trustedProxies: [] }, KEY);
    captures.switch({ bodyBytes: 5, until: 2_000, at: 1_000 });
    expect(captures.state).toMatchObject({ bodyBytes: 5, until: 2_000 });
    vi.setSystemTime(2_000);
    expect(captures.state).toEqual({ bodyBytes: null, requests: 0, bytes: 0, maxBytes: captureBytes });
    expect(captures.switched).toBeUndefined();
  });

  it.each(
    [
      { capture: "off", to: undefined, kept: [null, null] },
      { capture: "console", to: undefined, kept: [1_048_576, null] },
      { capture: "console", to: null, kept: [null, null] },
      { capture: "console", to: 5, kept: [5, 5] },
      { capture: "off", to: "console", kept: [1_048_576, null] },
      { capture: "heads", to: undefined, kept: [0, 0] },
      { capture: "heads", to: "console", kept: [1_048_576, null] },
    ] as const,
  )("keep $kept while a console is open and after it, with $capture switched to $to", (row) => {
    const { capture, to, kept } = row;
    const captures = new Captures({ capture, captureBytes, trustedProxies: [] }, KEY);
    for (const bodyBytes of to === undefined ? [] : [to]) captures.switch({ bodyBytes, at: 1 });
    const told = [true, false].map((isWatched) => {
      captures.isWatched = isWatched;
      const { bodyBytes } = captures.state;
      expect(begin(captures).capture !== undefined).toBe(bodyBytes !== null);
      return bodyBytes;
    });
    expect(told).toEqual(kept);
  });

  it("keep those of callers on this machine alone while they are on because a console is open", () => {
    const captures = new Captures({ capture: "console", captureBytes, trustedProxies: [] }, KEY);
    captures.isWatched = true;
    expect(begin(captures).capture).toBeDefined();
    expect(begin(captures, "/", {}, { clientAddress: "192.0.2.1" }).capture).toBeUndefined();
    expect(begin(captures, "/", { "x-forwarded-for": "127.0.0.1" }).capture).toBeUndefined();
  });

  it("end at no time where they are switched on as the setting has them", () => {
    const captures = new Captures({ capture: 5, captureBytes, trustedProxies: [] }, KEY);
    captures.switch({ bodyBytes: null, at: 1 });
    captures.switch({ bodyBytes: 5, until: Date.now() + 60_000, at: 2 });
    expect(captures.state).toEqual({ bodyBytes: 5, requests: 0, bytes: 0, maxBytes: captureBytes });
  });

  it.each([{ at: 1, bodyBytes: 5 }, { at: 2, bodyBytes: null }])(
    "obey the last switch, in whatever order they come: at $at after 2, $bodyBytes",
    ({ at, bodyBytes }) => {
      const captures = new Captures({ capture: "off", captureBytes, trustedProxies: [] }, KEY);
      captures.switch({ bodyBytes: 5, at: 2 });
      captures.switch({ bodyBytes: null, at });
      expect(captures.bodyBytes).toBe(bodyBytes);
    },
  );

  it.each([
    ...alike("path", { is: true })`/ /p /__proxy__/?url=http://a.test /__proxy__?url=http://a.test
      /__proxy__/?host=http://a.test /__proxy__/fetch /__proxy__/send /__proxy__/explain?url=x /__proxy__/nope
      /__proxy__x`,
    ...alike("path", { is: false })`/__proxy__/ /__proxy__ /__proxy__/?x=1 /__proxy__/traffic
      /__proxy__/traffic?ticket=x /__proxy__/traffic.har /__proxy__/capture?id=x /__proxy__/health
      /__proxy__/metrics /__proxy__/console.js /__proxy__/console-inspector-0a1b.js`,
  ])("hold $path: $is", ({ path, is }) => {
    const captures = new Captures({ capture: "heads", captureBytes, trustedProxies: [] }, KEY);
    expect(begin(captures, path).capture !== undefined).toBe(is);
  });

  it.each([
    { about: "with a target", facts: { target: "a.test" }, requests: 1 },
    { about: "that was refused", facts: { error: "forbidden" as const }, requests: 1 },
    { about: "for a page of the proxy", facts: {}, requests: 0 },
  ])("keep a request $about when it has ended: $requests", ({ facts, requests }) => {
    const captures = new Captures({ capture: "heads", captureBytes, trustedProxies: [] }, KEY);
    captures.end(Object.assign(begin(captures, "/__proxy__/?host=http://a.test"), facts));
    expect(captures.state.requests).toBe(requests);
  });

  it("list what they hold, oldest first, and forget it", () => {
    const captures = new Captures({ capture: "heads", captureBytes, trustedProxies: [] }, KEY);
    const ids = [begin(captures), begin(captures)].map(({ id }) => id);
    expect(captures.list().map(([id]) => id)).toEqual(ids);
    captures.read(ids[0] ?? "", null);
    expect(captures.state.bytes).toBeGreaterThan(1_000);
    captures.clear();
    expect(captures.state).toMatchObject({ requests: 0, bytes: 0 });
  });
});
