/**
 * Which fields of an answer end at the proxy, which pass, and what `Vary` says.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { Header, Pool, Selector } from "../support/topic.ts";
import { ask, chunked, expectedOf, FIELD_VALUES, labelOf, listen, raw, reply } from "../support/topic.ts";
import { rowsOnce, useTarget, useUpstream } from "../support/topic.ts";

const SELECTORS: { selector: Selector; varies: string[] }[] = [
  { selector: "header", varies: ["proxy_host", "cookie"] },
  { selector: "cookie", varies: ["proxy_host", "cookie"] },
  { selector: "label", varies: [] },
  { selector: "url", varies: [] },
  { selector: "arg", varies: [] },
];

const MARKED: Header = ["X-Marker", "1"];
const KEPT: Header = ["Connection", "keep-alive"];
const DROPPED: { about: string; fields: Header[] }[] = [
  ...([
    ["Keep-Alive", "timeout=5, marker"],
    ["TE", "marker"],
    ["Trailer", "x-marker"],
    ["Upgrade", "marker/1"],
    ["Proxy-Authenticate", "Basic realm=marker"],
    ["Proxy-Authentication-Info", "marker"],
    ["Proxy-Connection", "marker"],
    ["Proxy-Status", "marker; error=dns_error"],
  ] as Header[]).map((field) => ({ about: field[0], fields: [field] })),
  { about: "what Connection names", fields: [["Connection", "X-Hop"], ["x-hop", "marker"]] },
  { about: "what Connection names in a list", fields: [["Connection", "keep-alive, x-marker"], MARKED] },
  { about: "what a second Connection names", fields: [KEPT, ["Connection", "x-marker"], MARKED] },
];

const LINKS: Header[] = [["Link", "<//b.test/a>; rel=next"], ["Link", "<//b.test/b>; rel=prev"]];
const SCHEMES: Header[] = [["WWW-Authenticate", 'Basic realm="x"'], ["WWW-Authenticate", "Bearer"]];
const NAMED: Header[] = [["Connection", "content-type"], ["Content-Type", "text/kept"]];
const PASSED: { about: string; name: string; fields?: Header[]; arrives: string }[] = [
  { about: "an unknown one", name: "x-unknown-9", arrives: "a" },
  { about: "repeated lines", name: "x-a", fields: [["X-A", "1"], ["x-a", "2, 3"]], arrives: "1, 2, 3" },
  { about: "an empty value", name: "x-empty", arrives: "" },
  { about: "the case of a value", name: "x-case", arrives: "aBc Def" },
  { about: "Latin-1 bytes", name: "x-l", arrives: "caf\u00e9 \u00ff" },
  { about: "UTF-8 bytes", name: "x-u", arrives: "\u00c3\u00bc" },
  { about: "an odd name", name: "x_under.~!#$%&'*+^`|", arrives: "1" },
  { about: "Date", name: "date", arrives: "Tue, 15 Nov 1994 08:12:31 GMT" },
  { about: "Server", name: "server", arrives: "own/1" },
  { about: "Cache-Control", name: "cache-control", arrives: "public, max-age=5" },
  { about: "ETag", name: "etag", arrives: 'W/"a"' },
  {
    about: "Link to another origin",
    name: "link",
    fields: LINKS,
    arrives: LINKS.map(([, value]) => value).join(", "),
  },
  {
    about: "WWW-Authenticate",
    name: "www-authenticate",
    fields: SCHEMES,
    arrives: 'Basic realm="x", Bearer',
  },
  {
    about: "Content-Type, though Connection names it",
    name: "content-type",
    fields: NAMED,
    arrives: "text/kept",
  },
  { about: "X-Frame-Options", name: "x-frame-options", arrives: "DENY" },
];

const AGAIN_HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Own: caf\xe9\r\n";

const AGAIN: { about: string; bytes: string }[] = [
  { about: "a plain one", bytes: `${AGAIN_HEAD}\r\nok` },
  { about: "with a date", bytes: `${AGAIN_HEAD}Date: Tue, 15 Nov 1994 08:12:31 GMT\r\n\r\nok` },
  { about: "with cookies and an address", bytes: `${AGAIN_HEAD}Set-Cookie: a=1\r\nLocation: /x\r\n\r\nok` },
  {
    about: "with fields that end here",
    bytes: `${AGAIN_HEAD}Connection: x-a\r\nX-A: 1\r\nAlt-Svc: x\r\n\r\nok`,
  },
  { about: "with no body", bytes: "HTTP/1.1 204 X\r\nX-Own: 1\r\n\r\n" },
  { about: "with none though it says so", bytes: "HTTP/1.1 304 X\r\nContent-Length: 2\r\n\r\n" },
  { about: "in chunks", bytes: "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n" },
  { about: "behind an interim one", bytes: `HTTP/1.1 103 X\r\nLink: </a>\r\n\r\n${AGAIN_HEAD}\r\nok` },
];
/** Fields that tell of the moment. */
const LATEST = /^date: .*$/im;

