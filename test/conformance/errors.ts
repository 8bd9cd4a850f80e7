/**
 * What the caller sees when the target cannot be had, and the methods that nobody may use.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cut, raw, reset } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { CERT_FILE, CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { open, request } from "../support/client.ts";
import { ERROR_TYPES, expectedOf, STATUSES } from "../support/exceptions.ts";
import { expectError } from "../support/expect.ts";
import { NOWHERE } from "../support/nowhere.ts";
import type { Pool } from "../support/pool.ts";
import { freePort } from "../support/free-port.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const BROKEN = [
  { name: "a reset", answer: reset(), error: "connection_terminated" },
  { name: "a close without an answer", answer: cut(), error: "connection_terminated" },
  {
    name: "a reset in the head",
    answer: reset("HTTP/1.1 200 OK\r\nContent-"),
    error: "connection_terminated",
  },
  { name: "no HTTP", answer: cut("SSH-2.0-OpenSSH_9.2\r\n\r\n"), error: "http_protocol_error" },
  {
    name: "a bad field line",
    answer: raw("HTTP/1.1 200 OK\r\nbad field\r\n\r\n"),
    error: "http_protocol_error",
  },
  {
    name: "two lengths",
    answer: raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"),
    error: "http_protocol_error",
  },
];

/** What the body says where the proxy refuses CONNECT itself. */
const CONNECT_DETAILS: Record<number, RegExp> = {
  405: /"detail":".*CONNECT: fetchvia is no forward proxy \(curl -x, .*with the field proxy_host/,
};

/** Declares the tests. */
export function describeErrors(pool: Pool): void {
  const errorOf = (type: string) => expectedOf(ERROR_TYPES, pool.runtime, type, type);
  describe("a target that cannot be had", () => {
    const proxy = pool.with();
    let closed: string;
    beforeAll(async () => {
      closed = `http://localhost:${await freePort()}`;
    });

    it("is refused by the header", async () => {
      const answer = await proxy.call("GET /p", { fields: { proxy_host: closed } });
      expectError(answer, { status: 502, error: errorOf("connection_refused") });
    });

    it("is refused by the cookie", async () => {
      const answer = await proxy.call("GET /p", { fields: { Cookie: `proxy_host=${closed}` } });
      expectError(answer, { status: 502, error: errorOf("connection_refused") });
    });

    it("is refused by the label", async () => {
      const fields = { Host: `localhost-${new URL(closed).port}.w.localhost` };
      const answer = await proxy.call("GET /p", { fields });
      expectError(answer, { status: 502, error: errorOf("connection_refused") });
    });

    it("is refused by url", async () => {
      const answer = await proxy.call(`GET /__proxy__/?url=${closed}/p`);
      expectError(answer, { status: 502, error: errorOf("connection_refused") });
    });

    it("is refused by arg", async () => {
      const answer = await proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: closed })}`);
      expectError(answer, { status: 502, error: errorOf("connection_refused"), title: "Fetch API Error" });
    });

    it("answers HEAD without a body", async () => {
      const answer = await proxy.call(`HEAD /__proxy__/?url=${closed}/p`);
      expect(answer).toMatchObject({ status: 502, text: "", ended: "end" });
      expect(answer.header("proxy-status")).toBe(`fetchvia; error=${errorOf("connection_refused")}`);
    });

    it.each([
      { line: `GET /__proxy__/?url=http://${NOWHERE}/`, title: "Proxy Error" as const },
      { line: `POST /__proxy__/?url=https://${NOWHERE}/`, title: "Proxy Error" as const },
      {
        line: `GET /__proxy__/fetch?arg=${argOf({ url: `http://${NOWHERE}/` })}`,
        title: "Fetch API Error" as const,
      },
    ])("has no address: $line", async ({ line, title }) => {
      expectError(await proxy.call(line), {
        status: 502,
        error: errorOf("dns_error"),
        names: NOWHERE,
        title,
      });
    });
  });

  describeBroken(pool);
  describeTls(pool);
  describeMethods(pool);
}

