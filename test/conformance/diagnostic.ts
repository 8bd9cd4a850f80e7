/**
 * The diagnostic object: what `/` answers when there is no target.
 * @module
 */
import { describe, expect, it } from "vitest";
import { alike, expectedOf, METHODS, outcomeOf, type Pool, request, rowsOf, send } from "../support/topic.ts";

const MSG = "Please set host first!";

const METHOD_ROWS = alike("method")`
  GET POST PUT PATCH DELETE OPTIONS PROPFIND`;

const PATH_ROWS = [
  ...alike("sent", { path: "/" })`/ /?`,
  ...alike("sent", { path: "/a/b" })`/a/b /a/b?c=d`,
  { sent: "/a?b?c", path: "/a" },
  { sent: "/a%2Fb//c%20d", path: "/a%2Fb//c%20d" },
  { sent: "//evil.test/p?q", path: "//evil.test/p" },
  { sent: "/__proxyx", path: "/__proxyx" },
];

const MISSED = rowsOf(["line", "fields", "says"], [
  ["GET /p?q=1", {}, undefined],
  ["GET /?url=", {}, "parameter url is not read here, expected /__proxy__/?url="],
  ["GET /", { proxyhost: "http://a.test" }, "header proxyhost is not read, expected proxy_host"],
  ["GET /", { Host: "api-test.localhost" }, "Host looks like a label, expected api-test.w.localhost"],
  [
    "GET /?token=s3cret&hst=http://u:s3cret@a.test/",
    {},
    "parameter hst is not read here, expected /__proxy__/?host=",
  ],
  ["GET /?h\\st=x", {}, "parameter h\\\\st is not read here, expected /__proxy__/?host="],
  ["GET /", { [`x-${"-".repeat(10_000)}proxyhost`]: "s3cret" }, `header x-${"-".repeat(503)}...`],
]);

export function describeDiagnostic(pool: Pool): void {
  describe("diagnostic object", () => {
    const proxy = pool.with();

    it("has exactly six fields", async () => {
      const fields = { Host: "some.test:8080", "User-Agent": "tester/1.0 (a; b)" };
      const answer = await proxy.call("GET /path/to?x=1", { fields });
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toMatch(/^application\/json\b/);
      expect(answer.header("proxy-status")).toBeUndefined();
      // In this order.
      expect(answer.text).toBe(JSON.stringify({
        msg: MSG,
        method: "GET",
        host: "some.test:8080",
        path: "/path/to",
        ip: "127.0.0.1",
        "user-agent": "tester/1.0 (a; b)",
      }));
    });

    it("links the console", async () =>
      expect((await proxy.call("GET /")).header("link")).toBe('</__proxy__/>; rel="help"'));

    it.each(MISSED)("says in Proxy-Status that $line names no target", async ({ line, fields, says }) => {
      const answer = await proxy.call(line, { fields });
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.json() as object)).toHaveLength(6);
      expect(answer.header("proxy-status")).toBe(says && `fetchvia; details="${says}"`);
    });

    it.each(METHOD_ROWS)("tells $method", async ({ method }) => {
      const answer = await proxy.call(`${method} /`);
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ msg: MSG, method });
    });

    it.each(alike("method")`BREW patch`)("tells $method where the runtime knows it", async ({ method }) => {
      expect(outcomeOf(await proxy.call(`${method} /`))).toBe(expectedOf(METHODS, pool.runtime, method, 200));
    });

    it("answers a request with a body", async () => {
      const answer = await proxy.call("POST /", { body: "x".repeat(100_000) });
      expect(answer).toMatchObject({ status: 200, ended: "end" });
      expect(answer.json()).toMatchObject({ method: "POST" });
    });

    it("answers HEAD without a body", async () =>
      expect(await proxy.call("HEAD /")).toMatchObject({ status: 200, text: "", ended: "end" }));

    it.each(PATH_ROWS)("tells path $path of $sent", async ({ sent, path }) => {
      expect((await proxy.call(`GET ${sent}`)).json()).toMatchObject({ msg: MSG, path });
    });

    it("tells the address that the caller has", async () =>
      expect((await proxy.call("GET /", { from: "127.0.0.2" })).json()).toMatchObject({ ip: "127.0.0.2" }));

    it("believes no field about the address", async () => {
      const fields = {
        "X-Forwarded-For": "203.0.113.1",
        Forwarded: "for=203.0.113.1",
        "X-Real-IP": "203.0.113.1",
      };
      expect((await proxy.call("GET /", { fields })).json()).toMatchObject({ ip: "127.0.0.1" });
    });

    it("has an empty user-agent where there is none", async () =>
      expect((await send(proxy.port, request("GET", "/", { Host: "a.test" }))).json())
        .toEqual({ msg: MSG, method: "GET", host: "a.test", path: "/", ip: "127.0.0.1", "user-agent": "" }));
  });
}
