/**
 * The border of the core: forms of the Web become its own, once, and no sooner than they are needed.
 * @module
 */
import { describe, expect, it, vi } from "vitest";
import { respond, takeBody, takeRequest, takeResponse } from "../../../src/core/exchange/web-standard.ts";
import { answerWith } from "../../../src/core/http/answer.ts";
import { toStandard } from "../../../src/core/http/body.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { fromStream } from "../../../src/core/http/read-along.ts";
import { sourced } from "../../support/flow.ts";

const BYTES = new TextEncoder().encode("abc");
const SHIM = { method: "GET", url: "http://localhost/p", headers: new Headers() };
const streamOf = () => new Response("abc").body!;

describe("a body", () => {
  const flow = fromStream(streamOf());

  it.each([
    { about: "bytes", body: BYTES },
    { about: "a flow", body: flow },
    { about: "none", body: null },
  ])("in the form of the core stays as it is: $about", ({ body }) => expect(takeBody(body)).toBe(body));

  it("that is left out is none", () => expect(takeBody(undefined)).toBeNull());

  it("that is a web stream becomes a flow", async () => {
    const body = takeBody(streamOf());
    expect(body).toBeInstanceOf(FlowBody);
    expect(await new Response(toStandard(body)).text()).toBe("abc");
  });
});

describe("a request", () => {
  const post = () =>
    new Request("http://localhost/p", { method: "POST", headers: { "x-a": "1" }, body: "abc" });

  it("says what it said", () => {
    const request = post();
    const { method, url, headers, signal, fieldBytes } = takeRequest(request);
    expect([method, url, headers.get("x-a"), fieldBytes])
      .toEqual(["POST", "http://localhost/p", "1", undefined]);
    expect(signal).toBe(request.signal);
    expect(takeRequest({ method, url, headers, signal, body: null, fieldBytes: 7 }).fieldBytes).toBe(7);
  });

  it("is not asked for its body before somebody is, and then once", () => {
    const request = post();
    const stream = request.body;
    const get = vi.fn(() => stream);
    Object.defineProperty(request, "body", { get });
    const taken = takeRequest(request);
    expect(get).not.toHaveBeenCalled();
    expect(taken.body).toBe(taken.body);
    expect(get).toHaveBeenCalledTimes(1);
  });

  it.each([
    { about: "nobody has read", use: () => {}, isUsed: false },
    { about: "somebody has read", use: (request: Request) => request.text(), isUsed: true },
    { about: "somebody is reading", use: (request: Request) => void request.body?.getReader(), isUsed: true },
  ])("tells of a body that $about", async ({ use, isUsed }) => {
    const request = post();
    await use(request);
    expect(takeRequest(request).bodyUsed).toBe(isUsed);
  });
});

it("answers with a Response", async () => {
  const request = new Request("http://localhost/p", { method: "HEAD" });
  const response = await respond(request, ({ method }) => Promise.resolve(answerWith(200, [], method)));
  expect([response.status, response.headers.get("content-length"), response.body]).toEqual([200, "4", null]);
});

it.each([
  { about: "nothing", handed: undefined },
  { about: "null", handed: null },
  { about: "an address", handed: "http://localhost/p" },
  { about: "a context", handed: { request: new Request("http://localhost/p") } },
  { about: "an address as an object", handed: { ...SHIM, url: new URL("http://localhost/p") } },
  { about: "fields as an object", handed: { ...SHIM, headers: { host: "localhost" } } },
  { about: "no method", handed: { ...SHIM, method: undefined } },
])("answers 500 where it is handed what is no request: $about", async ({ handed }) => {
  const reply = vi.fn();
  const response = await respond(handed as unknown as Request, reply);
  expect([response.status, await response.json()]).toEqual([500, {
    title: "Proxy Error",
    detail: "Cannot answer: what was handed to the proxy is no Request",
  }]);
  expect(reply).not.toHaveBeenCalled();
});

it.each([
  { about: "the system", failure: new Error("read ECONNRESET"), told: "The response ended early" },
  {
    about: "the proxy",
    failure: new ProxyError("caller_gone", "The client closed the connection"),
    told: "The client closed the connection",
  },
])("tells of no failure in a body but in words for callers: of $about", async ({ failure, told }) => {
  const { body } = sourced();
  const reply = { status: 200, headers: new Fields(), body };
  const response = await respond(new Request("http://localhost/p"), () => Promise.resolve(reply));
  body.end(failure);
  await expect(response.text()).rejects.toThrow(told);
});

describe("an answer", () => {
  const upstream = { status: 200, statusText: "", headers: new Headers() };

  it("in the form of the core stays as it is", () => {
    const answer = { ...upstream, body: BYTES };
    expect(takeResponse(answer)).toBe(answer);
  });

  it("with a web stream gets a flow, and keeps all else", () => {
    const { body, ...others } = takeResponse({ ...upstream, body: streamOf(), isWhole: true });
    expect(body).toBeInstanceOf(FlowBody);
    expect(others).toEqual({ ...upstream, isWhole: true });
  });
});
