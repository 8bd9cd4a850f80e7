/**
 * `TARGETS`: what the table sets, removes, limits and allows, for its targets alone.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { decodeHead } from "../../src/core/address/sealed-head.ts";
import type { Pool } from "../support/topic.ts";
import { alike, argOf, expectError, listen, raw } from "../support/topic.ts";
import { reply, routes, silence, useUpstream } from "../support/topic.ts";
import { sentWith, valuesOf } from "./page-origins.ts";
import { rowsOf } from "../support/rows.ts";

/** Entries by the names of loopback; the port of a target is known only when it listens. */
export const TARGETS: string = JSON.stringify({
  $schema: "./targets.schema.json",
  "localhost": {
    label: "here",
    set: { "x-set": "table", "x-new": "1", "?version": "2" },
    remove: ["X-Gone", "user-agent"],
    answerSet: { "x-answer": "table", "x-added": "1" },
    answerRemove: ["X-Hidden"],
  },
  "127.0.0.1": {
    methods: ["GET", "POST"],
    paths: ["/v1/"],
    maxRequestBytes: 5,
    maxResponseBytes: 9,
    timeoutMs: 1_500,
    idleTimeoutMs: 1_500,
  },
});

export function describeTargets(pool: Pool): void {
  describe("the table of targets", () => {
    const proxy = pool.with({ TARGETS, MAX_REQUEST_BYTES: "3", ADDRESS_FORMS: "corsproxy" });
    const upstream = useUpstream();
    let named: string;
    beforeEach(() => {
      named = `http://localhost:${upstream.port}`;
    });

    const WAYS = rowsOf(["selector", "ask"], [
      ["header", () => proxy.call("GET /p?a=%2f", { fields: { proxy_host: named, ...SENT } })],
      ["cookie", () => proxy.call("GET /p?a=%2f", { fields: { Cookie: `proxy_host=${named}`, ...SENT } })],
      ["url", () => proxy.call(`GET /__proxy__/?url=${named}/p?a=%2f`, { fields: SENT })],
      [
        "arg",
        () => proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: `${named}/p?a=%2f`, headers: SENT })}`),
      ],
    ]);

    it.each(WAYS)("sets and removes, by $selector", async ({ ask }) => {
      upstream.answer = reply(200, { "X-Answer": "target", "X-Hidden": "1", "X-Kept": "1" }, "ok");
      const answer = await ask();
      const [received] = upstream.requests;
      expect(received?.target).toBe("/p?a=%2f&version=2");
      expect(received?.headersNamed("x-set")).toEqual(["table"]);
      expect(received?.header("x-new")).toBe("1");
      expect(received?.header("x-kept")).toBe("1");
      expect([received?.header("x-gone"), received?.header("user-agent")]).toEqual([undefined, undefined]);
      expect(answer.headersNamed("x-answer")).toEqual(["table"]);
      expect([answer.header("x-added"), answer.header("x-kept")]).toEqual(["1", "1"]);
      expect(answer.header("x-hidden")).toBeUndefined();
    });

    it.each([
      { about: "a sealed answer", line: "/__proxy__/?url=", fields: { proxy_seal: "1" } },
      { about: "x-cors-headers", line: "/?", fields: { "x-cors-headers": "{}" } },
    ])("shows the changed fields only by $about", async ({ line, fields }) => {
      upstream.answer = reply(200, { "X-Answer": "target", "X-Hidden": "1", "X-Kept": "1" }, "ok");
      const answer = await proxy.call(`GET ${line}${named}/p`, { fields });
      const shown = answer.header("cors-received-headers") ??
        Object.fromEntries(decodeHead(answer.header("x-fetchvia-head")!)!.headers);
      expect(typeof shown === "string" ? JSON.parse(shown) : shown)
        .toMatchObject({ "x-answer": "table", "x-added": "1", "x-kept": "1" });
      expect(JSON.stringify(shown)).not.toContain("hidden");
    });

    it("changes nothing for a target without an entry", async () => {
      upstream.answer = reply(200, { "X-Answer": "target", "X-Hidden": "1" }, "ok");
      const target = `http://127.0.0.3:${upstream.port}`;
      const other = await listen({ host: "127.0.0.3" });
      other.answer = upstream.answer;
      const answer = await proxy.call("GET /p?version=1", {
        fields: { proxy_host: target.replace(String(upstream.port), String(other.port)), ...SENT },
      });
      expect(other.requests[0]?.target).toBe("/p?version=1");
      expect(other.requests[0]?.headersNamed("x-set")).toEqual(["caller"]);
      expect([answer.header("x-answer"), answer.header("x-hidden")]).toEqual(["target", "1"]);
      await other.close();
    });

    it("applies to each hop anew", async () => {
      upstream.answer = (request, socket) => {
        const isFirst = request.target.startsWith("/first");
        const location = `http://127.0.0.1:${upstream.port}/v1/next`;
        return reply(isFirst ? 302 : 200, isFirst ? { Location: location } : {}, "ok")(request, socket);
      };
      const answer = await proxy.call(`GET /__proxy__/?url=${named}/first`);
      expect(upstream.requests.map(({ target }) => target)).toEqual(["/first?version=2", "/v1/next"]);
      expect(upstream.requests.map((request) => request.header("x-new"))).toEqual(["1", undefined]);
      expect(answer.header("x-final-url")).toBe(`http://127.0.0.1:${upstream.port}/v1/next`);
      expect(answer.header("x-added")).toBeUndefined();
    });

    it("refuses a hop that its entry does not allow", async () => {
      upstream.answer = reply(302, { Location: `http://127.0.0.1:${upstream.port}/v2/` }, "");
      expectError(await proxy.call(`GET /__proxy__/?url=${named}/first`), { status: 403 });
      expect(upstream.requests).toHaveLength(1);
    });

    it.each([
      { line: "PUT /v1/x", says: "method PUT is not allowed" },
      ...alike("line", { says: "this path is not allowed" })`
        GET /v2/x | GET /v1/%2e%2e/x | GET /v1/..%2fx | GET /v1`,
    ])("refuses $line", async ({ line, says }) => {
      const answer = await proxy.call(line, { fields: { proxy_host: upstream.origin } });
      expectError(answer, { status: 403, error: "http_request_denied" });
      expect(answer.text).toContain(says);
      expect(upstream.requests).toHaveLength(0);
    });

    it("sends the allowed path as it was written", async () => {
      await proxy.call("GET /v1//b%2fc?x=/../..", { fields: { proxy_host: upstream.origin } });
      expect(upstream.requests[0]?.target).toBe("/v1//b%2fc?x=/../..");
    });

    it("has limits in place of the settings'", async () => {
      const fields = { proxy_host: upstream.origin };
      const put = (body: string) => proxy.call("POST /v1/", { fields, body });
      expect([(await put("12345")).status, (await put("123456")).status]).toEqual([200, 413]);
      upstream.answer = reply(200, {}, "0123456789");
      expectError(await proxy.call("GET /v1/", { fields }), { status: 502 });
      upstream.answer = silence;
      expectError(await proxy.call("GET /v1/", { fields }), { status: 504 });
    });

    it("leaves the settings' limits to all others", async () => {
      const answer = await proxy.call("POST /p", { fields: { proxy_host: named }, body: "1234" });
      expectError(answer, { status: 413 });
      expect(upstream.requests).toHaveLength(0);
    });
  });
}

