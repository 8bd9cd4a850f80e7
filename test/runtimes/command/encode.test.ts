/**
 * `fetchvia encode` judges what it encodes as the proxy does.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encode } from "../../../src/runtimes/command/encode.ts";

const read = (arg: string) => Buffer.from(arg, "base64url").toString();

describe("encode", () => {
  it.each([
    { text: "https://my-site.example.com:8443", written: "my--site-example-com-8443" },
    { text: "http://localhost:3000/", written: "localhost-3000" },
    { text: '{"url":"https://a.test"}', written: "eyJ1cmwiOiJodHRwczovL2EudGVzdCJ9" },
  ])("$text", async ({ text, written }) => {
    expect(await encode(text)).toBe(written);
  });

  it.each([
    {
      about: "blanks between",
      text: '{ "url" :\n\t"https://a.test/" }\r',
      json: '{"url":"https://a.test/"}',
    },
    {
      about: "blanks and escapes within strings",
      text: '{"url":"https://a.test/", "body": "a  \\" b\\\\"}',
      json: '{"url":"https://a.test/","body":"a  \\" b\\\\"}',
    },
    {
      about: "all digits of a number",
      text: '{"url":"https://a.test/", "body": [12345678901234567890, 1.0e0]}',
      json: '{"url":"https://a.test/","body":[12345678901234567890,1.0e0]}',
    },
  ])("keeps what counts: $about", async ({ text, json }) => {
    expect(read(await encode(text))).toBe(json);
  });

  it.each([
    { text: "localhost:3000", message: "Cannot encode this: it has no scheme, expected a base address" },
    { text: "https://a.test?x", message: "Cannot encode this: it has a query, expected a base address" },
    { text: "[1]", message: "Cannot encode this: it has no scheme" },
    {
      text: "https://a.test/path",
      message: "a label has no path, expected https://a.test, and the path after",
    },
    { text: "https://[::1]/", message: "does not fit a label" },
    { text: "{url:1}", message: "Cannot use the JSON: it is malformed, expected an object such as" },
    { text: "{}", message: "Cannot use field of arg: url is missing" },
    { text: '{"url":"a.test"}', message: "Cannot use field of arg: url has no scheme" },
    { text: '{"url":"https://a.test","verb":"GET"}', message: "Cannot use fields of arg: verb is unknown" },
    {
      text: '{"url":"https://a.test","method":"TRACE"}',
      message: "method is TRACE, expected any method but",
    },
    { text: '{"url":"https://a.test","method":"A B"}', message: "method is not an HTTP method" },
    {
      text: '{"url":"https://a.test","headers":{"a b":"x"}}',
      message: 'headers["a b"] is not an HTTP field name',
    },
    { text: '{"url":"https://a.test","headers":{"a":1}}', message: 'headers["a"] is not a string' },
    { text: '{"url":"https://a.test","redirect":"no"}', message: "redirect is not a mode" },
    {
      text: JSON.stringify({ url: "https://a.test", body: "x".repeat(50_000) }),
      message:
        /^Cannot put the JSON into a link: it has \d+ characters as Base64, expected at most 60000\. POST it/,
    },
  ])("refuses $text", async ({ text, message }) => {
    await expect(encode(text)).rejects.toThrow(message);
  });
});
