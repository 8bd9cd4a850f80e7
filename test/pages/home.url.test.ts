/**
 * `/__proxy__/?url=`: the address, and what is forwarded to it.
 * @module
 */
import { toStandard } from "../../src/http/body.ts";
import { describe, expect, it } from "vitest";
import { createProxy } from "../../src/proxy.ts";
import { incoming, target } from "../support/handle.ts";

describe("the address", () => {
  it.each([
    { query: "url=http%3A%2F%2Fa.test%2Fp%3Fx%3D%2526", asked: "http://a.test/p?x=%26" },
    { query: "url=http%3A%2F%2Fa.test%2Fp&x=1", asked: "http://a.test/p" },
    { query: "url=http://a.test/p?x=%26&y=2", asked: "http://a.test/p?x=%26&y=2" },
    { query: "url=http://a.test/p&x=1", asked: "http://a.test/p" },
    { query: "url=http://a.test/p?", asked: "http://a.test/p?" },
    { query: "url=https://a.test:8443", asked: "https://a.test:8443/" },
    { query: "url=http://a.test//evil.test/%2F%7e|'", asked: "http://a.test//evil.test/%2F%7e|'" },
    { query: "url=http://a.test/?host=https://b.test", asked: "http://a.test/?host=https://b.test" },
    { query: "host=https://b.test&url=http://a.test/", asked: "http://a.test/" },
    { query: "url=http://a.test\\@evil.test/", asked: "http://a.test/@evil.test/" },
    { query: "url=http%3A%2F%2Fa.test%2F%23part", asked: "http://a.test/" },
  ])("$query asks for $asked", async ({ query, asked }) => {
    const { sent, runtime } = target();
    const response = await createProxy().handle(incoming(`/__proxy__/?${query}`), runtime);
    expect(response.status).toBe(200);
    expect(sent.map(({ origin, path }) => origin.origin + path)).toEqual([asked]);
    expect(sent[0]?.headers.get("host")).toBe(new URL(asked).host);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each([
    { about: "a header", fields: { proxy_host: "https://b.test" } },
    { about: "a malformed header", fields: { proxy_host: "evil" } },
    { about: "a cookie", fields: { cookie: "proxy_host=https://b.test" } },
    { about: "a malformed cookie", fields: { cookie: "proxy_host=evil" } },
    { about: "a label", fields: { host: "b-test.w.localhost:8080" } },
  ])("beats the host that $about names", async ({ fields }) => {
    const { sent, runtime } = target();
    await createProxy().handle(
      incoming("/__proxy__/?url=http://a.test/x", fields),
      runtime,
    );
    expect(sent.map(({ origin }) => origin.origin)).toEqual(["http://a.test"]);
  });

  it.each([
    { query: "url=" },
    { query: "url" },
    { query: "url=%zz" },
    { query: "url=http%3A%2F%2Fa.test%2F%FF" },
    { query: "url=a.test" },
    { query: "url=//a.test/" },
    { query: "url=/x" },
    { query: "url=http%253A%252F%252Fa.test" },
    { query: "url=ftp://a.test/" },
    { query: "url=file:///etc/passwd" },
    { query: "url=data:text/html,x" },
    { query: "url=blob:http://a.test/x" },
    { query: "url=javascript:alert(1)" },
    { query: "url=http://" },
    { query: "url=http:///a.test" },
    { query: "url=http://a.test:99999/" },
    { query: "url=http%3A%2F%2Fa.test%2F%0D%0Ax" },
    { query: "url=http%3A%2F%2Fa.test%00" },
    { query: "url=&host=https://b.test" },
  ])("$query is a 400 that names url, and nothing is sent", async ({ query }) => {
    const { sent, runtime } = target();
    const response = await createProxy().handle(incoming(`/__proxy__/?${query}`), runtime);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      title: "Proxy Error",
      detail: expect.stringMatching(/^Cannot .*\b(url|address)\b.*, expected .+/),
    });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(sent).toEqual([]);
  });
});

describe("credentials in the address", () => {
  it.each([
    { fields: {}, authorization: `Basic ${btoa("user:pass")}` },
    { fields: { authorization: "Bearer own" }, authorization: "Bearer own" },
  ])("become $authorization with $fields", async ({ fields, authorization }) => {
    const { sent, runtime } = target();
    await createProxy().handle(
      incoming("/__proxy__/?url=http://user:pass@a.test/x", fields),
      runtime,
    );
    expect(sent[0]?.headers.get("authorization")).toBe(authorization);
    expect(JSON.stringify([sent[0]?.origin.href, sent[0]?.path, sent[0]?.headers.get("host")])).not.toContain(
      "pass",
    );
  });

  it("show in no answer of a target that fails", async () => {
    const runtime = {
      ...target().runtime,
      send: () => Promise.reject(new Error("http://user:pass@a.test/")),
    };
    const response = await createProxy().handle(
      incoming("/__proxy__/?url=http://user:pass@a.test/"),
      runtime,
    );
    expect(response.status).toBe(502);
    expect(await response.text() + JSON.stringify([...response.headers])).not.toMatch(
      /pass|user|dXNlcjpwYXNz/,
    );
  });
});

describe("redirects", () => {
  const moved = (location: string, status = 302) => ({ status, headers: new Headers({ location }) });

  it.each([{ method: "GET" }, { method: "HEAD" }])("are followed for $method", async ({ method }) => {
    const { sent, runtime } = target(moved("/next"), {});
    const response = await createProxy().handle(
      incoming("/__proxy__/?url=http://a.test/x", {}, method),
      runtime,
    );
    expect(response.status).toBe(200);
    expect(sent.map((outgoing) => [outgoing.method, outgoing.path])).toEqual([[method, "/x"], [
      method,
      "/next",
    ]]);
    expect(response.headers.get("x-final-url")).toBe("http://a.test/next");
  });

  it.each([{ method: "POST" }, { method: "PUT" }, { method: "DELETE" }, { method: "FOO" }, {
    method: "get",
  }])(
    "are handed on for $method, and lead through the proxy",
    async ({ method }) => {
      const { sent, runtime } = target(moved("/next", 307));
      const response = await createProxy().handle(
        incoming("/__proxy__/?url=http://a.test/x", {}, method),
        runtime,
      );
      expect(response.status).toBe(307);
      expect(sent).toHaveLength(1);
      expect(response.headers.has("x-final-url")).toBe(false);
      expect(response.headers.get("location")).toBe(
        "http://localhost:8080/__proxy__/?url=http%3A%2F%2Fa.test%2Fnext",
      );
    },
  );
});

it("forwards method, fields and body as they came", async () => {
  const { sent, runtime } = target({ status: 201, body: new TextEncoder().encode("made") });
  const body = new TextEncoder().encode("a=1");
  const request = incoming(
    "/__proxy__/?url=http://a.test/x",
    { "content-type": "text/x", "content-length": "3", "x-own": "1" },
    "PATCH",
    body,
  );
  const response = await createProxy().handle(request, runtime);
  expect(response.status).toBe(201);
  expect(await response.text()).toBe("made");
  expect(sent).toHaveLength(1);
  expect(sent[0]?.method).toBe("PATCH");
  expect(Object.fromEntries(sent[0]?.headers ?? [])).toMatchObject({
    "content-type": "text/x",
    "content-length": "3",
    "x-own": "1",
  });
  expect(await new Response(toStandard(sent[0]?.body ?? null)).text()).toBe("a=1");
});
