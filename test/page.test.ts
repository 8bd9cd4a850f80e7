/**
 * The console page: who gets it, and that nothing in it can be made to run.
 * @module
 */
import { describe, expect, it } from "vitest";
import { answerConsole, prefersHtml } from "../src/console/page.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

describe("prefersHtml", () => {
  it.each([
    { accept: BROWSER, prefers: true },
    { accept: "text/html", prefers: true },
    { accept: "TEXT/HTML", prefers: true },
    { accept: " text/html ; q=0.9 , */* ; q=0.8", prefers: true },
    { accept: "text/html;charset=utf-8", prefers: true },
    { accept: "application/json;q=0.5, text/html", prefers: true },
    { accept: "text/html;q=0.001", prefers: true },
    { accept: null, prefers: false },
    { accept: "", prefers: false },
    { accept: "*/*", prefers: false },
    { accept: "application/json", prefers: false },
    { accept: "application/json, text/html;q=0.9", prefers: false },
    { accept: "text/html;q=0.5, application/json;q=0.6", prefers: false },
    { accept: "application/json, text/html", prefers: false },
    { accept: "text/html;q=0", prefers: false },
    { accept: "text/html;q=0.5, */*;q=0.8", prefers: false },
    { accept: "text/html;q=x", prefers: false },
    { accept: "text/htmlx", prefers: false },
    { accept: "x-text/html", prefers: false },
    { accept: "text/plain, */*;q=0.1", prefers: false },
    { accept: ",;,;q=1", prefers: false },
  ])("$accept: $prefers", ({ accept, prefers }) => {
    expect(prefersHtml(accept)).toBe(prefers);
  });
});

describe("answerConsole", () => {
  it("is a page that no cache keeps, no frame holds, and that runs nothing", () => {
    const response = answerConsole(null, null);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).toMatch(/base-uri 'none'/);
    expect(policy).toMatch(/form-action 'self'/);
    expect(policy).not.toMatch(/unsafe|\*/);
  });

  it("has a nonce of its own each time, in policy and page", async () => {
    const pages = [answerConsole(null, null), answerConsole(null, null)];
    const nonces = pages.map(({ headers }) =>
      /'nonce-([^']+)'/.exec(headers.get("content-security-policy") ?? "")?.[1]
    );
    const texts = await Promise.all(pages.map((page) => page.text()));
    expect(new Set(nonces).size).toBe(2);
    expect(nonces.map((nonce, index) => texts[index]?.includes(`nonce="${nonce}"`))).toEqual([true, true]);
  });

  it("says that no host is set", async () => {
    const text = await answerConsole(null, null).text();
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).toContain("No host is set");
    expect(text).toMatch(/<input [^>]*name="host"[^>]* value="">/);
  });

  it.each([{ selector: "header" }, { selector: "cookie" }, { selector: "label" }])(
    "names the host and the selector $selector",
    async ({ selector }) => {
      const text = await answerConsole("https://a.test/v1", selector).text();
      expect(text).toContain("https://a.test/v1");
      expect(text).toContain(selector);
      expect(text).not.toContain("No host is set");
    },
  );

  it("leads to the routes that set and clear the host", async () => {
    const text = await answerConsole("https://a.test", "cookie").text();
    expect(text).toMatch(/<form [^>]*action="\/__proxy__\/"/);
    expect(text).toContain('href="/__proxy__/?host=');
  });

  it.each([
    { host: 'https://a.test/"><script>alert(1)</script>' },
    { host: "https://a.test/'onfocus='alert(1)" },
    { host: "https://a.test/</code><img src=x onerror=alert(1)>" },
    { host: "https://a.test/&lt;script&gt;" },
  ])("escapes $host wherever it stands", async ({ host }) => {
    const [plain, page] = await Promise.all([
      answerConsole("X", "cookie").text(),
      answerConsole(host, `cookie${host}`).text(),
    ]);
    expect(page).not.toContain(host);
    expect(page.match(/[<>"']/g)?.length).toBe(plain.match(/[<>"']/g)?.length);
    expect(page).not.toMatch(/&lt;script&gt;/);
  });
});
