/**
 * `Upgrade` to something else than a WebSocket: refused by name, or ignored where it offers another version of HTTP or TLS.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Pool } from "../support/topic.ts";
import { Acceptor, expectedOf, expectError, FIELD_VALUES, handshake, open } from "../support/topic.ts";
import { request, rowsWith, UPGRADE_LISTS, useUpstream } from "../support/topic.ts";

const OTHERS = [
  { upgrade: "tcp", named: "tcp" },
  { upgrade: "SPDY/3.1", named: "SPDY/3.1" },
  { upgrade: "odd/1, more", named: "odd/1" },
  { upgrade: "h2c, TLS/1.0, tcp", named: "tcp" },
  { upgrade: "websocket2", named: "websocket2" },
  { upgrade: "connect-udp", connection: "keep-alive, UPGRADE", named: "connect-udp" },
];

const IGNORED = [
  { upgrade: "h2c", connection: "Upgrade, HTTP2-Settings", settings: "AAMAAABkAAQAAP__" },
  { upgrade: "H2C, h2" },
  { upgrade: "HTTP/2.0" },
  { upgrade: "TLS/1.0, HTTP/1.1" },
  { upgrade: "tcp", connection: "keep-alive" },
  { upgrade: "" },
];

const LISTS = [{ upgrade: "websocket, h2c" }, { upgrade: "foo,WebSocket" }, { upgrade: "tcp, websocket" }];

const BODIES = [{ line: "GET /p", body: "" }, { line: "POST /p", body: "body" }];

export function describeUpgrades(pool: Pool): void {
  describe("an upgrade", () => {
    const proxy = pool.with();
    const upstream = useUpstream();
    const fieldsOf = ({ upgrade, connection = "Upgrade" }: { upgrade: string; connection?: string }) => ({
      proxy_host: upstream.origin,
      Connection: connection,
      Upgrade: upgrade,
    });

    it.each(OTHERS.flatMap((row) => BODIES.map((body) => ({ ...row, ...body }))))(
      "to $upgrade is a 501 that says so: $line",
      async ({ line, body, named, ...row }) => {
        const answer = await proxy.call(line, { fields: fieldsOf(row), body });
        expectError(answer, { status: 501, names: new RegExp(`"${named}"`) });
        expect(upstream.requests).toEqual([]);
      },
    );

    it.each([{ path: "/" }, { path: "/__proxy__/" }, { path: "/__proxy__/health" }])(
      "to tcp is a 501 without a target: $path",
      async ({ path }) => {
        const fields = { Connection: "Upgrade", Upgrade: "tcp" };
        expectError(await proxy.call(`GET ${path}`, { fields }), { status: 501 });
      },
    );

    it.each(rowsWith(pool.runtime, "a server of its own", BODIES))(
      "that is refused leaves no request behind: $line",
      async ({ line, body }) => {
        const [method = "", path = ""] = line.split(" ");
        const caller = await open(proxy.port);
        const asked = request(method, path, { Host: "127.0.0.1", ...fieldsOf({ upgrade: "tcp" }) }, body);
        const next = request("GET", "/next", { Host: "127.0.0.1", proxy_host: upstream.origin });
        caller.write(Buffer.concat([asked, next]));
        expect((await caller.answer()).status).toBe(501);
        expect(await caller.answer()).toMatchObject({ status: 0, ended: "cut" });
        expect(upstream.requests).toEqual([]);
      },
    );

    it.each(IGNORED.flatMap((row) => BODIES.map((body) => ({ ...row, ...body }))))(
      "to $upgrade by Connection: $connection is a $line like any other",
      async ({ line, body, settings, ...row }) => {
        const fields = { ...fieldsOf(row), "HTTP2-Settings": settings, "X-A": "\u00e9" };
        expect(await proxy.call(line, { fields, body })).toMatchObject({ status: 200, text: "ok" });
        expect(upstream.request.body.toString()).toBe(body);
        expect(upstream.request.header("upgrade")).toBeUndefined();
        expect(upstream.request.header("x-a"))
          .toBe(expectedOf(FIELD_VALUES, pool.runtime, "\u00e9", "\u00e9"));
      },
    );

    it.each(LISTS)("to $upgrade is one to a WebSocket", async ({ upgrade }) => {
      const { requests } = new Acceptor(upstream);
      const fields = handshake({ proxy_host: upstream.origin, Upgrade: upgrade });
      const { status } = await proxy.call("GET /", { fields });
      expect(status).toBe(expectedOf(UPGRADE_LISTS, pool.runtime, upgrade, 101));
      expect(requests.map((asked) => asked.header("upgrade"))).toEqual(status === 101 ? ["websocket"] : []);
    });
  });
}
