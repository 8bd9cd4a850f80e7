/**
 * `/__proxy__/`: what `host` stores, what `url` forwards, and what is told without either.
 * @module
 */
import { describe, expect, it } from "vitest";
import { createProxy } from "../src/proxy.ts";
import type { Incoming } from "../src/runtime.ts";
import { type Fields, incoming, target } from "./support/handle.ts";

const ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Lax; Max-Age=";
const YEAR = `${ATTRIBUTES}31536000`;

const ask = (request: Incoming) => createProxy().handle(request, target().runtime);

describe("host", () => {
  it.each([
    { query: "host=https://a.test", host: "https://a.test" },
    { query: "host=https%3A%2F%2Fa.test%2Fv1%2F", host: "https://a.test/v1/" },
    { query: "host=HTTP://A.Test:80", host: "HTTP://A.Test:80" },
    { query: "host=https://b%C3%BCcher.test", host: "https://bücher.test" },
    { query: "host=https://a.test/%252F", host: "https://a.test/%2F" },
    { query: "x=1&host=https://a.test&host=https://b.test", host: "https://a.test" },
  ])("$query is stored as sent", async ({ query, host }) => {
    const response = await ask(incoming(`/__proxy__/?${query}`));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ host, status: true });
    expect(response.headers.getSetCookie()).toEqual([`proxy_host=${encodeURIComponent(host)}${YEAR}`]);
  });

  it.each([{ method: "HEAD" }, { method: "POST" }, { method: "PUT" }, { method: "DELETE" }, {
    method: "FOO",
  }])(
    "is stored with $method",
    async ({ method }) => {
      const response = await ask(incoming("/__proxy__/?host=https://a.test", {}, method));
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie()).toHaveLength(1);
    },
  );

  it("is stored Secure for a caller over https", async () => {
    const request = { ...incoming("/"), url: "https://localhost:8080/__proxy__/?host=https://a.test" };
    expect((await ask(request)).headers.getSetCookie()).toEqual([
      `proxy_host=https%3A%2F%2Fa.test${YEAR}; Secure`,
    ]);
  });

  it.each([
    { query: "host=a.test", host: "a.test" },
    { query: "host=//evil.test", host: "//evil.test" },
    { query: "host=ftp://a.test", host: "ftp://a.test" },
    { query: "host=javascript:alert(1)", host: "javascript:alert(1)" },
    { query: "host=https://user:pass@a.test", host: "https://user:pass@a.test" },
    { query: "host=https://a.test?x=1", host: "https://a.test?x=1" },
    { query: "host=https://a.test/%23x", host: "https://a.test/#x" },
    { query: "host=https://a.test%0D%0ASet-Cookie:x=y", host: "https://a.test\r\nSet-Cookie:x=y" },
    { query: "host=%00", host: "\0" },
    { query: "host=https://a.test%5Cevil", host: "https://a.test\\evil" },
    { query: "host=+", host: "+" },
    { query: "host=%zz", host: "%zz" },
    { query: "host=https://a.test%FF", host: "https://a.test%FF" },
    { query: "host=https%253A%252F%252Fa.test", host: "https%3A%2F%2Fa.test" },
    { query: "host=%3Cscript%3E", host: "<script>" },
  ])("$query is a 400 without a cookie", async ({ query, host }) => {
    const response = await ask(
      incoming(`/__proxy__/?${query}`, { cookie: "sid=1; proxy_host=https://a.test" }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ host, status: false });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each([{ query: "host=" }, { query: "host" }])("$query clears the cookie", async ({ query }) => {
    const response = await ask(incoming(`/__proxy__/?${query}`));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ host: "", status: true });
    expect(response.headers.getSetCookie()).toEqual([`proxy_host=${ATTRIBUTES}0`]);
  });

  it.each([
    { about: "a change of host", query: "https://b.test", expired: ["sid", "theme"] },
    { about: "a change of scheme", query: "http://a.test", expired: ["sid", "theme"] },
    { about: "a change of port", query: "https://a.test:81", expired: ["sid", "theme"] },
    { about: "clearing", query: "", expired: ["sid", "theme"] },
    { about: "the same host again", query: "https://a.test", expired: [] },
    { about: "another path of the same host", query: "https://a.test/v2", expired: [] },
  ])("$about expires $expired", async ({ query, expired }) => {
    const cookie = "sid=1; proxy_host=https%3A%2F%2Fa.test; theme=dark; proxy_token=t";
    const [, ...others] = (await ask(incoming(`/__proxy__/?host=${query}`, { cookie }))).headers
      .getSetCookie();
    expect(others.map((line) => line.split("=")[0])).toEqual(expired);
    expect(others.filter((line) => !/^\w+=; Path=\/;.* Max-Age=0$/.test(line))).toEqual([]);
  });

  it("expires 49 cookies at most, and tells of the others", async () => {
    const cookie = `proxy_host=https://a.test; ${
      Array.from({ length: 1_000 }, (_, at) => `c${at}=1`).join("; ")
    }`;
    const response = await ask(incoming("/__proxy__/?host=https://b.test", { cookie }));
    expect(response.headers.getSetCookie()).toHaveLength(50);
    expect(response.headers.get("proxy-status")).toBe('fetchvia; details="951 cookies are left: ask again"');
  });

  it("expires the cookies that are noted under their paths, and keeps those of hosts until it is cleared", async () => {
    const kept = "proxy_at_https_a.test_~sid=1";
    const cookie =
      `proxy_host=https://a.test; ${kept}; proxy_set_ui~!2Fapp=1; proxy_set_x~evil=1; theme=dark`;
    const lines = async (host: string) =>
      (await ask(incoming(`/__proxy__/?host=${host}`, { cookie }))).headers.getSetCookie().slice(1);
    const changed = ["ui=; Path=/app", "proxy_set_ui~!2Fapp=; Path=/", "theme=; Path=/"];
    expect((await lines("https://b.test")).map((line) => line.split("; HttpOnly")[0])).toEqual(changed);
    expect((await lines("")).map((line) => line.split("; HttpOnly")[0])).toEqual([
      ...changed.slice(0, 2),
      "proxy_at_https_a.test_~sid=; Path=/",
      "proxy_set_x~evil=; Path=/",
      "theme=; Path=/",
    ]);
  });

  it.each([
    { host: "https://b.test", site: "same-origin", status: 403 },
    { host: "https://a.test", site: "same-origin", status: 200 },
    { host: "", site: "same-origin", status: 200 },
    { host: "https://b.test", site: undefined, status: 200 },
  ])("on the label of https://a.test $host is a $status for $site", async ({ host, site, status }) => {
    const fields = { "host": "a-test.w.localhost:8080", ...(site && { "sec-fetch-site": site }) };
    expect((await ask(incoming(`/__proxy__/?host=${host}`, fields))).status).toBe(status);
  });

  it("replaces a stored one that is malformed", async () => {
    const response = await ask(incoming("/__proxy__/?host=https://a.test", { cookie: "proxy_host=evil" }));
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([`proxy_host=https%3A%2F%2Fa.test${YEAR}`]);
  });
});