function tokensOf(list: string | undefined): string[] {
  return (list ?? "").toLowerCase().split(",").map((token) => token.trim());
}

export function describeAnswerFields(pool: Pool): void {
  // A browser that came over http to a name it does not trust must not ask for the rest by https.
  describe("a policy that upgrades requests", () => {
    const proxy = pool.with({
      PROXY_DOMAIN: "dev.test",
      PRIVATE_TARGETS: "true",
      TRUSTED_PROXIES: "127.0.0.1",
    });
    const policy = "default-src 'self'; upgrade-insecure-requests; script-src 'self'";
    const without = "default-src 'self'; script-src 'self'";
    const upstream = useUpstream();
    beforeEach(() => {
      upstream.answer = reply(200, { "Content-Security-Policy": policy }, "ok");
    });

    it.each([
      { host: "app.dev.test", fields: {}, passed: without },
      { host: "app.dev.test", fields: { "X-Forwarded-Proto": "https" }, passed: policy },
      { host: "localhost", fields: {}, passed: policy },
      { host: "127.0.0.1", fields: {}, passed: policy },
      // Kept for nobody else.
      { host: "app.dev.test", fields: {}, passed: without },
    ])("is $passed by Host $host, with $fields", async ({ host, fields, passed }) => {
      const call = () =>
        proxy.call("GET /p", { fields: { Host: host, proxy_host: upstream.origin, ...fields } });
      for (const answer of [await call(), await call()]) {
        expect([answer.status, answer.headersNamed("content-security-policy")[0]]).toEqual([200, passed]);
      }
    });

    it("is dropped where nothing else is in it", async () => {
      upstream.answer = reply(200, { "Content-Security-Policy": "upgrade-insecure-requests" }, "ok");
      const host = `${labelOf(upstream.origin)}.w.dev.test`;
      const answer = await proxy.call("GET /p", { fields: { Host: host } });
      expect([answer.status, answer.headersNamed("content-security-policy")]).toEqual([200, []]);
    });
  });

  describe.each(rowsOnce(pool.runtime, SELECTORS))("answer fields by $selector", ({ selector, varies }) => {
    const { proxy, upstream, askBy } = useTarget(pool);

    it.each(DROPPED)("end here: $about", async ({ fields }) => {
      upstream.answer = reply(200, [...fields, ["X-Own", "kept"]], "ok");
      const answer = await askBy(selector);
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(answer.head).not.toMatch(/marker|x-hop/i);
      expect(answer.header("x-own")).toBe("kept");
    });

    it.each(PASSED)("pass: $about", async ({ name, arrives, fields = [[name, arrives]] }) => {
      upstream.answer = reply(200, fields, "ok");
      const answer = await askBy(selector);
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(answer.header(name)).toBe(expectedOf(FIELD_VALUES, pool.runtime, arrives, arrives));
    });

    it("hold no trailer that is announced or sent", async () => {
      const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Marker\r\n\r\n";
      upstream.answer = raw(`${head}2\r\nok\r\n0\r\nX-Marker: 1\r\n\r\n`);
      const answer = await askBy(selector);
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(answer.head).not.toMatch(/marker/i);
    });

    it("hold the framing of this connection alone", async () => {
      upstream.answer = chunked(200, { "Connection": "close" }, ["o", "k"]);
      const answer = await askBy(selector);
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect([answer.header("transfer-encoding"), answer.header("content-length")]).toContain(undefined);
    });

    it("pass ninety at a time", async () => {
      const fields = Array.from({ length: 90 }, (_, index): Header => [`X-N-${index}`, `v${index}`]);
      upstream.answer = reply(200, fields, "ok");
      const answer = await askBy(selector);
      expect(answer.status).toBe(200);
      expect(fields.filter(([name, value]) => answer.header(name) !== value)).toEqual([]);
    });

    it("vary by what chose the target, beside the target's own Vary", async () => {
      upstream.answer = reply(200, { "Vary": "Accept-Encoding" }, "ok");
      const tokens = tokensOf((await askBy(selector)).header("vary"));
      expect(tokens).toContain("accept-encoding");
      expect(tokens.filter((token) => token === "proxy_host" || token === "cookie")).toEqual(varies);
    });

    it("vary by the alias too, where it was used", async () => {
      const answer = await proxy.call("GET /p", { fields: { "proxy-host": upstream.origin } });
      expect(tokensOf(answer.header("vary")))
        .toEqual(expect.arrayContaining(["proxy_host", "proxy-host", "cookie"]));
    });

    it.each([{ status: 404 }, { status: 302 }, { status: 204 }, { status: 304 }, { status: 500 }])(
      "vary for status $status too",
      async ({ status }) => {
        upstream.answer = raw(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`);
        const answer = await askBy(selector);
        expect(answer.status).toBe(status);
        expect(tokensOf(answer.header("vary"))).toEqual(expect.arrayContaining(varies));
      },
    );

    it.each(AGAIN)("are the same when the answer comes again: $about", async ({ bytes }) => {
      upstream.answer = raw(bytes);
      const answers = [];
      for (let count = 0; count < 5; count += 1) {
        const { status, text, head } = await askBy(selector, `GET /p${count % 2}`);
        answers.push({ status, text, head: head.replace(LATEST, "") });
      }
      // What comes again is known by the connection that it comes on.
      expect(new Set(upstream.requests.map(({ connection }) => connection)).size).toBe(1);
      expect(answers).toEqual(Array(5).fill(answers[0]));
    });
  });

  describe("answers that come again", () => {
    const proxy = pool.with();

    it("vary by what chose the target of each, whichever came before", async () => {
      const upstream = await listen();
      upstream.answer = raw(`${AGAIN_HEAD}\r\nok`);
      const varies = async (selector: Selector) =>
        tokensOf((await ask(proxy, selector, upstream.origin)).header("vary")).includes("proxy_host");
      const seen = [];
      for (const { selector } of [...SELECTORS, ...SELECTORS, ...SELECTORS]) {
        seen.push(await varies(selector));
      }
      upstream.close();
      expect(seen)
        .toEqual([...SELECTORS, ...SELECTORS, ...SELECTORS].map(({ varies: names }) => names.length > 0));
    });

    it("change when one field of them does, and back", async () => {
      const upstream = await listen();
      const values = ["1", "1", "1", "2", "1", "2", "2", "2", "1"];
      const seen = [];
      for (const value of values) {
        upstream.answer = raw(`${AGAIN_HEAD}X-A: ${value}\r\n\r\nok`);
        seen.push((await ask(proxy, "header", upstream.origin)).header("x-a"));
      }
      upstream.close();
      expect(seen).toEqual(values);
    });
  });
}
