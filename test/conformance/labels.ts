/**
 * Host labels: configured ones, and those that spell a host.
 * @module
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Pool, Running, Upstream } from "../support/topic.ts";
import { alike, expectError, listen, useUpstream } from "../support/topic.ts";

const DECODED = [
  ...alike("label", { host: "https://example.com" })`example-com EXAMPLE-Com`,
  { label: "my--site-example-com-8443", host: "https://my-site.example.com:8443" },
  { label: "127-0-0-1-3000", host: "http://127.0.0.1:3000" },
  { label: "127-0-0-1", host: "http://127.0.0.1" },
  { label: "localhost-3000", host: "http://localhost:3000" },
  ...alike("label", { host: "http://example.com" })`h-example-com H-Example-Com`,
  { label: "h-example-com-8080", host: "http://example.com:8080" },
  { label: "s-127-0-0-1-3000", host: "https://127.0.0.1:3000" },
  { label: "s-localhost", host: "https://localhost" },
  { label: "s-h-example-com", host: "https://h.example.com" },
  { label: "h-s-example-com", host: "http://s.example.com" },
  { label: "s-xn----bcher--kva-example", host: "https://xn--bcher-kva.example" },
];

const UNDECODABLE = [
  { label: "s-example-com", fault: "a flag that changes nothing" },
  { label: "h-127-0-0-1", fault: "a flag that changes nothing on an address" },
  { label: "h-localhost", fault: "a flag that changes nothing on localhost" },
  { label: "example-com-443", fault: "the default port of https" },
  { label: "h-example-com-80", fault: "the default port of http" },
  { label: "127-0-0-1-80", fault: "the default port of http on an address" },
  { label: "127-0-0-1-03000", fault: "a port with a leading zero" },
  { label: "127-0-0-1-99999", fault: "a port out of range" },
  { label: "256-1-1-1", fault: "a number out of range" },
  { label: "-example-com", fault: "an empty first name" },
  { label: "xn----bcher--kva-example", fault: "a start of xn-- without a flag" },
  { label: "a".repeat(64), fault: "64 characters" },
];

export function describeLabels(pool: Pool): void {
  describe("labels that spell a host", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(DECODED)("decode $label to $host", async ({ label, host }) => {
      const fields = { Host: `${label}.w.localhost:${proxy.port}` };
      expect((await proxy.call("GET /__proxy__/", { fields })).json()).toEqual({ host, selector: "label" });
    });

    it.each(UNDECODABLE)("refuse $label: $fault", async ({ label }) => {
      const answer = await proxy.call("GET /p", { fields: { Host: `${label}.w.localhost` } });
      expectError(answer, { status: 400, names: /label/i });
    });

    it("forward to the host", async () => {
      const fields = { Host: `127-0-0-1-${upstream.port}.w.localhost:${proxy.port}` };
      expect(await proxy.call("GET /p//q?x=1", { fields })).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.targets).toEqual(["/p//q?x=1"]);
      expect(upstream.request.header("host")).toBe(upstream.host);
    });

    it("forward to localhost", async () => {
      const fields = { Host: `localhost-${upstream.port}.W.LocalHost` };
      expect(await proxy.call("GET /p", { fields })).toMatchObject({ status: 200, text: "ok" });
    });
  });

  describe("labels of PROXY_LABELS", () => {
    let upstream: Upstream;
    let proxy: Running;
    beforeAll(async () => {
      upstream = await listen();
      const labels =
        `api=${upstream.origin}/v1,example-com=${upstream.origin}/mine, other=https://other.test`;
      proxy = await pool.begin({ PROXY_LABELS: labels, PROXY_DOMAIN: "proxy.test", PRIVATE_TARGETS: "true" });
    });
    beforeEach(() => void (upstream.requests.length = 0));
    afterAll(async () => {
      await proxy.stop();
      await upstream.close();
    });

    it.each([
      ...alike("host", { arrives: "/v1/p?x" })`api.w.proxy.test api.w.proxy.test:8080 API.W.Proxy.Test`,
      { host: "example-com.w.proxy.test", arrives: "/mine/p?x" },
    ])("forward $host", async ({ host, arrives }) => {
      expect((await proxy.call("GET /p?x", { fields: { Host: host } })).status).toBe(200);
      expect(upstream.targets).toEqual([arrives]);
    });

    it.each([
      { host: "other.w.proxy.test", base: "https://other.test", selector: "label" },
      { host: "a-test.w.proxy.test", base: "https://a.test", selector: "label" },
      { host: "api.w.localhost", base: null, selector: null },
      { host: "api.proxy.test", base: null, selector: null },
      { host: "api.w.proxy.test.evil.test", base: null, selector: null },
      { host: "proxy.test", base: null, selector: null },
    ])("tell the target of $host", async ({ host, base, selector }) => {
      const answer = await proxy.call("GET /__proxy__/", { fields: { Host: host } });
      expect(answer.json()).toEqual({ host: base, selector });
    });
  });
}
