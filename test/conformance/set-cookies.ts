/**
 * `Set-Cookie` of a target: works at the proxy's address, comes back unharmed, never steers the proxy (contract 4).
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { expectedOf, FIELD_VALUES } from "../support/exceptions.ts";
import type { Header } from "../support/http.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { Visitor } from "../support/visitor.ts";
import { ask, type Selector } from "../support/ways.ts";

const HOST_SELECTORS: { selector: Selector }[] = [
  { selector: "header" },
  { selector: "cookie" },
  { selector: "label" },
];
const SELECTORS: { selector: Selector }[] = [...HOST_SELECTORS, { selector: "url" }, { selector: "arg" }];

const REWRITTEN = [
  { line: "a=1", arrives: "a=1" },
  { line: "a=b=c; HttpOnly", arrives: "a=b=c; HttpOnly" },
  { line: 'a="x, y"; Max-Age=5', arrives: 'a="x, y"; Max-Age=5' },
  { line: "a=1; Domain=target.test", arrives: "a=1" },
  { line: "a=1; domain=.127.0.0.1; HttpOnly", arrives: "a=1; HttpOnly" },
  { line: "a=1; Secure; HttpOnly", arrives: "a=1; HttpOnly" },
  { line: "a=1; Secure; Partitioned", arrives: "a=1" },
  { line: "a=1; SameSite=None; Secure", arrives: "a=1; SameSite=Lax" },
  { line: "a=1; SameSite=Strict", arrives: "a=1; SameSite=Strict" },
  {
    line: "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT",
    arrives: "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT",
  },
  { line: "a=\u00c3\u00a9\u00e9; HttpOnly", arrives: "a=\u00c3\u00a9\u00e9; HttpOnly" },
  { line: "proxy_session=1; Priority=High", arrives: "proxy_session=1; Priority=High" },
];

const REFUSED = [
  { line: "proxy_host=http://evil.test; Path=/" },
  { line: "proxy_token=x" },
  { line: "PROXY_HOST=http://evil.test" },
  { line: " proxy_host =http://evil.test" },
  { line: "__Host-proxy_host=http://evil.test; Path=/; Secure" },
  { line: "__Secure-proxy_token=x; Secure" },
  { line: "=proxy_host=http://evil.test" },
  { line: "proxy_host" },
  { line: "proxy_host=; Max-Age=0" },
  { line: "proxy_carried__Host-sid=x" },
];

const PREFIXED = [
  { pair: "__Host-sid=1", attributes: "; Path=/; Secure; HttpOnly" },
  { pair: "__Secure-id=a=b", attributes: "; Secure" },
  { pair: "__Http-x=1", attributes: "; Secure; HttpOnly" },
  { pair: "__hOST-Sid=1", attributes: "; Path=/; Secure" },
];

const PATHS = [
  { base: "", path: "/", arrives: "/" },
  { base: "", path: "/app", arrives: "/app" },
  { base: "/v1", path: "/v1/app", arrives: "/app" },
  { base: "/v1", path: "/v1/", arrives: "/" },
  { base: "/v1", path: "/v1", arrives: "/" },
  { base: "/v1", path: "/", arrives: "/" },
  { base: "/v1/v2", path: "/v1", arrives: "/" },
  { base: "/v1", path: "/other", arrives: "/other" },
  { base: "/v1", path: "/v10", arrives: "/v10" },
];

/** What `Path` becomes where the address holds no path of the target. */
const SHARED_PATHS: { about: string; fields: Header[]; line: string; arrives: string }[] = [
  { about: "a program", fields: [], line: "a=1; Path=/app", arrives: "a=1; Path=/" },
  { about: "a program", fields: [], line: "a=1", arrives: "a=1" },
  {
    about: "a browser",
    fields: [["Sec-Fetch-Site", "none"]],
    line: "a=1; Path=/app",
    arrives: "a=1; Path=/__proxy__",
  },
  { about: "a browser", fields: [["Sec-Fetch-Site", "none"]], line: "a=1", arrives: "a=1; Path=/__proxy__" },
];

/** Declares the tests. */
export function describeSetCookies(pool: Pool): void {
  describe.each(SELECTORS)("Set-Cookie by $selector", ({ selector }) => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each(REWRITTEN)("$line → $arrives", async ({ line, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": line });
      const answer = await ask(proxy, selector, upstream.origin, "GET /p");
      expect(answer.headersNamed("set-cookie"))
        .toEqual([expectedOf(FIELD_VALUES, pool.runtime, arrives, arrives)]);
    });

    it.each(REFUSED)("$line is refused", async ({ line }) => {
      upstream.answer = reply(200, [["Set-Cookie", line], ["Set-Cookie", "kept=1"]]);
      const answer = await ask(proxy, selector, upstream.origin, "GET /p");
      expect(answer.headersNamed("set-cookie")).toEqual(["kept=1"]);
    });

    it("stays several lines, in their order", async () => {
      const lines = ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "b=2, c=3", "a=4", "d="];
      upstream.answer = reply(200, lines.map((line): Header => ["Set-Cookie", line]));
      const answer = await ask(proxy, selector, upstream.origin, "GET /p");
      expect(answer.headersNamed("set-cookie")).toEqual(lines);
    });

    it.each([{ status: 302 }, { status: 304 }, { status: 401 }, { status: 500 }])(
      "passes with status $status",
      async ({ status }) => {
        upstream.answer = reply(status, { "Set-Cookie": "a=1" });
        const answer = await ask(proxy, selector, upstream.origin, "GET /p");
        expect(answer.headersNamed("set-cookie")).toEqual(["a=1"]);
      },
    );
  });

  describePaths(pool);
  describeSecure(pool);
  describeRoundTrip(pool);
}

