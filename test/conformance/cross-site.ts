/**
 * Pages of other sites and the reserved paths: who is let in, who is not.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Pool } from "../support/topic.ts";
import { alike, argOf, declareWith, expectError } from "../support/topic.ts";
import { placeOf, setCookiesOf, useUpstream } from "../support/topic.ts";

const LISTED = "https://app.test";

/** Where a request comes from; `{own}` is the proxy's own origin. */
const SOURCES = [
  { site: undefined, origin: undefined, passes: true },
  { site: undefined, origin: "{own}", passes: true },
  { site: undefined, origin: "https://evil.test", passes: false },
  { site: undefined, origin: "http://127.0.0.1:1", passes: false },
  { site: undefined, origin: "null", passes: false },
  { site: undefined, origin: LISTED, passes: true },
  { site: "none", origin: undefined, passes: true },
  { site: "same-origin", origin: undefined, passes: true },
  { site: "same-origin", origin: "{own}", passes: true },
  { site: "same-site", origin: undefined, passes: false },
  { site: "same-site", origin: "http://127.0.0.1:1", passes: false },
  { site: "same-site", origin: LISTED, passes: true },
  { site: "cross-site", origin: undefined, passes: false },
  { site: "cross-site", origin: "https://evil.test", passes: false },
  { site: "cross-site", origin: "{own}", passes: false },
  { site: "cross-site", origin: "null", passes: false },
  { site: "cross-site", origin: LISTED, passes: true },
];

/** What is asked for; `status` where it is let in. */
const REQUESTS = [
  { line: "GET /__proxy__/", status: 200 },
  { line: "GET /__proxy__", status: 200 },
  { line: "GET /__proxy__/?host={target}", status: 200 },
  { line: "POST /__proxy__/?host={target}", status: 200 },
  { line: "GET /__proxy__/?url={target}/p", status: 200 },
  { line: "POST /__proxy__/?url={target}/p", status: 200 },
  { line: "GET {place}/p?host=http://evil.test", status: 200 },
  { line: "POST {place}/p", status: 200 },
  { line: "GET /__proxy__/fetch?arg={arg}", status: 200 },
  { line: "POST /__proxy__/fetch", status: 200, body: "{json}" },
  { line: "GET /__proxy__/metrics", status: 404 },
  { line: "GET /__proxy__/nope", status: 404 },
];

const OPEN_TO_ALL = alike("line")`GET /__proxy__/health | POST /__proxy__/health | GET / | POST /p`;

const TOP = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };

const TABLE = SOURCES.flatMap((source) => REQUESTS.map((request) => ({ ...source, ...request })));

