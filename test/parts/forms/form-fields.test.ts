/** The fields of the forms' clients: what they do to a request, and what they find in an answer. @module */
import { describe, expect, it } from "vitest";
import { ADDRESS_FORMS } from "../../../src/core/address/address.ts";
import { FORMS } from "../../../src/parts/forms/form-fields.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { readTrueHead } from "../../../src/core/way/true-head.ts";
import { buildRequest } from "../../../src/core/steps/request.ts";
import { exchangeOf } from "../../support/parts-exchange.ts";
import { rowsOf, typedRows } from "../../support/rows.ts";

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
  FORMS[form].writeRequest(headers, exchangeIn(form, fields).config);
  return Object.fromEntries(headers);
}

describe("a request", () => {
  it.each(typedRows<{ form: keyof typeof PATHS; fields: Sent; sent: Sent }>(["form", "fields", "sent"], [
    ["scalar", { "x-scalar-cookie": "a=1; b=2" }, { cookie: "a=1; b=2" }],
    ["scalar", { cookie: "c=3", "x-scalar-cookie": "a=1" }, { cookie: "a=1" }],
    ["scalar", { cookie: "c=3", "x-scalar-cookie": "" }, { cookie: "c=3" }],
    ["scalar", { "x-scalar-user-agent": "u", "x-scalar-referer": "r" }, { "user-agent": "u", referer: "r" }],
    ["scalar", { "x-scalar-date": "d", "x-scalar-dnt": "1" }, { date: "d", dnt: "1" }],
    ["scalar", { "x-scalar-other": "1" }, { "x-scalar-other": "1" }],
    ["corsproxy", { "x-scalar-cookie": "a=1" }, { "x-scalar-cookie": "a=1" }],
    ["git", { "user-agent": "Mozilla/5.0" }, { "user-agent": "git/fetchvia" }],
    ["git", {}, { "user-agent": "git/fetchvia" }],
    ["git", { "user-agent": "git/2.51" }, { "user-agent": "git/2.51" }],
    ["cors-anywhere", { "user-agent": "Mozilla/5.0" }, { "user-agent": "Mozilla/5.0" }],
    ["corsproxy", { "x-a": "1", "x-cors-headers": '{"Cookie":"x=1","x-a":null}' }, { cookie: "x=1" }],
    ["corsproxy", { origin: "o", "x-corsfix-headers": '{"Origin":"p","Referer":"q"}' }, {
      origin: "p",
      referer: "q",
    }],
    ["cors-anywhere", { "x-cors-headers": '{"x-a":"1"}', "x-corsfix-headers": '{"x-a":"2"}' }, {
      "x-a": "2",
    }],
    ["corsproxy", { "x-corsfix-key": "k", "x-corsfix-cache": "10m" }, {}],
    ["cors-anywhere", { "x-corsfix-key": "k" }, { "x-corsfix-key": "k" }],
    ["corsproxy", { accept: "*/*", "x-cors-headers": "{}" }, { accept: "*/*" }],
  ]))("in form $form with $fields goes out with $sent", ({ form, fields, sent }) => {
    expect(outgoing(form, fields)).toEqual(sent);
  });

  it.each(["x-cors-headers", "x-corsfix-headers"].flatMap((name) => [
    { name, text: "", names: "JSON object" },
    { name, text: "[]", names: "JSON object" },
    { name, text: '{"a":"1","a":"2"}', names: "twice" },
    { name, text: '{"host":"b.test"}', names: '"host"' },
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

  it.each<{ about: string; fields: Sent; cookie: string | null; authorization: string | null }>(
    rowsOf(["about", "fields", "cookie", "authorization"], [
      ["no such field", { host: "proxy.lan" }, "a=1", "Basic eDp5"],
      ["a program", { "x-cors-headers": "{}" }, "a=1", "Basic eDp5"],
      [
        "a page without Fetch Metadata",
        { "x-cors-headers": "{}", origin: "http://localhost:8080" },
        null,
        null,
      ],
      ["what may be either", { "x-cors-headers": "{}", host: "proxy.lan" }, null, null],
      ["what names its own cookie", { "x-cors-headers": '{"cookie":"b=2"}', host: "proxy.lan" }, "b=2", null],
    ]),
  )("of $about sends cookie $cookie, password $authorization", async ({ fields, cookie, authorization }) => {
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
    const upstream = { status: 200, statusText: "", headers: new Fields(received), body: null };
    const exchange = exchangeIn(form, fields);
    FORMS[form].writeResponse(headers, {
      incoming: exchange.incoming,
      named: target,
      final: finalAddress ? at(finalAddress) : target,
      readHead: () => readTrueHead(upstream, exchange, target.origin),
    });
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
    expect(JSON.parse(json!))
      .toEqual({ "content-type": "a/b", "set-cookie": 'a=1, b="2"; HttpOnly', "x-é": "é" });
  });

  it("varies by what changed the request", () => {
    expect(answer("corsproxy", { "x-corsfix-headers": "{}" }, []))
      .toEqual({ vary: `${VARY}, x-corsfix-headers` });
    expect(answer("scalar", { "x-scalar-cookie": "a=1", "x-scalar-dnt": "1" }, []))
      .toEqual({ vary: `${VARY}, x-scalar-cookie, x-scalar-dnt` });
  });
});

it.each([
  { form: "corsproxy" as const, place: "parameter url" },
  { form: "scalar" as const, place: "parameter scalar_url" },
  { form: "cors-anywhere" as const, place: "the path" },
  { form: "git" as const, place: "the path" },
])("messages name $place for $form", ({ form, place }) => expect(FORMS[form].place).toBe(place));
