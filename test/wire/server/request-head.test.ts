/** Heads of requests: read in one way, in whatever pieces they come, or refused. */
import { describe, expect, it } from "vitest";
import { OLD_CODING, parseRequestHead } from "../../../src/wire/server/request-head.ts";
import { readFraming, readOtherHost } from "../../../src/wire/server/request-head.ts";
import { words } from "../../support/rows.ts";

/** The bytes of a text in UTF-8, one character each, as a head is parsed. */
const utf8 = (text: string) => Buffer.from(text).toString("latin1");

describe("parseRequestHead", () => {
  it.each(["GET", "brew", "M-SEARCH", "!#$%&'*+-.^_`|~09AZaz"])("takes the method %s as it is", (method) => {
    expect(parseRequestHead(`${method} / HTTP/1.1\r\nHost: a`).method).toBe(method);
  });

  it.each([
    ...words(`/ /p?q=1&r#s * a:443 http://a/p?q HTTP://A/p /%e9`),
    '//p/../\\"<>{}|^`',
    "/caf\u00e9",
    "/\u{1f600}?\u4e2d",
    "\ufeff/p",
  ])("takes the target %s as it is", (target) => {
    expect(parseRequestHead(`GET ${utf8(target)} HTTP/1.1\r\nHost: a`)).toMatchObject({ url: target });
  });

  it.each([
    { about: "Latin-1", target: "/\xe9" },
    { about: "cut", target: "/\xe4\xb8" },
    { about: "too long", target: "/\xc0\xaf" },
    { about: "half of a pair", target: "/\xed\xa0\x80" },
    { about: "beyond Unicode", target: "/\xf4\x90\x80\x80" },
  ])("refuses a target that is not UTF-8: $about", ({ target }) => {
    expect(() => parseRequestHead(`GET ${target} HTTP/1.1\r\nHost: a`))
      .toThrow("Cannot read the request target: it is malformed, expected ASCII or UTF-8");
  });

  it("knows HTTP/1.0, which needs no Host", () => {
    expect(parseRequestHead("GET / HTTP/1.0")).toMatchObject({ isCurrent: false, url: "/", fieldLines: "" });
    expect(parseRequestHead("GET / HTTP/1.1\r\nHost:")).toMatchObject({ isCurrent: true });
  });

  it.each([
    "GET / HTTP/2.0",
    "PRI * HTTP/2.0",
    "GET / HTTP/1.2",
    "GET / HTTP/1.10",
    "GET / HTTP/0.9",
    "GET / HTTP/3",
  ])("refuses the version of %s", (line) =>
    expect(() => parseRequestHead(`${line}\r\nHost: a`))
      .toThrow("Cannot read the version of the request: it is malformed, expected HTTP/1.1"));

  it.each([
    "",
    "GET",
    "GET /",
    "GET HTTP/1.1",
    "GET  / HTTP/1.1",
    "GET /  HTTP/1.1",
    "GET / HTTP/1.1 ",
    " GET / HTTP/1.1",
    "GET\t/ HTTP/1.1",
    "G(T / HTTP/1.1",
    "G\xc9T / HTTP/1.1",
    "GET /a b HTTP/1.1",
    "GET /\0 HTTP/1.1",
    "GET /\t HTTP/1.1",
    "GET / http/1.1",
    "GET / HTTP/1.1\r",
    "GET / HTTP/1.1\nX: y",
  ])("refuses the line %s", (line) =>
    expect(() => parseRequestHead(`${line}\r\nHost: a`))
      .toThrow("Cannot read the request line: it is malformed, expected HTTP/1.1"));

  it.each(["/\x7f", "\x7f", "/\u00e9\x7f"])("refuses DEL in the target %s", (target) => {
    expect(() => parseRequestHead(`GET ${utf8(target)} HTTP/1.1\r\nHost: a`))
      .toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  it("keeps apart what becomes of the same fields in other requests", () => {
    const fields = "Host: a\r\nUpgrade: x\r\nCookie: b\r\nCookie: c";
    const hostsOf = (line: string) => {
      const { headers } = parseRequestHead(`${line}\r\n${fields}`);
      return [headers.get("host"), headers.get("upgrade"), headers.get("cookie")];
    };
    const plain = ["a", "x", "b; c"];
    expect(hostsOf("GET / HTTP/1.1")).toEqual(plain);
    expect(hostsOf("GET http://b/ HTTP/1.1")).toEqual(["a, b", "x", "b; c"]);
    expect(hostsOf("GET / HTTP/1.0")).toEqual(["a", null, "b; c"]);
    expect(hostsOf("GET / HTTP/1.1")).toEqual(plain);
    expect(hostsOf("GET http://a/ HTTP/1.1")).toEqual(plain);
  });

  it("reads fields line by line, names in small letters, and keeps them as they stood", () => {
    const { headers, fieldLines } = parseRequestHead(
      "GET / HTTP/1.1\r\nHost:a\r\nX-A: \t 1\t\r\nx-a: \xe9\r\nX:",
    );
    expect(headers.lines).toEqual(["host", "a", "x-a", "1", "x-a", "\xe9", "x", ""]);
    expect(fieldLines).toBe("Host:a\r\nX-A: \t 1\t\r\nx-a: \xe9\r\nX:");
  });

  it.each([
    { about: "a space before the colon", field: "X-A : 1" },
    { about: "a tab before the colon", field: "X-A\t: 1" },
    { about: "a folded line", field: "X-A: 1\r\n 2" },
    { about: "a line folded with a tab", field: "X-A: 1\r\n\t2" },
    { about: "a space before the name", field: " X-A: 1" },
    { about: "a space in the name", field: "X A: 1" },
    { about: "no name", field: ": 1" },
    { about: "no colon", field: "X-A" },
    { about: "a name beyond ASCII", field: "X-\xe9: 1" },
    { about: "a NUL", field: "X-A: 1\x002" },
    { about: "a control byte", field: "X-A: 1\x012" },
    { about: "DEL", field: "X-A: 1\x7f" },
    { about: "a return", field: "X-A: 1\r2" },
    { about: "a line feed", field: "X-A: 1\nX-B: 2" },
  ])("refuses a field with $about", ({ field }) => {
    expect(() => parseRequestHead(`GET / HTTP/1.1\r\nHost: a\r\n${field}`))
      .toThrow("Cannot read a header field: it is malformed, expected HTTP/1.1");
    expect(() => parseRequestHead(`GET / HTTP/1.1\r\n${field}\r\nHost: a`))
      .toThrow("Cannot read a header field: it is malformed, expected HTTP/1.1");
  });

  it("takes up to 1,000 fields", () => {
    const headWith = (count: number) => `GET / HTTP/1.1\r\nHost: a${"\r\nx:".repeat(count - 1)}`;
    expect(parseRequestHead(headWith(1_000)).headers.lines).toHaveLength(2_000);
    expect(() => parseRequestHead(headWith(1_001)))
      .toThrow(expect.objectContaining({ code: "fields_too_large" }));
  });

  it("refuses HTTP/1.1 without Host", () =>
    expect(() => parseRequestHead("GET / HTTP/1.1\r\nX-Host: a"))
      .toThrow("Cannot read a request without Host: it is malformed, expected one Host field"));

  it.each([
    { about: "two lines", fields: "Cookie: a=1\r\nX: 2\r\nCOOKIE: b=2", cookies: "a=1; b=2" },
    { about: "three lines", fields: "Cookie: a\r\nCookie: b\r\nCookie: c; d", cookies: "a; b; c; d" },
    { about: "one line", fields: "Cookie: a=1, 2", cookies: "a=1, 2" },
    { about: "one line and its name as a value", fields: "X: cookie\r\nCookie: a", cookies: "a" },
    { about: "its name as a value of two fields", fields: "X: cookie\r\nX: cookie", cookies: null },
    { about: "none", fields: "X: 1", cookies: null },
  ])("makes one line of cookies: $about", ({ fields, cookies }) => {
    const { headers } = parseRequestHead(`GET / HTTP/1.1\r\nHost: a\r\n${fields}`);
    expect(headers.get("cookie")).toBe(cookies);
    expect(headers.lines.filter((_, at) => at % 2 === 0 && headers.lines[at] === "cookie").length)
      .toBe(cookies === null ? 0 : 1);
  });

  it.each([
    { about: "two lines of Host", head: "GET / HTTP/1.1\r\nHost: a\r\nHost: b", host: "a, b" },
    { about: "an absolute target of another host", head: "GET http://b/ HTTP/1.1\r\nHost: a", host: "a, b" },
    { about: "an absolute target of the same host", head: "GET http://a/ HTTP/1.1\r\nHost: a", host: "a" },
    { about: "an absolute target alone", head: "GET http://b/ HTTP/1.0", host: "b" },
    { about: "an empty Host", head: "GET / HTTP/1.1\r\nHost:", host: "" },
  ])("shows all hosts: $about", ({ head, host }) => {
    expect(parseRequestHead(head).headers.get("host")).toBe(host);
  });
});

it.each([
  { url: "/p", host: "a.test", other: undefined },
  { url: "//b.test/p", host: "a.test", other: undefined },
  { url: "*", host: "a.test", other: undefined },
  { url: "b.test:443", host: "a.test", other: undefined },
  { url: "http:///p", host: "a.test", other: undefined },
  { url: "http://a.test", host: "a.test", other: undefined },
  { url: "http://a.test/p", host: "A.Test", other: undefined },
  { url: "HTTP://A.test/p", host: "a.test", other: undefined },
  { url: "http://a.test:80/p", host: "a.test", other: undefined },
  { url: "http://a.test/p", host: "a.test:80", other: undefined },
  { url: "https://a.test:443/p", host: "a.test", other: undefined },
  { url: "https://a.test/p", host: "a.test:80", other: "a.test" },
  { url: "http://a.test:8080/p", host: "a.test", other: "a.test:8080" },
  { url: "http://b.test/p", host: "a.test", other: "b.test" },
  { url: "http://b.test?a.test", host: "a.test", other: "b.test" },
  { url: "http://b.test#a.test", host: "a.test", other: "b.test" },
  { url: "http://a.test@b.test/", host: "a.test", other: "a.test@b.test" },
  { url: "http://b.test/", host: "", other: "b.test" },
])("readOtherHost: $url beside Host $host names $other", ({ url, host, other }) => {
  expect(readOtherHost(url, host)).toBe(other);
});

describe("readFraming", () => {
  const framingOf = (fields: string, version = "1.1") =>
    readFraming(parseRequestHead(`POST / HTTP/${version}\r\nHost: a\r\n${fields}`));

  it.each([
    { fields: "", framing: 0 },
    { fields: "Content-Length: 0", framing: 0 },
    { fields: "Content-Length: 5", framing: 5 },
    { fields: "Content-Length: 0005", framing: 5 },
    { fields: `Content-Length: ${"0".repeat(1_000)}5`, framing: 5 },
    { fields: "Content-Length: 999999999999999", framing: 999_999_999_999_999 },
    { fields: "Transfer-Encoding: chunked", framing: "chunked" },
    { fields: "transfer-encoding: CHUNKED", framing: "chunked" },
    { fields: "Transfer-Encoding: \t Chunked ", framing: "chunked" },
  ])("is $framing for $fields", ({ fields, framing }) => expect(framingOf(fields)).toBe(framing));

  it("is a length in HTTP/1.0 too", () =>
    expect([framingOf("Content-Length: 5", "1.0"), framingOf("", "1.0")]).toEqual([5, 0]));

  it.each([
    "Content-Length: -5",
    "Content-Length: +5",
    "Content-Length: 0x5",
    "Content-Length: 5a",
    "Content-Length: 5.0",
    "Content-Length: 5 5",
    "Content-Length: \xb2",
    "Content-Length:",
    "Content-Length: 9999999999999999",
    "Content-Length: 5, 5",
    "Content-Length: 5\r\nContent-Length: 5",
    "Content-Length: 5\r\nContent-Length: 6",
  ])("refuses %s", (fields) =>
    expect(() => framingOf(fields))
      .toThrow("Cannot read header content-length: it is malformed, expected one number"));

  it.each([
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 0",
    "Transfer-Encoding: gzip\r\nContent-Length: x",
  ])("refuses two kinds of framing: %s", (fields) =>
    expect(() => framingOf(fields)).toThrow(
      "Cannot read a body with both Content-Length and Transfer-Encoding: it is malformed, expected one of them",
    ));

  it.each([
    ...words(`gzip chunked;x=1 xchunked identity`),
    "gzip, chunked",
    "chunked, gzip",
    "chunked, chunked",
    "\xa0chunked",
    "",
    "chunked\r\nTransfer-Encoding: chunked",
    "chunked\r\nTransfer-Encoding: identity",
  ])("refuses the coding %s", (coding) =>
    expect(() => framingOf(`Transfer-Encoding: ${coding}`))
      .toThrow("Cannot forward the body: its transfer coding is not supported"));

  it.each([
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip",
    "Transfer-Encoding: chunked\r\nContent-Length: 5",
  ])("refuses every coding in HTTP/1.0: %s", (fields) => {
    expect(() => framingOf(fields, "1.0")).toThrow(OLD_CODING);
  });
});