export function describeCrossSite(pool: Pool): void {
  const proxy = pool.with({ CORS_ORIGINS: LISTED });
  const upstream = useUpstream();
  const write = (text: string) =>
    text.replace("{own}", proxy.origin).replace("{place}", placeOf(upstream.origin))
      .replace("{target}", upstream.origin).replace("{arg}", argOf({ url: `${upstream.origin}/p` }))
      .replace("{json}", JSON.stringify({ url: `${upstream.origin}/p` }));

  describe("a request to a reserved path", () => {
    it.each(TABLE)("from $site, $origin: $line", async ({ site, origin, passes, line, status, body }) => {
      const fields = { "Sec-Fetch-Site": site, Origin: origin && write(origin) };
      const answer = await proxy.call(write(line), { fields, body: body && write(body) });
      expect(answer.status).toBe(passes ? status : 403);
      expect(upstream.requests.length).toBe(passes && /url=|fetch|place/.test(line) ? 1 : 0);
      expect(setCookiesOf(answer)).toHaveLength(passes && /\?host=\{/.test(line) ? 1 : 0);
    });

    it.each([
      { host: "proxy.test:80", origin: "http://proxy.test", status: 200 },
      { host: "proxy.test:443", origin: "https://proxy.test", status: 200 },
      { host: "proxy.test:443", origin: "http://proxy.test", status: 403 },
    ])("to $host from $origin is a $status", async ({ host, origin, status }) => {
      const answer = await proxy.call("GET /__proxy__/", { fields: { Host: host, Origin: origin } });
      expect(answer.status).toBe(status);
    });

    it.each([{ site: "cross-site" }, { site: "same-site" }])(
      "tells a page of $site why it is refused",
      async ({ site }) => {
        const fields = { "Sec-Fetch-Site": site, Origin: "https://evil.test" };
        const page = await proxy.call("GET /__proxy__/", { fields });
        expectError(page, { status: 403, error: "http_request_denied" });
        const answer = await proxy.call("GET /__proxy__/fetch?arg=x", { fields });
        expectError(answer, { status: 403, title: "Fetch API Error" });
      },
    );
  });

  describe("what is no reserved path, and health,", () => {
    it.each(OPEN_TO_ALL.flatMap(({ line }) => SOURCES.map((source) => ({ ...source, line }))))(
      "is open to $site, $origin: $line",
      async ({ site, origin, line }) => {
        const fields = { "Sec-Fetch-Site": site, Origin: origin && write(origin) };
        const own = { ...fields, proxy_host: upstream.origin };
        expect((await proxy.call(line, { fields: own })).status).toBe(200);
      },
    );
  });

  describe("a link of another site", () => {
    const local = pool.with();

    it.each(alike("path")`
      /__proxy__/?url={target}/p /__proxy__?url={target}/p /__proxy__/?url={target}/p?host=x
      /__proxy__/?url={encoded} /__proxy__/?x=1&url={encoded}
      /__proxy__/?host=http://evil.test&url={encoded} {place}/p`)("opens $path", async ({ path }) => {
      const line = write(`GET ${path.replace("{encoded}", encodeURIComponent(`${upstream.origin}/p`))}`);
      const answer = await local.call(line, { fields: TOP });
      expect(answer.status).toBe(200);
      expect(setCookiesOf(answer)).toEqual([]);
      expect(upstream.request.target).toMatch(/^\/p/);
    });

    it.each(alike("line")`
      GET /__proxy__/ | GET /__proxy__/?host={target} | GET /__proxy__/?host= |
      GET /__proxy__/?host={target}?url={target}/ | GET /__proxy__/?xurl={target}/p |
      GET /__proxy__/fetch?arg={arg} | GET /__proxy__/fetch?url={target}/p&arg={arg} |
      GET /__proxy__/metrics?url={target}/p | POST /__proxy__/?url={target}/p |
      HEAD /__proxy__/?url={target}/p | POST {place}/p | HEAD {place}/p | GET /__proxy__/atlas/p`)(
      "does not open $line",
      async ({ line }) => {
        const answer = await local.call(write(line), { fields: TOP });
        expect(answer.status).toBe(403);
        expect(setCookiesOf(answer)).toEqual([]);
        expect(upstream.requests).toEqual([]);
      },
    );

    it.each([
      { mode: "no-cors", dest: "image" },
      { mode: "no-cors", dest: "script" },
      { mode: "cors", dest: "empty" },
      { mode: "navigate", dest: "iframe" },
      { mode: "navigate", dest: "embed" },
      { mode: "navigate", dest: "object" },
      { mode: "websocket", dest: "websocket" },
      { mode: "navigate", dest: undefined },
      { mode: undefined, dest: "document" },
    ])("is none with mode $mode and dest $dest", async ({ mode, dest }) => {
      const fields = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest };
      expectError(await local.call(write("GET /__proxy__/?url={target}/p"), { fields }), { status: 403 });
      expect(upstream.requests).toEqual([]);
    });

    declareWith(pool.runtime, "a listener that it knows", () => {
      it("may come from a page on this machine, which reads the answer too", async () => {
        const cors = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
        const fields = { ...cors, Origin: "http://localhost:5173" };
        expect((await local.call(write("GET /__proxy__/fetch?arg={arg}"), { fields })).status).toBe(200);
      });
    });

    it("may not come from a target's page behind a host label", async () => {
      const origin = `http://evil-test.w.localhost:${local.port}`;
      const fields = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", Origin: origin };
      expectError(await local.call("GET /__proxy__/", { fields }), { status: 403 });
    });
  });
}
