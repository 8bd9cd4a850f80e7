/** The fields of a fetch argument: what each one may be, and what the request is made of. @module */
import { describe, expect, it } from "vitest";
import { MAX_HEAD_BYTES, parseArgument, refuseFormat } from "../../../../src/core/pages/argument/argument.ts";
import { ProxyError } from "../../../../src/core/http/error.ts";
import { MAX_MEMBERS } from "../../../../src/core/pages/argument/json-members.ts";
import { VERSION } from "../../../../src/core/settings/version.ts";
import { alike } from "../../../support/rows.ts";

const URL_FIELD = { url: "https://a.test/p?q" };

const parse = (fields: Record<string, unknown>) => parseFields({ ...URL_FIELD, ...fields });
const parseFields = (fields: Record<string, unknown>) => parseText(JSON.stringify(fields));
const parseText = (json: string) => parseArgument(new TextEncoder().encode(json));

/** The error of an argument; fails when there is none. */
async function refusal(parsed: Promise<unknown>): Promise<ProxyError> {
  const error = await parsed.then(() => undefined, (failure: unknown) => failure);
  expect(error).toBeInstanceOf(ProxyError);
  return error as ProxyError;
}

it("has defaults for everything but url", async () => {
  const { address, headers, ...others } = await parseFields(URL_FIELD);
  expect(others).toEqual({ method: "GET", body: null, redirect: "follow" });
  expect(address).toEqual({ origin: new URL("https://a.test"), path: "/p?q" });
  expect([...headers]).toEqual([["user-agent", `fetchvia/${VERSION}`]]);
});

it("leaves the bytes that it is given as they were", async () => {
  const json = new TextEncoder().encode('{"url":"https://a.test/","headers":{"X-A":"1"},"body":"\\u00e9"}');
  const before = [...json];
  await parseArgument(json);
  expect([...json]).toEqual(before);
});

describe("method", () => {
  it.each([
    { given: "FOO", method: "FOO" },
    { given: "foo", method: "foo" },
    { given: "constructor", method: "constructor" },
    { given: "!#$%&'*+-.^_`|~09", method: "!#$%&'*+-.^_`|~09" },
  ])("$given goes out as $method", async ({ given, method }) => {
    expect((await parse({ method: given })).method).toBe(method);
  });

  it.each([
    ...alike("method")`TRACE trace CONNECT Connect GÉT ſ`,
    { method: " GET" },
    { method: "G\u0000T" },
    { method: "\ud800" },
    { method: null },
    { method: true },
    { method: ["GET"] },
    { method: {} },
  ])("$method is refused", async ({ method }) => {
    const error = await refusal(parse({ method }));
    expect(error).toMatchObject({ code: "bad_request", status: 400 });
    expect(error.message).toMatch(/^Cannot .+: method is .+, expected .+$/);
  });
});

it.each([
  { redirect: "Manual" },
  { redirect: "" },
  { redirect: null },
  { redirect: 5 },
])("redirect $redirect is refused", async ({ redirect }) => {
  expect((await refusal(parse({ redirect }))).message)
    .toMatch(/^Cannot .+: redirect is .+, expected "follow" or "manual"$/);
});

it.each([
  { url: true },
  { url: ["https://a.test/"] },
  { url: { href: "https://a.test/" } },
  ...alike("url")`/relative //a.test/ a.test ftp://a.test/ file:///etc/passwd data:,x https://
    https://a.test:99999/`,
  { url: "https://a.test/\r\nx: y" },
  { url: " https://a.test/" },
])("url $url is refused", async ({ url }) => {
  const error = await refusal(parseFields({ url }));
  expect(error.code).toBe("bad_request");
  expect(error.message).toMatch(/^Cannot .+: url (?:is|has) .+, expected an absolute http or https address$/);
});

