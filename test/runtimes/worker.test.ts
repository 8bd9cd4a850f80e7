/** The bindings of a Worker as its settings: of what kind they may be, and which are not read. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createProxy } from "../../src/index.ts";
import { type Bindings, createHandler } from "../../src/runtimes/worker.ts";
import { type WorkerContext, type WorkerHandler } from "../../src/runtimes/worker.ts";

const CONTEXT: WorkerContext = { waitUntil: () => {} };

let handler: WorkerHandler;

// The first request makes the proxy, so each test has a Worker of its own.
beforeEach(async () => {
  vi.resetModules();
  handler = (await import("../../src/runtimes/worker.ts")).default;
});

async function ask(path: string, bindings: Bindings): Promise<number> {
  const headers = { "accept": "text/html", "sec-fetch-site": "none" };
  const request = new Request(`http://proxy.test/__proxy__/${path}`, { headers });
  return (await handler.fetch(request, { LOG: "off", ...bindings }, CONTEXT)).status;
}

describe("a binding", () => {
  it.each([
    { path: "metrics", bindings: {}, status: 404 },
    { path: "metrics", bindings: { METRICS: true }, status: 200 },
    { path: "metrics", bindings: { METRICS: "true" }, status: 200 },
    { path: "traffic", bindings: { CONSOLE: true, PROXY_TOKEN: "t" }, status: 401 },
    { path: "health", bindings: { MAX_CONCURRENT: 100 }, status: 200 },
    { path: "health", bindings: { MAX_CONCURRENT: null }, status: 200 },
    { path: "health", bindings: { OTHER: { fetch() {} } }, status: 200 },
    { path: "health", bindings: { TARGETS: { "a.test": { timeoutMs: 5 } } }, status: 200 },
  ])(
    "may be a boolean or a number, and the table an object: $bindings",
    async ({ path, bindings, status }) => expect(await ask(path, bindings)).toBe(status),
  );

  it("that is false shuts the console", async () => {
    const request = new Request("http://proxy.test/__proxy__/", { headers: { accept: "text/html" } });
    const answer = await handler.fetch(request, { LOG: "off", CONSOLE: false }, CONTEXT);
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it.each([
    { bindings: { HOST: "a b" } },
    { bindings: { PORT: "abc" } },
    { bindings: { WORKERS: "4" } },
    { bindings: { WORKERS: { get() {} } } },
    { bindings: { TLS_CERT: "cert.pem", TLS_KEY: "" } },
  ])("that is the platform's to say is not read: $bindings", async ({ bindings }) => {
    expect(await ask("health", bindings)).toBe(200);
  });

  it.each([
    { bindings: { TARGET: { fetch() {} } }, name: "TARGET" },
    { bindings: { ALLOW_TARGETS: ["a.test"] }, name: "ALLOW_TARGETS" },
    { bindings: { VIA: ["edge"] }, name: "VIA" },
    { bindings: { TARGETS: ["a.test"] }, name: "TARGETS" },
    { bindings: { SIGNING_KEY_FILE: "key.txt" }, name: "SIGNING_KEY_FILE" },
  ])("of another kind is a bad setting: $name", async ({ bindings, name }) => {
    await expect(ask("health", bindings)).rejects.toThrow(new RegExp(`^${name} is .*, expected `));
  });

  it("that holds a key for everyone is a bad setting", async () => {
    const TARGETS = JSON.stringify({ "a.test": { set: { "x-key": "{{KEY}}" } } });
    await expect(ask("health", { TARGETS, KEY: "k" })).rejects.toThrow(/^TARGETS holds keys, and everyone/);
  });

  it("that asks for another proxy is a bad setting", async () => {
    const asked = ask("health", { UPSTREAM_PROXY: "http://user:secret@a.test" });
    await expect(asked).rejects.toThrow(/^UPSTREAM_PROXY is set, expected none here/);
  });
});

it("a Worker of your own refuses another proxy at its start", () => {
  const proxy = createProxy({ upstreamProxy: "http://a.test" });
  expect(() => createHandler(proxy)).toThrow(/^UPSTREAM_PROXY is set, expected none here/);
});
