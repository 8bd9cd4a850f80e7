/** A received request as the core reads it, and its body as it arrives. */
import { Buffer } from "node:buffer";
import { describe, expect, it, vi } from "vitest";
import { ReceivedRequest } from "../../../src/wire/server/received-request.ts";
import { type Framing, parseRequestHead, readFraming } from "../../../src/wire/server/request-head.ts";
import { rowsOf } from "../../support/rows.ts";
import { NotedSink } from "../../support/flow.ts";

/** A request with this head; its body is framed as the head says. */
function requestOf(line: string, lines: readonly string[] = ["Host: a.test"], { isSecure = false } = {}) {
  const head = parseRequestHead([line, ...lines].join("\r\n"));
  const source = { pause: vi.fn(), resume: vi.fn(), cancel: vi.fn() };
  return new ReceivedRequest(head, readFraming(head), { isSecure }, source);
}

/** A request whose body is framed so. */
function upload(framing: Framing) {
  const field = framing === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${framing}`;
  const request = requestOf("POST / HTTP/1.1", ["Host: a.test", field]);
  const receive = (text: string) => request.receive(Buffer.from(text, "latin1")).toString("latin1");
  return { request, receive };
}

const CHUNKED: Framing = "chunked";

/** What somebody reads of a body, as it arrives. */
function readerOf({ body }: ReceivedRequest): NotedSink {
  const sink = new NotedSink();
  body?.pipe(sink);
  return sink;
}

describe("the address", () => {
  it.each([
    { target: "/a?b", isSecure: false, url: "/a?b" },
    { target: "*", isSecure: false, url: "*" },
    { target: "http://a.test/b", isSecure: false, url: "http://a.test/b" },
    { target: "/a?b", isSecure: true, url: "https://a.test/a?b" },
    { target: "//b.test/", isSecure: true, url: "https://a.test//b.test/" },
    { target: "*", isSecure: true, url: "*" },
    { target: "http://a.test/b", isSecure: true, url: "http://a.test/b" },
    { target: "https://a.test/b", isSecure: true, url: "https://a.test/b" },
  ])("of $target, by https: $isSecure, is $url", ({ target, isSecure, url }) => {
    expect(requestOf(`OPTIONS ${target} HTTP/1.1`, undefined, { isSecure }).url).toBe(url);
  });

  it("by https without a Host has none", () =>
    expect(requestOf("GET /a HTTP/1.0", [], { isSecure: true }).url).toBe("https:///a"));
});

it.each([
  { version: "1.1", lines: [], keeps: true },
  { version: "1.1", lines: ["Connection: keep-alive"], keeps: true },
  { version: "1.1", lines: ["Connection: close"], keeps: false },
  { version: "1.1", lines: ["Connection: Close"], keeps: false },
  { version: "1.1", lines: ["Connection: keep-alive, close"], keeps: false },
  { version: "1.1", lines: ["Connection: x", "Connection: close"], keeps: false },
  { version: "1.1", lines: ["Connection: closed"], keeps: true },
  { version: "1.1", lines: ["Connection: "], keeps: true },
  { version: "1.1", lines: ["Proxy-Connection: close"], keeps: true },
  { version: "1.0", lines: [], keeps: false },
  { version: "1.0", lines: ["Connection: close"], keeps: false },
  { version: "1.0", lines: ["Connection: Keep-Alive"], keeps: true },
  { version: "1.0", lines: ["Connection: x, keep-alive"], keeps: true },
  { version: "1.0", lines: ["Connection: keep-alive-not"], keeps: false },
  { version: "1.0", lines: ["Connection: close, keep-alive"], keeps: false },
  { version: "1.0", lines: ["Keep-Alive: timeout=5"], keeps: false },
])("the connection of HTTP/$version with $lines is used again: $keeps", ({ version, lines, keeps }) => {
  const { keepsConnection, httpVersion } = requestOf(`GET / HTTP/${version}`, ["Host: a.test", ...lines]);
  expect([keepsConnection, httpVersion]).toEqual([keeps, `HTTP/${version}`]);
});

describe("the fields", () => {
  it("are told as they stood on the wire, without the white space around values", () => {
    const { lines } = requestOf("GET / HTTP/1.1", ["HOST:a.test", "X-a: \t1 : 2\t ", "x-A:", "x-b: \xa0"]);
    expect(lines).toEqual(["HOST", "a.test", "X-a", "1 : 2", "x-A", "", "x-b", "\xa0"]);
  });

  it("are told where there are none", () => expect(requestOf("GET / HTTP/1.0", []).lines).toEqual([]));

  it.each([
    { about: "none", line: "GET / HTTP/1.0", lines: [], bytes: 0 },
    { about: "one", line: "GET / HTTP/1.1", lines: ["Host: a.test"], bytes: 10 },
    { about: "several", line: "GET / HTTP/1.1", lines: ["Host: a", "X-A:", "X-A:  \xe9 "], bytes: 5 + 3 + 4 },
  ])("have so many bytes, names included: $about", ({ line, lines, bytes }) => {
    expect(requestOf(line, lines).fieldBytes).toBe(bytes);
  });
});

it.each([{ lines: [] }, { lines: ["Content-Length: 0"] }, { lines: ["Content-Length: 00"] }])(
  "a request without a body has arrived with its head, and what comes is not its own: $lines",
  ({ lines }) => {
    const request = requestOf("POST / HTTP/1.1", ["Host: a.test", ...lines]);
    const next = Buffer.from("GET /next");
    expect([request.body, request.isReceived]).toEqual([null, true]);
    expect(request.receive(next)).toBe(next);
  },
);

describe("a body", () => {
  it.each(rowsOf(["about", "framing", "parts", "given", "rest"], [
    ["of a length, at once", 5, ["hello"], ["hello."], ""],
    ["of a length, in parts", 5, ["he", "llo"], ["he", "llo."], ""],
    ["of a length, and more", 5, ["he", "lloGET"], ["he", "llo."], "GET"],
    ["in chunks, the short ones of a read in one piece", CHUNKED, ["2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"], [
      "hello",
      ".",
    ], ""],
    [
      "in chunks that come in parts, and more",
      CHUNKED,
      ["2", "\r", "\nh", "e\r\n3;x=y\r\nll", "o\r\n0\r\nX-T: 1\r", "\n\r\nGET"],
      ["h", "ell", "o", "."],
      "GET",
    ],
    ["without bytes", CHUNKED, ["0\r\n\r\n"], ["."], ""],
  ]))("ends where its framing says: $about", ({ framing, parts, given, rest }) => {
    const { request, receive } = upload(framing);
    const sink = readerOf(request);
    const rests = parts.slice(0, -1).map(receive);
    expect([request.isReceived, rests.join("")]).toEqual([false, ""]);
    expect(receive(parts.at(-1)!)).toBe(rest);
    expect(sink.given).toEqual(given);
    expect([request.isReceived, request.isBroken]).toEqual([true, false]);
  });

  it.each([
    { about: "a size that is none", parts: ["x\r\n"], given: [] },
    { about: "a size that is negative", parts: ["-1\r\n"], given: [] },
    { about: "a line feed alone", parts: ["2\nhe"], given: [] },
    { about: "more than its size", parts: ["2\r\nhello\r\n"], given: ["he"] },
    { about: "a bad chunk behind a good one", parts: ["2\r\nhe\r\n", "y\r\nllo"], given: ["he"] },
    { about: "a malformed trailer", parts: ["0\r\n", "x y: 1\r\n"], given: [] },
    { about: "a folded trailer", parts: ["0\r\nx: 1\r\n 2\r\n"], given: [] },
  ])("that is broken is no whole one, and nothing is read behind it: $about", ({ parts, given }) => {
    const { request, receive } = upload("chunked");
    const sink = readerOf(request);
    expect(parts.map(receive)).toEqual(parts.map(() => ""));
    const fault = "!Cannot read the request body: its framing is not valid HTTP/1.1";
    expect(sink.given).toEqual([...given, fault]);
    expect([request.isBroken, request.isReceived, request.keepsConnection]).toEqual([true, false, false]);
  });

  it("that is broken gives bad_request", async () => {
    const { request, receive } = upload("chunked");
    receive("x\r\n");
    await expect(request.body?.peek()).rejects.toMatchObject({ code: "bad_request", status: 400 });
  });
});

describe("a caller that leaves", () => {
  const gone = new Error("gone");

  it.each([
    { about: "of a length", framing: 5, text: "he", given: ["he", "!gone"] },
    { about: "in chunks", framing: "chunked", text: "5\r\nhe", given: ["he", "!gone"] },
    { about: "of which nothing came", framing: 5, text: "", given: ["!gone"] },
    { about: "that has arrived", framing: 2, text: "he", given: ["he."] },
  ] as { about: string; framing: Framing; text: string; given: string[] }[])(
    "cuts a body, unless all of it is here: $about",
    ({ framing, text, given }) => {
      const { request, receive } = upload(framing);
      receive(text);
      request.leave(gone);
      expect(readerOf(request).given).toEqual(given);
    },
  );

  it.each([
    { about: "with a body", request: upload(5).request },
    { about: "without one", request: requestOf("GET / HTTP/1.1") },
  ])("aborts the request $about", ({ request }) => {
    const onAbort = vi.fn();
    request.signal.addEventListener("abort", onAbort);
    expect(request.signal.aborted).toBe(false);
    request.leave(gone);
    request.leave(new Error("again"));
    expect([request.signal.aborted, request.signal.reason]).toEqual([true, gone]);
    expect(onAbort).toHaveBeenCalledOnce();
  });
});
