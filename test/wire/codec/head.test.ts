/**
 * Response heads of HTTP/1.1: what comes in is read in one way or refused.
 * @module
 */
import { describe, expect, it } from "vitest";
import { areFieldLines, isField, parseHead, readHead } from "../../../src/wire/codec/head.ts";

it.each([
  { name: "a", value: "1", is: true },
  { name: "a", value: "", is: true },
  { name: "a", value: " 1 ", is: true },
  { name: "a", value: "\t:", is: true },
  { name: "!#$%&'*+-.^_`|~09azAZ", value: "1", is: true },
  { name: "a", value: "\x20\x7e\x80\xff", is: true },
  { name: "", value: "1", is: false },
  { name: "a ", value: "1", is: false },
  { name: " a", value: "1", is: false },
  { name: "a b", value: "1", is: false },
  { name: "a:", value: "1", is: false },
  { name: "a(", value: "1", is: false },
  { name: "\xe9", value: "1", is: false },
  { name: "a\n", value: "1", is: false },
  { name: "a: 1\r\nb", value: "1", is: false },
  { name: "a", value: "\0", is: false },
  { name: "a", value: "\x1f", is: false },
  { name: "a", value: "\x7f", is: false },
  { name: "a", value: "\u0100", is: false },
  { name: "a", value: "\u2028", is: false },
  { name: "a", value: "1\n", is: false },
  { name: "a", value: "1\r", is: false },
  { name: "a", value: "1\r\n", is: false },
  { name: "a", value: "1\r\nb: 2", is: false },
])("isField of $name and $value is $is", ({ name, value, is }) => {
  expect([isField(name, value), isField(name, value)]).toEqual([is, is]);
});

it.each([
  { lines: "", are: true },
  { lines: "a:", are: true },
  { lines: "a:1", are: true },
  { lines: "a: 1\r\n", are: true },
  { lines: "a: 1\r\nB:\t2 \r\na:3", are: true },
  { lines: "a::\r\nb: \xff", are: true },
  { lines: "a: 1\r\n\r\n", are: false },
  { lines: "\r\na: 1", are: false },
  { lines: "\r\n", are: false },
  { lines: "a", are: false },
  { lines: ":1", are: false },
  { lines: "a :1", are: false },
  { lines: " a:1", are: false },
  { lines: "a: 1\r\n b: 2", are: false },
  { lines: "a: 1\r\n\t2", are: false },
  { lines: "a: 1\nb: 2", are: false },
  { lines: "a: 1\rb: 2", are: false },
  { lines: "a: 1\n", are: false },
  { lines: "a: 1\r", are: false },
  { lines: "a: 1\r\nb", are: false },
  { lines: "a: \0", are: false },
  { lines: "a: \x7f", are: false },
  { lines: "a: \u0100", are: false },
])("areFieldLines of $lines is $are", ({ lines, are }) => expect(areFieldLines(lines)).toBe(are));

describe("readHead", () => {
  const read = (text: string) => readHead(Buffer.from(text, "latin1"));
  const LONG = "x".repeat(5_000);

  it.each([
    { text: "HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nbody", value: "1" },
    { text: "HTTP/1.1 200 OK\nX-A: 1\n\nbody", value: "1" },
    { text: "HTTP/1.1 200 OK\r\nX-A: 1\n\nbody", value: "1" },
    { text: "HTTP/1.1 200 OK\nX-A: 1\r\n\r\nbody", value: "1" },
    { text: "HTTP/1.1 200 OK\r\nX-A: 1\r\n\nbody", value: "1" },
    { text: "HTTP/1.1 200 OK\nX-A: 1\n\nbody\r\n\r\n", value: "1" },
    { text: `HTTP/1.1 200 OK\nX-B: ${LONG}\nX-A: 1\n\nbody\r\n\r\n`, value: "1" },
    { text: "\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nbody", value: "1" },
    { text: "\n\r\nHTTP/1.1 200 OK\nX-A: 1\n\nbody", value: "1" },
    { text: "HTTP/1.1 200 OK\n\nbody", value: null },
  ])("reads $text, and tells where it ends", ({ text, value }) => {
    const { head, size } = read(text)!;
    expect([head.status, head.headers.get("x-a"), text.slice(size).startsWith("body")])
      .toEqual([200, value, true]);
    for (let length = 0; length < size; length += 1) expect(read(text.slice(0, length))).toBeUndefined();
  });

  it.each([
    { text: "\r\n".repeat(9) },
    { text: "\rHTTP/1.1 200 OK\r\n\r\n" },
    { text: "HTTP/1.1 200 OK\n X-A: 1\n\n" },
    { text: "HTTP/1.1 200 OK\nX-A\n\n" },
    { text: "HTTP/1.1 200 OK\rX-A: 1\n\n" },
    { text: "hello\nyou" },
  ])("refuses $text", ({ text }) => {
    expect(() => read(text)).toThrow(/^malformed response: (?:status|field) line$/);
  });

  it.each([{ bytes: 65_536, isRead: true }, { bytes: 65_537, isRead: false }])(
    "waits for the end of a head of $bytes bytes, and reads it: $isRead",
    ({ bytes, isRead }) => {
      const start = "HTTP/1.1 200 OK\r\nX-A: ";
      const head = start + "x".repeat(bytes - start.length);
      for (const text of [head, `${head}\r`, `${head}\r\n\r`, `${head}\r\n\r\n`]) {
        const expectation = isRead ? expect(() => read(text)).not : expect(() => read(text));
        expectation.toThrow(expect.objectContaining({ code: "HPE_HEADER_OVERFLOW" }));
      }
    },
  );

  it.each(["\r\n", "\n"])("reads no more than the longest head, with lines that end by %j", (end) => {
    const endless = `HTTP/1.1 200 OK${end}${`X-A: 1${end}`.repeat(10_000)}`;
    expect(() => read(endless)).toThrow(expect.objectContaining({ code: "HPE_HEADER_OVERFLOW" }));
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
  ])("reads $text", ({ text, head }) => expect(parseHead(text)).toMatchObject(head));

  it("reads fields line by line, names in small letters", () => {
    const { headers } = parseHead(
      "HTTP/1.1 200 OK\r\nX-A:1\r\nSet-Cookie: a=1\r\nSET-COOKIE: \t b=2 \t\r\nX-Empty:",
    );
    expect(headers.lines).toEqual(["x-a", "1", "set-cookie", "a=1", "set-cookie", "b=2", "x-empty", ""]);
  });

  it("takes off the white space of HTTP alone", () =>
    expect(parseHead("HTTP/1.1 200 OK\r\nX-A: \u00a0a\u00a0 ").headers.get("x-a")).toBe("\u00a0a\u00a0"));

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
    expect(() => parseHead(text)).toThrow(/^malformed response: (?:status|field) line$/);
  });
});
