/**
 * The fields of a fetch argument: what each one may be, and what the request is made of.
 * @module
 */
import { describe, expect, it } from "vitest";
import { parseArgument } from "../src/argument.ts";
import { ProxyError } from "../src/error.ts";
import { VERSION } from "../src/version.ts";

const URL_FIELD = { url: "https://a.test/p?q" };

const parse = (fields: Record<string, unknown>) => parseFields({ ...URL_FIELD, ...fields });
const parseFields = (fields: Record<string, unknown>) =>
  parseArgument({ fields, text: JSON.stringify(fields) });
/** Reads JSON as the route does, where `__proto__` is a field like every other. */
const parseText = (json: string) => parseArgument({ fields: JSON.parse(json), text: json });

/** The error of an argument; fails when there is none. */
function refusal(run: () => unknown): ProxyError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(ProxyError);
    return error as ProxyError;
  }
  throw new Error("Cannot test: the argument was accepted, expected a refusal");
}

it("has defaults for everything but url", () => {
  const { address, headers, ...others } = parseFields(URL_FIELD);
  expect(others).toEqual({ method: "GET", body: null, redirect: "follow" });
  expect(address).toEqual({ origin: new URL("https://a.test"), path: "/p?q" });
  expect([...headers]).toEqual([["user-agent", `fetchvia/${VERSION}`]]);
});

it("leaves the fields that it is given as they were", () => {
  const fields = {
    ...URL_FIELD,
    method: "post",
    headers: { "X-A": "1" },
    body: { b: [1] },
    redirect: "manual",
  };
  const before = structuredClone(fields);
  parseFields(Object.freeze(fields));
  expect(fields).toEqual(before);
});

it("makes Authorization of the credentials in url", () => {
  expect(parse({ url: "https://user:pass@a.test/" }).address).toEqual({
    origin: new URL("https://a.test"),
    path: "/",
    authorization: `Basic ${btoa("user:pass")}`,
  });
});

describe("method", () => {
  it.each([
    { given: "get", method: "GET" },
    { given: "Post", method: "POST" },
    { given: "pUT", method: "PUT" },
    { given: "delete", method: "DELETE" },
    { given: "head", method: "HEAD" },
    { given: "options", method: "OPTIONS" },
    { given: "PATCH", method: "PATCH" },
    { given: "patch", method: "patch" },
    { given: "FOO", method: "FOO" },
    { given: "foo", method: "foo" },
    { given: "M-SEARCH", method: "M-SEARCH" },
    { given: "constructor", method: "constructor" },
    { given: "!#$%&'*+-.^_`|~09", method: "!#$%&'*+-.^_`|~09" },
  ])("$given goes out as $method", ({ given, method }) => {
    expect(parse({ method: given }).method).toBe(method);
  });

  it.each([
    { method: "TRACE" },
    { method: "trace" },
    { method: "CONNECT" },
    { method: "Connect" },
    { method: "" },
    { method: " GET" },
    { method: "GET /" },
    { method: "GET\r\nHost: evil.test" },
    { method: "G\u0000T" },
    { method: "GÉT" },
    { method: "\ud800" },
    { method: "ſ" },
    { method: null },
    { method: 1 },
    { method: true },
    { method: ["GET"] },
    { method: {} },
  ])("$method is refused", ({ method }) => {
    const error = refusal(() => parse({ method }));
    expect(error).toMatchObject({ code: "bad_request", status: 400 });
    expect(error.message).toMatch(/^Cannot .+: method is .+, expected .+$/);
  });
});

describe("redirect", () => {
  it.each([{ redirect: "follow" }, { redirect: "manual" }])("$redirect is taken", ({ redirect }) => {
    expect(parse({ redirect }).redirect).toBe(redirect);
  });

  it.each([
    { redirect: "error" },
    { redirect: "Manual" },
    { redirect: "" },
    { redirect: null },
    { redirect: true },
    { redirect: 5 },
  ])("$redirect is refused", ({ redirect }) => {
    expect(refusal(() => parse({ redirect })).message).toMatch(
      /^Cannot .+: redirect is .+, expected "follow" or "manual"$/,
    );
  });
});

describe("url", () => {
  it.each([
    { url: undefined },
    { url: null },
    { url: 1 },
    { url: true },
    { url: ["https://a.test/"] },
    { url: { href: "https://a.test/" } },
    { url: "" },
    { url: "/relative" },
    { url: "//a.test/" },
    { url: "a.test" },
    { url: "ftp://a.test/" },
    { url: "file:///etc/passwd" },
    { url: "data:,x" },
    { url: "https://" },
    { url: "https://a.test:99999/" },
    { url: "https://a.test/\r\nx: y" },
    { url: " https://a.test/" },
  ])("$url is refused", ({ url }) => {
    const error = refusal(() => parseFields({ url }));
    expect(error.code).toBe("bad_request");
    expect(error.message).toMatch(/^Cannot .+: url is .+, expected an absolute http or https address$/);
  });
});

describe("unknown fields", () => {
  it.each([
    { json: '{"url":"https://a.test/","metod":"GET"}', names: ["metod"] },
    { json: '{"url":"https://a.test/","URL":"x","Body":1}', names: ["URL", "Body"] },
    { json: '{"url":"https://a.test/","__proto__":{"method":"POST"}}', names: ["__proto__"] },
    { json: '{"url":"https://a.test/","constructor":1}', names: ["constructor"] },
    { json: '{"url":"https://a.test/","hasOwnProperty":1}', names: ["hasOwnProperty"] },
    { json: '{"__proto__":{"url":"https://a.test/"}}', names: ["__proto__"] },
    { json: '{"url":"https://a.test/","x":null}', names: ["x"] },
    { json: '{"url":"https://a.test/","timeout":1,"proxy":""}', names: ["timeout", "proxy"] },
  ])("are named: $json", ({ json, names }) => {
    const error = refusal(() => parseText(json));
    expect(error.code).toBe("bad_request");
    expect(names.filter((name) => !error.message.includes(name))).toEqual([]);
  });
});
