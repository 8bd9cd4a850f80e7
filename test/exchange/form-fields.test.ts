/**
 * The fields of the forms' clients: what they do to a request, and what they find in an answer.
 * @module
 */
import { describe, expect, it } from "vitest";
import { ADDRESS_FORMS } from "../../src/address/selector.ts";
import { writeFormAnswer, writeFormFields } from "../../src/exchange/form-fields.ts";
import type { Target } from "../../src/exchange/exchange.ts";
import { Fields } from "../../src/http/fields.ts";
import { buildRequest } from "../../src/steps/request.ts";
import { exchangeOf } from "../support/exchange.ts";

/** Under another host the same path leads to that host. */
const VARY = "proxy_host, Cookie";
const PATHS = {
  "git": "/a.test/r/git-upload-pack",
  "scalar": "/?scalar_url=https%3A%2F%2Fa.test%2Fx",
  "corsproxy": "/?https://a.test/x",
  "cors-anywhere": "/https://a.test/x",
} as const;

type Sent = Record<string, string>;

function exchangeIn(form: keyof typeof PATHS, fields: Sent = {}) {
  return exchangeOf({ path: PATHS[form], fields, options: { addressForms: [...ADDRESS_FORMS] } });
}

function outgoing(form: keyof typeof PATHS, fields: Sent): Sent {
  const headers = new Fields(Object.entries(fields));
  writeFormFields(headers, exchangeIn(form, fields));
  return Object.fromEntries(headers);
}

describe("a request", () => {
  it.each<{ form: keyof typeof PATHS; fields: Sent; sent: Sent }>([
    { form: "scalar", fields: { "x-scalar-cookie": "a=1; b=2" }, sent: { cookie: "a=1; b=2" } },
    { form: "scalar", fields: { cookie: "c=3", "x-scalar-cookie": "a=1" }, sent: { cookie: "a=1" } },
    { form: "scalar", fields: { cookie: "c=3", "x-scalar-cookie": "" }, sent: { cookie: "c=3" } },
    {
      form: "scalar",
      fields: {
        "x-scalar-user-agent": "u",
        "x-scalar-referer": "r",
        "x-scalar-date": "d",
        "x-scalar-dnt": "1",
      },
      sent: { "user-agent": "u", referer: "r", date: "d", dnt: "1" },
    },
    { form: "scalar", fields: { "x-scalar-other": "1" }, sent: { "x-scalar-other": "1" } },
    { form: "corsproxy", fields: { "x-scalar-cookie": "a=1" }, sent: { "x-scalar-cookie": "a=1" } },
    { form: "git", fields: { "user-agent": "Mozilla/5.0" }, sent: { "user-agent": "git/fetchvia" } },
    { form: "git", fields: {}, sent: { "user-agent": "git/fetchvia" } },
    { form: "git", fields: { "user-agent": "git/2.51" }, sent: { "user-agent": "git/2.51" } },
    { form: "cors-anywhere", fields: { "user-agent": "Mozilla/5.0" }, sent: { "user-agent": "Mozilla/5.0" } },
    {
      form: "corsproxy",
      fields: { accept: "*/*", "x-a": "1", "x-cors-headers": '{"Cookie":"x=1","x-a":null}' },
      sent: { accept: "*/*", cookie: "x=1" },
    },
    {
      form: "corsproxy",
      fields: { origin: "o", "x-corsfix-headers": '{"Origin":"https://a.test","Referer":"https://a.test"}' },
      sent: { origin: "https://a.test", referer: "https://a.test" },
    },
    {
      form: "cors-anywhere",
      fields: { "x-cors-headers": '{"x-a":"1"}', "x-corsfix-headers": '{"x-a":"2"}' },
      sent: { "x-a": "2" },
    },
    { form: "corsproxy", fields: { "x-corsfix-key": "k", "x-corsfix-cache": "10m" }, sent: {} },
    { form: "cors-anywhere", fields: { "x-corsfix-key": "k" }, sent: { "x-corsfix-key": "k" } },
    { form: "corsproxy", fields: { "x-cors-headers": "{}" }, sent: {} },
  ])("in form $form with $fields goes out with $sent", ({ form, fields, sent }) => {
    expect(outgoing(form, fields)).toEqual(sent);
  });

  it.each(["x-cors-headers", "x-corsfix-headers"].flatMap((name) => [
    { name, text: "", names: "JSON object" },
    { name, text: "x", names: "JSON object" },
    { name, text: "[]", names: "JSON object" },
    { name, text: "{}, {}", names: "JSON object" },
    { name, text: '{"a":1}', names: '"a"' },
    { name, text: '{"a":"1","a":"2"}', names: "twice" },
    { name, text: '{"a":"1","A":"2"}', names: '"A"' },
    { name, text: '{"host":"b.test"}', names: '"host"' },
    { name, text: '{"Content-Length":"1"}', names: '"Content-Length"' },
    { name, text: '{"transfer-encoding":"chunked"}', names: '"transfer-encoding"' },
    { name, text: '{"connection":"x"}', names: '"connection"' },
    { name, text: '{"proxy-authorization":"x"}', names: '"proxy-authorization"' },
    { name, text: '{"proxy_host":"x"}', names: '"proxy_host"' },
    { name, text: '{"a":"1\\r\\nb: 2"}', names: '"a"' },
    { name, text: '{"a b":"1"}', names: '"a b"' },
  ]))("is refused with $name: $text", ({ name, text, names }) => {
    const refusal = expect.objectContaining({ code: "bad_request", message: expect.stringContaining(name) });
    const send = () => outgoing("corsproxy", { [name]: text });
    expect(send).toThrow(refusal);
    expect(send).toThrow(names);
  });
});

