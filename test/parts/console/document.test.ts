/**
 * The page and its files: that nothing in them can be made to run, and who gets the ticket of live traffic.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { assert, describe, expect, it } from "vitest";
import { FILES } from "../../../src/parts/console/assets.ts";
import { answerAsset, answerDocument, type PageState } from "../../../src/parts/console/document.ts";
import type { PageFacts } from "../../../src/parts/console/page-facts.ts";
import { toResponse } from "../../../src/core/http/reply.ts";
import { type Asked, exchangeOf } from "../../console/exchange.ts";
import { words } from "../../support/rows.ts";

const STATE: PageState = {
  host: null,
  selector: null,
  seesTraffic: true,
  proof: "the proof",
  ticket: "the-ticket",
};

const open = (state: Partial<PageState> = {}, asked: Asked = {}) =>
  toResponse(answerDocument(exchangeOf(asked), { ...STATE, ...state }), { method: "GET", ...asked });

const load = async (name: string, asked: Asked = {}) => {
  const reply = await answerAsset(exchangeOf(asked), name);
  assert(reply);
  return toResponse(reply, { method: "GET", ...asked });
};

/** What the page tells its script. */
function factsOf(page: string): PageFacts {
  const content = /<meta name="fetchvia" content="([^"]*)">/.exec(page)?.[1] ?? "";
  return JSON.parse(content.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
}

