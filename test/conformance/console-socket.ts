/**
 * `/__proxy__/socket`: WebSockets of the console. A pass takes its ticket's rights to one handshake, once.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import { BROWSER } from "../support/browser-fields.ts";
import type { Pool, Upstream } from "../support/topic.ts";
import { Acceptor, expectError, handshake, join, listen, rowsOf } from "../support/topic.ts";
import { readTicket } from "./console-send.ts";

export function describeConsoleSocket(pool: Pool): void {
  const proxy = pool.with();
  let upstream: Upstream;
  let ticket: string;
  beforeEach(async () => {
    [upstream, ticket] = await Promise.all([listen(), readTicket(proxy)]);
    return () => upstream.close();
  });
  const ask = (head: Record<string, unknown> = {}, fields: Record<string, string> = {}) =>
    proxy.call("POST /__proxy__/socket", {
      fields: {
        ...BROWSER.script,
        "X-Fetchvia-Ticket": ticket,
        "X-Fetchvia-Request": encodeArg({ url: `${upstream.origin}/live?q=%7e`, ...head }),
        ...fields,
      },
    });
  const passOf = async (head?: Record<string, unknown>) =>
    ((await ask(head)).json() as { pass: string }).pass;
  /** What Chromium sends: no Fetch Metadata, and the cookies of its pages. */
  const page = () => ({ Origin: proxy.origin, Cookie: "proxy_host=https://page.test; a=1" });
  const refused = (path: string, fields: Record<string, string> = page()) =>
    proxy.call(`GET ${path}`, { fields: handshake(fields) });

  describe("a WebSocket of the console", () => {
    it("carries the fields that the pass holds, and none of the browser's", async () => {
      const acceptor = new Acceptor(upstream, { "Set-Cookie": "a=1", "Sec-WebSocket-Protocol": "b" });
      const headers = [["Authorization", "Bearer t"], ["x-a", "1"], ["x-a", "2"], [
        "Sec-WebSocket-Key",
        "forged",
      ]];
      const pass = await passOf({ headers });
      expect(pass).not.toContain(Buffer.from("Bearer t").toString("base64url").slice(1, -1));
      const peer = acceptor.next();
      const fields = { ...page(), "Sec-WebSocket-Protocol": "a, b" };
      const { caller, head } = await join(proxy.port, `/__proxy__/socket?pass=${pass}`, fields);
      const { request } = acceptor;
      expect(request.target).toBe("/live?q=%7e");
      expect([request.header("authorization"), request.headersNamed("x-a"), request.header("cookie")])
        .toEqual(["Bearer t", ["1", "2"], undefined]);
      expect([request.header("origin"), request.header("sec-websocket-protocol")])
        .toEqual([undefined, "a, b"]);
      expect([head.header("sec-websocket-protocol"), head.header("set-cookie")]).toEqual(["b", undefined]);
      (await peer).socket.destroy();
      caller.socket.destroy();
    });

    it("needs a pass that was not used before", async () => {
      new Acceptor(upstream);
      const path = `/__proxy__/socket?pass=${await passOf()}`;
      const { caller } = await join(proxy.port, path, page());
      expectError(await refused(path), { status: 403, names: /used or expired/ });
      caller.socket.destroy();
    });

    it.each([
      { about: "no pass", query: "" },
      { about: "a pass that is none", query: "?pass=AAAA" },
      { about: "a pass of another proxy", query: `?pass=${"A".repeat(200)}` },
      { about: "a target in place of a pass", query: "?url=http://127.0.0.1:1/" },
    ])("is refused with $about", async ({ query }) => {
      expectError(await refused(`/__proxy__/socket${query}`), { status: 403, names: /pass/ });
    });

    it.each([
      { about: "another site", fields: { Origin: "https://evil.test" } },
      { about: "a label", fields: { Host: "page-test.w.localhost", Origin: "http://page-test.w.localhost" } },
    ])("is refused from the page of $about, whatever pass it has", async ({ fields }) => {
      expect((await refused(`/__proxy__/socket?pass=${await passOf()}`, fields as never)).status)
        .not.toBe(101);
      expect(upstream.requests).toEqual([]);
    });

    it.each(rowsOf(["about", "fields", "status"], [
      ["no ticket", { "X-Fetchvia-Ticket": "" }, 403],
      ["a bad head", { "X-Fetchvia-Request": "§" }, 400],
      ["another method", { "X-Fetchvia-Request": encodeArg({ url: "http://a/", method: "PUT" }) }, 400],
    ]))("gets no pass with $about", async ({ fields, status }) => {
      expectError(await ask({}, fields as never), { status });
    });

    it("has no rights but those of the console: what is prohibited stays so", async () => {
      const pass = await passOf({ url: "http://169.254.169.254/" });
      expectError(await refused(`/__proxy__/socket?pass=${pass}`), { status: 403 });
    });
  });
}
