/** Step 5: what of a target's answer reaches the caller. */
import { type Reply, toResponse } from "../../../src/core/http/reply.ts";
import { describe, expect, it, vi } from "vitest";
import type { Options } from "../../../src/core/settings/config.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import type { Exchange, Prepared, Target, TargetResponse } from "../../../src/core/exchange/exchange.ts";
import { createDeadlines } from "../../../src/core/http/deadlines.ts";
import { FlowBody } from "../../../src/core/http/flow.ts";
import { MAX_NOTES, noteName } from "../../../src/core/http/cookie-jar.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { buildResponse, markResponse, relayInterims } from "../../../src/core/steps/response.ts";
import { takeResponse } from "../../../src/core/exchange/web-standard.ts";
import type { Incoming, Upstream } from "../../../src/core/runtime.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { rowsOf, words } from "../../support/rows.ts";
import { Fields } from "../../../src/core/http/fields.ts";

interface Parts {
  selector?: Target["selector"];
  basePath?: string;
  options?: Options;
  method?: string;
  /** The caller's fields. */
  fields?: Record<string, string>;
  isSecure?: boolean;
  /** Whether the target is the configured host. */
  host?: boolean;
}

interface TestContext {
  exchange: Exchange;
  target: Target;
  request: Prepared;
  incoming: Incoming;
}

const JARLESS = { sendsCookies: false, owner: undefined, isCrossing: false };

function contextOf(parts: Parts = {}): TestContext {
  const { selector = "header", basePath = "", options = {}, method = "GET", fields = {} } = parts;
  const { isSecure = false, host } = parts;
  const origin = `${isSecure ? "https" : "http"}://localhost:8080`;
  const exchange = exchangeOf({ method, path: "/p", fields, options });
  const target = { selector, origin: new URL("https://a.test"), basePath, path: `${basePath}/p` };
  const caller = { ...exchange.caller, origin, isSecure };
  const idle = createDeadlines(exchange.config.idleTimeoutMs, true);
  const cookies = { host: host ? { origin: target.origin, path: "" } : undefined, ...JARLESS };
  const { headers, body } = exchange.incoming;
  return {
    exchange: {
      ...exchange,
      caller,
      record: new RequestRecord(method, []),
      deadlines: { answer: idle, idle, look: idle },
    },
    incoming: exchange.incoming,
    target,
    request: { ...target, method, headers, body, addresses: undefined, cookies },
  };
}

function answerOf(
  fields: HeadersInit,
  { finalAddress, ...parts }: Partial<Upstream> & Pick<TargetResponse, "finalAddress"> = {},
): TargetResponse {
  const upstream = { status: 200, statusText: "", headers: new Headers(fields), body: null, ...parts };
  return { ...takeResponse(upstream), ...(finalAddress && { finalAddress }) };
}

// The first answer with such a field loads what maps it; later ones are there at once.
const { request: asked, exchange: known, target: named } = contextOf();
await buildResponse(answerOf({ location: "/" }), asked, known, named);

/** There is nothing to mark, so nothing is waited for. */
function build(answer: TargetResponse, { request, exchange, target }: TestContext): Reply {
  return buildResponse(answer, request, exchange, target) as Reply;
}

function respond(answer: TargetResponse, context: TestContext): Response {
  return toResponse(build(answer, context), context.incoming);
}

function fieldsOf(fields: HeadersInit, parts: Parts = {}, answer: Partial<TargetResponse> = {}): Headers {
  return respond(answerOf(fields, answer), contextOf(parts)).headers;
}

it.each(words`000 099 101 199 600 999 NaN`)("the status can't be sent: %s", (status) => {
  const respondOnce = () => respond(answerOf({}, { status: Number(status) }), contextOf());
  expect(respondOnce).toThrow(expect.objectContaining({ code: "malformed_answer" }));
  expect(respondOnce).toThrow(`its status is ${status}, expected`);
});

it.each(rowsOf(["about", "differs", "isRelayed"], [
  ["any", {}, true],
  ["a sealed one", { wishes: { isSealed: true } }, false],
  ["one of a form", { form: {} }, false],
  ["one of an argument", { described: {}, path: "/__proxy__/" }, true],
  ["one that the console shows", { described: {}, path: "/__proxy__/send" }, false],
  ["one after redirects", { follow: true }, true],
]))("an interim response comes before $about: $isRelayed", ({ differs, isRelayed }) => {
  const { request, exchange, target, incoming } = contextOf();
  const heard = { ...exchange, ...differs, incoming: { ...incoming, sendInterim: () => true } };
  const relay = relayInterims({ ...request, ...differs } as Prepared, heard as Exchange, {
    ...target,
    ...differs,
  });
  expect(relay !== undefined).toBe(isRelayed);
});

