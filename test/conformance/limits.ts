/**
 * `RATE_LIMIT`, `MAX_CONCURRENT`, and callers who take their time.
 * @module
 */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { chunked, cut, delayed, Gate, paced, reply, reset, silence } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { open, request } from "../support/client.ts";
import { expectError } from "../support/expect.ts";
import { expectResets, leaveAfter } from "../support/leaving.ts";
import { NOWHERE } from "../support/nowhere.ts";
import { rowsWith } from "../support/capabilities.ts";
import type { Pool } from "../support/pool.ts";
import { type Handler, listen, type Upstream } from "../support/upstream.ts";
import { waitFor } from "../support/wait.ts";

const LIMIT = 3;
/** Peers in 127.0.9.0/24 are trusted, others are not. */
const RATED = { RATE_LIMIT: `${LIMIT}/60s`, TRUSTED_PROXIES: "127.0.9.0/24" };

/** So many requests one after the other. */
async function statusesOf(times: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < times) statuses.push((await call()).status);
  return statuses;
}

function describeRate(pool: Pool): void {
  describe("a rate limit", () => {
    const proxy = pool.with(RATED);
    const ALLOWED = [200, 200, 200];

    it("stops a caller, and says when to come again", async () => {
      const options = { from: "127.0.3.1" };
      expect(await statusesOf(LIMIT, () => proxy.call("GET /", options))).toEqual(ALLOWED);
      const answer = await proxy.call("GET /", options);
      expectError(answer, { status: 429, error: "http_request_denied" });
      expect(answer.header("proxy-status"))
        .toContain('; details="RATE_LIMIT of this proxy, for each caller"');
      const seconds = Number(answer.header("retry-after"));
      expect(seconds).toBeGreaterThan(30);
      expect(seconds).toBeLessThanOrEqual(60);
    });

    it.each([
      { line: "GET /p" },
      { line: "POST /p" },
      { line: "GET /__proxy__/" },
      { line: `GET /__proxy__/?url=http://${NOWHERE}/` },
      { line: "GET /__proxy__/nope" },
      { line: "OPTIONS /p" },
      { line: "TRACE /p" },
      { line: "GET /p", fields: { Host: "u@evil.test" } },
      { line: "GET /__proxy__/", fields: { Host: "u@evil.test" } },
    ].map((row, index) => ({ fields: {}, ...row, from: `127.0.3.${index + 10}` })))(
      "counts $line with $fields",
      async ({ line, ...options }) =>
        expect((await statusesOf(LIMIT + 1, () => proxy.call(line, options))).indexOf(429)).toBe(LIMIT),
    );

    it("never stops health", async () => {
      const call = () => proxy.call("GET /__proxy__/health", { from: "127.0.3.4" });
      expect(new Set(await statusesOf(LIMIT * 2, call))).toEqual(new Set([200]));
      expect(await statusesOf(LIMIT, () => proxy.call("GET /", { from: "127.0.3.4" }))).toEqual(ALLOWED);
    });

    it("counts the callers of a trusted proxy one by one", async () => {
      const call = (address: string) =>
        proxy.call("GET /", { from: "127.0.9.1", fields: { "X-Forwarded-For": address } });
      expect(await statusesOf(LIMIT + 1, () => call("203.0.113.7"))).toEqual([...ALLOWED, 429]);
      expect((await call("203.0.113.8")).status).toBe(200);
      // Who invents addresses in front of the own one stays who it is.
      expect((await call("203.0.113.9, 203.0.113.7")).status).toBe(429);
    });

    it("is not passed by a stranger who invents addresses", async () => {
      let last = 0;
      const call = () =>
        proxy.call("GET /", { from: "127.0.3.5", fields: { "X-Forwarded-For": `203.0.113.${last += 1}` } });
      expect(await statusesOf(LIMIT + 1, call)).toEqual([...ALLOWED, 429]);
    });

    it("takes a /64 of IPv6 for one caller", async () => {
      const call = (address: string) =>
        proxy.call("GET /", { from: "127.0.9.2", fields: { "X-Forwarded-For": address } });
      let last = 0;
      expect(await statusesOf(LIMIT + 1, () => call(`2620:fe:0:1::${last += 1}`))).toEqual([...ALLOWED, 429]);
      expect((await call("2620:fe:0:1:ffff:ffff:ffff:ffff")).status).toBe(429);
      expect((await call("2620:fe:0:2::1")).status).toBe(200);
    });
  });
}

/** Declares what no runtime has a part in. */
export function describeRates(pool: Pool): void {
  describeRate(pool);

  describe("a rate limit that has its time", () => {
    const brief = pool.with({ RATE_LIMIT: "1/3s" });

    it("ends with its time", async () => {
      await statusesOf(2, () => brief.call("GET /"));
      const answer = await brief.call("GET /");
      expect([answer.status, answer.header("retry-after")]).toEqual([429, expect.stringMatching(/^[123]$/)]);
      await vi.waitFor(async () => expect((await brief.call("GET /")).status).toBe(200), {
        timeout: 20_000,
        interval: 200,
      });
    });
  });

  describe("metrics with a rate limit", () => {
    const open = pool.with({ RATE_LIMIT: "1/60s", METRICS: "true" });
    const scraped = pool.with({ RATE_LIMIT: "1/60s", METRICS: "true", PROXY_TOKEN: "secret" });

    it("does not count a scraper of metrics, but counts guesses there", async () => {
      const ask = async (token: string) =>
        (await scraped.call("GET /__proxy__/metrics", { fields: { Authorization: `Bearer ${token}` } }))
          .status;
      const statuses = [await ask("secret"), await ask("secret"), await ask("guess"), await ask("secret")];
      expect(statuses).toEqual([200, 200, 401, 429]);
    });

    it("never stops a scraper of metrics that are open to all, nor counts it", async () => {
      const ask = async (path: string) => (await open.call(`GET ${path}`)).status;
      const statuses = [];
      for (const path of "/__proxy__/metrics /__proxy__/metrics / / /__proxy__/metrics".split(" ")) {
        statuses.push(await ask(path));
      }
      expect(statuses).toEqual([200, 200, 200, 429, 200]);
    });
  });
}

