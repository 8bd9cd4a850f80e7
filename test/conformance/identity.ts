/**
 * Who called and how the proxy was steered stays here; what the proxy itself says of it.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { expectError } from "../support/expect.ts";
import type { Header } from "../support/http.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { ask, type Selector } from "../support/ways.ts";

const NAMED_BY_CALLER: { selector: Selector }[] = [
  { selector: "header" },
  { selector: "cookie" },
  { selector: "label" },
  { selector: "url" },
];

const IDENTITY = [
  { name: "Forwarded" },
  { name: "X-Forwarded" },
  { name: "X-Forwarded-For" },
  { name: "X-Forwarded-Host" },
  { name: "X-Forwarded-Proto" },
  { name: "X-Forwarded-Port" },
  { name: "X-Forwarded-Server" },
  { name: "X-Forwarded-Prefix" },
  { name: "X-Forwarded-Scheme" },
  { name: "X-Forwarded-Ssl" },
  { name: "X-Original-Forwarded-For" },
  { name: "X-Real-IP" },
  { name: "X-Client-IP" },
  { name: "X-Cluster-Client-IP" },
  { name: "X-Remote-IP" },
  { name: "X-Remote-Addr" },
  { name: "Client-IP" },
  { name: "True-Client-IP" },
  { name: "CF-Connecting-IP" },
  { name: "CF-Connecting-IPv6" },
  { name: "CF-Pseudo-IPv4" },
  { name: "CF-IPCountry" },
  { name: "CF-Visitor" },
  { name: "CF-Ray" },
  { name: "Fastly-Client-IP" },
  { name: "Fly-Client-IP" },
  { name: "X-Azure-ClientIP" },
  { name: "X-Azure-SocketIP" },
  { name: "X-Appengine-User-IP" },
  { name: "X-Envoy-External-Address" },
  { name: "X-Envoy-Peer-Metadata" },
  { name: "X-Vercel-Forwarded-For" },
  { name: "X-Vercel-IP-Country" },
  { name: "X-Nf-Client-Connection-Ip" },
  { name: "Proxy-Client-IP" },
  { name: "WL-Proxy-Client-IP" },
  { name: "DO-Connecting-IP" },
  { name: "X-Originating-IP" },
  { name: "Remote-Addr" },
  { name: "X-ProxyUser-Ip" },
  { name: "Forwarded-For" },
  { name: "X-Forward-For" },
  { name: "X-Appengine-Remote-Addr" },
  { name: "X-Akamai-Edgescape" },
  { name: "X_Forwarded_For" },
  { name: "X-Forwarded_Proto" },
  { name: "X_Real_IP" },
  { name: "Client_IP" },
];

/** By default whoever names a front reaches public targets only, and the targets here are on loopback. */
const OPEN = { PRIVATE_TARGETS: "true" };

const STEERING_COOKIES = [
  { cookie: "proxy_token=marker", arrives: undefined },
  { cookie: "a=1; proxy_token=marker; b=2", arrives: "a=1; b=2" },
  { cookie: "__Host-proxy_token=marker; a=1", arrives: "a=1" },
  { cookie: "__Host-proxy_host=marker; a=1", arrives: "a=1" },
  { cookie: "a=1; proxy_auth=marker; proxy_set_x~!2F=marker", arrives: "a=1" },
  { cookie: "proxy_at_http_other.test_~sid=marker; b=2", arrives: "b=2" },
  { cookie: 'a="1, 2";b=; proxy_token=marker;c', arrives: 'a="1, 2";b=;c' },
];

/** Declares the tests. */
export function describeIdentity(pool: Pool): void {
  describe.each(NAMED_BY_CALLER)("the caller's identity by $selector", ({ selector }) => {
    const proxy = pool.with(OPEN);
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each(IDENTITY)("forged as $name stays here", async ({ name }) => {
      const fields = { [name]: "marker", "X-Own": "kept" };
      await ask(proxy, selector, upstream.origin, "GET /p", { fields });
      expect(upstream.request.head).not.toContain("marker");
      expect(upstream.request.header(name)).toBeUndefined();
      expect(upstream.request.header("x-own")).toBe("kept");
    });

    it("forged in every field, in capitals and with two lines, stays here", async () => {
      const forged = IDENTITY.map(({ name }): Header => [name.toUpperCase(), "marker"]);
      const options = { fields: [...forged, ...forged], from: "127.0.0.2" };
      await ask(proxy, selector, upstream.origin, "GET /p", options);
      expect(upstream.request.head).not.toMatch(/marker|127\.0\.0\.2/);
    });

    it.each(STEERING_COOKIES)(
      "shows the target no cookie of the proxy: $cookie",
      async ({ cookie, arrives }) => {
        await ask(proxy, selector, upstream.origin, "GET /p", { fields: { Cookie: cookie } });
        expect(upstream.request.header("cookie")).toBe(arrives);
      },
    );

    it.each([{ name: "proxy_token" }, { name: "proxy-token" }, { name: "Proxy_Token" }])(
      "shows the target no $name",
      async ({ name }) => {
        await ask(proxy, selector, upstream.origin, "GET /p", { fields: { [name]: "marker" } });
        expect(upstream.request.head).not.toMatch(/marker|proxy.token/i);
      },
    );
  });

  describeSteering(pool);
  describeForwardClient(pool);
  describeVia(pool);
}