it.each([
  { json: '{"url":"https://a.test/","metod":"GET"}', names: ["metod"] },
  { json: '{"url":"https://a.test/","URL":"x","Body":1}', names: ["URL", "Body"] },
  { json: '{"url":"https://a.test/","__proto__":{"method":"POST"}}', names: ["__proto__"] },
  { json: '{"url":"https://a.test/","constructor":1}', names: ["constructor"] },
  { json: '{"url":"https://a.test/","hasOwnProperty":1}', names: ["hasOwnProperty"] },
  { json: '{"__proto__":{"url":"https://a.test/"}}', names: ["__proto__"] },
  { json: '{"url":"https://a.test/","x":null}', names: ["x"] },
  { json: '{"url":"https://a.test/","timeout":1,"proxy":""}', names: ["timeout", "proxy"] },
])("unknown fields are named: $json", async ({ json, names }) => {
  const error = await refusal(parseText(json));
  expect(error.code).toBe("bad_request");
  expect(names.filter((name) => !error.message.includes(name))).toEqual([]);
});

describe("what is no argument", () => {
  const FORMAT = "Invalid Base64 or JSON format";

  it.each([
    { reason: "nothing", json: "" },
    { reason: "blanks", json: "  " },
    { reason: "two objects", json: "{}{}" },
    { reason: "two byte order marks", json: "\ufeff\ufeff{}" },
    { reason: "an unknown field that is malformed", json: '{"x":01}' },
  ])("is refused: $reason", async ({ json }) => {
    expect(await refusal(parseText(json))).toMatchObject({ code: "bad_request", message: FORMAT });
    expect(refuseFormat).toThrow(FORMAT);
  });

  it.each([
    { reason: "a byte that is none", bytes: [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d] },
    { reason: "a surrogate", bytes: [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d] },
  ])("is refused: no UTF-8 by $reason", async ({ bytes }) => {
    expect((await refusal(parseArgument(Uint8Array.from(bytes)))).message).toBe(FORMAT);
  });

  it("is not one behind a byte order mark, or between blanks", async () => {
    const { method } = await parseText('\ufeff\n{"url":"https://a.test/","method":"HEAD"}\t');
    expect(method).toBe("HEAD");
  });
});

describe("what is too much", () => {
  const long = "x".repeat(MAX_HEAD_BYTES);
  const many = Object.fromEntries(Array.from({ length: MAX_MEMBERS + 1 }, (_, index) => [`x${index}`, "1"]));
  const urls = '"url":"https://a.test/",';

  it.each([
    { about: "url", fields: { url: `https://a.test/${long}` }, says: "url is too long" },
    { about: "method", fields: { method: long }, says: "method is too long" },
    { about: "redirect", fields: { redirect: long }, says: "redirect is too long" },
    { about: "headers", fields: { headers: { "x-a": long } }, says: "headers is too long" },
    { about: "many headers", fields: { headers: many }, says: "headers is too large" },
  ])("names the field and the limit: $about", async ({ fields, says }) => {
    const { code, message } = await refusal(parse(fields));
    expect(code).toBe("bad_request");
    expect(message).toMatch(/^Cannot use field of arg: .*, expected at most \d+ (bytes|fields)$/);
    expect(message).toContain(says);
  });

  it.each([
    { about: "url", name: "url", value: "https://a.test/" },
    { about: "a header", name: "headers", value: { "x-a": "" } },
  ])("is a byte more than what is taken: $about", async ({ name, value }) => {
    const written = JSON.stringify(value);
    const fill = "x".repeat(MAX_HEAD_BYTES - written.length);
    const json = (more: string) =>
      JSON.stringify({ ...URL_FIELD, [name]: value }).replace(/"(\}?\})$/, `${fill}${more}"$1`);
    expect((await parseText(json(""))).method).toBe("GET");
    expect((await refusal(parseText(json("x")))).message).toContain(`${name} is too long`);
  });

  it("is a field more than what is taken", async () => {
    const json = (count: number) => `{${urls.repeat(count - 1)}"method":"HEAD"${"}"}`;
    expect((await parseText(json(MAX_MEMBERS))).method).toBe("HEAD");
    expect((await refusal(parseText(json(MAX_MEMBERS + 1)))).message)
      .toBe("Cannot use arg: it is too large, expected at most 10000 fields");
  });

  it("does not come back in the message", async () => {
    const names = await refusal(parse(many));
    const name = await refusal(parse({ [long]: 1 }));
    const header = await refusal(parse({ headers: { [`${long.slice(0, 1000)} `]: "1" } }));
    expect(names.message).toMatch(/: x0, x1, .*x15, … is unknown/);
    expect([names, name, header].map(({ message }) => message.length < 300)).toEqual([true, true, true]);
  });
});
