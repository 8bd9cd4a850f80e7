/** `fetchvia encode` judges what it encodes as the proxy does. */
import { describe, expect, it } from "vitest";
import { encode, encodeAt, runEncode } from "../../src/command/encode.ts";
import { rowsOf } from "../support/rows.ts";

const GET = 'the request is a GET with a body, which many servers ignore; "method": "POST" changes that';
const read = (arg: string) => Buffer.from(arg, "base64url").toString();

describe("encode", () => {
  it.each([
    { text: "https://my-site.example.com:8443", written: "my--site-example-com-8443" },
    { text: "http://localhost:3000/", written: "localhost-3000" },
    { text: '{"url":"https://a.test"}', written: "eyJ1cmwiOiJodHRwczovL2EudGVzdCJ9" },
  ])("$text", async ({ text, written }) => expect(await encode(text)).toBe(written));

  it.each(rowsOf(["about", "text", "json"], [
    ["blanks between", '{ "url" :\n\t"https://a.test/" }\r', '{"url":"https://a.test/"}'],
    [
      "blanks and escapes within strings",
      '{"url":"https://a.test/", "body": "a  \\" b\\\\"}',
      '{"url":"https://a.test/","body":"a  \\" b\\\\"}',
    ],
    [
      "all digits of a number",
      '{"url":"https://a.test/", "body": [12345678901234567890, 1.0e0]}',
      '{"url":"https://a.test/","body":[12345678901234567890,1.0e0]}',
    ],
  ]))("keeps what counts: $about", async ({ text, json }) => expect(read(await encode(text))).toBe(json));

  it.each(rowsOf(["text", "notes"], [
    ['{"url":"https://a.test/","body":"a"}', [GET]],
    ['{"url":"https://a.test/","body":{}}', [GET]],
    ['{"url":"https://a.test/","body":"a","method":"GET"}', []],
    ['{"url":"https://a.test/","body":null}', []],
    ['{"url":"https://a.test/"}', []],
  ]))("notes of $text: $notes", async ({ text, notes }) => {
    const noted: string[] = [];
    await runEncode([text], (line) => void noted.push(line));
    expect(noted).toEqual(notes);
  });

  it.each(rowsOf(["text", "base", "written"], [
    ["https://api.a.test/v1", undefined, "http://127.0.0.1:8080/__proxy__/at/api-a-test/v1"],
    ["https://a.test", undefined, "http://127.0.0.1:8080/__proxy__/at/a-test"],
    ["https://a.test/", "https://p.test/m/", "https://p.test/m/__proxy__/at/a-test/"],
    ["http://127.0.0.1:3000/v1/", "http://p.test", "http://p.test/__proxy__/at/127-0-0-1-3000/v1/"],
  ]))("writes the base address of $text at $base", async ({ text, base, written }) => {
    expect(encodeAt(text, base)).toBe(written);
    expect(await runEncode(["--at", text, ...(base ? ["--base", base] : [])], () => {})).toBe(written);
  });

  it.each(rowsOf(["words", "message"], [
    [["--at", "a.test"], "Cannot encode this: it has no scheme, expected a base address such as"],
    [
      ["--at", '{"url":"https://a.test"}'],
      "Cannot encode this: it has no scheme, expected a base address such as",
    ],
    [["--at", "https://[::1]/"], "does not fit a label"],
    [
      ["--base", "p.test", "https://a.test"],
      "Cannot use --base: it has no scheme, expected an address such as",
    ],
    [["a", "b"], "Cannot encode: there are 2 arguments, expected one in quotes"],
    [["--bass", "x"], "Unknown option '--bass', expected --base (see fetchvia encode --help)"],
  ]))("refuses $words", ({ words, message }) => expect(runEncode(words, () => {})).rejects.toThrow(message));

  it.each(rowsOf(["text", "message"], [
    ["localhost:3000", "Cannot encode this: it has no scheme, expected a base address"],
    ["https://a.test?x", "Cannot encode this: it has a query, expected a base address"],
    ["[1]", "Cannot encode this: it has no scheme"],
    ["https://a.test/path", "a label has no path, expected https://a.test, and the path after"],
    ["https://[::1]/", "does not fit a label"],
    ["{url:1}", "Cannot use the JSON: it is malformed, expected an object such as"],
    ["{}", "Cannot use field of arg: url is missing"],
    ['{"url":"a.test"}', "Cannot use field of arg: url has no scheme"],
    ['{"url":"https://a.test","verb":"GET"}', "Cannot use fields of arg: verb is unknown"],
    ['{"url":"https://a.test","method":"TRACE"}', "method is TRACE, expected any method but"],
    ['{"url":"https://a.test","method":"A B"}', "method is not an HTTP method"],
    ['{"url":"https://a.test","headers":{"a b":"x"}}', 'headers["a b"] is not an HTTP field name'],
    ['{"url":"https://a.test","headers":{"a":1}}', 'headers["a"] is not a string'],
    ['{"url":"https://a.test","redirect":"no"}', "redirect is not a mode"],
    [
      JSON.stringify({ url: "https://a.test", body: "x".repeat(50_000) }),
      /^Cannot put the JSON into a link: it has \d+ characters as Base64, expected at most 60000\. POST it/,
    ],
  ]))("refuses $text", ({ text, message }) => expect(encode(text)).rejects.toThrow(message));
});
