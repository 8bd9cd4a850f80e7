/** The headers and the body of a fetch argument. @module */
import { describe, expect, it } from "vitest";
import { parseArgument } from "../../../../src/core/pages/argument/argument.ts";
import { ProxyError } from "../../../../src/core/http/error.ts";
import { rowsOf } from "../../../support/rows.ts";

const FORM = "application/x-www-form-urlencoded";

const parseText = (json: string) => parseArgument(new TextEncoder().encode(json));
const parse = (fields: Record<string, unknown>) =>
  parseText(JSON.stringify({ url: "https://a.test/", ...fields }));
const text = (body: Uint8Array | null) => body && new TextDecoder().decode(body);

describe("headers", () => {
  it.each(rowsOf(["about", "given", "name", "value"], [
    ["any case", { "X-Test": "a" }, "x-test", "a"],
    ["Latin-1", { "x-a": "caf\u00e9\u0080\u00ff" }, "x-a", "caf\u00e9\u0080\u00ff"],
    ["a tab", { "x-a": "a\tb" }, "x-a", "a\tb"],
    ["an empty value", { "x-a": "" }, "x-a", ""],
    ["commas", { "x-a": "1, 2" }, "x-a", "1, 2"],
    ["one name in two cases", { "X-A": "1", "x-a": "2" }, "x-a", "1, 2"],
    ["two cookies", { Cookie: "a=1", cookie: "b=2" }, "cookie", "a=1; b=2"],
    ["odd tokens", { "x_a!#$%&'*+.^`|~": "1" }, "x_a!#$%&'*+.^`|~", "1"],
    ["a name of Object's", { constructor: "1" }, "constructor", "1"],
    ["__proto__", JSON.parse('{"__proto__":"1"}'), "__proto__", "1"],
  ]))("may have $about", async ({ given, name, value }) => {
    expect((await parse({ headers: given })).headers.get(name)).toBe(value);
  });

  it.each([
    { reason: "an HTTP/2 pseudo field", headers: { ":authority": "evil.test" }, culprit: ":authority" },
    { reason: "non-ASCII in the name", headers: { "x-é": "1" }, culprit: "x-é" },
    { reason: "a line feed in the name", headers: { "x\nhost": "1" }, culprit: '"x\\nhost"' },
    { reason: "CRLF", headers: { "x-a": "1\r\nhost: evil.test" }, culprit: "x-a" },
    { reason: "a line feed", headers: { "x-a": "1\n2" }, culprit: "x-a" },
    { reason: "a line feed at the end", headers: { "x-a": "1\n" }, culprit: "x-a" },
    { reason: "NUL", headers: { "x-a": "\u0000" }, culprit: "x-a" },
    { reason: "DEL", headers: { "x-a": "\u007f" }, culprit: "x-a" },
    { reason: "escape", headers: { "x-a": "\u001b" }, culprit: "x-a" },
    { reason: "more than Latin-1", headers: { "x-a": "\u0100" }, culprit: "x-a" },
    { reason: "an emoji", headers: { "x-a": "😀" }, culprit: "x-a" },
    { reason: "a lone surrogate", headers: { "x-a": "\ud800" }, culprit: "x-a" },
    { reason: "true", headers: { "x-a": true }, culprit: "x-a" },
    { reason: "an object", headers: { "x-a": {} }, culprit: "x-a" },
    { reason: "a number for the object", headers: 0, culprit: "headers" },
    { reason: "false for the object", headers: false, culprit: "headers" },
  ])("may not have $reason", async ({ headers, culprit }) => {
    const refusal = await parse({ headers }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProxyError);
    expect(refusal).toMatchObject({
      code: "bad_request",
      message: expect.stringMatching(/^Cannot .+: headers.* is .+, expected .+$/),
    });
    expect((refusal as ProxyError).message).toContain(culprit);
  });
});

