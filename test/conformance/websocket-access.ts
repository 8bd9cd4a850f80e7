/**
 * WebSockets: whose pages may open one, and what else keeps callers out.
 * @module
 */
import { describe, expect, it } from "vitest";
import { followAdvice } from "../support/advice.ts";
import type { Pool, Selector } from "../support/topic.ts";
import { Acceptor, expectError, handshake, join } from "../support/topic.ts";
import { labelOf, placeOf, rowsWith, selectors } from "../support/topic.ts";
import { useUpstream } from "../support/topic.ts";

type Values = Readonly<Record<string, string | undefined>>;

const LISTED = "https://app.test";
const LINK = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
const SITES: { about: string; fields: Values; passes: boolean }[] = [
  { about: "no browser", fields: {}, passes: true },
  { about: "its own origin", fields: { Origin: "{proxy}" }, passes: true },
  { about: "its own page", fields: { Origin: "{proxy}", "Sec-Fetch-Site": "same-origin" }, passes: true },
  { about: "a listed origin", fields: { Origin: LISTED, "Sec-Fetch-Site": "cross-site" }, passes: true },
  { about: "another origin", fields: { Origin: "https://evil.test" }, passes: false },
  { about: "another port", fields: { Origin: "http://127.0.0.1:1" }, passes: false },
  { about: "null", fields: { Origin: "null" }, passes: false },
  { about: "another site", fields: { "Sec-Fetch-Site": "cross-site" }, passes: false },
  {
    about: "the same site",
    fields: { "Sec-Fetch-Site": "same-site", Origin: "http://a.test" },
    passes: false,
  },
  { about: "what pretends to be a link", fields: LINK, passes: false },
];

/** Pages that a target served, and what the browser sends with their handshakes. */
const PAGES: { about: string; host: string; origin: string; fields: Values }[] = [
  { about: "on a label", ...ofLabel("h-page-test"), fields: {} },
  {
    about: "on the label of a private host",
    ...ofLabel("10-1-2-3"),
    fields: { "Sec-Fetch-Site": "same-origin" },
  },
  { about: "by cookie", ...ofPlain(), fields: { Cookie: "proxy_host=http://page.test" } },
  { about: "by cookie of a private host", ...ofPlain(), fields: { Cookie: "proxy_host=http://10.1.2.3" } },
  { about: "that ended its cookie", ...ofPlain(), fields: {} },
  {
    about: "that ended its cookie, in a newer browser",
    ...ofPlain(),
    fields: { "Sec-Fetch-Site": "same-origin" },
  },
];

function ofLabel(label: string) {
  return { host: `${label}.w.localhost:{port}`, origin: `http://${label}.w.localhost:{port}` };
}

function ofPlain() {
  return { host: "127.0.0.1:{port}", origin: "http://127.0.0.1:{port}" };
}