describe("the page", () => {
  it("is kept by no cache, held by no frame or window, and runs its own script only", () => {
    const { headers } = open();
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("cross-origin-opener-policy")).toBe("noopener-allow-popups");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy.split("; ").map((rule) => rule.replace(/'nonce-[^']+'/, "nonce"))).toEqual([
      "default-src 'none'",
      "script-src nonce",
      "style-src nonce",
      "connect-src 'self'",
      "img-src blob: data:",
      "media-src blob:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types preview",
    ]);
  });

  it("has nonces of its own each time, one for the script and another for styles", async () => {
    const pages = [open(), open()];
    const nonces = pages.flatMap(({ headers }) =>
      [...(headers.get("content-security-policy") ?? "").matchAll(/'nonce-([^']+)'/g)].map(([, nonce]) =>
        nonce
      )
    );
    const texts = await Promise.all(pages.map((page) => page.text()));
    expect(new Set(nonces).size).toBe(4);
    expect(nonces.map((nonce, index) => texts[index >> 1]?.includes(`nonce="${nonce}"`)))
      .toEqual(Array(4).fill(true));
  });

  it("holds no inline script, no inline style and nothing of another host", async () => {
    const text = await open({ host: "https://a.test", selector: "cookie" }).text();
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:/i);
    const addresses = [...text.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map(([, address]) =>
      address ?? ""
    );
    expect(addresses.filter((address) => !/^(?:\/(?!\/)|#|data:image\/svg\+xml,)/.test(address))).toEqual([]);
  });

  it("says that no host is set", async () => {
    const text = await open().text();
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain("no host is set");
    expect(text).toMatch(/<input id="host-input"[^>]*\svalue=""/);
    expect(text).not.toContain("{{");
  });

  it.each([
    { selector: "header", said: "set by header" },
    { selector: "cookie", said: "set by cookie" },
    { selector: "label", said: "set by label" },
    { selector: "preset", said: "set by target (preset)" },
  ])("names the host and the selector $selector", async ({ selector, said }) => {
    const text = await open({ host: "https://a.test/v1", selector }).text();
    expect(text).toContain("https://a.test/v1</span>");
    expect(text).toContain(`>${said}</span>`);
  });

  it("leads to the routes that set and clear the host, without a script too", async () => {
    const text = await open({ host: "https://a.test", selector: "cookie" }).text();
    expect(text).toMatch(/<form [^>]*action="\/__proxy__\/"/);
    expect(text).toContain('href="/__proxy__/?host=&amp;then=%2F__proxy__%2F&amp;proof=');
  });

  it.each([
    ...words`https://a.test/"><script>alert(1)</script> https://a.test/'onfocus='alert(1)
      https://a.test/&lt;script&gt; https://a.test/{{script}}$&$1`,
    "https://a.test/</span><img src=x onerror=alert(1)>",
  ])("escapes %s wherever it stands", async (host) => {
    const [plain, page] = await Promise.all([
      open({ host: "X", selector: "cookie" }).text(),
      open({ host, selector: "cookie", problem: host }).text(),
    ]);
    expect(page.match(/[<>"']/g)?.length).toBe(plain.match(/[<>"']/g)?.length);
    expect(page).not.toMatch(/&lt;script&gt;/);
    expect(factsOf(page).host).toBe(host);
  });

  it("tells its script what it needs", async () => {
    const options = {
      proxyDomain: "p.test",
      proxyLabels: { api: "https://api.test/v1" },
      proxyToken: "secret",
    };
    const text = await open({ host: "https://a.test", selector: "label", problem: "Oops" }, { options })
      .text();
    expect(factsOf(text)).toMatchObject({
      host: "https://a.test",
      selector: "label",
      problem: "Oops",
      domain: "p.test",
      labels: [["api", "https://api.test/v1"]],
      ticket: "the-ticket",
      needsToken: true,
    });
    expect(text).not.toContain("secret");
  });

  it.each([
    { about: "a browser that opens it", dest: "document", seesTraffic: true, ticket: "the-ticket" },
    { about: "a script that fetches it", dest: "empty", seesTraffic: true, ticket: null },
    { about: "a frame", dest: "iframe", seesTraffic: true, ticket: null },
    { about: "a caller without trust", dest: "document", seesTraffic: false, ticket: null },
  ])("gives $about the ticket $ticket", async ({ dest, seesTraffic, ticket }) => {
    const text = await open({ seesTraffic }, { fields: { "sec-fetch-dest": dest } }).text();
    expect(factsOf(text).ticket).toBe(ticket);
  });

  it.each([
    { site: "none", isAsked: true },
    { site: "same-origin", isAsked: false },
    { site: "cross-site", isAsked: false },
    { site: "", isAsked: false },
  ])("says whether the user opened it: $isAsked for $site", async ({ site, isAsked }) => {
    const fields = { "sec-fetch-dest": "document", "sec-fetch-site": site };
    expect(factsOf(await open({ seesTraffic: true }, { fields }).text()).isAsked).toBe(isAsked);
  });

  it("keeps labels from callers without trust", async () => {
    const options = { proxyLabels: { api: "https://internal.test" } };
    expect(await open({ seesTraffic: false }, { options }).text()).not.toContain("internal.test");
  });

  it("has no body for HEAD", () => expect(open({}, { method: "HEAD" }).body).toBeNull());
});

describe("the files", () => {
  it.each([
    { name: "console.css", type: "text/css; charset=utf-8", text: "color-scheme" },
    { name: "console.js", type: "text/javascript; charset=utf-8", text: "import" },
  ])("$name", async ({ name, type, text }) => {
    const response = await load(name);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toContain(text);
  });

  it.each(words`gzip GZIP;q=0.5 br,gzip deflate,gzip;q=1,x`)(
    "are packed for a browser that takes %s",
    async (codings) => {
      const response = await load("console.js", { fields: { "accept-encoding": codings } });
      expect([response.headers.get("content-encoding"), response.headers.get("vary")])
        .toEqual(["gzip", "Accept-Encoding"]);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get("content-length")).toBe(String(bytes.length));
      expect(gunzipSync(bytes).toString()).toBe(await (await load("console.js")).text());
    },
  );

  it.each(words`identity br gzip;q=0 gzip;q=0.00 x-gzip *`)(
    "are not packed for who takes %s",
    async (codings) =>
      expect(
        (await load("console.js", { fields: { "accept-encoding": codings } })).headers.has(
          "content-encoding",
        ),
      )
        .toBe(false),
  );

  it.each(["", "gzip"])("are not sent again to whoever has them, by '%s'", async (codings) => {
    const taken = { "accept-encoding": codings };
    const etag = (await load("console.js", { fields: taken })).headers.get("etag") ?? "";
    expect((await load("console.js", { fields: { ...taken, "if-none-match": etag } })).status).toBe(304);
    expect((await load("console.js", { fields: { "accept-encoding": "x", "if-none-match": etag } })).status)
      .toBe(codings ? 200 : 304);
    expect((await load("console.js", { fields: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it.each(["other.js", "constructor", ""])("%s is not one of them", async (name) => {
    expect(await answerAsset(exchangeOf(), name)).toBeUndefined();
  });

  it("are there for GET and HEAD", async () => {
    const head = await load("console.css", { method: "HEAD", fields: { "accept-encoding": "gzip" } });
    expect([head.body, Number(head.headers.get("content-length")) > 5_000]).toEqual([null, true]);
    await expect(answerAsset(exchangeOf({ method: "POST" }), "console.js"))
      .rejects.toThrow(expect.objectContaining({ code: "method_not_allowed" }));
  });

  it("neither evaluate nor write markup", async () => {
    const folder = new URL("../../../src/console/", import.meta.url);
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.ts$/.test(name)
    );
    expect(names.length).toBeGreaterThan(100);
    const written = names.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
    expect(written).not.toMatch(/innerHTML|insertAdjacentHTML/);
    const served = await Promise.all(Object.keys(FILES).map(async (name) => await (await load(name)).text()));
    expect(served.join("\n")).not.toMatch(/\beval\(|new Function|document\.write/);
  });
});
