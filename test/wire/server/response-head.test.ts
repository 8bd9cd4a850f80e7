/** Heads of responses: what the caller reads, and how it finds the end of the body. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Fields, KeptFields } from "../../../src/core/http/fields.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { createUnread, ReceivedRequest } from "../../../src/wire/server/received-request.ts";
import { parseRequestHead } from "../../../src/wire/server/request-head.ts";
import { formatResponse, joinHead } from "../../../src/wire/server/response-head.ts";
import { rowsOf } from "../../support/rows.ts";
import { bytes, sourced } from "../../support/flow.ts";

type FieldList = [name: string, value: string][];

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 10, 25, 2, 46, 1, 999) }));
afterEach(() => vi.useRealTimers());

const SOURCE = { pause() {}, resume() {}, cancel() {} };
const requestOf = (line: string) =>
  new ReceivedRequest(parseRequestHead(`${line}\r\nHost: a`), 0, { isSecure: false }, SOURCE);
const GET = requestOf("GET / HTTP/1.1");
const UNREAD = createUnread(new ProxyError("bad_request", "no"), { isSecure: false });
const HEAD = requestOf("HEAD / HTTP/1.1");
const OLD_GET = requestOf("GET / HTTP/1.0");
const OLD_HEAD = requestOf("HEAD / HTTP/1.0");

/** A reply with a date of its own, so that its head is short. */
function replyOf(parts: Partial<Reply> = {}, fields: FieldList = []): Reply {
  return { status: 200, headers: new Fields([["date", "now"], ...fields]), body: null, ...parts };
}

/** The lines between the date and the empty line. */
function linesOf(reply: Reply, request: ReceivedRequest = GET, isLast = false) {
  const { text, ending } = formatResponse(reply, request, isLast);
  const [, lines] = /^HTTP\/1\.1 [^\r\n]*\r\ndate: now\r\n([^]*)\r\n$/.exec(text) ?? [];
  return { lines, ending };
}