describe("a body that is not handed on", () => {
  it.each([
    { about: "of a HEAD", parts: { method: "HEAD" }, answer: { status: 200 } },
    { about: "of a 304", parts: {}, answer: { status: 304 } },
  ])("$about is given up, so that its connection is free", ({ parts, answer }) => {
    let given = 0;
    const body = new FlowBody({ pause() {}, resume() {}, cancel: () => void (given += 1) });
    const reply = build(answerOf({}, { ...answer, body }), contextOf(parts));
    expect([reply.body, given]).toEqual([null, 1]);
  });

  it("of a status that no runtime can send is given up too", () => {
    let given = 0;
    const body = new FlowBody({ pause() {}, resume() {}, cancel: () => void (given += 1) });
    expect(() => build(answerOf({}, { status: 600, body }), contextOf())).toThrow("600");
    expect(given).toBe(1);
  });
});

describe("the body", () => {
  it.each([
    { about: "within the limit", length: "4", maxResponseBytes: 4, isRefused: false },
    { about: "over the limit", length: "5", maxResponseBytes: 4, isRefused: true },
    { about: "without a limit", length: "5", maxResponseBytes: 0, isRefused: false },
  ])("announced $about: refused is $isRefused", ({ length, maxResponseBytes, isRefused }) => {
    const cancel = vi.fn();
    const answer = answerOf({ "content-length": length }, { body: new ReadableStream({ cancel }) });
    const codes: string[] = [];
    try {
      respond(answer, contextOf({ options: { maxResponseBytes } }));
    } catch (error) {
      codes.push((error as ProxyError).code);
    }
    expect(codes).toEqual(isRefused ? ["answer_too_large"] : []);
    expect(cancel).toHaveBeenCalledTimes(isRefused ? 1 : 0);
  });

  it.each([
    { type: "text/plain", ends: "response_timeout" },
    { type: "text/event-streams", ends: "response_timeout" },
    { type: "text/event-stream", ends: "waiting" },
    { type: "text/event-stream; charset=utf-8", ends: "waiting" },
    { type: "Text/Event-Stream ;charset=utf-8", ends: "waiting" },
  ])("that stalls, $type: $ends", async ({ type, ends }) => {
    vi.useFakeTimers();
    const answer = answerOf({ "content-type": type }, { body: new ReadableStream() });
    const context = contextOf({ options: { idleTimeoutMs: 50 } });
    let state = "waiting";
    void respond(answer, context).text().catch(({ code }: ProxyError) => (state = code));
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    expect(state).toBe(ends);
    expect(context.exchange.record.error ?? "waiting").toBe(ends);
  });
});

describe("the length", () => {
  it.each([
    { value: "5", kept: "5" },
    { value: "0", kept: "0" },
    { value: "5, 5", kept: null },
    { value: "-5", kept: null },
    { value: "5x", kept: null },
    { value: "", kept: null },
  ])("$value → $kept", ({ value, kept }) => {
    expect(fieldsOf({ "content-length": value }).get("content-length")).toBe(kept);
  });

  it("is none for 204", () =>
    expect(fieldsOf({ "content-length": "0" }, {}, { status: 204 }).has("content-length")).toBe(false));

  it("stays for 304", () =>
    expect(fieldsOf({ "content-length": "9" }, {}, { status: 304 }).get("content-length")).toBe("9"));
});

it.each([
  { selector: "url" as const, site: "same-origin", host: true, line: "a=1; Path=/x" },
  { selector: "url" as const, site: "same-origin", host: false, line: null },
  { selector: "arg" as const, site: "same-origin", host: false, line: null },
  { selector: "header" as const, site: "same-origin", host: false, line: null },
  { selector: "header" as const, site: "same-origin", host: true, line: "a=1; Path=/x" },
  { selector: "label" as const, site: "same-origin", host: true, line: "a=1; Path=/x" },
  { selector: "url" as const, site: undefined, host: true, line: "a=1; Path=/" },
  { selector: "url" as const, site: undefined, host: false, line: "a=1; Path=/" },
  { selector: "cookie" as const, site: undefined, host: true, line: "a=1; Path=/x" },
])(
  "cookies by $selector, site $site, of the configured host: $host → $line",
  ({ selector, site, host, line }) => {
    const fields: Record<string, string> = site === undefined ? {} : { "sec-fetch-site": site };
    const headers = fieldsOf({ "set-cookie": "a=1; Path=/x" }, { selector, fields, host });
    expect(headers.get("set-cookie")).toBe(line);
  },
);

it("cookies in the jar that hosts share end the twin that the browser showed, which takes no room for a note", () => {
  const notes = Array.from(
    { length: MAX_NOTES - 1 },
    (_, index) => `${noteName({ name: `n${index}`, path: "/" })}=1`,
  );
  const fields = { "sec-fetch-site": "same-origin", cookie: ["sid=1", ...notes].join("; ") };
  const made = contextOf({ selector: "cookie", fields, host: true });
  const lines: [string, string][] = [["set-cookie", "sid=2; Path=/; HttpOnly"], [
    "set-cookie",
    "ui=3; Path=/x",
  ]];
  const cookies = { ...made.request.cookies, owner: "https_a.test_" };
  const { headers } = respond(answerOf(lines), { ...made, request: { ...made.request, cookies } });
  expect(headers.getSetCookie()).toEqual([
    "proxy_at_https_a.test_~sid=2; Path=/; HttpOnly",
    "sid=; Path=/; HttpOnly; Max-Age=0",
    "ui=3; Path=/x",
    expect.stringContaining("proxy_set_ui~"),
  ]);
});

