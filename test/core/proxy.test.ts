/** The whole way: answers, the incoming request, and the two ways in. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { createProxy, type Proxy } from "../../src/index.ts";
import { answerText } from "../../src/core/http/answer.ts";
import type { Part } from "../../src/core/part.ts";
import { createProxyOf } from "../../src/core/proxy.ts";
import { readOptions } from "../../src/core/settings/config.ts";
import type { Body } from "../../src/core/runtime.ts";
import { rowsOf } from "../support/rows.ts";
import { incoming, target } from "../support/handle.ts";

const BASE = { proxy_host: "https://a.test" };

it.each(rowsOf(["path", "fields"], [
  ["/p?q", { ...BASE, cookie: "a=1; proxy_token=t", connection: "close, x-a", "x-a": "1" }],
  ["/p", { cookie: "proxy_host=https://a.test; b=2", referer: "http://localhost:8080/x" }],
  ["/__proxy__/?url=http://u:p@a.test/", { "x-forwarded-for": "9.9.9.9", expect: "100-continue" }],
  ["/__proxy__/?host=https://a.test", { cookie: "b=2" }],
  ["/__proxy__/fetch?arg=eyJ1cmwiOiJodHRwOi8vYS50ZXN0LyIsImJvZHkiOnt9fQ", { te: "trailers" }],
  ["/", {}],
]))("the incoming request is the same before and after: $path", async ({ path, fields }) => {
  const request = Object.freeze(incoming(path, fields, "POST", Uint8Array.of(1, 2)));
  (request.headers as Headers).set("content-length", "2");
  const state = () => structuredClone([request.url, request.method, [...request.headers], request.body]);
  const before = state();
  await createProxy().handle(request, target().runtime);
  expect(state()).toEqual(before);
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
    // A sender refuses what is aborted before it is sent (`wire/client/sender`).
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

it.each([undefined, null, {}])("a runtime that is %s can do nothing, and fails nothing", async (runtime) => {
  expect((await createProxy().handle(incoming("/"), runtime as undefined)).status).toBe(200);
  expect((await createProxy().handle(incoming("/", BASE), runtime as undefined)).status).toBe(403);
});

it("fetch takes exactly one argument", () => expect(createProxy().fetch).toHaveLength(1));

describe("never rejects", () => {
  it.each(rowsOf(["about", "url", "fields", "status"], [
    ["a lone surrogate in the path", "http://localhost:8080/\ud800", {}, [200, 400]],
    ["a lone surrogate in a reserved path", "http://localhost:8080/__proxy__/\ud800", {}, [400, 404]],
    ["no address", "", {}, [200, 400]],
    ["a bad Host", "/", { host: "a b" }, [400]],
    ["a bad selector", "/", { proxy_host: "\u00ff" }, [400]],
  ]))("with $about", async ({ url, fields, status }) => {
    const request = { ...incoming("/", fields), url };
    expect(status).toContain((await createProxy().handle(request, target().runtime)).status);
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
    expect(response.headers.get("proxy-status"))
      .toBe('fetchvia; error=proxy_internal_error; details="Internal proxy error"');
    expect(await response.json()).toEqual({ title: "Proxy Error", detail: "Internal proxy error" });
  });
});

describe("the parts of a proxy", () => {
  const ask = (proxy: Proxy) => proxy.fetch(new Request("http://localhost:8080/"));

  it("are waited for while they load, fail requests where they can't, and are asked again", async () => {
    let load = () => {};
    let fail = () => {};
    const prepare = vi.fn()
      .mockReturnValueOnce(new Promise<void>((_, reject) => void (fail = () => reject(new Error("gone")))))
      .mockReturnValue(new Promise<void>((resolve) => void (load = resolve)));
    const proxy = createProxyOf(readOptions({}), {}, () => [{ name: "a", prepare }, { name: "b" }]);
    fail();
    expect((await ask(proxy)).status).toBe(500);
    let isOver = false;
    const answering = ask(proxy).finally(() => void (isOver = true));
    await sleep(5);
    expect(isOver).toBe(false);
    load();
    expect((await answering).status).toBe(200);
    expect((await ask(proxy)).status).toBe(200);
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  it("are asked for a path in their order, and closed with it", async () => {
    const told: string[] = [];
    const part = (name: string, own: string): Part => ({
      name,
      close: () => void told.push(name),
      open: (path) => path === own ? answerText(name) : undefined,
    });
    const proxy = createProxyOf(
      readOptions({}),
      {},
      () => [part("a", "/x"), part("b", "/x"), part("c", "/y")],
    );
    const read = async (path: string) =>
      await (await proxy.fetch(new Request(`http://localhost:8080/__proxy__${path}`))).text();
    expect([await read("/x"), await read("/y")]).toEqual(["a", "c"]);
    expect(JSON.parse(await read("/z"))).toMatchObject({ title: "Proxy Error" });
    proxy.close();
    expect(told).toEqual(["a", "b", "c"]);
  });
});
