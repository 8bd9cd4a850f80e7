/**
 * `/__proxy__/fetch`: the argument in the address or in the body, and exactly what goes out for it.
 * @module
 */
import { toStandard } from "../../src/http/body.ts";
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../src/address/arg.ts";
import { createProxy } from "../../src/proxy.ts";
import type { Outgoing, Runtime } from "../../src/exchange/runtime.ts";
import { VERSION } from "../../src/settings/version.ts";
import { type Fields, incoming, target } from "../support/handle.ts";

/** A body that streams these chunks. */
function stream(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** Asks for what an argument describes. */
function fetchArg(fields: Record<string, unknown>, runtime: Runtime, own: Fields = {}) {
  return createProxy().handle(incoming(`/__proxy__/fetch?arg=${encodeArg(fields)}`, own), runtime);
}

/** The fields that went out, without what the proxy may add for itself. */
const fieldsOf = (outgoing: Outgoing | undefined) =>
  Object.fromEntries([...outgoing?.headers ?? []].filter(([name]) => name !== "cdn-loop"));

const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("what goes out", () => {
  it("is what the argument says, and nothing of the caller's own", async () => {
    const { sent, runtime } = target();
    const own = {
      cookie: "sid=1; proxy_host=https://evil.test",
      authorization: "Bearer own",
      proxy_host: "https://evil.test",
      "user-agent": "Mozilla/5.0",
      accept: "text/html",
      "accept-language": "de",
      "accept-encoding": "gzip",
      "x-forwarded-for": "9.9.9.9",
      "x-own": "1",
      "content-length": "0",
    };
    const response = await fetchArg({ url: "https://a.test:8443/p?q" }, runtime, own);
    expect(response.status).toBe(200);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ method: "GET", path: "/p?q", body: null });
    expect(sent[0]?.origin.origin).toBe("https://a.test:8443");
    expect(fieldsOf(sent[0])).toEqual({ host: "a.test:8443", "user-agent": `fetchvia/${VERSION}` });
  });

  it("has the method, fields and body of the argument", async () => {
    const { sent, runtime } = target();
    const headers = {
      "X-A": "caf\u00e9",
      Authorization: "Bearer t",
      Cookie: "a=1; b=2",
      "User-Agent": "own/1",
    };
    await fetchArg({ url: "http://a.test/", method: "put", headers, body: { a: "é" } }, runtime);
    expect(sent[0]?.method).toBe("PUT");
    expect(fieldsOf(sent[0])).toEqual({
      host: "a.test",
      "x-a": "caf\u00e9",
      authorization: "Bearer t",
      cookie: "a=1; b=2",
      "user-agent": "own/1",
      "content-type": "application/json",
      "content-length": "10",
    });
    expect(await new Response(toStandard(sent[0]?.body ?? null)).text()).toBe('{"a":"é"}');
  });

  it.each([
    { field: "Host", value: "evil.test", sentAs: "a.test" },
    { field: "Content-Length", value: "99", sentAs: undefined },
    { field: "Content-Length", value: "0", sentAs: undefined },
    { field: "Transfer-Encoding", value: "chunked", sentAs: undefined },
    { field: "Connection", value: "close", sentAs: undefined },
    { field: "Keep-Alive", value: "1", sentAs: undefined },
    { field: "TE", value: "trailers", sentAs: undefined },
    { field: "Trailer", value: "x", sentAs: undefined },
    { field: "Upgrade", value: "h2c", sentAs: undefined },
    { field: "Expect", value: "100-continue", sentAs: undefined },
    { field: "Proxy-Authorization", value: "Basic x", sentAs: undefined },
    { field: "Proxy-Connection", value: "close", sentAs: undefined },
  ])("never has $field as the argument says: $value", async ({ field, value, sentAs }) => {
    const { sent, runtime } = target();
    const response = await fetchArg(
      { url: "http://a.test/", headers: { [field]: value, "X-Kept": "1" } },
      runtime,
    );
    expect(response.status).toBe(200);
    expect(fieldsOf(sent[0])[field.toLowerCase()]).toBe(sentAs);
    expect(fieldsOf(sent[0])["x-kept"]).toBe("1");
  });

  it.each([
    { headers: { "Content-Length": "1" }, body: "abc" },
    { headers: { "Content-Length": "0" }, body: "abc" },
    { headers: { "Transfer-Encoding": "chunked" }, body: "abc" },
    { headers: {}, body: "abc" },
  ])("has the true length of the body beside $headers", async ({ headers, body }) => {
    const { sent, runtime } = target();
    await fetchArg({ url: "http://a.test/", method: "POST", headers, body }, runtime);
    expect(fieldsOf(sent[0])).toMatchObject({ "content-length": "3" });
    expect(fieldsOf(sent[0])).not.toHaveProperty("transfer-encoding");
    expect(await new Response(toStandard(sent[0]?.body ?? null)).text()).toBe("abc");
  });

  it.each([{ method: "GET" }, { method: "PROPFIND" }, { method: "patch" }])(
    "may have a body with $method",
    async ({ method }) => {
      const { sent, runtime } = target();
      await fetchArg({ url: "http://a.test/", method, body: "abc" }, runtime);
      expect(sent[0]?.method).toBe(method);
      expect(await new Response(toStandard(sent[0]?.body ?? null)).text()).toBe("abc");
    },
  );

  it("has Authorization made of the credentials in url, unless one is given", async () => {
    const { sent, runtime } = target();
    await fetchArg({ url: "http://user:pass@a.test/" }, runtime);
    await fetchArg({ url: "http://user:pass@a.test/", headers: { authorization: "Bearer t" } }, runtime);
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual([
      `Basic ${btoa("user:pass")}`,
      "Bearer t",
    ]);
  });
});

