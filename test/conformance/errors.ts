/**
 * What the caller sees when the target cannot be had, and the methods that nobody may use.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { NOWHERE } from "../support/nowhere.ts";
import { freePort } from "../support/free-port.ts";
import type { Pool } from "../support/topic.ts";
import { argOf, cut, ERROR_TYPES, expectedOf, expectError, listen, open, raw } from "../support/topic.ts";
import { request, reset, STATUSES, useUpstream } from "../support/topic.ts";

const FETCH = "/__proxy__/fetch?arg=";
const spell = (origin: string) => `localhost-${new URL(origin).port}`;
const OK = "HTTP/1.1 200 OK\r\n";
const LENGTHS = raw(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`);
const BROKEN = [
  { name: "a reset", answer: reset(), error: "connection_terminated" },
  { name: "a close without an answer", answer: cut(), error: "connection_terminated" },
  { name: "a reset in the head", answer: reset(`${OK}Content-`), error: "connection_terminated" },
  { name: "no HTTP", answer: cut("SSH-2.0-OpenSSH_9.2\r\n\r\n"), error: "http_protocol_error" },
  { name: "a bad field line", answer: raw(`${OK}bad field\r\n\r\n`), error: "http_protocol_error" },
  { name: "two lengths", answer: LENGTHS, error: "http_protocol_error" },
];

/** What the body says where the proxy refuses CONNECT itself. */
const CONNECT_DETAILS: Record<number, RegExp> = {
  405: /"detail":".*CONNECT: fetchvia is no forward proxy \(curl -x, .*with the field proxy_host/,
};

export function describeErrors(pool: Pool): void {
  const errorOf = (type: string) => expectedOf(ERROR_TYPES, pool.runtime, type, type);
  describe("a target that cannot be had", () => {
    const proxy = pool.with();
    let closed: string;
    beforeAll(async () => {
      closed = `http://localhost:${await freePort()}`;
    });

    it.each<
      {
        selector: string;
        title?: "Fetch API Error";
        line: () => string;
        fields?: () => Record<string, string>;
      }
    >([
      { selector: "the header", line: () => "GET /p", fields: () => ({ proxy_host: closed }) },
      { selector: "the cookie", line: () => "GET /p", fields: () => ({ Cookie: `proxy_host=${closed}` }) },
      {
        selector: "the label",
        line: () => "GET /p",
        fields: () => ({ Host: `${spell(closed)}.w.localhost` }),
      },
      { selector: "url", line: () => `GET /__proxy__/?url=${closed}/p` },
      { selector: "arg", title: "Fetch API Error", line: () => `GET ${FETCH}${argOf({ url: closed })}` },
    ])("is refused by $selector", async ({ line, fields, title }) => {
      const answer = await proxy.call(line(), { fields: fields?.() });
      expectError(answer, { status: 502, error: errorOf("connection_refused"), title });
    });

    it("answers HEAD without a body", async () => {
      const answer = await proxy.call(`HEAD /__proxy__/?url=${closed}/p`);
      expect(answer).toMatchObject({ status: 502, text: "", ended: "end" });
      expect(answer.header("proxy-status"))
        .toContain(`fetchvia; error=${errorOf("connection_refused")}; details=`);
    });

    it.each(
      [
        { line: `GET /__proxy__/?url=http://${NOWHERE}/`, title: "Proxy Error" },
        { line: `POST /__proxy__/?url=https://${NOWHERE}/`, title: "Proxy Error" },
        { line: `GET ${FETCH}${argOf({ url: `http://${NOWHERE}/` })}`, title: "Fetch API Error" },
      ] as const,
    )("has no address: $line", async ({ line, title }) =>
      expectError(await proxy.call(line), {
        status: 502,
        error: errorOf("dns_error"),
        names: NOWHERE,
        title,
      }));
  });

  describeBroken(pool);
  describeTls(pool);

  describe("methods that nobody may use", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it("refuse TRACE without a target", async () =>
      expectError(await proxy.call("TRACE /"), { status: 405, names: "TRACE" }));

    it("refuse TRACE to the configured host", async () => {
      const answer = await proxy.call("TRACE /p", { fields: { proxy_host: upstream.origin } });
      expectError(answer, { status: 405, names: "TRACE" });
      expect(upstream.requests).toEqual([]);
    });

    it("refuse TRACE to url", async () => {
      const answer = await proxy.call(`TRACE /__proxy__/?url=${upstream.origin}/`);
      expectError(answer, { status: 405, names: "TRACE" });
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
      const answered = callers.slice(3);
      await Promise.all(answered.map((caller) => caller.answer("CONNECT").then(() => caller.reset())));
      await sleep(200);
      expect((await proxy.call("GET /__proxy__/health")).status).toBe(200);
    });
  });
}

function describeBroken(pool: Pool): void {
  const errorOf = (type: string) => expectedOf(ERROR_TYPES, pool.runtime, type, type);
  describe("a target that answers badly", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(BROKEN)("with $name", async ({ answer, error }) => {
      upstream.answer = answer;
      const failed = await proxy.call(`GET /__proxy__/?url=http://localhost:${upstream.port}/`);
      expectError(failed, { status: 502, error: errorOf(error) });
    });

    it.each(BROKEN)("with $name to a POST, once", async ({ answer, error }) => {
      upstream.answer = answer;
      const options = { fields: { proxy_host: upstream.origin }, body: "once" };
      expectError(await proxy.call("POST /p", options), { status: 502, error: errorOf(error) });
      expect(upstream.requests).toHaveLength(1);
    });

    it("with nothing but an interim answer", async () => {
      upstream.answer = cut("HTTP/1.1 199 Odd\r\n\r\n");
      expectError(await proxy.call("GET /p", { fields: { proxy_host: upstream.origin } }), { status: 502 });
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
      const line = `GET /__proxy__/?url=https://localhost:${upstream.port}/`;
      const answers = await Promise.all(Array.from({ length: 30 }, () => proxy.call(line)));
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