describe("x-cors-headers, which shows a page the whole head,", () => {
  const AMBIENT = { cookie: "a=1", authorization: "Basic eDp5" };
  const TARGET: Target = { origin: new URL("https://a.test"), path: "/x", selector: "url", basePath: "" };

  it.each<{ about: string; fields: Sent; cookie: string | null; authorization: string | null }>([
    { about: "no such field", fields: { host: "proxy.lan" }, cookie: "a=1", authorization: "Basic eDp5" },
    { about: "a program", fields: { "x-cors-headers": "{}" }, cookie: "a=1", authorization: "Basic eDp5" },
    {
      about: "a page without Fetch Metadata",
      fields: { "x-cors-headers": "{}", origin: "http://localhost:8080" },
      cookie: null,
      authorization: null,
    },
    {
      about: "what may be either",
      fields: { "x-cors-headers": "{}", host: "proxy.lan" },
      cookie: null,
      authorization: null,
    },
    {
      about: "what names its own cookie",
      fields: { "x-cors-headers": '{"cookie":"b=2"}', host: "proxy.lan" },
      cookie: "b=2",
      authorization: null,
    },
  ])("of $about sends cookie $cookie, password $authorization", async ({ fields, cookie, authorization }) => {
    const exchange = exchangeIn("corsproxy", { ...AMBIENT, ...fields });
    const { headers } = await buildRequest(exchange, TARGET, undefined);
    expect(headers.get("cookie")).toBe(cookie);
    expect(headers.get("authorization")).toBe(authorization);
  });
});

describe("an answer", () => {
  const at = (address: string) => ({
    origin: new URL(new URL(address).origin),
    path: new URL(address).pathname,
  });
  const target: Target = { ...at("https://a.test/x"), selector: "url", basePath: "" };

  function answer(
    form: keyof typeof PATHS,
    fields: Sent,
    received: [string, string][],
    finalAddress?: string,
  ) {
    const headers = new Fields();
    const upstream = {
      status: 200,
      statusText: "",
      headers: new Fields(received),
      body: null,
      ...(finalAddress && { finalAddress: at(finalAddress) }),
    };
    writeFormAnswer(headers, upstream, exchangeIn(form, fields), target);
    return Object.fromEntries(headers);
  }

  it("in form cors-anywhere tells the address", () => {
    const own = { vary: VARY, "x-request-url": "https://a.test/x", "x-final-url": "https://a.test/x" };
    expect(answer("cors-anywhere", {}, [])).toEqual(own);
    expect(answer("cors-anywhere", {}, [], "https://b.test/y"))
      .toEqual({ ...own, "x-final-url": "https://b.test/y" });
  });

  it.each(["git", "scalar", "corsproxy"] as const)("in form %s gets nothing unasked", (form) => {
    expect(answer(form, {}, [["set-cookie", "a=1"]], "https://b.test/y")).toEqual({ vary: VARY });
  });

  it("to x-cors-headers shows all that came from the target", () => {
    const received: [string, string][] = [
      ["content-type", "a/b"],
      ["set-cookie", "a=1"],
      ["set-cookie", 'b="2"; HttpOnly'],
      ["connection", "x-hop"],
      ["x-hop", "1"],
      ["x-é", "é"],
    ];
    const { vary, "cors-received-headers": json } = answer("corsproxy", { "x-cors-headers": "{}" }, received);
    expect(vary).toBe(`${VARY}, x-cors-headers`);
    expect(JSON.parse(json!)).toEqual({
      "content-type": "a/b",
      "set-cookie": 'a=1, b="2"; HttpOnly',
      "x-é": "é",
    });
  });

  it("varies by what changed the request", () => {
    expect(answer("corsproxy", { "x-corsfix-headers": "{}" }, [])).toEqual({
      vary: `${VARY}, x-corsfix-headers`,
    });
    expect(answer("scalar", { "x-scalar-cookie": "a=1", "x-scalar-dnt": "1" }, []))
      .toEqual({ vary: `${VARY}, x-scalar-cookie, x-scalar-dnt` });
  });
});