function describeSteering(pool: Pool): void {
  describe("what names the target", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each([{ name: "proxy_host" }, { name: "proxy-host" }, { name: "Proxy_Host" }, { name: "PROXY-HOST" }])(
      "never arrives as header $name",
      async ({ name }) => {
        await proxy.call("GET /p", { fields: { [name]: upstream.origin } });
        await proxy.call(`GET /__proxy__/?url=${upstream.origin}/p`, { fields: { [name]: upstream.origin } });
        expect(upstream.requests.map(({ head }) => /proxy.host/i.test(head))).toEqual([false, false]);
      },
    );

    it("never arrives as cookie, and leaves no empty Cookie", async () => {
      const fields = { Cookie: `proxy_host=${upstream.origin}` };
      await proxy.call("GET /p", { fields });
      await proxy.call(`GET /__proxy__/?url=${upstream.origin}/p`, { fields });
      expect(upstream.requests.map((request) => request.headersNamed("cookie"))).toEqual([[], []]);
    });

    it("never arrives as the proxy's own Host", async () => {
      await ask(proxy, "label", upstream.origin, "GET /p");
      expect(upstream.request.head).not.toMatch(/localhost/);
    });
  });
}

function describeForwardClient(pool: Pool): void {
  describe.each(NAMED_BY_CALLER)("FORWARD_CLIENT by $selector", ({ selector }) => {
    const proxy = pool.with({ ...OPEN, FORWARD_CLIENT: "true" });
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each([{ from: "127.0.0.1" }, { from: "127.0.0.2" }])("says that $from called", async ({ from }) => {
      const forged = IDENTITY.map(({ name }): Header => [name, "marker"]);
      await ask(proxy, selector, upstream.origin, "GET /p", { fields: forged, from });
      const { request } = upstream;
      const [host] = request.headersNamed("x-forwarded-host");
      expect(host).toMatch(new RegExp(`^(?:127\\.0\\.0\\.1|127-0-0-1-\\d+\\.w\\.localhost):${proxy.port}$`));
      expect(request.headersNamed("forwarded")).toEqual([`for=${from};host="${host}";proto=http`]);
      expect(request.headersNamed("x-forwarded-for")).toEqual([from]);
      expect(request.headersNamed("x-forwarded-proto")).toEqual(["http"]);
      expect(request.head).not.toContain("marker");
    });
  });

  describe("FORWARD_CLIENT", () => {
    const proxy = pool.with({ ...OPEN, FORWARD_CLIENT: "true" });

    it.each([{ host: 'x";for=6.6.6.6;y="' }, { host: "x;for=6.6.6.6" }])(
      "says nothing of a caller whose host says more: $host",
      async ({ host }) => {
        const answer = await proxy.call("GET /p", { fields: { Host: host } });
        expectError(answer, { status: 400, names: "host" });
      },
    );
  });
}

function describeVia(pool: Pool): void {
  describe("Via", () => {
    const plain = pool.with(OPEN);
    const proxy = pool.with({ ...OPEN, VIA: "edge-1" });
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    const ROWS: { about: string; fields: Header[]; via: string }[] = [
      { about: "nothing", fields: [], via: "1.1 edge-1" },
      { about: "one", fields: [["Via", "1.0 fred"]], via: "1.0 fred, 1.1 edge-1" },
      {
        about: "several",
        fields: [["Via", "1.0 a, 2 b (c)"], ["Via", "1.1 d"]],
        via: "1.0 a, 2 b (c), 1.1 d, 1.1 edge-1",
      },
    ];
    it.each(ROWS)("is added to $about in a request", async ({ fields, via }) => {
      await ask(proxy, "header", upstream.origin, "GET /p", { fields });
      expect(upstream.request.header("via")).toBe(via);
    });

    it.each(ROWS)("is added to $about in an answer", async ({ fields, via }) => {
      upstream.answer = reply(200, fields);
      const answer = await ask(proxy, "header", upstream.origin, "GET /p");
      expect(answer.header("via")).toBe(via);
    });

    it.each([...NAMED_BY_CALLER, { selector: "arg" as const }])(
      "is added for $selector",
      async ({ selector }) => {
        await ask(proxy, selector, upstream.origin, "GET /p");
        expect(upstream.request.header("via")).toBe("1.1 edge-1");
      },
    );

    it("is off by default, and passes as it came", async () => {
      upstream.answer = reply(200, { Via: "1.1 target" });
      const answer = await ask(plain, "header", upstream.origin, "GET /p", { fields: { Via: "1.0 fred" } });
      expect(upstream.request.header("via")).toBe("1.0 fred");
      expect(answer.header("via")).toBe("1.1 target");
    });
  });
}
