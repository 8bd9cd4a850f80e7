/**
 * `/__proxy__/?host=`: stores the target in the cookie, replaces it, clears it (contract 2, specification 4.2).
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { isExpired, setCookiesOf } from "../support/expect.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const ATTRIBUTES = ["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=Lax"];

const STORED = [
  { query: "host=http://a.test", host: "http://a.test" },
  { query: "host=https://a.test/", host: "https://a.test/" },
  { query: "host=https://a.test:8443/v1", host: "https://a.test:8443/v1" },
  { query: "host=HTTPS://A.Test/V1", host: "HTTPS://A.Test/V1" },
  { query: "host=http%3A%2F%2Fa.test%2Fv1", host: "http://a.test/v1" },
  { query: "host=http%3A%2F%2Fa.test%2Fa%252Fb", host: "http://a.test/a%2Fb" },
  { query: "host=http://[2001:db8::1]:8080", host: "http://[2001:db8::1]:8080" },
  { query: "x=1&host=http://a.test&y=2", host: "http://a.test" },
];

const REFUSED = [
  { query: "host=a.test", host: "a.test" },
  { query: "host=//a.test", host: "//a.test" },
  { query: "host=not%20a%20base", host: "not a base" },
  { query: "host=http://", host: "http://" },
  { query: "host=ftp://a.test", host: "ftp://a.test" },
  { query: "host=file:///etc/passwd", host: "file:///etc/passwd" },
  { query: "host=javascript:alert(1)", host: "javascript:alert(1)" },
  { query: "host=http%3A%2F%2Fuser%3Asecret%40a.test", host: "http://user:secret@a.test" },
  { query: "host=http%3A%2F%2Fa.test%2F%3Fq%3D1", host: "http://a.test/?q=1" },
  { query: "host=http%3A%2F%2Fa.test%2F%23f", host: "http://a.test/#f" },
  { query: "host=http://a.test:99999", host: "http://a.test:99999" },
];

const METHODS = [
  { method: "POST" },
  { method: "PUT" },
  { method: "PATCH" },
  { method: "DELETE" },
  { method: "OPTIONS" },
  { method: "PROPFIND" },
];

const EXPIRING = [
  {
    name: "another host",
    from: "http://a.test",
    query: "host=http://b.test",
    gone: ["sid", "theme"],
  },
  { name: "another scheme", from: "http://a.test", query: "host=https://a.test", gone: ["sid", "theme"] },
  { name: "another port", from: "http://a.test", query: "host=http://a.test:81", gone: ["sid", "theme"] },
  { name: "clearing", from: "http://a.test", query: "host=", gone: ["proxy_host", "sid", "theme"] },
  { name: "the same host", from: "http://a.test", query: "host=http://a.test", gone: [] },
  {
    name: "another path of the same origin",
    from: "http://a.test/v1",
    query: "host=http://a.test/v2",
    gone: [],
  },
  { name: "a host that is refused", from: "http://a.test", query: "host=b.test", gone: [] },
];

/** Declares the tests. */
export function describeHost(pool: Pool): void {
  describe("?host=", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each(STORED)("stores $query", async ({ query, host }) => {
      const answer = await proxy.call(`GET /__proxy__/?${query}`);
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toMatch(/^application\/json\b/);
      expect(answer.json()).toEqual({ host, status: true });
      expect(setCookiesOf(answer)).toEqual([
        { name: "proxy_host", value: expect.stringMatching(/^[\w.~%-]+$/), attributes: ATTRIBUTES },
      ]);
    });

    it("stores the base percent-encoded", async () => {
      const answer = await proxy.call("GET /__proxy__/?host=http://a.test/v1");
      expect(setCookiesOf(answer)[0]?.value).toBe("http%3A%2F%2Fa.test%2Fv1");
    });

    it.each(METHODS)("stores with $method", async ({ method }) => {
      const answer = await proxy.call(`${method} /__proxy__/?host=http://a.test`);
      expect(answer.json()).toEqual({ host: "http://a.test", status: true });
      expect(setCookiesOf(answer)).toMatchObject([{ name: "proxy_host" }]);
    });

    it("stores with HEAD", async () => {
      const answer = await proxy.call("HEAD /__proxy__/?host=http://a.test");
      expect(answer).toMatchObject({ status: 200, text: "" });
      expect(setCookiesOf(answer)).toMatchObject([{ name: "proxy_host" }]);
    });

    it("is the same without the slash", async () => {
      const answer = await proxy.call("GET /__proxy__?host=http://a.test");
      expect(answer.json()).toEqual({ host: "http://a.test", status: true });
    });

    it.each(REFUSED)("refuses $query without a cookie", async ({ query, host }) => {
      const answer = await proxy.call(`GET /__proxy__/?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.header("content-type")).toMatch(/^application\/json\b/);
      expect(answer.json()).toEqual({ host, status: false });
      expect(setCookiesOf(answer)).toEqual([]);
    });

    it("gives a cookie that leads to the target", async () => {
      const stored = await proxy.call(`GET /__proxy__/?host=${upstream.origin}/v1`);
      const cookie = stored.header("set-cookie")?.split(";")[0] ?? "";
      const answer = await proxy.call("GET /p?x", { fields: { Cookie: cookie } });
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.targets).toEqual(["/v1/p?x"]);
    });

    it("repairs a malformed cookie", async () => {
      const answer = await proxy.call("GET /__proxy__/?host=http://a.test", {
        fields: { Cookie: "proxy_host=bad" },
      });
      expect(answer.json()).toEqual({ host: "http://a.test", status: true });
    });
  });

  describeExpiry(pool);
}

function describeExpiry(pool: Pool): void {
  describe("?host= and the cookies of the host before", () => {
    const proxy = pool.with();

    it("clears the cookie", async () => {
      const answer = await proxy.call("GET /__proxy__/?host=", {
        fields: { Cookie: "proxy_host=http://a.test" },
      });
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({ host: "", status: true });
      expect(setCookiesOf(answer).filter(isExpired)).toMatchObject([{ name: "proxy_host" }]);
      expect(setCookiesOf(answer)[0]?.attributes).toContain("Path=/");
    });

    it("clears a malformed cookie", async () => {
      const answer = await proxy.call("GET /__proxy__/?host=", { fields: { Cookie: "proxy_host=bad" } });
      expect(answer.json()).toEqual({ host: "", status: true });
      expect(setCookiesOf(answer).filter(isExpired)).toMatchObject([{ name: "proxy_host" }]);
    });

    it.each(EXPIRING)("expires $gone on $name", async ({ from, query, gone }) => {
      const fields = { Cookie: `sid=1; proxy_host=${encodeURIComponent(from)}; theme=dark` };
      const answer = await proxy.call(`GET /__proxy__/?${query}`, { fields });
      expect(setCookiesOf(answer).filter(isExpired).map(({ name }) => name).sort()).toEqual(gone);
    });

    it("expires nothing where there was no host before", async () => {
      const answer = await proxy.call("GET /__proxy__/?host=http://a.test", { fields: { Cookie: "sid=1" } });
      expect(setCookiesOf(answer).filter(isExpired)).toEqual([]);
    });
  });
}