function describeBroken(pool: Pool): void {
  const errorOf = (type: string) => expectedOf(ERROR_TYPES, pool.runtime, type, type);
  describe("a target that answers badly", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each(BROKEN)("with $name", async ({ answer, error }) => {
      upstream.answer = answer;
      expectError(await proxy.call(`GET /__proxy__/?url=http://localhost:${upstream.port}/`), {
        status: 502,
        error: errorOf(error),
      });
    });

    it.each(BROKEN)("with $name to a POST, once", async ({ answer, error }) => {
      upstream.answer = answer;
      const options = { fields: { proxy_host: upstream.origin }, body: "once" };
      expectError(await proxy.call("POST /p", options), { status: 502, error: errorOf(error) });
      expect(upstream.requests).toHaveLength(1);
    });

    it("with nothing but an interim answer", async () => {
      upstream.answer = cut("HTTP/1.1 199 Odd\r\n\r\n");
      const answer = await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
      expectError(answer, { status: 502 });
    });

    it.each([{ status: 600 }, { status: 999 }])(
      "with status $status, which the detail names",
      async ({ status }) => {
        upstream.answer = raw(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`);
        const answer = await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } });
        expectError(answer, { status: 502, names: String(status) });
      },
    );
  });
}

function describeTls(pool: Pool): void {
  const errorOf = (type: string) => expectedOf(ERROR_TYPES, pool.runtime, type, type);
  describe("a target whose TLS fails", () => {
    const proxy = pool.with();

    it("because it speaks none, and closes at once", async () => {
      const upstream = await listen({ isSocket: true });
      upstream.connected = (socket) => socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      const answers = await Promise.all(
        Array.from(
          { length: 30 },
          () => proxy.call(`GET /__proxy__/?url=https://localhost:${upstream.port}/`),
        ),
      );
      const expected = { status: 502, error: errorOf("tls_protocol_error") };
      answers.forEach((answer) => expectError(answer, expected));
      await upstream.close();
    });

    it("because nobody trusts its certificate", async () => {
      const upstream = await listen({ tls: { cert: CERTIFICATE, key: PRIVATE_KEY } });
      const answer = await proxy.call(`GET /__proxy__/?url=https://localhost:${upstream.port}/`);
      expectError(answer, { status: 502, error: errorOf("tls_certificate_error") });
      expect(upstream.requests).toEqual([]);
      await upstream.close();
    });
  });
}

function describeMethods(pool: Pool): void {
  describe("methods that nobody may use", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it("refuse TRACE without a target", async () => {
      expectError(await proxy.call("TRACE /"), { status: 405, names: "TRACE" });
    });

    it("refuse TRACE to the configured host", async () => {
      const answer = await proxy.call("TRACE /p", { fields: { proxy_host: upstream.origin } });
      expectError(answer, { status: 405, names: "TRACE" });
      expect(upstream.requests).toEqual([]);
    });

    it("refuse TRACE to url", async () => {
      expectError(await proxy.call(`TRACE /__proxy__/?url=${upstream.origin}/`), {
        status: 405,
        names: "TRACE",
      });
      expect(upstream.requests).toEqual([]);
    });

    it("refuse CONNECT", async () => {
      const connection = await open(proxy.port);
      connection.write(request("CONNECT", upstream.host, { Host: upstream.host }));
      const answer = await connection.answer("CONNECT");
      connection.destroy();
      expect(answer.status).toBe(expectedOf(STATUSES, pool.runtime, "CONNECT", 405));
      expect(answer.text).toMatch(CONNECT_DETAILS[answer.status] ?? "");
      expect(upstream.open).toBe(0);
    });

    it("outlive callers of CONNECT who reset the connection, before and after the answer", async () => {
      const callers = await Promise.all(Array.from({ length: 6 }, () => open(proxy.port)));
      for (const caller of callers) caller.write(request("CONNECT", upstream.host, { Host: upstream.host }));
      for (const caller of callers.slice(0, 3)) caller.reset();
      await Promise.all(
        callers.slice(3).map((caller) => caller.answer("CONNECT").then(() => caller.reset())),
      );
      await sleep(200);
      expect((await proxy.call("GET /__proxy__/health")).status).toBe(200);
    });
  });
}

/** Declares the test of an authority that the environment names. */
export function describeNamedAuthority(pool: Pool): void {
  describe("a TLS handshake fails", () => {
    const trusting = pool.with({ NODE_EXTRA_CA_CERTS: CERT_FILE });
    it("unless its certificate is named as an authority", async () => {
      const upstream = await listen({ tls: { cert: CERTIFICATE, key: PRIVATE_KEY } });
      const answer = await trusting.call(`GET /__proxy__/?url=https://localhost:${upstream.port}/`);
      expect(answer.status).toBe(200);
      await upstream.close();
    });
  });
}