describe("how the argument comes", () => {
  const TEXT = '{"url":"http://a.test/~?>>>"}';
  it.each([
    { spelling: "Base64", arg: base64(TEXT) },
    { spelling: "Base64, percent-encoded", arg: encodeURIComponent(base64(TEXT)) },
    { spelling: "Base64url", arg: Buffer.from(TEXT).toString("base64url") },
    { spelling: "with + as %20", arg: base64(TEXT).replaceAll("+", "%20") },
    { spelling: "with parameters behind it", arg: `${base64(TEXT)}&x=1` },
  ])("$spelling", async ({ arg }) => {
    const { sent, runtime } = target();
    const response = await createProxy().handle(incoming(`/__proxy__/fetch?arg=${arg}`), runtime);
    expect(response.status).toBe(200);
    expect(sent.map(({ path }) => path)).toEqual(["/~?>>>"]);
  });

  it("as the body of a POST, without Base64, in any number of chunks", async () => {
    const { sent, runtime } = target();
    const bytes = new TextEncoder().encode('{"url":"http://a.test/é","method":"DELETE"}');
    const whole = incoming("/__proxy__/fetch?arg=e30", {}, "POST", bytes);
    const chunked = incoming(
      "/__proxy__/fetch",
      {},
      "POST",
      stream(...[...bytes].map((byte) => Uint8Array.of(byte))),
    );
    await createProxy().handle(whole, runtime);
    await createProxy().handle(chunked, runtime);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["DELETE /%C3%A9", "DELETE /%C3%A9"]);
    expect(sent.map(({ body }) => body)).toEqual([null, null]);
  });

  it("HEAD has no body in its answer, and asks with the method of the argument", async () => {
    const { sent, runtime } = target({
      status: 203,
      headers: new Headers({ "x-a": "1" }),
      body: new Uint8Array(3),
    });
    const request = incoming(`/__proxy__/fetch?arg=${encodeArg({ url: "http://a.test/" })}`, {}, "HEAD");
    const response = await createProxy().handle(request, runtime);
    expect(sent[0]?.method).toBe("GET");
    expect(response.status).toBe(203);
    expect(response.headers.get("x-a")).toBe("1");
    expect(await response.text()).toBe("");
  });
});

describe("HEAD asked for by GET", () => {
  it.each([
    { status: 200, length: "5", said: "0" },
    { status: 404, length: undefined, said: "0" },
    { status: 204, length: undefined, said: null },
    { status: 304, length: undefined, said: null },
    { status: 304, length: "5", said: "5" },
  ])("answers $status of $length bytes with the length $said", async ({ status, length, said }) => {
    const headers = new Headers(length === undefined ? {} : { "content-length": length });
    const response = await fetchArg(
      { url: "http://a.test/", method: "HEAD" },
      target({ status, headers }).runtime,
    );
    expect([response.status, response.headers.get("content-length")]).toEqual([status, said]);
  });
});

it("says so where the argument was read before", async () => {
  const { sent, runtime } = target();
  const url = "http://localhost:8080/__proxy__/fetch";
  const request = new Request(url, { method: "POST", body: '{"url":"http://a.test/"}' });
  await request.json();
  const response = await createProxy().handle(request, runtime);
  expect([response.status, sent]).toEqual([500, []]);
  expect(await response.json()).toEqual({
    title: "Fetch API Error",
    detail: "Cannot forward the body: it was already read. Put the proxy in front of any body parser",
  });
});

it("leaves the incoming request as it was", async () => {
  const request = incoming(`/__proxy__/fetch?arg=${encodeArg({ url: "http://a.test/", body: {} })}`, {
    "x-own": "1",
  });
  const before = [request.url, request.method, [...request.headers], request.body];
  await createProxy().handle(request, target().runtime);
  expect([request.url, request.method, [...request.headers], request.body]).toEqual(before);
});

it.each([
  { method: "GET", control: null },
  { method: "HEAD", control: null },
  { method: "OPTIONS", control: null },
  { method: "POST", control: "no-store" },
  { method: "QUERY", control: "no-store" },
])(
  "an answer to $method is kept by caches as the target says, or not at all: $control",
  async ({ method, control }) => {
    const { runtime } = target();
    const response = await fetchArg({ url: "https://a.test/", method }, runtime);
    expect(response.headers.get("cache-control")).toBe(control);
  },
);
