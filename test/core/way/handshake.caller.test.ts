/** WebSockets in the core: what is a handshake, and what is refused. @module */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import type { Runtime, Upgrade } from "../../../src/core/runtime.ts";
import { checkUpgrade, toHttp } from "../../../src/core/way/handshake.ts";
import { exchangeOf } from "../../support/exchange.ts";

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
const HANDSHAKE = {
  connection: "keep-alive, Upgrade",
  upgrade: "websocket",
  "sec-websocket-key": KEY,
  "sec-websocket-version": "13",
};
const failing = (code: string) => expect.objectContaining({ code });
const upgrade: Upgrade = () => Promise.reject(new Error("not asked"));
const runtime: Runtime = { upgrade, listensOnLoopback: true };

it.each([
  { address: "ws://a.test/p", to: "http://a.test/p" },
  { address: "WSS://a.test/p?ws://b", to: "https://a.test/p?ws://b" },
  { address: "https://a.test/ws://", to: "https://a.test/ws://" },
  { address: "wsx://a.test", to: "wsx://a.test" },
])("toHttp $address → $to", ({ address, to }) => expect(toHttp(address).toLowerCase()).toBe(to));

describe("checkUpgrade", () => {
  it.each([
    { about: "no target", fields: {}, hasTarget: false, code: "bad_request" },
    { about: "nothing that joins", fields: {}, lends: {}, code: "not_implemented" },
    { about: "POST", fields: {}, method: "POST", code: "bad_request" },
    { about: "a length", fields: { "content-length": "1" }, code: "bad_request" },
    { about: "a chunked body", fields: { "transfer-encoding": "chunked" }, code: "bad_request" },
    { about: "no Connection", fields: { connection: undefined }, code: "bad_request" },
    { about: "version 8", fields: { "sec-websocket-version": "8" }, code: "bad_request" },
    { about: "a bad key", fields: { "sec-websocket-key": "x" }, code: "bad_request" },
    { about: "another protocol", fields: { upgrade: "odd/1" }, code: "not_implemented" },
  ])("refuses a handshake with $about", ({ fields, method, hasTarget = true, lends = runtime, code }) => {
    const exchange = exchangeOf({ method, fields: { ...HANDSHAKE, ...fields }, runtime: lends });
    expect(() => checkUpgrade(exchange, hasTarget)).toThrow(failing(code));
  });

  it.each([
    { about: "a handshake", fields: HANDSHAKE },
    { about: "a length of 0", fields: { ...HANDSHAKE, "content-length": "0" } },
    { about: "another version of HTTP", fields: { connection: "upgrade", upgrade: "h2c" } },
  ])("lets $about pass", ({ fields }) => {
    expect(() => checkUpgrade(exchangeOf({ fields, runtime }), true)).not.toThrow();
  });
});

it.each([
  { path: "/", fields: { proxy_host: "http://a.test" }, status: 501 },
  { path: "/__proxy__/?url=ws://a.test", fields: {}, status: 501 },
  { path: "/", fields: {}, status: 400 },
  { path: "/__proxy__/fetch", fields: {}, status: 400 },
  { path: "/", fields: { proxy_host: "http://a.test", origin: "http://evil.test" }, status: 501 },
  { path: "/__proxy__/?url=ws://a.test", fields: { origin: "http://evil.test" }, status: 403 },
  { path: "/", fields: { cookie: "proxy_host=http://a.test", origin: "http://evil.test" }, status: 403 },
])(
  "a proxy without a runtime answers a handshake on $path with $status",
  async ({ path, fields, status }) => {
    const headers = new Headers(Object.entries({ ...HANDSHAKE, host: "localhost:8080", ...fields }));
    const response = await createProxy().fetch(new Request(`http://localhost:8080${path}`, { headers }));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ title: expect.any(String), detail: expect.any(String) });
  },
);
