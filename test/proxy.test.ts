/**
 * The whole way: answers, the incoming request, and the two ways in.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createProxy } from "../src/proxy.ts";
import type { Body } from "../src/exchange/runtime.ts";
import { incoming, target } from "./support/handle.ts";

const BASE = { proxy_host: "https://a.test" };

describe("an answer", () => {
  it.each([
    { status: 200, statusText: "OK" },
    { status: 201, statusText: "Made" },
    { status: 299, statusText: "" },
    { status: 404, statusText: "Not There" },
    { status: 500, statusText: "Oops" },
    { status: 599, statusText: "" },
  ])("keeps status $status, reason $statusText, fields and bytes", async ({ status, statusText }) => {
    const headers = new Headers({
      "content-type": "text/x",
      etag: 'W/"a"',
      "content-encoding": "gzip",
      "content-length": "4",
    });
    const { runtime } = target({ status, statusText, headers, body: Uint8Array.of(0x1f, 0x8b, 0, 255) });
    const response = await createProxy().handle(incoming("/", BASE), runtime);
    expect([response.status, response.statusText]).toEqual([status, statusText]);
    expect(Object.fromEntries(response.headers)).toMatchObject(Object.fromEntries(headers));
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0x1f, 0x8b, 0, 255]);
    expect(response.headers.has("proxy-status")).toBe(false);
  });

  it.each([
    { method: "HEAD", status: 200 },
    { method: "GET", status: 204 },
    { method: "GET", status: 304 },
  ])("to $method with $status has no body, and keeps what describes one", async ({ method, status }) => {
    const { runtime } = target({ status, headers: new Headers({ etag: '"a"', "content-encoding": "br" }) });
    const response = await createProxy().handle(incoming("/", BASE, method), runtime);
    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
    expect(response.headers.get("etag")).toBe('"a"');
    expect(response.headers.get("content-encoding")).toBe("br");
  });

  it.each([
    { name: "connection", value: "close, x-hop" },
    { name: "keep-alive", value: "timeout=5" },
    { name: "transfer-encoding", value: "chunked" },
    { name: "upgrade", value: "h2" },
    { name: "trailer", value: "x" },
    { name: "proxy-authenticate", value: "Basic" },
    { name: "proxy-status", value: "fetchvia; error=loop" },
    { name: "x-hop", value: "1" },
  ])("does not hand on $name", async ({ name, value }) => {
    const headers = new Headers([["connection", "close, x-hop"], ["x-kept", "1"]]);
    headers.set(name, value);
    const response = await createProxy().handle(incoming("/", BASE), target({ headers }).runtime);
    expect(response.headers.has(name)).toBe(false);
    expect(response.headers.get("x-kept")).toBe("1");
  });

  it("keeps several Set-Cookie, and none that would steer the proxy", async () => {
    const lines = ["a=1; Path=/", "proxy_host=https://evil.test", "b=2", "proxy_token=x; Path=/"];
    const headers = new Headers(lines.map((line): [string, string] => ["set-cookie", line]));
    const response = await createProxy().handle(incoming("/", BASE), target({ headers }).runtime);
    expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2"]);
  });

  it("streams: the first chunk is there before the last is made", async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Uint8Array.of(7)),
    });
    const response = await createProxy().handle(incoming("/", BASE), target({ body }).runtime);
    expect((await response.body?.getReader().read())?.value).toEqual(Uint8Array.of(7));
  });

  it("is cut, never ended, when the target's body fails", async () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("reset")),
    });
    const response = await createProxy().handle(incoming("/", BASE), target({ body }).runtime);
    await expect(response.text()).rejects.toThrow();
  });
});

describe("the incoming request", () => {
  it.each([
    { path: "/p?q", fields: { ...BASE, cookie: "a=1; proxy_token=t", connection: "close, x-a", "x-a": "1" } },
    { path: "/p", fields: { cookie: "proxy_host=https://a.test; b=2", referer: "http://localhost:8080/x" } },
    {
      path: "/__proxy__/?url=http://u:p@a.test/",
      fields: { "x-forwarded-for": "9.9.9.9", expect: "100-continue" },
    },
    { path: "/__proxy__/?host=https://a.test", fields: { cookie: "b=2" } },
    { path: "/__proxy__/fetch?arg=e30", fields: { te: "trailers" } },
    { path: "/", fields: {} },
  ])("is the same before and after: $path", async ({ path, fields }) => {
    const request = Object.freeze(
      incoming(path, fields, "POST", Uint8Array.of(1, 2)),
    );
    (request.headers as Headers).set("content-length", "2");
    const state = () => structuredClone([request.url, request.method, [...request.headers], request.body]);
    const before = state();
    await createProxy().handle(request, target().runtime);
    expect(state()).toEqual(before);
  });
});

describe("the end of a turn of the event loop", () => {
  it("is waited for by requests to targets", async () => {
    let end = () => {};
    const untilTurnEnd = () => new Promise<void>((resolve) => void (end = resolve));
    const { runtime, sent } = target();
    const answering = createProxy().handle(incoming("/", BASE), { ...runtime, untilTurnEnd });
    await sleep(20);
    expect(sent).toHaveLength(0);
    end();
    expect((await answering).status).toBe(200);
  });

  it("sends nothing of a caller who has left meanwhile", async () => {
    let end = () => {};
    const untilTurnEnd = () => new Promise<void>((resolve) => void (end = resolve));
    const { runtime, sent } = target();
    const caller = new AbortController();
    const request = { ...incoming("/", BASE), signal: caller.signal };
    const answering = createProxy().handle(request, { ...runtime, untilTurnEnd });
    caller.abort();
    end();
    await answering;
    // A sender refuses what is aborted before it is sent (`runtimes/http1/sender`).
    expect(sent.filter(({ signal }) => !signal.aborted)).toEqual([]);
  });

  // Bun (1.4) cuts a connection whose next request comes before the answer, and pages are answered at once.
  it.each([
    { about: "a page of the proxy", path: "/__proxy__/health" },
    { about: "a request that names no target", path: "/" },
  ])("does not hold up $about", async ({ path }) => {
    const runtime = { ...target().runtime, untilTurnEnd: () => new Promise<void>(() => {}) };
    expect((await createProxy().handle(incoming(path), runtime)).status).toBe(200);
  });
});

describe("fetch", () => {
  it("takes exactly one argument", () => {
    expect(createProxy().fetch).toHaveLength(1);
  });

  it.each([
    { url: "http://localhost:8080/", status: 200 },
    { url: "http://localhost:8080/__proxy__/health", status: 200 },
    { url: "http://localhost:8080/__proxy__/", status: 200 },
    { url: "http://localhost:8080/__proxy__/?host=https://a.test", status: 200 },
    { url: "http://localhost:8080/__proxy__/?host=evil", status: 400 },
    { url: "http://localhost:8080/__proxy__/fetch", status: 400 },
    { url: "http://localhost:8080/__proxy__/nowhere", status: 404 },
    { url: "http://-.w.localhost:8080/", status: 400 },
  ])("answers $url with $status", async ({ url, status }) => {
    expect((await createProxy().fetch(new Request(url))).status).toBe(status);
  });

  it("gives the diagnostic object without a target", async () => {
    const response = await createProxy().fetch(
      new Request("http://localhost:8080/x", { method: "POST", body: "b" }),
    );
    expect(await response.json()).toMatchObject({
      msg: "Please set host first!",
      method: "POST",
      path: "/x",
    });
  });
});

describe("never rejects", () => {
  it.each([
    {
      about: "a lone surrogate in the path",
      url: "http://localhost:8080/\ud800",
      fields: {},
      status: [200, 400],
    },
    {
      about: "a lone surrogate in a reserved path",
      url: "http://localhost:8080/__proxy__/\ud800",
      fields: {},
      status: [400, 404],
    },
    { about: "no address", url: "", fields: {}, status: [200, 400] },
    { about: "a bad Host", url: "/", fields: { host: "a b" }, status: [400] },
    { about: "a bad selector", url: "/", fields: { proxy_host: "\u00ff" }, status: [400] },
  ])("with $about", async ({ url, fields, status }) => {
    const request = { ...incoming("/", fields), url };
    expect(status).toContain((await createProxy().handle(request, target().runtime)).status);
  });

  it("where no runtime is lent", async () => {
    const request = new Request("http://localhost:8080/", { headers: { proxy_host: "http://a.test" } });
    const [handled, fetched] = [await createProxy().handle(request), await createProxy().fetch(request)];
    expect([handled.status, await handled.json()]).toEqual([403, await fetched.json()]);
  });

  it("where something breaks, and tells nothing of it", async () => {
    const request = incoming("/", BASE);
    const broken = {
      ...request,
      get body(): Body {
        throw new Error("secret at /srv/app.ts:1");
      },
    };
    const response = await createProxy().handle(broken, target().runtime);
    expect(response.status).toBe(500);
    expect(response.headers.get("proxy-status")).toBe("fetchvia; error=proxy_internal_error");
    expect(await response.json()).toEqual({ title: "Proxy Error", detail: "Internal proxy error" });
  });
});