describe("the status line", () => {
  it.each([
    { parts: { status: 200 }, line: "HTTP/1.1 200 OK" },
    { parts: { status: 431 }, line: "HTTP/1.1 431 Request Header Fields Too Large" },
    { parts: { status: 299 }, line: "HTTP/1.1 299 " },
    { parts: { status: 200, statusText: "Fine" }, line: "HTTP/1.1 200 Fine" },
    { parts: { status: 200, statusText: "" }, line: "HTTP/1.1 200 " },
    { parts: { status: 404, statusText: "Caf\xe9\t 1" }, line: "HTTP/1.1 404 Caf\xe9\t 1" },
    { parts: { status: 200, statusText: "O\r\nX: K" }, line: "HTTP/1.1 200 " },
    { parts: { status: 200, statusText: "O\nK" }, line: "HTTP/1.1 200 " },
    { parts: { status: 200, statusText: "OK\0" }, line: "HTTP/1.1 200 " },
    { parts: { status: 200, statusText: "OK\x7f" }, line: "HTTP/1.1 200 " },
    { parts: { status: 200, statusText: "\u4e2d" }, line: "HTTP/1.1 200 " },
  ])("of $parts is $line", ({ parts, line }) => {
    const { text } = formatResponse(replyOf(parts), GET, false);
    expect(text).toBe(`${line}\r\ndate: now\r\ncontent-length: 0\r\n\r\n`);
  });

  it("is of HTTP/1.1 for HTTP/1.0 too, and where there is no request", () => {
    expect(formatResponse(replyOf(), OLD_GET, true).text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(formatResponse(replyOf(), UNREAD, true).text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe("the fields", () => {
  it("are sent as they are, each line of its own", () => {
    const fields: FieldList = [["set-cookie", "a=1"], ["x", ""], ["set-cookie", "b=\xe9"]];
    expect(linesOf(replyOf({}, fields)).lines)
      .toBe("set-cookie: a=1\r\nx: \r\nset-cookie: b=\xe9\r\ncontent-length: 0\r\n");
  });

  it("get the time as a date, if they have none", () => {
    const reply = replyOf({ headers: new Fields([["x-a", "1"]]) });
    const head =
      "HTTP/1.1 200 OK\r\nx-a: 1\r\ndate: Wed, 25 Nov 2026 02:46:01 GMT\r\ncontent-length: 0\r\n\r\n";
    expect(formatResponse(reply, GET, false).text).toBe(head);
    vi.advanceTimersByTime(1);
    expect(formatResponse(reply, GET, false).text).toBe(head.replace(":01 GMT", ":02 GMT"));
  });

  it.each([
    { about: "a value with a line end", field: ["x", "1\r\ny: 2"] },
    { about: "a value with a line feed", field: ["x", "1\ny: 2"] },
    { about: "a value with a return", field: ["x", "1\r"] },
    { about: "a value with an empty line", field: ["x", "1\r\n\r\n"] },
    { about: "a value with NUL", field: ["x", "\0"] },
    { about: "a value with DEL", field: ["x", "\x7f"] },
    { about: "a value beyond Latin-1", field: ["x", "\u010a"] },
    { about: "a name with a space", field: ["x y", "1"] },
    { about: "a name with a colon and a space", field: ["x : y", "1"] },
    { about: "a name with a line end", field: ["x\r\ny", "1"] },
    { about: "an empty name", field: ["", "1"] },
  ] as { about: string; field: [string, string] }[])("are refused with $about", ({ field }) => {
    expect(() => formatResponse(replyOf({}, [field]), GET, false))
      .toThrow(expect.objectContaining({ code: "internal" }));
  });
});

describe("the end of a body", () => {
  const stream = () => sourced().body;
  const LENGTH: FieldList = [["content-length", "5"]];

  it.each(rowsOf(["about", "reply", "lines", "ending"], [
    ["none", replyOf(), "content-length: 0\r\n", "at once"],
    ["bytes", replyOf({ body: bytes("hello") }), "content-length: 5\r\n", "at once"],
    ["bytes with a length", replyOf({ body: bytes("hello") }, LENGTH), "content-length: 5\r\n", "at once"],
    ["a stream", replyOf({ body: stream() }), "transfer-encoding: chunked\r\n", "chunked"],
    ["a stream with a length", replyOf({ body: stream() }, LENGTH), "content-length: 5\r\n", 5],
  ]))("that is $about", ({ reply, lines, ending }) => expect(linesOf(reply)).toEqual({ lines, ending }));

  it.each(rowsOf(["about", "reply", "lines", "ending"], [
    ["none", replyOf(), "content-length: 0\r\nconnection: keep-alive\r\n"],
    [
      "a stream with a length",
      replyOf({ body: stream() }, LENGTH),
      "content-length: 5\r\nconnection: keep-alive\r\n",
      5,
    ],
    ["a stream", replyOf({ body: stream() }), "connection: close\r\n", "closed"],
  ]))("that is $about, in HTTP/1.0", ({ reply, lines, ending = "at once" }) => {
    expect(linesOf(reply, OLD_GET)).toEqual({ lines, ending });
  });

  it.each(rowsOf(["about", "reply", "request", "lines"], [
    ["HEAD", replyOf(), HEAD, ""],
    ["HEAD with a length", replyOf({}, LENGTH), HEAD, "content-length: 5\r\n"],
    ["HEAD with a stream", replyOf({ body: stream() }), HEAD, ""],
    ["HEAD of HTTP/1.0", replyOf(), OLD_HEAD, "connection: keep-alive\r\n"],
    ["204", replyOf({ status: 204 }), GET, ""],
    ["304", replyOf({ status: 304 }), GET, ""],
    ["304 with a length", replyOf({ status: 304 }, LENGTH), GET, "content-length: 5\r\n"],
  ]))("is not told of $about", ({ reply, request, lines }) => {
    expect(linesOf(reply, request)).toEqual({ lines, ending: "at once" });
  });

  it.each(rowsOf(["about", "reply", "request", "lines"], [
    ["HTTP/1.1", replyOf(), GET, "content-length: 0\r\nconnection: close\r\n"],
    ["HTTP/1.0", replyOf(), OLD_GET, "content-length: 0\r\nconnection: close\r\n"],
    ["chunks", replyOf({ body: stream() }), GET, "transfer-encoding: chunked\r\nconnection: close\r\n"],
    ["HEAD", replyOf(), HEAD, "connection: close\r\n"],
    ["what is no request", replyOf(), UNREAD, "content-length: 0\r\nconnection: close\r\n"],
  ]))("is followed by that of the connection in the last response: $about", ({ reply, request, lines }) => {
    expect(linesOf(reply, request, true).lines).toBe(lines);
  });
});

it("joinHead makes one piece of a head in Latin-1 and its body", () => {
  const bytes = Buffer.from([0xe9, 0x3a]);
  for (const head of [{ text: "\xe9:", bytes: undefined }, { text: "\xe9:", bytes }]) {
    expect([...joinHead(head, new Uint8Array([0, 255]))]).toEqual([0xe9, 0x3a, 0, 255]);
  }
});

describe("a head whose fields come again", () => {
  const LISTS: FieldList[] = [
    [],
    [["date", "now"], ["content-length", "5"], ["x-a", "1"]],
    [["x-a", "caf\xe9"], ["x-a", "2"]],
    [["content-length", "5"]],
  ];
  const REPLIES: Partial<Reply>[] = [
    {},
    { status: 204 },
    { status: 404, statusText: "Own" },
    { body: bytes("hello") },
    { body: sourced().body },
  ];

  it.each(LISTS.map((fields) => ({ fields })))(
    "is written as if it were the first: $fields",
    ({ fields }) => {
      const kept = new KeptFields(new Fields(fields));
      const cases = REPLIES.flatMap((parts) =>
        [GET, HEAD, OLD_GET, OLD_HEAD, UNREAD].flatMap((request) =>
          [false, true].map((isLast) => ({ parts, request, isLast }))
        )
      );
      for (const { parts, request, isLast } of [...cases, ...cases.toReversed()]) {
        const format = (headers: Fields) => {
          const { bytes: written, ...head } = formatResponse(replyOf({ ...parts, headers }), request, isLast);
          expect(written?.toString("latin1") ?? head.text).toBe(head.text);
          return head;
        };
        expect(format(new Fields(kept))).toMatchObject(format(new Fields(fields)));
      }
    },
  );

  it("has the date of its own moment", () => {
    const headers = new KeptFields(new Fields());
    const first = formatResponse(replyOf({ headers }), GET, false).text;
    vi.advanceTimersByTime(1_000);
    const second = formatResponse(replyOf({ headers }), GET, false).text;
    expect([first, second].map((text) => /date: .* (\S+) GMT/.exec(text)?.[1]))
      .toEqual(["02:46:01", "02:46:02"]);
  });

  it("is refused each time where it is malformed", () => {
    const headers = new KeptFields(new Fields([["x-a", "1\r\nx-b: 2"]]));
    const format = () => formatResponse(replyOf({ headers }), GET, false);
    expect(format).toThrow("Cannot send the response: a header field is malformed");
    expect(format).toThrow("Cannot send the response: a header field is malformed");
  });
});