describe("what is added", () => {
  it.each([
    { selector: "url" as const, isSigned: true, policy: "cross-origin" },
    { selector: "arg" as const, isSigned: true, policy: "cross-origin" },
    { selector: "url" as const, isSigned: false, policy: "same-origin" },
    { selector: "header" as const, isSigned: true, policy: "same-origin" },
  ])("leave for any page to embed, where the link is signed: $selector $isSigned", (row) => {
    const { selector, isSigned, policy } = row;
    const made = contextOf({ selector });
    const { headers } = respond(answerOf({ "cross-origin-resource-policy": "same-origin" }), {
      ...made,
      exchange: { ...made.exchange, isSigned },
    });
    expect(headers.get("cross-origin-resource-policy")).toBe(policy);
  });

  it("x-final-url where redirects ended, without credentials", () => {
    const finalAddress = { origin: new URL("https://b.test"), path: "/x?y", authorization: "Basic dTpw" };
    const headers = fieldsOf({ "content-location": "z" }, { selector: "url" }, { finalAddress });
    expect(headers.get("x-final-url")).toBe("https://b.test/x?y");
    const link = `http://localhost:8080/__proxy__/?url=${encodeURIComponent("https://b.test/z")}`;
    expect(headers.get("content-location")).toBe(link);
  });
});

it.each(rowsOf(["selector", "leads"], [
  ["header" as const, "/app.js.map"],
  ["url" as const, `http://localhost:8080/__proxy__/?url=${encodeURIComponent("https://a.test/app.js.map")}`],
]))("leads to a source map by $selector", ({ selector, leads }) => {
  const address = "https://a.test/app.js.map";
  const headers = fieldsOf({ "sourcemap": address, "x-sourcemap": address }, { selector });
  expect([headers.get("sourcemap"), headers.get("x-sourcemap")]).toEqual([leads, leads]);
});

it("leaves the target's answer as it was", () => {
  const before = { "connection": "x-hop", "x-hop": "1", "location": "https://a.test/x", "alt-svc": "h3" };
  const answer = answerOf(before);
  respond(answer, contextOf());
  expect(Object.fromEntries(answer.headers)).toEqual(before);
});

describe("the fields as the target sent them", () => {
  const answer = () =>
    answerOf([["set-cookie", "a=1; Path=/shop"], ["connection", "x-hop"], ["x-hop", "1"], ["x-plain", "2"]]);

  it("are kept for the console, which sends by arg, without those of one hop", () => {
    const context = contextOf({ selector: "arg" });
    const sent = { path: "/__proxy__/send", described: context.incoming };
    const { received } = build(answer(), { ...context, exchange: { ...context.exchange, ...sent } });
    // Engines differ in where they list set-cookie.
    expect([...received ?? []].sort()).toEqual([["set-cookie", "a=1; Path=/shop"], ["x-plain", "2"]]);
  });

  it("cost nothing on any other way", () => expect(build(answer(), contextOf()).received).toBeUndefined());
});

const PAGE = {
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "navigate",
  "cookie": "proxy_host=http://a.test",
};
const LINK = "/__proxy__/?host=http%3A%2F%2Fb.test&then=%2F";
const TARGET: Target = { selector: "cookie", origin: new URL("http://a.test"), path: "/", basePath: "" };

const mark = (fields: Record<string, string>, status: number, answer: [string, string][]) => {
  const reply = { status, statusText: "", headers: new Fields(answer), body: null };
  return markResponse(reply, exchangeOf({ fields }), TARGET, {});
};

it.each(rowsOf(["about", "fields", "status", "answer", "isMarked"], [
  ["a challenge", PAGE, 401, ["www-authenticate", "Basic realm=x"], true],
  ["a link that sets the host", PAGE, 302, ["location", LINK], true],
  ["another challenge", PAGE, 401, ["www-authenticate", "Bearer"], false],
  ["another link", PAGE, 302, ["location", "/x"], false],
  ["a challenge to a program", {}, 401, ["www-authenticate", "Basic"], false],
  ["a link for a program", {}, 302, ["location", LINK], false],
]))("$about is marked: $isMarked", async ({ fields, status, answer, isMarked }) => {
  const marking = mark(fields as Record<string, string>, status, [answer as [string, string]]);
  expect(marking instanceof Promise).toBe(isMarked);
  const { headers } = await marking;
  expect(headers.has("set-cookie") || (headers.get("location") ?? "").includes("&proof=")).toBe(isMarked);
});
