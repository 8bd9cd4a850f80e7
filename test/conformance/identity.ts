/**
 * Who called and how the proxy was steered stays here; what the proxy itself says of it.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Header, Pool } from "../support/topic.ts";
import { alike, ask, expectError, reply, rowsOnce, selectors, useTarget } from "../support/topic.ts";

const NAMED_BY_CALLER = selectors("header", "cookie", "label", "url", "at");

const IDENTITY = alike("name")`
  Forwarded X-Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port
  X-Forwarded-Server X-Forwarded-Prefix X-Forwarded-Scheme X-Forwarded-Ssl X-Original-Forwarded-For
  X-Real-IP X-Client-IP X-Cluster-Client-IP X-Remote-IP X-Remote-Addr Client-IP True-Client-IP
  CF-Connecting-IP CF-Connecting-IPv6 CF-Pseudo-IPv4 CF-IPCountry CF-Visitor CF-Ray Fastly-Client-IP
  Fly-Client-IP X-Azure-ClientIP X-Azure-SocketIP X-Appengine-User-IP X-Envoy-External-Address
  X-Envoy-Peer-Metadata X-Vercel-Forwarded-For X-Vercel-IP-Country X-Nf-Client-Connection-Ip Proxy-Client-IP
  WL-Proxy-Client-IP DO-Connecting-IP X-Originating-IP Remote-Addr X-ProxyUser-Ip Forwarded-For
  X-Forward-For X-Appengine-Remote-Addr X-Akamai-Edgescape X_Forwarded_For X-Forwarded_Proto X_Real_IP
  Client_IP CloudFront-Viewer-Address CloudFront-Viewer-City Incap-Client-IP X-Sucuri-ClientIP Ali-CDN-Real-IP
  Ali-Real-Client-IP EO-Client-IP Cdn-Src-Ip Cdn-Real-Ip`;

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

export function describeIdentity(pool: Pool): void {
  const named = rowsOnce(pool.runtime, NAMED_BY_CALLER);
  describe.each(named)("the caller's identity by $selector", ({ selector }) => {
    const { upstream, askBy } = useTarget(pool, OPEN);

    it.each(IDENTITY)("forged as $name stays here", async ({ name }) => {
      await askBy(selector, "GET /p", { fields: { [name]: "marker", "X-Own": "kept" } });
      expect(upstream.request.head).not.toContain("marker");
      expect(upstream.request.header(name)).toBeUndefined();
      expect(upstream.request.header("x-own")).toBe("kept");
    });

    it("forged in every field, in capitals and with two lines, stays here", async () => {
      const forged = IDENTITY.map(({ name }): Header => [name.toUpperCase(), "marker"]);
      await askBy(selector, "GET /p", { fields: [...forged, ...forged], from: "127.0.0.2" });
      expect(upstream.request.head).not.toMatch(/marker|127\.0\.0\.2/);
    });

    it.each(STEERING_COOKIES)(
      "shows the target no cookie of the proxy: $cookie",
      async ({ cookie, arrives }) => {
        await askBy(selector, "GET /p", { fields: { Cookie: cookie } });
        expect(upstream.request.header("cookie")).toBe(arrives);
      },
    );

    it.each([{ name: "proxy_token" }, { name: "proxy-token" }, { name: "Proxy_Token" }])(
      "shows the target no $name",
      async ({ name }) => {
        await askBy(selector, "GET /p", { fields: { [name]: "marker" } });
        expect(upstream.request.head).not.toMatch(/marker|proxy.token/i);
      },
    );
  });

  describe("what names the target", () => {
    const { proxy, upstream, askBy } = useTarget(pool);

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
      await askBy("label");
      expect(upstream.request.head).not.toMatch(/localhost/);
    });
  });

  describe.each(named)("FORWARD_CLIENT by $selector", ({ selector }) => {
    const { proxy, upstream, askBy } = useTarget(pool, { ...OPEN, FORWARD_CLIENT: "true" });

    it.each([{ from: "127.0.0.1" }, { from: "127.0.0.2" }])("says that $from called", async ({ from }) => {
      await askBy(selector, "GET /p", { fields: IDENTITY.map(({ name }): Header => [name, "marker"]), from });
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
      async ({ host }) =>
        expectError(await proxy.call("GET /p", { fields: { Host: host } }), { status: 400, names: "host" }),
    );
  });

  describe("Via", () => {
    const plain = pool.with(OPEN);
    const { upstream, askBy } = useTarget(pool, { ...OPEN, VIA: "edge-1" });

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
      await askBy("header", "GET /p", { fields });
      expect(upstream.request.header("via")).toBe(via);
    });

    it.each(ROWS)("is added to $about in an answer", async ({ fields, via }) => {
      upstream.answer = reply(200, fields);
      expect((await askBy("header")).header("via")).toBe(via);
    });

    it.each([...NAMED_BY_CALLER, { selector: "arg" as const }])(
      "is added for $selector",
      async ({ selector }) => {
        await askBy(selector);
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
