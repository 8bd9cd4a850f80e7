/** The recorder of one request, as the steps call it. @module */
import { describe, expect, it } from "vitest";
import { createMasker } from "../../../src/parts/capture/masker.ts";
import { guardSecrets, type KeyGuard } from "../../../src/parts/capture/key-guard.ts";
import { Recorder } from "../../../src/parts/capture/recorder.ts";
import type { Continuation } from "../../../src/core/interim.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import type { Outgoing, Upstream } from "../../../src/core/runtime.ts";
import { Cancellation } from "../../../src/core/http/cancellation.ts";
import { type FieldReader, Fields } from "../../../src/core/http/fields.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { readWhole } from "../../../src/core/http/body.ts";
import { formatEnd } from "../../../src/wire/codec/chunk.ts";
import { incomingOf } from "../../support/exchange.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";
import { rowsOf } from "../../support/rows.ts";

const VIEWER = "0123456789abcdef0123456789abcdef";
const bytes = (text: string) => new TextEncoder().encode(text);

interface Made {
  fields?: Record<string, string>;
  path?: string;
  bodyBytes?: number;
  guard?: KeyGuard;
  take?: (bytes: number) => boolean;
  continuation?: Continuation;
}

function createRecorder(
  { fields, path = "/", bodyBytes = 100, guard, take = () => true, continuation }: Made = {},
) {
  const sinks = [(record: RequestRecord) => record.capture?.end()];
  const record = new RequestRecord("GET", sinks);
  const memoryOf = () => ({ take, give: () => {} });
  const context = { bodyBytes, masker: createMasker("00"), guard, memoryOf, numberOf: () => "7" };
  const incoming = { ...incomingOf({ path, ...(fields && { fields }) }), continuation };
  const recorder = new Recorder(record, incoming, context);
  record.capture = recorder;
  return { record, recorder };
}

function outgoingOf(more: Partial<Outgoing> = {}): Outgoing {
  const headers = new Fields([["host", "a.test"]]);
  const origin = new URL("https://a.test");
  const signal = new Cancellation();
  return { method: "GET", origin, path: "/", headers, body: null, addresses: undefined, signal, ...more };
}

const upstreamOf = (headers: [string, string][] = []): Upstream => ({
  status: 200,
  statusText: "OK",
  headers: new Fields(headers),
  body: null,
});

/** An error of the proxy's own, whose body is kept. */
const refusal = () => ({
  status: 403,
  headers: new Fields([["content-type", "application/json"]]),
  body: bytes("x"),
});