/** Declares the tests of members that need connections of the proxy's own. */
export function describeHost(pool: Pool): void {
  describe("a target's entry with host", () => {
    const proxy = pool.with({ TARGETS: '{"127.0.0.1":{"host":"caller"}}' });

    it("keeps the caller's Host", async () => {
      const upstream = await listen();
      await proxy.call("GET /p", { fields: { proxy_host: upstream.origin, Host: "app.localhost:81" } });
      expect(upstream.requests[0]?.header("host")).toBe("app.localhost:81");
      await upstream.close();
    });

    it.each([
      { named: "127.0.0.1", isHeard: true },
      { named: "localhost", isHeard: false },
    ])("tells one story of the host in all fields: $named", async ({ named, isHeard }) => {
      const upstream = await listen();
      const sent = sentWith("http://app.localhost:81");
      const target = `http://${named}:${upstream.port}`;
      await proxy.call("COPY /a", { fields: { proxy_host: target, Host: "app.localhost:81", ...sent } });
      const told = isHeard ? "http://app.localhost:81" : target;
      expect(upstream.requests[0]?.header("host")).toBe(new URL(told).host);
      expect(upstream.requests.map((request) => valuesOf(request, sent))).toEqual([sentWith(told)]);
      await upstream.close();
    });

    it.each(rowsOf(["about", "location", "arrives"], [
      ["that host", "http://app.localhost:81/v1/next?x", "/next?x"],
      ["that name and its own port", "http://app.localhost:{port}/v1/next", "/next"],
    ]))("leads back to a target that redirects to $about", async ({ location, arrives }) => {
      const upstream = await listen();
      const Location = location.replace("{port}", String(upstream.port));
      upstream.answer = reply(302, { Location, Link: `<${Location}>; rel=next` });
      const fields = { proxy_host: `${upstream.origin}/v1`, Host: "app.localhost:81" };
      const answer = await proxy.call("POST /p", { fields });
      expect([answer.header("location"), answer.header("link")]).toEqual([arrives, `<${arrives}>; rel=next`]);
      await upstream.close();
    });

    it("follows a redirect to that host by url to the target itself", async () => {
      const upstream = await listen();
      upstream.answer = routes({
        "/first": reply(302, { Location: "http://app.localhost:81/next" }),
        "/next": reply(200, {}, "landed"),
      });
      const line = `GET /__proxy__/?url=${upstream.origin}/first`;
      const answer = await proxy.call(line, { fields: { Host: "app.localhost:81" } });
      expect([answer.status, answer.text]).toEqual([200, "landed"]);
      await upstream.close();
    });

    it.each(alike("selector")`url arg`)(
      "tells no other target of it at a redirect, by $selector",
      async ({ selector }) => {
        const [upstream, other] = await Promise.all([listen(), listen()]);
        upstream.answer = reply(302, { Location: `http://localhost:${other.port}/next` }, "");
        const Origin = "http://app.localhost:81";
        const named = { url: `${upstream.origin}/first`, headers: { Origin } };
        const path = { url: `/__proxy__/?url=${named.url}`, arg: `/__proxy__/fetch?arg=${argOf(named)}` };
        const fields = { Host: "app.localhost:81", Origin, Referer: `${Origin}/page` };
        await proxy.call(`GET ${path[selector as keyof typeof path]}`, { fields });
        expect(upstream.requests[0]?.header("host")).toBe("app.localhost:81");
        expect(other.requests.map((request) => request.header("origin"))).toEqual([upstream.origin]);
        expect(other.requests[0]?.head).not.toContain("app.localhost");
        await Promise.all([upstream.close(), other.close()]);
      },
    );
  });
}

/** What the caller sends. */
const SENT = { "x-set": "caller", "x-gone": "1", "x-kept": "1", "user-agent": "me" };

/** Declares the test of a connection that an entry has cut. */
export function describeStalledEntry(pool: Pool): void {
  describe("the table of targets", () => {
    const proxy = pool.with({ TARGETS });

    it("cuts an answer that stalls for longer than its entry allows", async () => {
      const upstream = await listen();
      upstream.answer = raw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nstart");
      const answer = await proxy.call("GET /v1/", { fields: { proxy_host: upstream.origin } });
      expect([answer.status, answer.text, answer.ended]).toEqual([200, "start", "cut"]);
      await upstream.close();
    });
  });
}
