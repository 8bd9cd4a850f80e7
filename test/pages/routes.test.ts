/**
 * The reserved paths: which are, which are not, and the title of an error on each.
 * @module
 */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../src/proxy.ts";
import { isReserved, titleOf } from "../../src/address/reserved-paths.ts";
import type { Incoming } from "../../src/exchange/runtime.ts";

/** Header fields of a row; rows of one table need not have the same. */
type Fields = Record<string, string | undefined>;

function ask(path: string, method = "GET", fields: Fields = {}): Promise<Response> {
  const headers = new Headers({ host: "localhost:8080", ...fields } as Record<string, string>);
  const incoming: Incoming = {
    url: `http://localhost:8080${path}`,
    method,
    headers,
    body: null,
    signal: new AbortController().signal,
  };
  return createProxy().handle(incoming, { clientAddress: "127.0.0.1", listensOnLoopback: true });
}

describe("isReserved", () => {
  it.each([
    { path: "/__proxy__", is: true },
    { path: "/__proxy__/", is: true },
    { path: "/__proxy__?host=x", is: true },
    { path: "/__proxy__/fetch?arg=x", is: true },
    { path: "/__proxy__/anything/else", is: true },
    { path: "/__proxy__//evil.test", is: true },
    { path: "/__proxy__/../x", is: true },
    { path: "/", is: false },
    { path: "", is: false },
    { path: "*", is: false },
    { path: "/__proxy_", is: false },
    { path: "/__proxy__x", is: false },
    { path: "/__proxy__%2F", is: false },
    { path: "/__proxy__\\", is: false },
    { path: "/__PROXY__/", is: false },
    { path: "/%5F_proxy__/", is: false },
    { path: "//__proxy__/", is: false },
    { path: "/x/__proxy__/", is: false },
    { path: "/?/__proxy__/", is: false },
  ])("$path: $is", ({ path, is }) => {
    expect(isReserved(path)).toBe(is);
  });
});

describe("titleOf", () => {
  it.each([
    { path: "/__proxy__/fetch", title: "Fetch API Error" },
    { path: "/__proxy__/fetch?arg=x", title: "Fetch API Error" },
    { path: "/__proxy__/fetch?", title: "Fetch API Error" },
    { path: "/__proxy__/", title: "Proxy Error" },
    { path: "/__proxy__/fetches", title: "Proxy Error" },
    { path: "/__proxy__/fetch/x", title: "Proxy Error" },
    { path: "/__proxy__/fetch//", title: "Proxy Error" },
    { path: "/__proxy__/fetch/", title: "Fetch API Error" },
    { path: "/__proxy__/fetch/?arg=x", title: "Fetch API Error" },
    { path: "/__proxy__/?url=/__proxy__/fetch", title: "Proxy Error" },
    { path: "/x/__proxy__/fetch", title: "Proxy Error" },
    { path: "/", title: "Proxy Error" },
  ])("of $path is $title", ({ path, title }) => {
    expect(titleOf(path)).toBe(title);
  });
});

describe("health", () => {
  it.each([
    { path: "/__proxy__/health", method: "GET" },
    { path: "/__proxy__/health?x=1", method: "GET" },
    { path: "/__proxy__/health", method: "POST" },
  ])("$method $path", async ({ path, method }) => {
    const response = await ask(path, method);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('{"status":"ok"}');
  });

  it.each([
    { fields: { proxy_host: "evil" } },
    { fields: { cookie: "proxy_host=evil" } },
    { fields: { "sec-fetch-site": "cross-site" } },
    { fields: { origin: "https://evil.test" } },
  ])("is open to all: $fields", async ({ fields }) => {
    expect((await ask("/__proxy__/health", "GET", fields)).status).toBe(200);
  });
});

describe("every other path under /__proxy__/", () => {
  it.each([
    { path: "/__proxy__/unknown" },
    { path: "/__proxy__/Health" },
    { path: "/__proxy__/healthy" },
    { path: "/__proxy__/health/x" },
    { path: "/__proxy__/fetch/x" },
    { path: "/__proxy__/fetches" },
    { path: "/__proxy__/constructor" },
    { path: "/__proxy__/__proto__" },
    { path: "/__proxy__/.." },
    { path: "/__proxy__/../x" },
    { path: "/__proxy__/health/" },
    { path: "/__proxy__/fetch//?arg=e30" },
    { path: "/__proxy__/fetch/x/?arg=e30" },
    { path: "/__proxy__//" },
    { path: "/__proxy__//fetch?arg=e30" },
    { path: "/__proxy__/x/../health" },
    { path: "/__proxy__/x/../fetch?arg=e30" },
    { path: "/__proxy__/health/../fetch?arg=e30" },
    { path: "/__proxy__/x/.." },
    { path: "/__proxy__/./fetch?arg=e30" },
    { path: "/__proxy__/\\..\\fetch?arg=e30" },
    { path: "/__proxy__/%66etch?arg=e30" },
    { path: "/__proxy__/x/%2e%2e/health" },
    { path: "/__proxy__/x?url=http://a.test/" },
    { path: "/__proxy__/%zz" },
    { path: "/__proxy__/(" },
    { path: "/__proxy__/é" },
  ])("$path is a 404 with the error object", async ({ path }) => {
    const response = await ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("proxy-status")).toMatch(/^fetchvia; error=/);
    expect(await response.json()).toEqual({
      title: "Proxy Error",
      detail: expect.stringMatching(/^Cannot .+: .*|^Cannot .+, expected .+/),
    });
  });

  it.each([{ method: "POST" }, { method: "OPTIONS" }, { method: "FOO" }])(
    "$method is one too",
    async ({ method }) => {
      expect((await ask("/__proxy__/unknown", method)).status).toBe(404);
    },
  );

  it("is not forwarded to the configured host", async () => {
    expect((await ask("/__proxy__/unknown", "GET", { proxy_host: "https://a.test" })).status).toBe(404);
  });
});

describe("/__proxy__ is /__proxy__/", () => {
  it.each([{ path: "/__proxy__" }, { path: "/__proxy__/" }, { path: "/__proxy__?" }])(
    "$path",
    async ({ path }) => {
      expect(await (await ask(path)).json()).toEqual({ host: null, selector: null });
    },
  );
});