describe("a recorder", () => {
  it("tells of a request from its arrival to its end", async () => {
    const { record, recorder } = createRecorder({
      path: "/p?token=xyz",
      fields: { authorization: "Bearer xyz" },
    });
    record.selector = "url";
    record.callerId = "ci";
    expect(recorder.read(null)).toMatchObject({ id: record.id, isRunning: true, hops: [] });
    recorder.aim();
    recorder.lookedUp();
    await recorder.watch(() => Promise.resolve(upstreamOf()))(outgoingOf());
    recorder.answer({ status: 201, statusText: "Made", headers: new Fields(), body: bytes("done") }, "GET");
    record.answered(201, 4);
    const capture = recorder.read(null);
    expect(capture).toMatchObject({
      isRunning: false,
      selector: "url",
      callerId: "ci",
      request: {
        method: "GET",
        url: expect.stringMatching(/^http:\/\/localhost:8080\/p\?token=\*{3}\(3-bytes,/),
      },
      response: { status: 201, statusText: "Made" },
      responseBody: { base64: btoa("done"), size: 4, isOver: true },
    });
    const { startMs, lookedUpMs = 0, endMs = 0 } = capture.hops[0]!.times;
    expect(startMs).toBeLessThanOrEqual(lookedUpMs);
    expect(lookedUpMs).toBeLessThanOrEqual(endMs);
    expect(JSON.stringify(capture)).not.toContain("xyz");
  });

  it("hands the sender all that it got, and the watch", async () => {
    const { recorder } = createRecorder();
    const outgoing = outgoingOf();
    const seen: Outgoing[] = [];
    const upstream = upstreamOf();
    const send = recorder.watch((sent) => {
      seen.push(sent);
      return Promise.resolve(upstream);
    });
    expect(await send(outgoing)).toBe(upstream);
    expect(seen[0]).toEqual({ ...outgoing, watch: expect.objectContaining({}) });
    seen[0]?.watch?.onReused({});
    expect(recorder.read(null).hops[0]).toMatchObject({ connection: "7", times: { isReused: true } });
  });

  it.each([
    { about: "the failure", abort: () => {}, error: "connection_refused" },
    {
      about: "the reason of the abort",
      abort: (signal: Cancellation) => signal.abort(Object.assign(new Error(), { code: "ETIMEDOUT" })),
      error: "connection_timeout",
    },
  ])("passes a failure on, and keeps $about", async ({ abort, error }) => {
    const { recorder } = createRecorder();
    const failure = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
    const signal = new Cancellation();
    const send = recorder.watch(() => {
      abort(signal);
      return Promise.reject(failure);
    });
    await expect(send(outgoingOf({ signal }))).rejects.toBe(failure);
    expect(recorder.read(null).hops[0]?.error).toBe(error);
  });

  it("keeps the body of a request once, however often it is sent", async () => {
    const { recorder } = createRecorder();
    const send = recorder.watch(() => Promise.resolve(upstreamOf()));
    await send(outgoingOf({ body: bytes("abc") }));
    await send(outgoingOf({ body: bytes("abc") }));
    expect(recorder.read(null)).toMatchObject({ requestBody: { size: 3 }, hops: [{}, {}] });
  });

  it("sees streams pass, and does not read them", async () => {
    const { recorder } = createRecorder({ bodyBytes: 4 });
    const body = new FlowBody({ resume: () => {}, pause: () => {}, cancel: () => {} });
    recorder.answer({ status: 200, headers: new Fields(), body }, "GET");
    // Its source says why it may be kept: the proxy's own pages are not.
    expect(recorder.read(null).responseBody).toMatchObject({ size: 0, isOver: false });
    const whole = readWhole(body);
    body.push(bytes("abc"));
    body.push(bytes("def"), true);
    expect(new TextDecoder().decode(await whole)).toBe("abcdef");
    expect(recorder.read(null).responseBody).toMatchObject({ size: 6, isOver: true });
  });

  it.each(rowsOf(["about", "headers", "status", "kept"], [
    ["pages of the proxy", [["content-type", "text/html"]], 200, ""],
    ["errors of the proxy", [["content-type", "application/json"]], 403, btoa("x")],
  ]))("treats $about so", ({ headers, status, kept }) => {
    const { recorder } = createRecorder();
    recorder.answer({ status, headers: new Fields(headers as [string, string][]), body: bytes("x") }, "GET");
    expect(recorder.read(null).responseBody?.base64).toBe(kept);
  });

  it("stays masked for all if the viewer comes too late", () => {
    const { recorder } = createRecorder({ fields: { cookie: "a=planted" } });
    recorder.read(null);
    recorder.own(VIEWER);
    expect(JSON.stringify(recorder.read(VIEWER))).not.toContain("planted");
  });

  it.each([
    { about: "its own viewer", viewer: VIEWER, path: "/p?q=a&token=planted" },
    { about: "nobody", viewer: null, path: "/p?q=a&token=planted" },
    { about: "nobody, with a key of the table", viewer: null, path: `/p?q=a&token=${KEYS["KEY"]}` },
  ])("names its query, masked for all: one of $about", async ({ viewer, path }) => {
    const guard = guardSecrets(hooksFor(tableOf({ "a.test": { set: { "x-key": "{{KEY}}" } } })).secrets);
    const { recorder } = createRecorder({ guard });
    recorder.own(viewer);
    expect(recorder.query).toBeUndefined();
    await recorder.watch(() => Promise.resolve(upstreamOf()))(outgoingOf({ path }));
    expect(recorder.query).toMatch(/^\?q=a&token=\*\*\*\(7-bytes,.{4}\)$/);
  });

  it.each<{ about: string; host?: string; path: string; aimed: string; has?: RegExp }>([
    {
      about: "with the target's own path",
      path: "/p?q=a&token=planted",
      aimed: "/p?",
      has: /^\?q=a&token=\*\*\*/,
    },
    {
      about: "whose target is in the query",
      path: "/__proxy__/?url=http%3A%2F%2Fa.test%2Fp%3Fq",
      aimed: "/p?",
    },
    { about: "whose target has no query", path: "/p?q=a", aimed: "/p" },
    ...["a%b", "1.2.3.4.5", "[:::]", "", "a b"].map((host) => ({
      about: `whose Host is no name: '${host}'`,
      host,
      path: "/p?q=a",
      aimed: "/p?",
      has: /^\?q=a$/,
    })),
  ])("names the query of one that nothing went out for: one $about", ({ host, path, aimed, has }) => {
    const { record, recorder } = createRecorder({ path, fields: { host: host ?? "localhost:8080" } });
    record.aim = { method: "GET", origin: new URL("https://a.test"), path: aimed };
    recorder.answer(refusal(), "GET");
    expect(recorder.query).toEqual(has && expect.stringMatching(has));
  });

  it("names the address that was refused, masked, until something goes out to it", async () => {
    const { record, recorder } = createRecorder({ fields: { host: "p.test" } });
    recorder.own(VIEWER);
    record.aim = {
      method: "PUT",
      origin: new URL("https://a.test"),
      path: "/x/sk-proj-abcdefghijklmnop1234567890?",
    };
    expect(recorder.read(VIEWER).refused).toBeUndefined();
    record.error = "forbidden";
    expect(recorder.read(VIEWER).refused).toEqual({
      method: "PUT",
      url: expect.stringMatching(/^https:\/\/a\.test\/x\/sk-proj-\*\*\*\(26-bytes,.*\)$/),
    });
    await recorder.watch(() => Promise.resolve(upstreamOf()))(outgoingOf());
    expect(recorder.read(VIEWER).refused).toBeUndefined();
  });

  it("notes messages, and how many it was not told of", () => {
    const { recorder } = createRecorder();
    const message = {
      from: "caller",
      kind: "text",
      payload: bytes("hi"),
      size: 2,
      isCompressed: false,
      skipped: 1,
    } as const;
    recorder.onMessage(message);
    const { messages, skippedMessages } = recorder.read(null);
    expect(messages)
      .toEqual([{ atMs: expect.any(Number), from: "caller", kind: "text", size: 2, base64: btoa("hi") }]);
    expect(skippedMessages).toBe(1);
  });

  /** A body that has come with its trailers; `pass` chooses those that go on. */
  function bodyWith(trailers: [string, string][], pass?: FlowBody["passTrailers"]): FlowBody {
    const body = new FlowBody({ resume: () => {}, pause: () => {}, cancel: () => {} });
    body.trailers = new Fields(trailers);
    body.passTrailers = pass;
    body.end();
    return body;
  }

  it("has trailers as they came and as they went on, both ways", async () => {
    const { recorder } = createRecorder({
      guard: guardSecrets(hooksFor(tableOf({ "a.test": { set: { "x-key": "{{KEY}}" } } })).secrets),
    });
    const only = (name: string) => (fields: FieldReader) => new Fields([[name, fields.get(name) ?? ""]]);
    const sent = bodyWith([["X-Api-Key", "planted"], ["x-sum", "a"]], only("x-sum"));
    const got = bodyWith([["x-sum", KEYS["KEY"] ?? ""], ["x-b", "b"]]);
    await recorder.watch(async ({ body }) => {
      await readWhole(body as FlowBody);
      formatEnd(body as FlowBody);
      return { ...upstreamOf(), body: got };
    })(outgoingOf({ body: sent }));
    got.passTrailers = only("x-b");
    recorder.answer({ status: 200, headers: new Fields(), body: got }, "GET");
    await readWhole(got);
    expect(formatEnd(got)).toBe("0\r\nx-b: b\r\n\r\n");
    const { request, response, hops: [hop] } = recorder.read(null);
    expect([request, hop?.request, hop?.response, response].map((head) => head?.trailers)).toEqual([
      [["X-Api-Key", expect.stringMatching(/^\*{3}\(7 bytes, /)], ["x-sum", "a"]],
      [["x-sum", "a"]],
      [["x-sum", "{{KEY}}"], ["x-b", "b"]],
      [["x-b", "b"]],
    ]);
  });

  it("has what the caller was told before its answer, 100 too", () => {
    const continuation: Continuation = { isAwaited: true, onBody: undefined, onContinue: undefined };
    const { recorder } = createRecorder({ continuation });
    continuation.onContinue?.();
    recorder.onInterim({ status: 103, statusText: "A", headers: new Fields([["x-key", "planted"]]) });
    expect(recorder.read(null).interims).toEqual([
      { atMs: expect.any(Number), status: 100, statusText: "Continue", headers: [] },
      {
        atMs: expect.any(Number),
        status: 103,
        statusText: "A",
        headers: [["x-key", expect.stringMatching(/^\*{3}\(7 bytes, /)]],
      },
    ]);
    expect(createRecorder().recorder.read(null)).not.toHaveProperty("interims");
  });

  it("leaves out what there is no memory for", () => {
    let left = 1_120;
    const take = (count: number) => count <= left && ((left -= count), true);
    const { recorder } = createRecorder({ take, fields: { a: "x".repeat(100) } });
    recorder.answer(refusal(), "GET");
    const { request, responseBody } = recorder.read(null);
    expect(request.headers.map(([name]) => name)).toEqual(["host"]);
    expect(responseBody?.size).toBe(1);
  });

  it("lets everything go when it is dropped, also of a record that stays", () => {
    const { record, recorder } = createRecorder();
    recorder.answer(refusal(), "GET");
    recorder.drop();
    expect(record.capture).toBeUndefined();
    expect(recorder.read(null).responseBody).toMatchObject({ base64: "", size: 1 });
  });
});
