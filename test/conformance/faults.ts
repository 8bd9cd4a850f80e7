/**
 * `/__proxy__/fetch`: what is wrong with an argument, and how it is said.
 * @module
 */
import { describe, expect, it } from "vitest";
import { alike, base64, expectError, fetchArg, type Pool, useUpstream } from "../support/topic.ts";

const TITLE = "Fetch API Error";
const INVALID = { title: TITLE, detail: "Invalid Base64 or JSON format" };

const coded = (text: string, encoding: BufferEncoding = "utf8") =>
  encodeURIComponent(base64(Buffer.from(text, encoding)));
const UNREADABLE = [
  { fault: "no Base64", arg: "!!!" },
  { fault: "no Base64, encoded", arg: "%21%25%5E" },
  { fault: "malformed percent-encoding", arg: "%zz" },
  { fault: "one character too many", arg: "eyJ1cmwiOiJodHRwOi8vYS50ZXN0LyJ9A" },
  { fault: "padding in the middle", arg: "eyJ1=cmwiOiJodHRwOi8vYS50ZXN0LyJ9" },
  { fault: "plain JSON", arg: encodeURIComponent('{"url":"http://a.test/"}') },
  { fault: "a plain address", arg: encodeURIComponent("http://a.test/") },
  ...alike("arg", { fault: "padding or blanks where none belong" })`e30== e30%253D %0D%0A e30%09`,
  { fault: "Base64 of no JSON", arg: coded("hello") },
  { fault: "Base64 of cut JSON", arg: coded('{"url":"http://a.test/"') },
  { fault: "Base64 of an array", arg: coded('["http://a.test/"]') },
  { fault: "Base64 of a string", arg: coded('"http://a.test/"') },
  { fault: "Base64 of a number", arg: coded("123") },
  { fault: "Base64 of null", arg: coded("null") },
  { fault: "Base64 of bytes that are no UTF-8", arg: coded('{"url":"\xff"}', "latin1") },
  { fault: "Base64 of a byte order of UTF-16", arg: coded('{"url":"x"}', "utf16le") },
];

const POSTED = [
  { fault: "no JSON", body: "hello" },
  { fault: "cut JSON", body: '{"url":"http://a.test/"' },
  { fault: "an array", body: "[]" },
  { fault: "null", body: "null" },
  { fault: "Base64", body: base64('{"url":"http://a.test/"}') },
  { fault: "bytes that are no UTF-8", body: Buffer.from('{"url":"\xff"}', "latin1") },
];

const URLS = [
  ...[undefined, null, "", 1, ["http://a.test/"]].map((url) => ({ url })),
  ...alike("url")`
    a.test /p //a.test/p http:// http://a.test:99999/ ftp://a.test/ file:///etc/passwd data:text/plain,hello
    javascript:alert(1) blob:http://a.test/1`,
];

const FIELDS = [
  { fault: "a method that is no string", field: "method", argument: { method: 1 } },
  { fault: "an empty method", field: "method", argument: { method: "" } },
  { fault: "a method with a space", field: "method", argument: { method: "GET x" } },
  { fault: "a method with a line break", field: "method", argument: { method: "GET\r\nX: y" } },
  ...["TRACE", "trace", "CONNECT", "Connect"].map((method) => (
    { fault: method, field: "method", argument: { method } }
  )),
  { fault: "headers as an array", field: "headers", argument: { headers: [["a", "b"]] } },
  { fault: "headers as a string", field: "headers", argument: { headers: "a: b" } },
  { fault: "a header name with a space", field: "x own", argument: { headers: { "x own": "a" } } },
  { fault: "an empty header name", field: "headers", argument: { headers: { "": "a" } } },
  { fault: "a header name with a colon", field: "x:own", argument: { headers: { "x:own": "a" } } },
  ...[
    { fault: "a number as a header", value: 1 },
    { fault: "null as a header", value: null },
    { fault: "a list as a header", value: ["a"] },
    { fault: "a header value with a line break", value: "a\r\nX-Evil: 1" },
    { fault: "a header value with a line feed", value: "a\nb" },
    { fault: "a header value with NUL", value: "a\0b" },
    { fault: "a header value with a control character", value: "a\x01b" },
    { fault: "a header value outside Latin-1", value: "日本" },
  ].map(({ fault, value }) => ({ fault, field: "x-own", argument: { headers: { "x-own": value } } })),
  { fault: "a redirect mode of no meaning", field: "redirect", argument: { redirect: "error" } },
  { fault: "a redirect mode that is no string", field: "redirect", argument: { redirect: true } },
];

export function describeFaults(pool: Pool): void {
  describe("a faulty arg", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(UNREADABLE)("is unreadable: $fault", async ({ arg }) => {
      const answer = await proxy.call(`GET /__proxy__/fetch?arg=${arg}`);
      expectError(answer, { status: 400, title: TITLE });
      expect(answer.json()).toEqual(INVALID);
      expect(answer.header("proxy-status"))
        .toMatch(/; details="(?:not (?:Base64|UTF-8|JSON)\b.* \d+|JSON ends at \d+|JSON is no object)"$/);
    });

    it.each(POSTED)("is unreadable by POST: $fault", async ({ body }) => {
      const answer = await proxy.call("POST /__proxy__/fetch", { body });
      expectError(answer, { status: 400, title: TITLE });
      expect(answer.json()).toEqual(INVALID);
    });

    it.each(alike("line")`
      GET /__proxy__/fetch | GET /__proxy__/fetch? | GET /__proxy__/fetch?x=1 |
      GET /__proxy__/fetch?url=http://a.test/`)("is missing: $line", async ({ line }) => {
      expectError(await proxy.call(line), { status: 400, title: TITLE, names: /\barg\b/ });
    });

    it.each([{ line: "GET /__proxy__/fetch?arg" }, { line: "GET /__proxy__/fetch?arg=" }, {
      line: "POST /__proxy__/fetch",
    }])(
      "is empty: $line",
      async ({ line }) => expectError(await proxy.call(line), { status: 400, title: TITLE }),
    );

    it("is missing for HEAD", async () => {
      const answer = await proxy.call("HEAD /__proxy__/fetch");
      expect(answer).toMatchObject({ status: 400, text: "", ended: "end" });
    });

    it.each(URLS)("has a bad url: $url", async ({ url }) => {
      const answer = await fetchArg(proxy, { url, method: "GET" });
      expectError(answer, { status: 400, title: TITLE, names: /\burl\b/ });
    });

    it.each(FIELDS)("has $fault, which is named", async ({ field, argument }) => {
      const answer = await fetchArg(proxy, { url: upstream.origin, ...argument });
      expectError(answer, { status: 400, title: TITLE, names: field });
      expect(upstream.requests).toEqual([]);
    });

    it("has unknown fields, which are named", async () => {
      const answer = await fetchArg(proxy, { url: upstream.origin, header: {}, timeout: 1 });
      expectError(answer, { status: 400, title: TITLE, names: /header\b.*timeout|timeout\b.*header\b/ });
      expect(upstream.requests).toEqual([]);
    });

    it("is refused by POST in the same words", async () => {
      const body = JSON.stringify({ url: upstream.origin, method: "TRACE" });
      expectError(await proxy.call("POST /__proxy__/fetch", { body }), {
        status: 400,
        title: TITLE,
        names: "method",
      });
    });
  });
}