describe("then", () => {
  it.each([
    { then: "%2Fnext%3Fa%3D1%23b", location: "http://localhost:8080/next?a=1#b" },
    { then: "/x", location: "http://localhost:8080/x" },
    { then: "%2F%2Fevil.test%2F", location: "http://localhost:8080//evil.test/" },
    { then: "/%5Cevil.test", location: "http://localhost:8080/\\evil.test" },
    { then: "/a%0D%0Ab%00%20%C3%A9", location: "http://localhost:8080/a%0D%0Ab%00%20%C3%A9" },
  ])("$then leads on to $location, and stores the host", async ({ then, location }) => {
    const fields = { cookie: "proxy_host=https://a.test/v1" };
    const response = await ask(incoming(`/__proxy__/?host=https://a.test&then=${then}`, fields));
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(location);
    expect(new URL(response.headers.get("location") ?? "").origin).toBe("http://localhost:8080");
    expect(response.headers.getSetCookie()).toEqual([`proxy_host=https%3A%2F%2Fa.test${YEAR}`]);
  });

  it.each([
    { then: "https://evil.test/" },
    { then: "evil.test" },
    { then: "javascript:alert(1)" },
    { then: "%5C%5Cevil.test" },
    { then: "%09//evil.test" },
    { then: "%zz" },
    { then: "" },
    { then: "%2F__proxy__%2F%3Fhost%3Dhttps%3A%2F%2Fevil.test" },
    { then: "/__proxy__" },
    { then: "/__proxy__%23f" },
    { then: "/x/%252e%252E/__proxy__/" },
    { then: "/x/../__proxy__/" },
    { then: "/%5C..%5C__proxy__/" },
  ])("$then leads nowhere", async ({ then }) => {
    const fields = { cookie: "proxy_host=https://a.test/v1" };
    const response = await ask(incoming(`/__proxy__/?host=https://a.test&then=${then}`, fields));
    expect(response.headers.has("location")).toBe(false);
    expect(await response.json()).toEqual({ host: "https://a.test", status: true });
  });

  it.each([
    { about: "nobody knows who made it", fields: { "sec-fetch-site": "none" }, proof: "" },
    { about: "a browser says little", fields: { accept: "text/html,*/*;q=0.8" }, proof: "" },
    { about: "a browser says less", fields: { "upgrade-insecure-requests": "1" }, proof: "" },
    {
      about: "it was made elsewhere",
      fields: { "sec-fetch-site": "none" },
      proof: "&proof=AAAAAAAAAAAAAAAAAAAAAA",
    },
    {
      about: "another host is stored",
      fields: { "sec-fetch-site": "none", "cookie": "proxy_host=https://b.test" },
      proof: "",
    },
  ])("leads nowhere where $about", async ({ fields, proof }) => {
    const request = incoming(`/__proxy__/?host=https://a.test&then=/x${proof}`, fields as Fields);
    const response = await ask(request);
    expect(response.headers.has("location")).toBe(false);
    expect(await response.json()).toEqual({ host: "https://a.test", status: true });
  });

  it.each([
    { fields: { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" } },
    { fields: { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" } },
    { fields: { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" } },
  ])("is refused for a part of a page: $fields", async ({ fields }) => {
    const site = { cookie: "proxy_host=https://a.test", "sec-fetch-site": "same-origin" };
    const response = await ask(incoming("/__proxy__/?host=https://a.test&then=/x", { ...site, ...fields }));
    expect(response.status).toBe(403);
    expect(response.headers.has("set-cookie")).toBe(false);
  });

  it("leads on where the proxy made the link for a caller who stood there", async () => {
    const { runtime } = target({ status: 302, headers: new Headers({ location: "https://b.test/x?y#z" }) });
    const proxy = createProxy();
    const cookie = "proxy_host=https://a.test";
    const opened = { "sec-fetch-site": "none", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    const location =
      (await proxy.handle(incoming("/in", { ...opened, cookie }), runtime)).headers.get("location") ?? "";
    expect(location).toMatch(/^\/__proxy__\/\?host=https%3A%2F%2Fb\.test&then=%2Fx%3Fy%23z&proof=[\w-]{22}$/);
    const answers = await Promise.all([
      proxy.handle(incoming(location, { ...opened, cookie }), runtime),
      proxy.handle(incoming(location, { ...opened, cookie: "proxy_host=https://c.test" }), runtime),
      proxy.handle(incoming(location, opened), runtime),
      proxy.handle(incoming(location.replace("b.test", "e.test"), { ...opened, cookie }), runtime),
      proxy.handle(incoming(location.replace("%2Fx", "%2Fpwn"), { ...opened, cookie }), runtime),
      createProxy().handle(incoming(location, { ...opened, cookie }), runtime),
    ]);
    expect(answers.map((answer) => answer.headers.get("location"))).toEqual([
      "http://localhost:8080/x?y#z",
      ...Array(5).fill(null),
    ]);
  });

  it("leads programs on, which nobody sends here by a link", async () => {
    const response = await ask(incoming("/__proxy__/?host=https://a.test&then=/x"));
    expect(response.headers.get("location")).toBe("http://localhost:8080/x");
  });

  it("leads nowhere from a host that is refused", async () => {
    const response = await ask(incoming("/__proxy__/?host=evil&then=/x"));
    expect(response.status).toBe(400);
    expect(response.headers.has("location")).toBe(false);
  });
});

describe("neither", () => {
  it.each([
    { fields: {}, host: null, selector: null },
    { fields: { proxy_host: "https://a.test" }, host: "https://a.test", selector: "header" },
    {
      fields: { cookie: "proxy_host=https%3A%2F%2Fa.test%2Fv1%2F" },
      host: "https://a.test/v1",
      selector: "cookie",
    },
    { fields: { host: "a-test.w.localhost:8080" }, host: "https://a.test", selector: "label" },
  ])("tells what / would be sent to: $fields", async ({ fields, host, selector }) => {
    const response = await ask(incoming("/__proxy__/?other=1", fields));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ host, selector });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  it.each([{ fields: { proxy_host: "evil" } }, { fields: { cookie: "proxy_host=evil" } }])(
    "names a malformed selector: $fields",
    async ({ fields }) => {
      const response = await ask(incoming("/__proxy__/", fields));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ title: "Proxy Error" });
    },
  );

  it.each([
    { console: true, accept: "text/html,*/*;q=0.8", type: "text/html; charset=utf-8" },
    { console: true, accept: "application/json", type: "application/json" },
    { console: true, accept: "*/*", type: "application/json" },
    { console: false, accept: "text/html,*/*;q=0.8", type: "application/json" },
  ])("is $type for $accept (console: $console)", async ({ console, accept, type }) => {
    const response = await createProxy({ console }).handle(
      incoming("/__proxy__/", { accept }),
      target().runtime,
    );
    expect(response.headers.get("content-type")).toBe(type);
  });
});
