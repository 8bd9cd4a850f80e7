/**
 * Heads of requests that two servers may read in two ways, and requests that are meant for the proxy (RFC 9112 §3.2,
 * RFC 9110 §7.6.2 and §9.3.7).
 * @module
 */
import { describe, expect, it } from "vitest";
import { expectedOf, outcomeOf, type Pool, REQUEST_HEADS, seen, useLink, whole } from "../support/topic.ts";
import { rowsOf } from "../support/topic.ts";

/** `{own}` is the proxy's host and port, `{target}` the target; without a loopback Host that one is not reached. */
const HEADS = rowsOf(["name", "head", "outcome"], [
  ["one host", "GET /p HTTP/1.1\r\nHost: {own}\r\n", 200],
  ["two hosts", "GET /p HTTP/1.1\r\nHost: {own}\r\nHost: evil.test\r\n", 400],
  ["two equal hosts", "GET /p HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n", 400],
  ["no host", "GET /p HTTP/1.1\r\n", 400],
  ["an empty host", "GET /p HTTP/1.1\r\nHost:\r\n", 403],
  ["a host beyond ASCII", "GET /p HTTP/1.1\r\nHost: m\xfcn.test\r\n", 403],
  ["no host in HTTP/1.0", "GET /p HTTP/1.0\r\n", 403],
  ["an absolute address", "GET http://{own}/p HTTP/1.1\r\nHost: {own}\r\n", 200],
  [
    "the default port of an absolute address",
    "GET http://localhost/p HTTP/1.1\r\nHost: localhost:80\r\n",
    200,
  ],
  [
    "no default port of an absolute address",
    "GET http://localhost:80/p HTTP/1.1\r\nHost: LocalHost\r\n",
    200,
  ],
  ["an absolute address of another port", "GET http://localhost:81/p HTTP/1.1\r\nHost: localhost\r\n", 400],
  ["an absolute address of another scheme", "GET ftp://{own}/p HTTP/1.1\r\nHost: {own}\r\n", 400],
  ["an unknown expectation", "GET /p HTTP/1.1\r\nHost: {own}\r\nExpect: 1\r\n", 200],
  ["an absolute address of another host", "GET http://evil.test/p HTTP/1.1\r\nHost: {own}\r\n", 400],
  ["a port over 65535", "GET /p HTTP/1.1\r\nHost: localhost:65536\r\n", 400],
  ["a DEL in a field", "GET /p HTTP/1.1\r\nHost: {own}\r\nX-Odd: a\x7fb\r\n", 400],
  ["a control byte in a field", "GET /p HTTP/1.1\r\nHost: {own}\r\nX-Odd: a\x01b\r\n", 400],
]);

/** The cookies that a browser sends: as many of 4 KB. */
function cookiesOf(count: number): { Cookie: string } {
  return { Cookie: Array.from({ length: count }, (_, index) => `c${index}=`.padEnd(4_094, "x")).join("; ") };
}

