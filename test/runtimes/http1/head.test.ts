/**
 * Heads of HTTP/1.1: what goes out can't be read as anything else, and what comes in is read in one way or refused.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Fields } from "../../../src/http/fields.ts";
import type { Outgoing } from "../../../src/index.ts";
import { formatHead, parseHead } from "../../../src/runtimes/http1/head.ts";

function requestOf(
  parts: Partial<Outgoing> = {},
  fields: [string, string][] = [["host", "a.test"]],
): Outgoing {
  return {
    method: "GET",
    origin: new URL("http://a.test"),
    path: "/p?q",
    headers: new Fields(fields),
    body: null,
    addresses: undefined,
    signal: new AbortController().signal,
    ...parts,
  };
}

describe("formatHead", () => {
  it("writes line, fields and framing", () => {
    const request = requestOf({ method: "brew" }, [["host", "a.test"], ["x-a", ""], ["x-b", "caf\u00e9\t1"]]);
    expect(formatHead(request, "content-length: 0\r\n"))
      .toBe("brew /p?q HTTP/1.1\r\nhost: a.test\r\nx-a: \r\nx-b: caf\u00e9\t1\r\ncontent-length: 0\r\n\r\n");
  });

  it.each([
    { about: "a method with a space", request: requestOf({ method: "GET /x" }) },
    { about: "an empty method", request: requestOf({ method: "" }) },
    { about: "a path with a space", request: requestOf({ path: "/a HTTP/1.1" }) },
    { about: "a path with a line end", request: requestOf({ path: "/a\r\nx: y" }) },
    { about: "a path with a character", request: requestOf({ path: "/\u00e9" }) },
    { about: "a value with a line end", request: requestOf({}, [["x-a", "1\r\nx-b: 2"]]) },
    { about: "a value with a line feed", request: requestOf({}, [["x-a", "1\nx-b: 2"]]) },
    { about: "a value with a return", request: requestOf({}, [["x-a", "1\r"]]) },
    { about: "a value with NUL", request: requestOf({}, [["x-a", "1\0"]]) },
    { about: "a value beyond Latin-1", request: requestOf({}, [["x-a", "\u010a"]]) },
    { about: "a name with a space", request: requestOf({}, [["x a", "1"]]) },
    { about: "a name with a line end", request: requestOf({}, [["x\r\ny", "1"]]) },
    { about: "an empty name", request: requestOf({}, [["", "1"]]) },
  ])("refuses $about", ({ request }) => {
    expect(() => formatHead(request, "")).toThrow(
      /^Cannot send (?:the request line|header .*): it is malformed/s,
    );
  });
});

describe("parseHead", () => {
  it.each([{ count: 1_000, isRead: true }, { count: 1_001, isRead: false }])(
    "reads $count fields: $isRead",
    ({ count, isRead }) => {
      const read = () => parseHead(`HTTP/1.1 200 OK\r\n${"a:\r\n".repeat(count)}`);
      const expectation = isRead ? expect(read).not : expect(read);
      expectation.toThrow(expect.objectContaining({ code: "HPE_HEADER_OVERFLOW" }));
    },
  );

  it.each([
    { text: "HTTP/1.1 200 OK", head: { isCurrent: true, status: 200, reason: "OK" } },
    { text: "HTTP/1.0 404 Not  here", head: { isCurrent: false, status: 404, reason: "Not  here" } },
    { text: "HTTP/1.1 099 Odd", head: { isCurrent: true, status: 99, reason: "Odd" } },
    { text: "HTTP/1.1 204", head: { isCurrent: true, status: 204, reason: "" } },
    { text: "HTTP/1.1 200 ", head: { isCurrent: true, status: 200, reason: "" } },
    { text: "HTTP/1.1 200 O\x01K\x7f", head: { isCurrent: true, status: 200, reason: "" } },
    { text: "HTTP/1.1 999 Caf\u00e9", head: { isCurrent: true, status: 999, reason: "Caf\u00e9" } },
  ])("reads $text", ({ text, head }) => {
    expect(parseHead(text)).toMatchObject(head);
  });

  it("reads fields line by line, names in small letters", () => {
    const { headers } = parseHead(
      "HTTP/1.1 200 OK\r\nX-A:1\r\nSet-Cookie: a=1\r\nSET-COOKIE: \t b=2 \t\r\nX-Empty:",
    );
    expect(headers.lines).toEqual(["x-a", "1", "set-cookie", "a=1", "set-cookie", "b=2", "x-empty", ""]);
  });

  it("takes off the white space of HTTP alone", () => {
    expect(parseHead("HTTP/1.1 200 OK\r\nX-A: \u00a0a\u00a0 ").headers.get("x-a")).toBe("\u00a0a\u00a0");
  });

  it.each([
    { text: "" },
    { text: "HTTP/2 200 OK" },
    { text: "HTTP/1.2 200 OK" },
    { text: "http/1.1 200 OK" },
    { text: " HTTP/1.1 200 OK" },
    { text: "HTTP/1.1  200 OK" },
    { text: "HTTP/1.1 20 OK" },
    { text: "HTTP/1.1 2000 OK" },
    { text: "HTTP/1.1 200OK" },
    { text: "HTTP/1.1 200 O\rK" },
    { text: "HTTP/1.1 200 OK\nX-A: 1" },
    { text: "HTTP/1.1 200 OK\r\n" + "X-A : 1" },
    { text: "HTTP/1.1 200 OK\r\n: 1" },
    { text: "HTTP/1.1 200 OK\r\nX-A" },
    { text: "HTTP/1.1 200 OK\r\nX A: 1" },
    { text: "HTTP/1.1 200 OK\r\n X-A: 1" },
    { text: "HTTP/1.1 200 OK\r\nX-A: 1\r\n 2" },
    { text: "HTTP/1.1 200 OK\r\nX-A: 1\r2" },
    { text: "HTTP/1.1 200 OK\r\nX-A: 1\n2: 3" },
    { text: "HTTP/1.1 200 OK\r\nX-A: \0" },
    { text: "HTTP/1.1 200 OK\r\nX-A: \x7f" },
  ])("refuses $text", ({ text }) => {
    expect(() => parseHead(text)).toThrow(/^malformed answer: (?:status|field) line$/);
  });
});