/** Behind a front server that ends TLS. */
function describeSecure(pool: Pool): void {
  describe("Set-Cookie over https", () => {
    const proxy = pool.with({ TRUSTED_PROXIES: "127.0.0.1", PRIVATE_TARGETS: "true" });
    const secure: Header[] = [["X-Forwarded-Proto", "https"], ["Sec-Fetch-Site", "none"]];
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each([
      { selector: "header" as const, name: "__Host-sid", arrives: "__Host-sid=1; Path=/; Secure" },
      {
        selector: "url" as const,
        name: "__Host-sid",
        arrives: "__Secure-proxy_carried__Host-sid=1; Path=/__proxy__; Secure",
      },
      { selector: "url" as const, name: "__Secure-sid", arrives: "__Secure-sid=1; Path=/__proxy__; Secure" },
    ])("is one that a browser takes, by $selector: $name", async ({ selector, name, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": `${name}=1; Path=/; Secure` });
      const answer = await ask(proxy, selector, upstream.origin, "GET /p", { fields: secure });
      expect(answer.headersNamed("set-cookie")).toEqual([arrives]);
    });

    it.each([
      { selector: "url" as const, arrives: "a=1; __Host-sid=1" },
      { selector: "label" as const, arrives: "a=1; __Secure-proxy_carried__Host-sid=1" },
    ])("comes back by $selector as $arrives", async ({ selector, arrives }) => {
      const fields: Header[] = [
        ["X-Forwarded-Proto", "https"],
        ["Sec-Fetch-Site", "same-origin"],
        ["Cookie", `proxy_host=${upstream.origin}; a=1; __Secure-proxy_carried__Host-sid=1`],
      ];
      await ask(proxy, selector, upstream.origin, "GET /p", { fields });
      expect(upstream.request.header("cookie")).toBe(arrives);
    });
  });
}

function describePaths(pool: Pool): void {
  describe("Path of a Set-Cookie", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each(PATHS)("$path behind base $base → $arrives", async ({ base, path, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": `a=1; Path=${path}; HttpOnly` });
      const byHeader = await ask(proxy, "header", upstream.origin, "GET /p", { base });
      const byCookie = await ask(proxy, "cookie", upstream.origin, "GET /p", { base });
      expect([byHeader, byCookie].map((answer) => answer.headersNamed("set-cookie")))
        .toEqual([[`a=1; Path=${arrives}; HttpOnly`], [`a=1; Path=${arrives}; HttpOnly`]]);
    });

    it.each(SHARED_PATHS)("by url for $about: $line → $arrives", async ({ fields, line, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": line });
      const answer = await ask(proxy, "url", upstream.origin, "GET /p", { fields });
      expect(answer.headersNamed("set-cookie")).toEqual([arrives]);
    });

    it.each(SHARED_PATHS)("by arg for $about: $line → $arrives", async ({ fields, line, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": line });
      const argument = argOf({ url: `${upstream.origin}/p` });
      const answer = await proxy.call(`GET /__proxy__/fetch?arg=${argument}`, { fields });
      expect(answer.headersNamed("set-cookie")).toEqual([arrives]);
    });

    it("by url is confined where a redirect left the stored host", async () => {
      const other = await listen();
      upstream.answer = reply(302, { Location: `${other.origin}/q` });
      other.answer = reply(200, { "Set-Cookie": "a=1; Path=/app" });
      const fields = { "Cookie": `proxy_host=${upstream.origin}`, "Sec-Fetch-Site": "same-origin" };
      const answer = await ask(proxy, "url", upstream.origin, "GET /p", { fields });
      await other.close();
      expect(answer.headersNamed("set-cookie")).toEqual(["a=1; Path=/__proxy__"]);
    });

    it("by url to the stored host is that of the host", async () => {
      upstream.answer = reply(200, { "Set-Cookie": "a=1; Path=/app" });
      const fields = { Cookie: `proxy_host=${upstream.origin}`, "Sec-Fetch-Site": "same-origin" };
      const answer = await ask(proxy, "url", upstream.origin, "GET /p", { fields });
      expect(answer.headersNamed("set-cookie")).toEqual(["a=1; Path=/app"]);
    });
  });
}

function describeRoundTrip(pool: Pool): void {
  describe.each([...HOST_SELECTORS, { selector: "url" as const }])(
    "a cookie that comes back by $selector",
    ({ selector }) => {
      const proxy = pool.with();
      let upstream: Upstream;
      beforeEach(async () => {
        upstream = await listen();
        return () => upstream.close();
      });

      it.each([
        { pair: "a=1", attributes: "" },
        { pair: "b=x=y", attributes: "; Domain=a.test; Secure" },
        ...PREFIXED,
      ])(
        "is $pair again",
        async ({ pair, attributes }) => {
          upstream.answer = reply(200, { "Set-Cookie": pair + attributes });
          const visitor = new Visitor(proxy, selector, upstream.origin, "/p");
          await visitor.request("GET");
          await visitor.request("GET");
          expect(upstream.requests.map((request) => request.header("cookie"))).toEqual([undefined, pair]);
        },
      );

      it.each(PREFIXED)(
        "is stored under a name that plain http takes: $pair",
        async ({ pair, attributes }) => {
          upstream.answer = reply(200, { "Set-Cookie": pair + attributes });
          const answer = await ask(proxy, selector, upstream.origin, "GET /p");
          expect(answer.header("set-cookie")).toMatch(/^(?!__(?:Host|Secure|Http)-)[^;]*=/i);
          expect(answer.header("set-cookie")).not.toMatch(/; secure/i);
        },
      );
    },
  );
}
