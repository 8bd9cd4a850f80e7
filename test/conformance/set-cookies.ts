/**
 * `Set-Cookie` of a target: works at the proxy's address, comes back unharmed, never steers the proxy.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Visitor } from "../support/visitor.ts";
import type { Header, Pool, Selector, Upstream } from "../support/topic.ts";
import { alike, argOf, ask, expectedOf, FIELD_VALUES, listen, reply, selectors } from "../support/topic.ts";
import { useTarget, useUpstream } from "../support/topic.ts";

const HOST_SELECTORS = selectors("header", "cookie", "label");
const SELECTORS: { selector: Selector }[] = [...HOST_SELECTORS, ...selectors("url", "at", "arg")];

const EXPIRING = "a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT";
const REWRITTEN = [
  ...alike("line", { arrives: "a=1" })`a=1 | a=1; Domain=target.test | a=1; Secure; Partitioned`,
  { line: "a=b=c; HttpOnly", arrives: "a=b=c; HttpOnly" },
  { line: 'a="x, y"; Max-Age=5', arrives: 'a="x, y"; Max-Age=5' },
  ...alike("line", { arrives: "a=1; HttpOnly" })`a=1; domain=.127.0.0.1; HttpOnly | a=1; Secure; HttpOnly`,
  { line: "a=1; SameSite=None; Secure", arrives: "a=1; SameSite=Lax" },
  { line: "a=1; SameSite=Strict", arrives: "a=1; SameSite=Strict" },
  { line: EXPIRING, arrives: EXPIRING },
  { line: "a=\u00c3\u00a9\u00e9; HttpOnly", arrives: "a=\u00c3\u00a9\u00e9; HttpOnly" },
  { line: "proxy_session=1; Priority=High", arrives: "proxy_session=1; Priority=High" },
];

const REFUSED = [
  ...alike("line")`
    proxy_host=http://evil.test; Path=/ | proxy_token=x | PROXY_HOST=http://evil.test |
    __Host-proxy_host=http://evil.test; Path=/; Secure | __Secure-proxy_token=x; Secure |
    =proxy_host=http://evil.test | proxy_host | proxy_host=; Max-Age=0 | proxy_carried__Host-sid=x |
    proxy_auth=x | proxy_at_http_a.test_~sid=x; HttpOnly |
    __Secure-proxy_at_https_a.test_~__Host-sid=x; Secure | proxy_set_sid~!2Fapp=1`,
  { line: " proxy_host =http://evil.test" },
];

/** What a browser would refuse from the target itself, which is trusted, because it is on loopback. */
const UNACCEPTABLE = [
  ...alike("line")`
    __Host-a=1; Path=/ | __Host-a=1; Path=/x; Secure | __Host-a=1; Secure | __hoST-a=1; HttpOnly; Path=/ |
    __Secure-a=1 | __Http-a=1; Secure | __Host-Http-a=1; Secure; HttpOnly | __Host-a |
    =__Secure-a=1; HttpOnly | __Host-a=1; Path=/; Secure; Domain=127.0.0.1 | a=1; SameSite=None |
    a=1; Partitioned; HttpOnly`,
  { line: `a=${"x".repeat(4_096)}` },
  { line: " = ; Path=/" },
];

/** By default a page of one host reads no other private target. */
const OPEN = { PRIVATE_TARGETS: "true" };

const PREFIXED = [
  { pair: "__Host-sid=1", attributes: "; Path=/; Secure; HttpOnly" },
  { pair: "__Secure-id=a=b", attributes: "; Secure" },
  { pair: "__Http-x=1", attributes: "; Secure; HttpOnly" },
  { pair: "__hOST-Sid=1", attributes: "; Path=/; Secure" },
];

const PATHS = [
  { base: "", path: "/", arrives: "/" },
  { base: "", path: "/app", arrives: "/app" },
  { base: "/v1", path: "/v1/app", arrives: "/app" },
  ...alike("path", { base: "/v1", arrives: "/" })`/v1/ /v1 /`,
  { base: "/v1/v2", path: "/v1", arrives: "/" },
  { base: "/v1", path: "/other", arrives: "/other" },
  { base: "/v1", path: "/v10", arrives: "/v10" },
];

