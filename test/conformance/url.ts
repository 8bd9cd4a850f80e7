/**
 * `/__proxy__/?url=`: exactly that address, raw or encoded once.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Pool } from "../support/topic.ts";
import { expectedOf, expectError, fill, fillFields, METHODS, outcomeOf } from "../support/topic.ts";
import { alike, RAW_ADDRESSES, UNSENT_BODIES, useUpstream } from "../support/topic.ts";

const RAW = [
  ...alike("query", { arrives: "/" })`url={origin} url={origin}/`,
  ...alike("query", { arrives: "/p" })`url={origin}/p url={origin}/p&x=1`,
  { query: "url={origin}/p?x=%26&y=2", arrives: "/p?x=%26&y=2" },
  { query: "url={origin}?x=1&y=2", arrives: "/?x=1&y=2" },
  { query: "a=1&url={origin}/p?x=1&y=2&host=http://h.test", arrives: "/p?x=1&y=2&host=http://h.test" },
  { query: "url={origin}/p?url=http://h.test/?a&b", arrives: "/p?url=http://h.test/?a&b" },
  { query: "url={origin}/p?", arrives: "/p?" },
  { query: "url={origin}/p%2Fq%20r", arrives: "/p%2Fq%20r" },
  { query: "url={origin}/%7Eu/a|b/it's", arrives: "/%7Eu/a|b/it's" },
  { query: "url={origin}/p?q='|%7E%2F", arrives: "/p?q='|%7E%2F" },
  { query: "url={origin}//a//b", arrives: "//a//b" },
  { query: "url={origin}/p?q=a+b", arrives: "/p?q=a+b" },
];

const ENCODED = [
  { url: "{origin}", arrives: "/" },
  { url: "{origin}/p?x=%26&y=2", arrives: "/p?x=%26&y=2" },
  { url: "{origin}/p%2Fq", arrives: "/p%2Fq" },
  { url: "{origin}/%7Eu/a|b/it's?q='|", arrives: "/%7Eu/a|b/it's?q='|" },
  { url: "{origin}//a//b", arrives: "//a//b" },
  { url: "{origin}/p?", arrives: "/p?" },
  { url: "{origin}/p?q=a+b", arrives: "/p?q=a+b" },
  { url: "{origin}/p#fragment", arrives: "/p" },
  { url: "{origin}/a b", arrives: "/a%20b" },
  { url: "{origin}/é", arrives: "/%C3%A9" },
];

const REFUSED = alike("query")`
  url= url=&x=1 url=p url=/p url=//example.com/p url=example.com url=http:// url=http%3A%2F%2Fa.test%2F%zz
  url=http://a.test:99999/ url=file:///etc/passwd url=file%3A%2F%2F%2Fetc%2Fpasswd url=data:text/plain,hello
  url=data%3Atext%2Fplain%2Chello url=javascript:alert(1) url=ftp://example.com/ url=gopher://example.com/
  url=blob:http://example.com/1 url=about:blank`;

const METHOD_ROWS = alike("method")`
  POST PUT PATCH DELETE OPTIONS PROPFIND QUERY BREW patch`;

export function describeUrl(pool: Pool): void {
  describe("?url=", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(RAW)("forwards to the raw address in $query", async ({ query, arrives }) => {
      const answer = await proxy.call(`GET /__proxy__/?${fill(query, upstream)}`);
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.targets).toEqual([expectedOf(RAW_ADDRESSES, pool.runtime, arrives, arrives)]);
    });

    it.each(ENCODED)(
      "forwards to $url, encoded once, and takes no later parameter in",
      async ({ url, arrives }) => {
        const value = encodeURIComponent(fill(url, upstream));
        const answer = await proxy.call(`GET /__proxy__/?a=1&url=${value}&x=2`);
        expect(answer).toMatchObject({ status: 200, text: "ok" });
        expect(upstream.targets).toEqual([expectedOf(RAW_ADDRESSES, pool.runtime, arrives, arrives)]);
      },
    );

    it("is the same without the slash", async () => {
      await proxy.call(`GET /__proxy__?url=${upstream.origin}/p?x=1`);
      expect(upstream.targets).toEqual(["/p?x=1"]);
    });

    it.each(REFUSED)("refuses $query", async ({ query }) => {
      expectError(await proxy.call(`GET /__proxy__/?${query}`), { status: 400, names: /\burl\b/i });
    });

    it("refuses an empty one even with a host configured", async () => {
      const answer = await proxy.call("GET /__proxy__/?url=", { fields: { proxy_host: upstream.origin } });
      expectError(answer, { status: 400, names: /\burl\b/i });
      expect(upstream.requests).toEqual([]);
    });
  });

  describe("?url= before any other target", () => {
    const proxy = pool.with();
    const upstream = useUpstream();
    const other = useUpstream();

    it.each([
      { name: "header", fields: { proxy_host: "{origin}" } },
      { name: "cookie", fields: { Cookie: "proxy_host={origin}" } },
      { name: "label", fields: { Host: "{label}.w.localhost" } },
      { name: "malformed header", fields: { proxy_host: "nonsense" } },
    ])("beats the $name", async ({ fields }) => {
      const filled = fillFields(fields, other);
      const answer = await proxy.call(`GET /__proxy__/?url=${upstream.origin}/p`, { fields: filled });
      expect(answer.status).toBe(200);
      expect(upstream.targets).toEqual(["/p"]);
      expect(other.requests).toEqual([]);
    });

    it.each(alike("query")`
      host=http://other.test&url={origin}/p?x=1 host=nonsense&url={origin}/p?x=1 host=&url={origin}/p?x=1
      url={origin}/p?x=1&host=http://other.test url={origin}/p&host=http://other.test
      url=http%3A%2F%2F{host}%2Fp&host=http://other.test`)("beats host in $query", async ({ query }) => {
      const answer = await proxy.call(`GET /__proxy__/?${fill(query, upstream)}`);
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(answer.headersNamed("set-cookie")).toEqual([]);
      expect(upstream.request.target).toMatch(/^\/p/);
    });
  });

  describe("?url= with any method", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(METHOD_ROWS)("forwards $method with body and headers", async ({ method }) => {
      const answer = await proxy.call(`${method} /__proxy__/?url=${upstream.origin}/p`, {
        fields: { "content-type": "text/x-test", "x-own": "1" },
        body: "body ü",
      });
      const expected = expectedOf(METHODS, pool.runtime, method, 200);
      expect(outcomeOf(answer)).toBe(expected);
      expect(upstream.requests.map((request) => [request.method, request.body.toString()]))
        .toEqual(expected === 200 ? [[method, "body ü"]] : []);
    });

    it("hands on headers that belong to the request", async () => {
      const fields = { "content-type": "text/x-test", "x-own": "1" };
      await proxy.call(`POST /__proxy__/?url=${upstream.origin}/p`, { fields, body: "b" });
      expect(upstream.request.header("content-type")).toBe("text/x-test");
      expect(upstream.request.header("x-own")).toBe("1");
      expect(upstream.request.header("content-length")).toBe("1");
    });

    it("forwards HEAD", async () => {
      const answer = await proxy.call(`HEAD /__proxy__/?url=${upstream.origin}/p`);
      expect(answer).toMatchObject({ status: 200, text: "" });
      expect(upstream.request.line).toBe("HEAD /p HTTP/1.1");
    });

    it("never drops the body of a GET silently", async () => {
      const answer = await proxy.call(`GET /__proxy__/?url=${upstream.origin}/p`, { body: "body" });
      const expected = expectedOf(UNSENT_BODIES, pool.runtime, "GET", 200);
      expect(answer.status).toBe(expected);
      expect(upstream.requests.map((request) => request.body.toString()))
        .toEqual(expected === 200 ? ["body"] : []);
    });
  });
}
