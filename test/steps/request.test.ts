/**
 * Step 3 as a target sees it: what of a request goes out, what is dropped, what is mapped.
 * @module
 */
import { toStandard } from "../../src/http/body.ts";
import { describe, expect, it } from "vitest";
import { createProxy } from "../../src/proxy.ts";
import type { Incoming, Outgoing } from "../../src/exchange/runtime.ts";
import { incoming, target } from "../support/handle.ts";

/** Sends a request by a host selector, and gives what went out. */
async function forward(
  request: Incoming,
  options: Parameters<typeof createProxy>[0] = {},
): Promise<Outgoing> {
  const { sent, runtime } = target();
  const response = await createProxy(options).handle(request, runtime);
  expect(response.status).toBe(200);
  expect(sent).toHaveLength(1);
  return sent[0] as Outgoing;
}

const BASE = { proxy_host: "https://a.test:8443" };

describe("fields that go out as they came", () => {
  it.each([
    { name: "accept", value: "text/html, */*;q=0.1" },
    { name: "accept-encoding", value: "gzip, br" },
    { name: "authorization", value: "Bearer t" },
    { name: "user-agent", value: "curl/8" },
    { name: "content-type", value: "text/x; a=b" },
    { name: "content-encoding", value: "gzip" },
    { name: "if-none-match", value: 'W/"x", "y"' },
    { name: "range", value: "bytes=0-1" },
    { name: "x-own", value: "caf\u00e9\u00ff" },
    { name: "x_under", value: "1" },
    { name: "cookie", value: 'a=1; b="2";  c=' },
    { name: "origin", value: "null" },
    { name: "referer", value: "https://other.test/page?q" },
    { name: "upgrade-insecure-requests", value: "1" },
    { name: "sec-fetch-site", value: "none" },
  ])("$name: $value", async ({ name, value }) => {
    expect((await forward(incoming("/", { ...BASE, [name]: value }))).headers.get(name)).toBe(value);
  });

  it("are all there are: nothing of the runtime's is added", async () => {
    const { headers } = await forward(incoming("/", BASE));
    expect([...headers].map(([name]) => name).filter((name) => name !== "cdn-loop")).toEqual(["host"]);
  });
});

describe("fields that never go out", () => {
  it.each([
    { name: "connection", value: "keep-alive" },
    { name: "keep-alive", value: "timeout=5" },
    { name: "te", value: "trailers" },
    { name: "trailer", value: "x-t" },
    { name: "expect", value: "100-continue" },
    { name: "upgrade", value: "h2c" },
    { name: "http2-settings", value: "AAMAAABkAARAAAAAAAIAAAAA" },
    { name: "proxy-connection", value: "keep-alive" },
    { name: "proxy-authorization", value: "Basic x" },
    { name: "proxy-authenticate", value: "Basic" },
    { name: "proxy-anything", value: "1" },
    { name: "forwarded", value: "for=9.9.9.9;host=evil.test" },
    { name: "x-forwarded-for", value: "9.9.9.9" },
    { name: "x-forwarded-host", value: "evil.test" },
    { name: "x-forwarded-proto", value: "https" },
    { name: "x-forwarded-port", value: "1" },
    { name: "x-real-ip", value: "9.9.9.9" },
    { name: "x-client-ip", value: "9.9.9.9" },
    { name: "true-client-ip", value: "9.9.9.9" },
    { name: "cf-connecting-ip", value: "9.9.9.9" },
    { name: "fastly-client-ip", value: "9.9.9.9" },
    { name: "proxy_token", value: "t" },
    { name: "proxy-token", value: "t" },
  ])("$name", async ({ name, value }) => {
    expect((await forward(incoming("/", { ...BASE, [name]: value }))).headers.has(name)).toBe(false);
  });

  it.each([{ name: "proxy_host" }, { name: "proxy-host" }])("$name", async ({ name }) => {
    const { headers } = await forward(incoming("/", { [name]: "https://a.test" }));
    expect([...headers].map(([name]) => name).filter((key) => /proxy.host/.test(key))).toEqual([]);
  });
});

describe("Connection", () => {
  it.each([
    { connection: "x-hop" },
    { connection: "close, X-Hop" },
    { connection: "keep-alive,x-hop , x-other" },
  ])("takes away what it names: $connection", async ({ connection }) => {
    const { headers } = await forward(incoming("/", { ...BASE, connection, "x-hop": "1", "x-kept": "2" }));
    expect(headers.has("x-hop")).toBe(false);
    expect(headers.get("x-kept")).toBe("2");
  });

  it.each([
    { name: "authorization", value: "Bearer t" },
    { name: "cookie", value: "a=1" },
    { name: "content-type", value: "text/x" },
    { name: "content-encoding", value: "gzip" },
  ])("may not take away $name", async ({ name, value }) => {
    const fields = { ...BASE, connection: `close, ${name.toUpperCase()}`, [name]: value };
    expect((await forward(incoming("/", fields))).headers.get(name)).toBe(value);
  });

  it("may not take away host and content-length", async () => {
    const fields = { ...BASE, connection: "host, content-length", "content-length": "3" };
    const { headers, body } = await forward(incoming("/", fields, "POST", new TextEncoder().encode("abc")));
    expect(headers.get("host")).toBe("a.test:8443");
    expect(headers.get("content-length")).toBe("3");
    expect(await new Response(toStandard(body)).text()).toBe("abc");
  });
});