const HOSTED = "__Host-sid=1; Path=/";
const DARK = "theme=dark; Path=/app";
const KEPT = `__Secure-proxy_at_{owner}~${HOSTED}`;
const NOTE = "~!2Fapp=1; Path=/; HttpOnly; SameSite=Lax";
/** What a cookie becomes where the address holds no path of the target: a browser would send it to whoever stands there next. */
const NONE: Header[] = [["Sec-Fetch-Site", "none"]];
const SAME: Header[] = [["Sec-Fetch-Site", "same-origin"]];
const SHARED_PATHS: { about: string; fields: Header[]; line: string; arrives: string[] }[] = [
  { about: "a program", fields: [], line: "a=1; Path=/app", arrives: ["a=1; Path=/"] },
  { about: "a program", fields: [], line: "a=1", arrives: ["a=1"] },
  { about: "a browser", fields: NONE, line: "a=1; Path=/app", arrives: [] },
  { about: "a browser", fields: NONE, line: "a=1", arrives: [] },
  { about: "a browser", fields: SAME, line: "__Host-a=1; Path=/; Secure", arrives: [] },
];

export function describeSetCookies(pool: Pool): void {
  describe.each(SELECTORS)("Set-Cookie by $selector", ({ selector }) => {
    const { upstream, askBy } = useTarget(pool);

    it.each(REWRITTEN)("$line → $arrives", async ({ line, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": line });
      expect((await askBy(selector)).headersNamed("set-cookie"))
        .toEqual([expectedOf(FIELD_VALUES, pool.runtime, arrives, arrives)]);
    });

    it.each(REFUSED)("$line is refused", async ({ line }) => {
      upstream.answer = reply(200, [["Set-Cookie", line], ["Set-Cookie", "kept=1"]]);
      expect((await askBy(selector)).headersNamed("set-cookie")).toEqual(["kept=1"]);
    });

    it.each(UNACCEPTABLE)("$line is not made acceptable", async ({ line }) => {
      upstream.answer = reply(200, [["Set-Cookie", line], ["Set-Cookie", "kept=1"]]);
      expect((await askBy(selector)).headersNamed("set-cookie")).toEqual(["kept=1"]);
    });

    it("stays several lines, in their order", async () => {
      const lines = ["a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT", "b=2, c=3", "a=4", "d="];
      upstream.answer = reply(200, lines.map((line): Header => ["Set-Cookie", line]));
      expect((await askBy(selector)).headersNamed("set-cookie")).toEqual(lines);
    });

    it.each([{ status: 302 }, { status: 304 }, { status: 401 }, { status: 500 }])(
      "passes with status $status",
      async ({ status }) => {
        upstream.answer = reply(status, { "Set-Cookie": "a=1" });
        expect((await askBy(selector)).headersNamed("set-cookie")).toEqual(["a=1"]);
      },
    );
  });

  describe("Path of a Set-Cookie", () => {
    const { proxy, upstream, askBy } = useTarget(pool);

    it.each(PATHS)("$path behind base $base → $arrives", async ({ base, path, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": `a=1; Path=${path}; HttpOnly` });
      const byHeader = await askBy("header", "GET /p", { base });
      const byCookie = await askBy("cookie", "GET /p", { base });
      expect([byHeader, byCookie].map((answer) => answer.headersNamed("set-cookie")))
        .toEqual([[`a=1; Path=${arrives}; HttpOnly`], [`a=1; Path=${arrives}; HttpOnly`]]);
    });

    it.each(SHARED_PATHS)("by url for $about: $line → $arrives", async ({ fields, line, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": line });
      expect((await askBy("url", "GET /p", { fields })).headersNamed("set-cookie")).toEqual(arrives);
    });

    it.each(SHARED_PATHS)("by arg for $about: $line → $arrives", async ({ fields, line, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": line });
      const path = `/__proxy__/fetch?arg=${argOf({ url: `${upstream.origin}/p` })}`;
      expect((await proxy.call(`GET ${path}`, { fields })).headersNamed("set-cookie")).toEqual(arrives);
    });

    it("by url is of nobody where a redirect left the stored host", async () => {
      const other = await listen();
      upstream.answer = reply(302, { Location: `${other.origin}/q` });
      other.answer = reply(200, { "Set-Cookie": "a=1; Path=/app" });
      const fields: Header[] = [...SAME, ["Cookie", `proxy_host=${upstream.origin}`]];
      const answer = await askBy("url", "GET /p", { fields });
      await other.close();
      expect(answer.headersNamed("set-cookie")).toEqual([]);
    });

    it("by url to the stored host is that of the host", async () => {
      upstream.answer = reply(200, { "Set-Cookie": "a=1; Path=/app" });
      const fields: Header[] = [...SAME, ["Cookie", `proxy_host=${upstream.origin}`]];
      expect((await askBy("url", "GET /p", { fields })).headersNamed("set-cookie"))
        .toEqual(["a=1; Path=/app", `proxy_set_a${NOTE}`]);
    });
  });

  // The one jar that a browser has for the plain origin, where each host stands in turn.
  describe("a browser's jar on the plain origin", () => {
    const { proxy, upstream, askBy } = useTarget(pool);
    const open = pool.with(OPEN);
    const other = useUpstream();
    const write = (text: string) =>
      text.replaceAll("{owner}", ownerOf(upstream)).replaceAll("{other}", ownerOf(other));

    it.each([
      { line: "sid=1; HttpOnly", arrives: ["proxy_at_{owner}~sid=1; HttpOnly"] },
      { line: "sid=1; Path=/app; httponly", arrives: ["proxy_at_{owner}~sid=1; Path=/app; httponly"] },
      { line: `${HOSTED}; Secure; HttpOnly`, arrives: [`proxy_at_{owner}~${HOSTED}; HttpOnly`] },
      { line: "theme=dark", arrives: ["theme=dark"] },
      { line: "theme=dark; Path=/", arrives: ["theme=dark; Path=/"] },
      { line: `${DARK}; Max-Age=60`, arrives: [`${DARK}; Max-Age=60`, `proxy_set_theme${NOTE}; Max-Age=60`] },
    ])("keeps $line as $arrives", async ({ line, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": line });
      const answer = await askBy("cookie", "GET /p", { fields: SAME });
      expect(answer.headersNamed("set-cookie")).toEqual(arrives.map(write));
    });

    it("notes the path that a cookie has by itself", async () => {
      upstream.answer = reply(200, { "Set-Cookie": "theme=dark" });
      const answer = await askBy("cookie", "GET /app/page?x=/y/", { fields: SAME });
      expect(answer.headersNamed("set-cookie")).toEqual(["theme=dark", `proxy_set_theme${NOTE}`]);
    });

    it("notes no more than it may hold: what is over is kept as the host's", async () => {
      const notes = Array.from({ length: 16 }, (_, index) => `proxy_set_n${index}~!2Fapp=1`).join("; ");
      upstream.answer = reply(200, { "Set-Cookie": "theme=dark; Path=/app" });
      const fields: Header[] = [...SAME, ["Cookie", notes]];
      expect((await askBy("cookie", "GET /p", { fields })).headersNamed("set-cookie"))
        .toEqual([write("proxy_at_{owner}~theme=dark; Path=/app; HttpOnly")]);
    });

    it.each(selectors("header", "cookie"))(
      "gives every cookie back to the host that set it, by $selector",
      async ({ selector }) => {
        const jar = "a=1; proxy_at_{owner}~sid=own; proxy_at_{other}~sid=foreign; proxy_set_a~!2F=1; b=2";
        const fields: Header[] = [...SAME, ["Cookie", write(jar)]];
        await askBy(selector, "GET /p", { fields });
        await ask(proxy, selector, other.origin, "GET /p", { fields });
        expect(upstream.request.header("cookie")).toBe("a=1; sid=own; b=2");
        expect(other.request.header("cookie")).toBe("a=1; sid=foreign; b=2");
      },
    );

    it("gives them to the stored host by url, and to no other", async () => {
      const jar = write(`proxy_host=${upstream.origin}; proxy_at_{owner}~sid=own; a=1`);
      const fields: Header[] = [...SAME, ["Cookie", jar]];
      await askBy("url", "GET /p", { fields });
      expect(upstream.request.header("cookie")).toBe("sid=own; a=1");
      expect((await ask(open, "url", other.origin, "GET /p", { fields })).status).toBe(200);
      expect(other.request.header("cookie")).toBeUndefined();
    });

    it.each([
      { about: "a program", selector: "cookie" as const, fields: [] },
      { about: "a label, which has a jar of its own", selector: "label" as const, fields: SAME },
    ])("is none of $about", async ({ selector, fields }) => {
      upstream.answer = reply(200, { "Set-Cookie": "sid=1; Path=/app; HttpOnly" });
      const answer = await askBy(selector, "GET /p", { fields });
      expect(answer.headersNamed("set-cookie")).toEqual(["sid=1; Path=/app; HttpOnly"]);
    });
  });

  // Behind a front server that ends TLS.
  describe("Set-Cookie over https", () => {
    const { upstream, askBy } = useTarget(pool, { TRUSTED_PROXIES: "127.0.0.1", PRIVATE_TARGETS: "true" });
    const secure: Header[] = [["X-Forwarded-Proto", "https"], ["Sec-Fetch-Site", "none"]];

    it.each(
      [
        { selector: "header", name: "__Host-sid", arrives: `${HOSTED}; Secure` },
        { selector: "url", name: "__Host-sid", arrives: `${HOSTED}; Secure` },
        { selector: "url", name: "__Secure-sid", arrives: "__Secure-sid=1; Path=/; Secure" },
        {
          selector: "cookie",
          name: "__Host-sid",
          attributes: "; HttpOnly",
          arrives: `${KEPT}; Secure; HttpOnly`,
        },
      ] as const,
    )("is one that a browser takes, by $selector: $name$attributes", async (row) => {
      const { selector, name, attributes, arrives } = { attributes: "", ...row };
      upstream.answer = reply(200, { "Set-Cookie": `${name}=1; Path=/; Secure${attributes}` });
      const stored: Header[] = selector === "url" ? [["Cookie", `proxy_host=${upstream.origin}`]] : [];
      const answer = await askBy(selector, "GET /p", { fields: [...secure, ...stored] });
      expect(answer.headersNamed("set-cookie")).toEqual([arrives.replace("{owner}", ownerOf(upstream))]);
    });

    it("believes no prefixed cookie of the jar that came without its prefix", async () => {
      const pair = `proxy_at_${ownerOf(upstream)}~__Host-sid`;
      const fields: Header[] = [...secure, ["Cookie", `${pair}=planted; __Secure-${pair}=1`]];
      await askBy("cookie", "GET /p", { fields });
      expect(upstream.request.header("cookie")).toBe("__Host-sid=1");
    });

    it.each([
      { selector: "url" as const, arrives: "a=1; __Host-sid=1" },
      { selector: "label" as const, arrives: "a=1; __Secure-proxy_carried__Host-sid=1" },
    ])("comes back by $selector as $arrives", async ({ selector, arrives }) => {
      const jar = `proxy_host=${upstream.origin}; a=1; __Secure-proxy_carried__Host-sid=1`;
      const fields: Header[] = [["X-Forwarded-Proto", "https"], ...SAME, ["Cookie", jar]];
      await askBy(selector, "GET /p", { fields });
      expect(upstream.request.header("cookie")).toBe(arrives);
    });
  });

  describe.each([...HOST_SELECTORS, { selector: "url" as const }])(
    "a cookie that comes back by $selector",
    ({ selector }) => {
      const { proxy, upstream, askBy } = useTarget(pool);

      it.each([
        { pair: "a=1", attributes: "" },
        { pair: "b=x=y", attributes: "; Domain=127.0.0.1; Secure" },
        ...PREFIXED,
      ])("is $pair again", async ({ pair, attributes }) => {
        upstream.answer = reply(200, { "Set-Cookie": pair + attributes });
        const visitor = new Visitor(proxy, selector, upstream.origin, "/p");
        await visitor.request("GET");
        await visitor.request("GET");
        expect(upstream.requests.map((request) => request.header("cookie"))).toEqual([undefined, pair]);
      });

      it.each(PREFIXED)(
        "is stored under a name that plain http takes: $pair",
        async ({ pair, attributes }) => {
          upstream.answer = reply(200, { "Set-Cookie": pair + attributes });
          const answer = await askBy(selector);
          expect(answer.header("set-cookie")).toMatch(/^(?!__(?:Host|Secure|Http)-)[^;]*=/i);
          expect(answer.header("set-cookie")).not.toMatch(/; secure/i);
        },
      );
    },
  );
}

/** The host in the names of its cookies. */
function ownerOf({ port }: Upstream): string {
  return `http_127.0.0.1_${port}`;
}
