/**
 * The request to the proxy: what goes as it is, what in `proxy_headers`, and what is asked of the answer.
 * @module
 */
import { describe, expect, it } from "vitest";
import { decodeArg } from "../../src/core/address/arg.ts";
import type { FetchOptions } from "../../src/client/link-content.ts";
import { buildProxied } from "../../src/client/proxied-request.ts";

const URL_OF = "https://a.test/";

/** The request to the proxy for a GET with these fields. */
async function build(
  options: FetchOptions,
  fields: Record<string, string> = {},
  cache: RequestCache = "default",
) {
  const sender = { ...options, base: "http://localhost:8080", send: fetch, isPage: false };
  const asked = { url: URL_OF, method: "GET", fields: Object.entries(fields), body: null };
  const [address, init] = await buildProxied(sender, new Request(URL_OF, { cache }), asked);
  const headers = new Headers(init.headers);
  const carried = headers.get("proxy_headers");
  headers.delete("proxy_headers");
  return { address, init, headers: [...headers], carried: carried === null ? undefined : decodeArg(carried) };
}

describe("a request that is handed on", () => {
  it("goes as it is where nothing is lost", async () => {
    const { headers, carried, init } = await build({}, { "x-a": "1" });
    expect([headers, carried, init.cache]).toEqual([[["x-a", "1"]], undefined, "default"]);
  });

  it("carries what would be lost, past the cache of the browser", async () => {
    const { headers, carried, init } = await build({}, { "x-a": "1", cookie: "a=1", date: "now" });
    expect([headers, init.cache]).toEqual([[["x-a", "1"]], "no-store"]);
    expect(carried).toEqual({ "cache-control": null, pragma: null, cookie: "a=1", date: "now" });
  });

  it("says nothing of a cache where the runtime has none", async () => {
    const request = Object.defineProperty(new Request(URL_OF), "cache", { value: undefined });
    const sender = { base: "http://localhost:8080", send: fetch, isPage: false };
    const fields: [string, string][] = [["cookie", "a=1"]];
    const [, init] = await buildProxied(sender, request, { url: URL_OF, method: "GET", fields, body: null });
    expect(init.cache).toBeUndefined();
  });

  it.each([{ cache: "no-cache" }, { cache: "no-store" }, { cache: "reload" }] as const)(
    "lets the fields of $cache go out, which the caller asked for",
    async ({ cache }) =>
      expect((await build({}, { cookie: "a=1" }, cache)).carried).toEqual({ cookie: "a=1" }),
  );

  it("lets the caller's own Cache-Control go out", async () => {
    const { headers, carried } = await build({ seal: true }, { "cache-control": "max-age=1" });
    expect(headers).toEqual([["cache-control", "max-age=1"], ["proxy_seal", "1"]]);
    expect(carried).toEqual({ pragma: null });
  });

  it("is anonymous save for what the caller says", async () => {
    const { carried } = await build({ anonymous: true }, { referer: "https://b.test/" });
    expect(carried).toEqual({
      "cache-control": null,
      "pragma": null,
      "origin": null,
      "sec-*": null,
      "referer": "https://b.test/",
    });
  });

  it("shows the token", async () =>
    expect((await build({ token: "t" })).headers).toEqual([["proxy_token", "t"]]));
});

describe("a request that is described", () => {
  it("has every field in the argument, and the proxy's own beside it", async () => {
    const options = { mode: "arg", seal: true, token: "t", anonymous: true } as const;
    const { headers, carried, init } = await build(options, { cookie: "a=1", proxy_token: "own" });
    expect(headers).toEqual([["proxy_seal", "1"], ["proxy_token", "own"]]);
    expect(carried).toBeUndefined();
    expect(JSON.parse(String(init.body))).toEqual({ url: URL_OF, method: "GET", headers: { cookie: "a=1" } });
  });

  it("is signed in its address, and not kept where it is sealed", async () => {
    const { address, init } = await build({ mode: "arg", seal: true, key: "k" });
    expect([address, init.cache]).toEqual([expect.stringMatching(/fetch\?arg=[\w-]+&sig=/), "no-store"]);
  });
});