export function describeRequestHeads(pool: Pool): void {
  describe("heads of requests", () => {
    const link = useLink(pool);

    it.each(HEADS)("with $name: $outcome", async ({ name, head, outcome }) => {
      const connection = await link.open();
      const own = `127.0.0.1:${link.proxy.port}`;
      connection.write(`${head.replaceAll("{own}", own)}proxy_host: ${link.upstream.privateOrigin}\r\n\r\n`);
      const answer = await connection.answer();
      connection.destroy();
      const expected = expectedOf(REQUEST_HEADS, pool.runtime, name, outcome);
      expect({ outcome: outcomeOf(answer), arrived: link.upstream.targets })
        .toEqual({ outcome: expected, arrived: expected === 200 ? ["/p"] : [] });
    });

    it.each([
      { target: "http://{own}?x=1", arrives: ["/?x=1"] },
      { target: "http://{own}?x=/__proxy__/health", arrives: ["/?x=/__proxy__/health"] },
      { target: "http://{own}", arrives: ["/"] },
    ])("with the absolute address $target and no path ask for $arrives", async ({ target, arrives }) => {
      const connection = await link.open();
      const own = `127.0.0.1:${link.proxy.port}`;
      const fields = `Host: ${own}\r\nproxy_host: ${link.upstream.origin}`;
      connection.write(`GET ${target.replace("{own}", own)} HTTP/1.1\r\n${fields}\r\n\r\n`);
      expect(seen(await connection.answer())).toEqual(whole(200, "ok"));
      connection.destroy();
      expect(link.upstream.targets).toEqual(arrives);
    });

    it.each([
      { target: "http://example.com/p", isOther: true },
      { target: "http://127.0.0.1:1/", isOther: true },
      { target: "http://localhost:1/", isOther: true },
      { target: "http://{own}/p", isOther: false },
    ])(
      "with the absolute address $target of a forward proxy's caller are refused: $isOther",
      async ({ target, isOther }) => {
        const name = "an absolute address of another server, and no target";
        const outcome = isOther ? expectedOf(REQUEST_HEADS, pool.runtime, name, 400) : 200;
        const connection = await link.open();
        const [, host = ""] = /\/\/([^/]*)/.exec(target.replace("{own}", `127.0.0.1:${link.proxy.port}`)) ??
          [];
        connection.write(`GET ${target.replace("{own}", host)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        const answer = await connection.answer();
        connection.destroy();
        expect([
          outcomeOf(answer),
          answer.text.includes("fetchvia is no forward proxy (curl -x, HTTPS_PROXY)"),
        ])
          .toEqual([outcome, outcome === 400]);
      },
    );

    it.each([{ count: 28 }, { count: 100 }, { count: 180 }])(
      "with $count cookies of 4 KB are refused",
      async ({ count }) => {
        const answer = await link.call("GET /p", { fields: cookiesOf(count) });
        const outcome = expectedOf(REQUEST_HEADS, pool.runtime, `${count} cookies`, 431);
        expect(outcomeOf(answer)).toBe(outcome);
        expect(link.upstream.requests).toHaveLength(outcome === 200 ? 1 : 0);
      },
    );

    it.each([
      { count: 28, line: "GET /__proxy__/?host=" },
      { count: 180, line: "GET /__proxy__/?host=" },
      { count: 28, line: "GET /__proxy__?host=https://a.test" },
    ])("with $count cookies of 4 KB still reach $line", async ({ count, line }) => {
      const answer = await link.proxy.call(line, { fields: cookiesOf(count) });
      const outcome = expectedOf(REQUEST_HEADS, pool.runtime, `${count} cookies to get rid of`, 200);
      expect(outcomeOf(answer)).toBe(outcome);
      expect(answer.headersNamed("set-cookie").length > 0).toBe(outcome === 200);
    });

    it("with too many cookies are told how to go on, where the server hands them over", async () => {
      const outcome = expectedOf(REQUEST_HEADS, pool.runtime, "28 cookies", 431);
      const answer = await link.call("GET /p", { fields: cookiesOf(28) });
      expect(answer.text.includes("To drop cookies, open /__proxy__/?host=")).toBe(outcome === 431);
    });

    it.each([{ size: 70_000 }, { size: 400_000 }])(
      "with an address of $size are refused",
      async ({ size }) => {
        expect(outcomeOf(await link.call(`GET /?${"x".repeat(size)}`))).toBe(414);
        expect(link.upstream.requests).toEqual([]);
      },
    );

    it("with OPTIONS * ask the proxy itself", async () => {
      const answer = await link.call("OPTIONS *");
      expect(outcomeOf(answer)).toBe(expectedOf(REQUEST_HEADS, pool.runtime, "OPTIONS *", 204));
      expect(link.upstream.targets).not.toContain("/*");
    });

    it("with * and another method are refused", async () => {
      expect(outcomeOf(await link.call("GET *"))).toBe(expectedOf(REQUEST_HEADS, pool.runtime, "GET *", 400));
      expect(link.upstream.targets.filter((target) => target.includes("*"))).toEqual([]);
    });

    it("with OPTIONS /* ask the target", async () => {
      expect(seen(await link.call("OPTIONS /*"))).toEqual(whole(200, "ok"));
      expect(link.upstream.targets).toEqual(["/*"]);
    });

    it("ask the proxy itself where no hop is left", async () => {
      const answer = await link.call("OPTIONS /p", { fields: { "Max-Forwards": "0" } });
      expect(answer.status).toBe(204);
      expect(answer.header("allow")).toContain("OPTIONS");
      expect(link.upstream.requests).toEqual([]);
    });

    it.each([{ method: "OPTIONS", left: "4" }, { method: "GET", left: "5" }])(
      "leave $left of five hops to a target that is asked $method",
      async ({ method, left }) => {
        const answer = await link.call(`${method} /p`, { fields: { "Max-Forwards": "5" } });
        expect(seen(answer)).toEqual(whole(200, "ok"));
        expect(link.upstream.request.headersNamed("max-forwards")).toEqual([left]);
      },
    );
  });
}