describe("Host, Origin and Referer", () => {
  it.each([
    { name: "host", value: "localhost:8080", sent: "a.test:8443" },
    { name: "origin", value: "http://localhost:8080", sent: "https://a.test:8443" },
    { name: "origin", value: "https://other.test", sent: "https://other.test" },
    { name: "origin", value: "http://localhost:80801", sent: "http://localhost:80801" },
    { name: "referer", value: "http://localhost:8080/p?q", sent: "https://a.test:8443/p?q" },
    { name: "referer", value: "http://localhost:8080/", sent: "https://a.test:8443/" },
    { name: "referer", value: "http://localhost:8080", sent: "https://a.test:8443/" },
    { name: "referer", value: "http://localhost:8080//evil.test/", sent: "https://a.test:8443//evil.test/" },
    { name: "referer", value: "http://localhost:8080/__proxy__/?url=http://b.test/", sent: null },
    { name: "referer", value: "https://localhost:8080/__proxy__/?url=http://b.test/", sent: null },
    { name: "referer", value: "https://proxy.test/__proxy__/fetch?arg=e30", sent: null },
    { name: "referer", value: "http://localhost:80801/p", sent: "http://localhost:80801/p" },
    {
      name: "referer",
      value: "http://localhost:8080.evil.test/p",
      sent: "http://localhost:8080.evil.test/p",
    },
  ])("$name: $value goes out as $sent", async ({ name, value, sent }) => {
    expect((await forward(incoming("/", { ...BASE, [name]: value }))).headers.get(name)).toBe(sent);
  });

  it("point at the base path of the target where there is one", async () => {
    const fields = {
      proxy_host: "https://a.test/v1",
      referer: "http://localhost:8080/p",
      origin: "http://localhost:8080",
    };
    const { headers, path } = await forward(incoming("/users?x=1", fields));
    expect([path, headers.get("referer"), headers.get("origin")]).toEqual([
      "/v1/users?x=1",
      "https://a.test/v1/p",
      "https://a.test",
    ]);
  });

  it("keep a referer of another port where the proxy has none", async () => {
    const request = incoming("/", { ...BASE, host: "localhost", referer: "http://localhost:3000/p" });
    expect((await forward(request)).headers.get("referer")).toBe("http://localhost:3000/p");
  });
});

describe("cookies", () => {
  it.each([
    { cookie: "a=1; proxy_host=https://a.test:8443; b=2", sent: "a=1; b=2" },
    { cookie: "proxy_host=https://a.test:8443", sent: null },
    { cookie: "proxy_token=t; proxy_host=https%3A%2F%2Fa.test%3A8443; sid=x==", sent: "sid=x==" },
  ])("$cookie goes out as $sent", async ({ cookie, sent }) => {
    expect((await forward(incoming("/", { cookie }))).headers.get("cookie")).toBe(sent);
  });

  it("of the stored host do not go to another one", async () => {
    const cookie = "sid=1; proxy_host=https://stored.test";
    expect((await forward(incoming("/", { ...BASE, cookie }))).headers.has("cookie")).toBe(false);
  });
});

describe("path", () => {
  it.each([
    { path: "//evil.test/x" },
    { path: "/%2F%7E%zz|'\"<>{}^`" },
    { path: "/a/../b/./c" },
    { path: "/?" },
    { path: "/a?b?c=//d&&=" },
    { path: "/@evil.test:80/" },
  ])("$path goes out byte for byte", async ({ path }) => {
    const outgoing = await forward(incoming(path, BASE));
    expect(outgoing.path).toBe(path);
    expect(outgoing.origin.href).toBe("https://a.test:8443/");
  });
});

describe("a Referer behind a front that takes its prefix off", () => {
  it.each([
    ...["token=t", "sig=s", "proof=p", "confirm=c", "ticket=t"].map((secret) => ({
      query: `x=1&${secret}`,
      passes: false,
    })),
    { query: "x=1", passes: true },
    { query: "nottoken=1", passes: true },
  ])("with $query passes: $passes", async ({ query, passes }) => {
    const { sent, runtime } = target();
    const referer = `http://front.test/front/__proxy__/?${query}`;
    await createProxy().handle(incoming("/", { proxy_host: "https://a.test", referer }), runtime);
    expect(sent[0]?.headers.get("referer")).toBe(passes ? referer : null);
  });
});

describe("Max-Forwards of OPTIONS", () => {
  it.each([
    { said: "1", left: "0" },
    { said: "70", left: "69" },
    { said: "x", left: "x" },
    { said: "", left: "" },
    { said: "9999999999", left: "9999999999" },
  ])("leaves $left of '$said'", async ({ said, left }) => {
    const { headers } = await forward(incoming("/", { ...BASE, "max-forwards": said }, "OPTIONS"));
    expect(headers.get("max-forwards")).toBe(left);
  });
});

describe("a sealed request", () => {
  const AMBIENT = { cookie: "a=1", authorization: "Basic eDp5" };
  const BROWSER = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };

  it.each([
    { about: "a program", fields: {}, sends: true },
    { about: "a browser", fields: BROWSER, sends: false },
    { about: "a page without Fetch Metadata", fields: { origin: "http://localhost:8080" }, sends: false },
    { about: "what may be either", fields: { host: "proxy.lan" }, sends: false },
  ])("of $about sends cookies and passwords: $sends", async ({ fields, sends }) => {
    const request = incoming("/", { ...BASE, ...AMBIENT, proxy_seal: "1", ...fields });
    const { headers } = await forward(request);
    expect([headers.get("cookie"), headers.get("authorization")]).toEqual(
      sends ? ["a=1", "Basic eDp5"] : [null, null],
    );
  });

  it("sends a token that no browser adds by itself, and what proxy_headers says", async () => {
    const own = { proxy_headers: btoa('{"cookie":"b=2"}'), authorization: "Bearer t" };
    const { headers } = await forward(
      incoming("/", { ...BASE, ...AMBIENT, ...BROWSER, proxy_seal: "1", ...own }),
    );
    expect([headers.get("cookie"), headers.get("authorization")]).toEqual(["b=2", "Bearer t"]);
  });
});
