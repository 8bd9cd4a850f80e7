/**
 * The headers and the body of a fetch argument.
 * @module
 */
import { describe, expect, it } from "vitest";
import { parseArgument } from "../../../src/pages/argument/argument.ts";
import { ProxyError } from "../../../src/http/error.ts";

const FORM = "application/x-www-form-urlencoded";

const parseText = (json: string) => parseArgument(new TextEncoder().encode(json));
const parse = (fields: Record<string, unknown>) =>
  parseText(JSON.stringify({ url: "https://a.test/", ...fields }));
const text = (body: Uint8Array | null) => body && new TextDecoder().decode(body);

describe("headers", () => {
  it.each([
    { about: "any case", given: { "X-Test": "a" }, name: "x-test", value: "a" },
    { about: "their own user agent", given: { "User-Agent": "curl/8" }, name: "user-agent", value: "curl/8" },
    {
      about: "Authorization",
      given: { Authorization: "Bearer x" },
      name: "authorization",
      value: "Bearer x",
    },
    {
      about: "Latin-1",
      given: { "x-a": "caf\u00e9\u0080\u00ff" },
      name: "x-a",
      value: "caf\u00e9\u0080\u00ff",
    },
    { about: "a tab", given: { "x-a": "a\tb" }, name: "x-a", value: "a\tb" },
    { about: "an empty value", given: { "x-a": "" }, name: "x-a", value: "" },
    { about: "commas", given: { "x-a": "1, 2" }, name: "x-a", value: "1, 2" },
    { about: "one name in two cases", given: { "X-A": "1", "x-a": "2" }, name: "x-a", value: "1, 2" },
    { about: "two cookies", given: { Cookie: "a=1", cookie: "b=2" }, name: "cookie", value: "a=1; b=2" },
    { about: "odd tokens", given: { "x_a!#$%&'*+.^`|~": "1" }, name: "x_a!#$%&'*+.^`|~", value: "1" },
    { about: "a name of Object's", given: { constructor: "1" }, name: "constructor", value: "1" },
    { about: "__proto__", given: JSON.parse('{"__proto__":"1"}'), name: "__proto__", value: "1" },
  ])("may have $about", async ({ given, name, value }) => {
    expect((await parse({ headers: given })).headers.get(name)).toBe(value);
  });

  it.each([
    { reason: "a blank in the name", headers: { "x a": "1" }, culprit: "x a" },
    { reason: "no name", headers: { "": "1" }, culprit: '""' },
    { reason: "a colon in the name", headers: { "x:": "1" }, culprit: "x:" },
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
    { reason: "a number", headers: { "x-ok": "1", "x-a": 1 }, culprit: "x-a" },
    { reason: "null", headers: { "x-a": null }, culprit: "x-a" },
    { reason: "true", headers: { "x-a": true }, culprit: "x-a" },
    { reason: "a list", headers: { "x-a": ["1", "2"] }, culprit: "x-a" },
    { reason: "an object", headers: { "x-a": {} }, culprit: "x-a" },
    { reason: "a list for the object", headers: [["x-a", "1"]], culprit: "headers" },
    { reason: "a string for the object", headers: "x-a: 1", culprit: "headers" },
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
    { kind: "object", body: { a: 1, b: ["é"] }, sent: '{"a":1,"b":["é"]}' },
    { kind: "empty object", body: {}, sent: "{}" },
    { kind: "array", body: [1, "2", null], sent: '[1,"2",null]' },
    { kind: "empty array", body: [], sent: "[]" },
    { kind: "number", body: 1.5, sent: "1.5" },
    { kind: "zero", body: 0, sent: "0" },
    { kind: "true", body: true, sent: "true" },
    { kind: "false", body: false, sent: "false" },
    {
      kind: "object with __proto__",
      body: JSON.parse('{"__proto__":{"a":1}}'),
      sent: '{"__proto__":{"a":1}}',
    },
  ])("$kind becomes JSON with its content type", async ({ body, sent }) => {
    const argument = await parse({ method: "POST", body });
    expect(text(argument.body)).toBe(sent);
    expect(argument.headers.get("content-type")).toBe("application/json");
  });

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

  it.each([{ body: null }, { body: undefined }])("$body is none", async ({ body }) => {
    const argument = await parse({ method: "POST", body });
    expect(argument.body).toBeNull();
    expect(argument.headers.has("content-type")).toBe(false);
  });

  it.each([
    { type: "application/vnd.api+json", body: { a: 1 }, sent: '{"a":1}' },
    { type: "text/plain", body: [1], sent: "[1]" },
    { type: "text/plain", body: "x", sent: "x" },
    { type: FORM, body: [1, 2], sent: "[1,2]" },
    { type: FORM, body: 7, sent: "7" },
    { type: FORM, body: "a=%20&b", sent: "a=%20&b" },
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
    { type: FORM, body: { a: [1, "2", true] }, sent: "a=1&a=2&a=true" },
    { type: FORM, body: { a: [] }, sent: "" },
    { type: FORM, body: { n: 1.5, t: true, f: false, z: null }, sent: "n=1.5&t=true&f=false&z=" },
    { type: FORM, body: { o: { x: 1 } }, sent: "o=%7B%22x%22%3A1%7D" },
    { type: FORM, body: JSON.parse('{"__proto__":"1"}'), sent: "__proto__=1" },
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
    { type: FORM, body: '{"z":"1","1":null,"z":"2"}', sent: "z=2&1=" },
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
