/**
 * Which target a request goes to: header, cookie, label, in that order.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Header, Pool } from "../support/topic.ts";
import { alike, expectError, fill, fillFields, reply, rowsOf, useUpstream, words } from "../support/topic.ts";

const HEADER = { "proxy_host": "{origin}/by-header" };
const COOKIE = { "Cookie": "proxy_host={origin}/by-cookie" };
const LABEL = { "Host": "{label}.w.localhost" };

const ORDER = [
  { name: "header", fields: HEADER, arrives: "/by-header/p?q=1" },
  { name: "header in another case", fields: { "Proxy_Host": "{origin}/x" }, arrives: "/x/p?q=1" },
  { name: "header proxy-host", fields: { "proxy-host": "{origin}/by-alias" }, arrives: "/by-alias/p?q=1" },
  { name: "cookie", fields: COOKIE, arrives: "/by-cookie/p?q=1" },
  { name: "label", fields: LABEL, arrives: "/p?q=1" },
  { name: "header before cookie", fields: { ...COOKIE, ...HEADER }, arrives: "/by-header/p?q=1" },
  { name: "header before label", fields: { ...LABEL, ...HEADER }, arrives: "/by-header/p?q=1" },
  { name: "cookie before label", fields: { ...LABEL, ...COOKIE }, arrives: "/by-cookie/p?q=1" },
  { name: "header before both", fields: { ...LABEL, ...COOKIE, ...HEADER }, arrives: "/by-header/p?q=1" },
  {
    name: "header proxy-host before both",
    fields: { ...LABEL, ...COOKIE, "proxy-host": "{origin}/by-alias" },
    arrives: "/by-alias/p?q=1",
  },
];

const COOKIES = rowsOf(["name", "cookie"], [
  ["raw", "proxy_host={origin}/v1"],
  ["percent-encoded", "proxy_host=http%3A%2F%2F127.0.0.1%3A{port}%2Fv1"],
  ["percent-encoded in lower case", "proxy_host=http%3a%2f%2f127.0.0.1%3a{port}%2fv1"],
  ["after others", "sid=1; theme=dark; proxy_host={origin}/v1"],
  ["before others", "proxy_host={origin}/v1; sid=1"],
  ["after a name that only ends alike", "my_proxy_host=http://other.invalid; proxy_host={origin}/v1"],
  ["twice with the same value", "proxy_host={origin}/v1; proxy_host={origin}/v1"],
]);

const MALFORMED = alike("value")`
  example.com | //example.com | not a base | http:// | ftp://example.com | file:///etc/passwd |
  javascript:alert(1) | http://user:p4ssw0rd@example.com | http://user@example.com |
  http://example.com/?q=1 | http://example.com/#fragment | http://example.com:99999`;

const AMBIGUOUS: { name: string; fields: Header[]; names: RegExp }[] = [
  { name: "a comma in the header", fields: [["proxy_host", "{origin}/a, {origin}/b"]], names: /header/i },
  {
    name: "the header on two lines",
    fields: [["proxy_host", "{origin}/a"], ["proxy_host", "{origin}/b"]],
    names: /header/i,
  },
  {
    name: "header and alias",
    fields: [["proxy_host", "{origin}/a"], ["proxy-host", "{origin}/b"]],
    names: /header/i,
  },
  {
    name: "two cookies",
    fields: [["Cookie", "proxy_host={origin}/a; proxy_host={origin}/b"]],
    names: /cookie/i,
  },
  {
    name: "two cookie lines",
    fields: [["Cookie", "proxy_host={origin}/a"], ["Cookie", "proxy_host={origin}/b"]],
    names: /cookie/i,
  },
];

const FORWARDED = [
  "/",
  "/__proxy",
  "/__proxy__x",
  "/x/__proxy__/",
  "/%5F%5Fproxy__/",
  "/__PROXY__/",
  "/favicon.ico",
];
const RESERVED = [
  "/__proxy__",
  "/__proxy__/",
  "/__proxy__/health",
  "/__proxy__/nope",
  "/__proxy__/fetch/nope",
];

export function describeSelectors(pool: Pool): void {
  describe("selectors", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(ORDER)("choose by $name", async ({ fields, arrives }) => {
      expect((await proxy.call("GET /p?q=1", { fields: fillFields(fields, upstream) })).status).toBe(200);
      expect(upstream.targets).toEqual([arrives]);
    });

    it.each(COOKIES)("read the cookie $name", async ({ cookie }) => {
      expect((await proxy.call("GET /p", { fields: { Cookie: fill(cookie, upstream) } })).status).toBe(200);
      expect(upstream.targets).toEqual(["/v1/p"]);
    });

    it("hand the target's content back", async () => {
      upstream.answer = reply(203, { "content-type": "text/x-test", "x-own": "1" }, "content of the target");
      const answer = await proxy.call("GET /", { fields: { proxy_host: upstream.origin } });
      expect(answer).toMatchObject({ status: 203, text: "content of the target" });
      expect(answer.header("content-type")).toBe("text/x-test");
      expect(answer.header("x-own")).toBe("1");
    });

    it("let the target see the proxy as its caller", async () => {
      await proxy.call("GET /", { fields: { proxy_host: upstream.origin }, from: "127.0.0.2" });
      expect(upstream.request.remoteAddress).toBe("127.0.0.1");
      expect(upstream.request.head).not.toContain("127.0.0.2");
    });

    it.each(FORWARDED)("forward %s, which is not reserved", async (path) => {
      await proxy.call(`GET ${path}`, { fields: { proxy_host: upstream.origin } });
      expect(upstream.targets).toEqual([path]);
    });

    it.each(RESERVED)("never forward %s, which is reserved", async (path) => {
      await proxy.call(`GET ${path}`, { fields: { proxy_host: upstream.origin } });
      expect(upstream.targets).toEqual([]);
    });
  });

  describe("malformed selectors", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(MALFORMED)("refuse header $value and fall through to nothing", async ({ value }) => {
      const fields = fillFields({ ...COOKIE, ...LABEL, proxy_host: value }, upstream);
      const answer = await proxy.call("GET /p", { fields });
      expectError(answer, { status: 400, names: /header.*proxy_host|proxy_host.*header/i });
      expect(answer.text).not.toContain("p4ssw0rd");
      expect(upstream.requests).toEqual([]);
    });

    it.each(MALFORMED)("refuse header $value in its alias", async ({ value }) => {
      const answer = await proxy.call("GET /p", { fields: { "proxy-host": value } });
      expectError(answer, { status: 400, names: /header/i });
    });

    it.each(MALFORMED)("refuse cookie $value and fall through to nothing", async ({ value }) => {
      const fields = fillFields({ ...LABEL, Cookie: `proxy_host=${encodeURIComponent(value)}` }, upstream);
      const answer = await proxy.call("GET /p", { fields });
      expectError(answer, { status: 400, names: /cookie.*proxy_host|proxy_host.*cookie/i });
      expect(answer.text).not.toContain("p4ssw0rd");
      expect(upstream.requests).toEqual([]);
    });

    it.each(words`http%3A%2F%2Fa%zz "" % https%253A%252F%252Fa.test https%3A%2F%2Fa.test%0D%0Ax %00`)(
      "refuse a cookie whose encoding is malformed: %s",
      async (value) => {
        const answer = await proxy.call("GET /p", { fields: { Cookie: `proxy_host=${value}` } });
        expectError(answer, { status: 400, names: /cookie/i });
      },
    );

    it.each(AMBIGUOUS)("refuse two different values: $name", async ({ fields, names }) => {
      const answer = await proxy.call("GET /p", { fields: fillFields(fields, upstream) });
      expectError(answer, { status: 400, names });
      expect(upstream.requests).toEqual([]);
    });
  });
}