export function describeWebSocketAccess(pool: Pool): void {
  const proxy = pool.with();
  const upstream = useUpstream();

  describe("a handshake from", () => {
    const strict = pool.with({ CORS_ORIGINS: LISTED, PRIVATE_TARGETS: "true" });

    /** How a handshake names its target. A page can write no field into it, so who writes one is none. */
    const WAYS: Record<Exclude<Selector, "arg">, () => { path: string; named: Record<string, string> }> = {
      header: () => ({ path: "/p", named: { proxy_host: upstream.origin } }),
      cookie: () => ({ path: "/p", named: { Cookie: `proxy_host=${upstream.origin}` } }),
      label: () => ({
        path: "/p",
        named: { Host: `${labelOf(upstream.origin)}.w.localhost:${strict.port}` },
      }),
      url: () => ({ path: `/__proxy__/?url=${upstream.origin}/p`, named: {} }),
      at: () => ({ path: `${placeOf(upstream.origin)}/p`, named: {} }),
    };

    it.each(SITES.flatMap((site) =>
      (["header", "cookie", "label", "url", "at"] as const).map((selector) => ({
        ...site,
        selector,
        status: site.passes || selector === "header" ? 101 : 403,
      }))
    ))("$about, by $selector → $status", async ({ fields, selector, status }) => {
      new Acceptor(upstream);
      const { path, named } = WAYS[selector]();
      const host = named.Host ?? new URL(strict.origin).host;
      const sent = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, value?.replace("{proxy}", `http://${host}`)]),
      );
      const answer = await strict.call(`GET ${path}`, { fields: handshake({ ...named, ...sent }) });
      expect(answer.status).toBe(status);
      expect(upstream.requests.length).toBe(status === 101 ? 1 : 0);
    });

    it.each([
      ...rowsWith(pool.runtime, "a listener that it knows", [
        { about: "a page on this machine", origin: "http://localhost:5173", status: 101 },
      ]),
      { about: "a target's page behind a label", origin: "http://evil-test.w.localhost", status: 403 },
    ])("$about, while the proxy is local → $status", async ({ origin, status }) => {
      new Acceptor(upstream);
      const sent = {
        Cookie: `proxy_host=${upstream.origin}`,
        Origin: origin,
        "Sec-Fetch-Site": "cross-site",
      };
      expect((await proxy.call("GET /", { fields: handshake(sent) })).status).toBe(status);
    });
  });

  describe("a handshake from a page of another site, to a proxy with TARGET", () => {
    const preset = pool.with({ TARGET: "http://127.0.0.1:9" });

    it.each([{ named: {} }, { named: { Cookie: "proxy_host=http://127.0.0.1:9" } }])(
      "is refused: $named",
      async ({ named }) => {
        const fields = handshake({ ...named, Origin: "https://evil.test" });
        expectError(await preset.call("GET /", { fields }), { status: 403 });
      },
    );
  });

  describe("a handshake from a page of another target", () => {
    const auto = pool.with({ PRIVATE_TARGETS: "auto" });
    const CASES = PAGES.flatMap((page) =>
      selectors("url", "at").map(({ selector }) => ({ ...page, selector }))
    );

    it.each(CASES)(
      "opens nothing private: $about, by $selector",
      async ({ host, origin, fields, selector }) => {
        new Acceptor(upstream);
        const write = (text: string) => text.replace("{port}", String(auto.port));
        const named = { ...fields, Host: write(host), Origin: write(origin) };
        const paths = { url: `/__proxy__/?url=${upstream.origin}/p`, at: `${placeOf(upstream.origin)}/p` };
        const answer = await auto.call(`GET ${paths[selector]}`, { fields: handshake(named) });
        expectError(answer, { status: 403, error: "destination_ip_prohibited" });
        expect(upstream.requests).toEqual([]);
      },
    );
  });

  describe("a handshake by url", () => {
    const open = pool.with({ PRIVATE_TARGETS: "true" });

    it.each([
      { about: "a program", fields: {}, cookie: "a=1" },
      { about: "a browser", fields: { Origin: "{proxy}" }, cookie: undefined },
      { about: "a newer browser", fields: { "Sec-Fetch-Site": "same-origin" }, cookie: undefined },
    ])("of $about brings the cookies $cookie", async ({ fields, cookie }) => {
      const target = new Acceptor(upstream);
      const sent = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, value?.replace("{proxy}", open.origin)]),
      );
      const path = `/__proxy__/?url=${upstream.origin}/p`;
      const { caller } = await join(open.port, path, { Cookie: "a=1", ...sent });
      expect(target.request.header("cookie")).toBe(cookie);
      caller.socket.destroy();
    });
  });

  describe("a handshake with every origin granted", () => {
    const locked = pool.with({ CORS_ORIGINS: "*", PROXY_TOKEN: "secret" });
    const open = pool.with({ CORS_ORIGINS: "*", PRIVATE_TARGETS: "true" });
    const shown = { Origin: "https://evil.test", "Proxy-Authorization": "Bearer secret" };

    it.each([{ cookie: undefined, status: 101 }, { cookie: "a=1", status: 403 }])(
      "and the cookie $cookie → $status",
      async ({ cookie, status }) => {
        new Acceptor(upstream);
        const fields = handshake({ ...shown, Cookie: cookie });
        const answer = await locked.call(`GET /__proxy__/?url=${upstream.origin}/`, { fields });
        expect(answer.status).toBe(status);
        expect(upstream.requests.length).toBe(status === 101 ? 1 : 0);
      },
    );

    it.each(selectors("header", "url", "at"))(
      "is none to a private target by that alone, by $selector",
      async ({ selector }) => {
        new Acceptor(upstream);
        const ways = {
          header: { path: "/", named: { proxy_host: upstream.privateOrigin } },
          url: { path: `/__proxy__/?url=${upstream.privateOrigin}/`, named: {} },
          at: { path: `${placeOf(upstream.privateOrigin)}/`, named: {} },
        };
        const { path, named } = ways[selector];
        const fields = handshake({ Origin: "https://evil.test", ...named });
        const answer = await open.call(`GET ${path}`, { fields });
        expectError(answer, { status: 403, error: "destination_ip_prohibited", names: /CORS_ORIGINS=\*/ });
        expect(upstream.requests).toEqual([]);
      },
    );
  });

  describe("a handshake where it is not allowed", () => {
    const locked = pool.with({ PROXY_TOKEN: "secret", PRIVATE_TARGETS: "false" });
    const open = pool.with({ PROXY_TOKEN: "secret" });

    it("without the token is 401", async () => {
      const answer = await open.call("GET /", { fields: handshake({ proxy_host: upstream.origin }) });
      expectError(answer, { status: 401 });
    });

    it("with the token is joined, and the token stays here", async () => {
      const target = new Acceptor(upstream);
      const { caller } = await join(open.port, "/", { proxy_host: upstream.origin, proxy_token: "secret" });
      expect(target.request.head).not.toContain("secret");
      caller.socket.destroy();
    });

    it("to a private target is 403", async () => {
      const fields = handshake({ proxy_host: upstream.privateOrigin, proxy_token: "secret" });
      const answer = await locked.call("GET /", { fields });
      expectError(answer, { status: 403, error: "destination_ip_prohibited" });
      expect(upstream.requests).toEqual([]);
    });

    it("is joined once that is set which its 403 names", async () => {
      const target = new Acceptor(upstream);
      const fields = { proxy_host: upstream.privateOrigin, proxy_token: "secret" };
      const refused = await locked.call("GET /", { fields: handshake(fields) });
      const { detail } = refused.json() as { detail: string };
      const opened = await pool.begin(followAdvice(detail, locked.settings));
      const { caller } = await join(opened.port, "/", fields);
      expect(target.request.target).toBe("/");
      caller.socket.destroy();
      await opened.stop();
    });
  });
}