describe("body", () => {
  it.each([
    { kind: "text", body: "a=1&b=é", bytes: [..."a=1&b="].map((c) => c.charCodeAt(0)).concat(0xc3, 0xa9) },
    { kind: "empty text", body: "", bytes: [] },
    { kind: "JSON text", body: "{}", bytes: [0x7b, 0x7d] },
    { kind: "control bytes", body: "\0\r\n", bytes: [0, 13, 10] },
    { kind: "a byte order mark", body: "\ufeff", bytes: [0xef, 0xbb, 0xbf] },
    { kind: "a lone surrogate", body: "\ud800", bytes: [0xef, 0xbf, 0xbd] },
  ])("string goes as it is, without a content type: $kind", async ({ body, bytes }) => {
    const argument = await parse({ method: "POST", body });
    expect([...argument.body ?? [-1]]).toEqual(bytes);
    expect(argument.headers.has("content-type")).toBe(false);
  });

  it.each([null, undefined])("%s is none", async (body) => {
    const argument = await parse({ method: "POST", body });
    expect(argument.body).toBeNull();
    expect(argument.headers.has("content-type")).toBe(false);
  });

  it.each([
    { type: FORM, body: [1, 2], sent: "[1,2]" },
    { type: FORM, body: 7, sent: "7" },
    { type: `${FORM}-not`, body: { a: 1 }, sent: '{"a":1}' },
    { type: `text/plain; was=${FORM}`, body: { a: 1 }, sent: '{"a":1}' },
  ])("content type $type stays, $body becomes $sent", async ({ type, body, sent }) => {
    const argument = await parse({ method: "POST", headers: { "Content-Type": type }, body });
    expect(text(argument.body)).toBe(sent);
    expect(argument.headers.get("content-type")).toBe(type);
  });

  it.each([
    { type: FORM, body: { a: "1", b: "x y&z=é+" }, sent: "a=1&b=x+y%26z%3D%C3%A9%2B" },
    { type: FORM.toUpperCase(), body: { a: "1" }, sent: "a=1" },
    { type: `${FORM}; charset=UTF-8`, body: { a: "1" }, sent: "a=1" },
    { type: `${FORM} ;charset=UTF-8`, body: { a: "1" }, sent: "a=1" },
    { type: FORM, body: {}, sent: "" },
    { type: FORM, body: { "a b": "" }, sent: "a+b=" },
  ])("object with $type is form-encoded: $sent", async ({ type, body, sent }) => {
    const argument = await parse({ method: "POST", headers: { "content-type": type }, body });
    expect(text(argument.body)).toBe(sent);
    expect(argument.headers.get("content-type")).toBe(type);
  });

  it.each([
    { type: "application/json", body: '{"id":9007199254740993}', sent: '{"id":9007199254740993}' },
    { type: "application/json", body: "12345678901234567890", sent: "12345678901234567890" },
    { type: "application/json", body: "[1e400, -0, 1.10]", sent: "[1e400, -0, 1.10]" },
    { type: "application/json", body: '{"z":1,"1":2,"z":3}', sent: '{"z":1,"1":2,"z":3}' },
    { type: "application/json", body: '\n{\n  "a": "\\ud800"\n}\n', sent: '{\n  "a": "\\ud800"\n}' },
    {
      type: FORM,
      body: '{"id":9007199254740993,"l":[1e400, 0.10],"o":{"n":1.0},"e":[]}',
      sent: "id=9007199254740993&l=1e400&l=0.10&o=%7B%22n%22%3A1.0%7D",
    },
  ])("goes out as written: $body as $type", async ({ type, body, sent }) => {
    const head = `{"body":0,"url":"https://a.test/","headers":{"content-type":"${type}"}`;
    expect(text((await parseText(`${head},"b\\u006fdy":${body}}`)).body)).toBe(sent);
  });

  it("of any depth that JSON can hold is encoded", async () => {
    const depth = 50_000;
    const json = `{"url":"https://a.test/","body":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect((await parseText(json)).body?.length).toBe(2 * depth);
  });
});