/** How a request that holds a place may end; afterwards the place is free. */
const ENDS: { about: string; answer: Handler; status: number }[] = [
  { about: "a whole body", answer: chunked(200, {}, ["a", "b"], 10), status: 200 },
  { about: "a body with length", answer: reply(200, {}, "x".repeat(400_000)), status: 200 },
  { about: "no body", answer: reply(204), status: 204 },
  { about: "a reset", answer: reset(), status: 502 },
  { about: "an odd status", answer: reply(999), status: 502 },
  {
    about: "a body that is cut",
    answer: cut("HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\nx"),
    status: 200,
  },
];

/** Declares what sockets have a part in: who holds a place, and for how long. */
export function describeConcurrent(pool: Pool): void {
  describe("a limit of requests in flight", () => {
    const proxy = pool.with({ MAX_CONCURRENT: "1", METRICS: "true" });
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      expectResets(upstream);
      return () => upstream.close();
    });
    const fields = () => ({ proxy_host: upstream.origin });
    const isFree = () => waitFor(async () => expect((await proxy.call("GET /")).status).toBe(200));
    const isFull = async () => {
      const answer = await proxy.call("GET /");
      expectError(answer, { status: 503, error: "connection_limit_reached" });
      expect(answer.header("retry-after")).toMatch(/^[1-9]\d*$/);
    };

    it("refuses the next one until the answer is whole, not until its head", async () => {
      upstream.answer = chunked(200, {}, ["a", "b", "c", "d", "e"], 100);
      const connection = await open(proxy.port);
      connection.write(request("GET", "/p", { Host: "localhost", ...fields() }));
      await connection.until("\r\n\r\n");
      await isFull();
      expect((await connection.answer()).text).toBe("abcde");
      connection.destroy();
      await isFree();
    });

    it("never refuses health and counters", async () => {
      const gate = new Gate();
      upstream.answer = gate.hold(reply(200));
      const slow = proxy.call("GET /p", { fields: fields() });
      await upstream.next();
      expect((await proxy.call("GET /__proxy__/health")).status).toBe(200);
      expect((await proxy.call("GET /__proxy__/metrics")).status).toBe(200);
      await isFull();
      gate.open();
      expect((await slow).status).toBe(200);
    });

    it.each(ENDS)("frees the place after $about", async ({ answer, status }) => {
      upstream.answer = answer;
      const statuses = await statusesOf(3, () => proxy.call("GET /p", { fields: fields() }));
      expect(statuses).toEqual([status, status, status]);
      await isFree();
    });

    it.each([
      { line: "HEAD /__proxy__/?url={origin}/p" },
      { line: "HEAD /__proxy__/fetch?arg={arg}" },
      { line: "GET /__proxy__/fetch?arg=x" },
      { line: "GET /__proxy__/?host=x" },
      { line: "GET /__proxy__/nope" },
    ])("frees the place after $line", async ({ line }) => {
      upstream.answer = (received, socket) => {
        const body = received.method === "HEAD" ? "" : "1\r\nx\r\n0\r\n\r\n";
        socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
      };
      const written = line.replace("{origin}", upstream.origin).replace(
        "{arg}",
        argOf({ url: `${upstream.origin}/p` }),
      );
      expect(await statusesOf(3, () => proxy.call(written))).not.toContain(503);
      await isFree();
    });

    it.each([
      ...rowsWith(pool.runtime, "word of callers who leave before a response", [
        { about: "before the answer", answer: silence, until: undefined },
      ]),
      {
        about: "in the middle of it",
        answer: chunked(200, {}, Array<string>(100).fill("x"), 100),
        until: "\r\n\r\n",
      },
      {
        about: "in the middle of one with a length",
        answer: paced(200, {}, Array<string>(100).fill("x"), 100),
        until: "\r\n\r\n",
      },
    ])("frees the place of a caller who leaves $about", async ({ answer, until }) => {
      upstream.answer = answer;
      const connection = await open(proxy.port);
      const arrived = upstream.next();
      connection.write(request("GET", "/p", { Host: "localhost", ...fields() }));
      await arrived;
      await connection.until(until ?? "");
      await isFull();
      connection.destroy();
      await isFree();
    });

    it.each([
      { about: "in chunks", answer: chunked(200, {}, ["a", "b"], 2) },
      { about: "with a length", answer: paced(200, {}, ["a", "b"], 2) },
    ])("loses no place to callers of an answer $about who leave at any moment", async ({ answer }) => {
      upstream.answer = delayed(5, answer);
      const bytes = request("GET", "/p", { Host: "localhost", ...fields() });
      await leaveAfter(proxy.port, bytes, Array.from({ length: 60 }, (_, index) => index % 15));
      await isFree();
      expect((await proxy.call("GET /__proxy__/metrics")).text).toContain("fetchvia_in_flight 1\n");
    });
  });
}
