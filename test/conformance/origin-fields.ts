/**
 * What a target may not do to an origin that it shares: binding fields, service workers, pages.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Answer, Header, Pool } from "../support/topic.ts";
import { argOf, expectError, labelOf, reply, routes, selectors, useTarget } from "../support/topic.ts";

const SHARED = selectors("header", "cookie", "url", "at", "arg");

const HOST_SELECTORS = selectors("header", "cookie", "label");

const BINDING = [
  { name: "Strict-Transport-Security", value: "max-age=63072000; includeSubDomains; preload" },
  { name: "Clear-Site-Data", value: '"*"' },
  { name: "Public-Key-Pins", value: 'pin-sha256="x"; max-age=5' },
  { name: "Public-Key-Pins-Report-Only", value: 'pin-sha256="x"; max-age=5' },
  { name: "Service-Worker-Allowed", value: "/" },
  // The origin's dictionaries, login and sessions: what one target stores, the requests to the next one would show.
  { name: "Use-As-Dictionary", value: 'match="/*"' },
  { name: "Set-Login", value: "logged-in" },
  { name: "Secure-Session-Registration", value: '(ES256);path="/session"' },
  // What the origin's next requests tell of the browser, also to the next target.
  { name: "Accept-CH", value: "Sec-CH-UA-Model, Device-Memory" },
  { name: "Critical-CH", value: "Sec-CH-UA-Model" },
  // The language of all requests to the origin from then on.
  { name: "Avail-Language", value: "fr, en;d" },
  // The first response of the origin decides for all its pages.
  { name: "Origin-Agent-Cluster", value: "?1" },
  { name: "Expect-CT", value: 'max-age=5, report-uri="https://a.test/"' },
  // The query names the target, so one target's response would be all targets'.
  { name: "No-Vary-Search", value: "params" },
  // A page with the policy of the proxy's own pages keeps its hold of one that it leaves for.
  { name: "Cross-Origin-Opener-Policy", value: 'noopener-allow-popups; report-to="x"' },
];

const ELSEWHERE = [
  { name: "Alt-Svc", value: 'h3=":443"; ma=86400' },
  { name: "NEL", value: '{"report_to":"x","max_age":5}' },
  { name: "Report-To", value: '{"group":"x","endpoints":[]}' },
  { name: "Reporting-Endpoints", value: 'x="https://a.test/"' },
];

const SANDBOX = "sandbox allow-scripts allow-forms allow-popups allow-downloads";

const policy = (value: string): Header => ["Content-Security-Policy", value];
const POLICIES: { about: string; fields: Header[]; policies: string[] }[] = [
  { about: "none", fields: [], policies: [SANDBOX] },
  {
    about: "one",
    fields: [policy("default-src 'self'; img-src *")],
    policies: ["default-src 'self'; img-src *", SANDBOX],
  },
  {
    about: "several",
    fields: [policy("default-src 'self', sandbox"), policy("img-src *")],
    policies: ["default-src 'self'", "sandbox", "img-src *", SANDBOX],
  },
];

const listOf = (value = "") => value.split(",").map((item) => item.trim());
const protectionOf = (answer: Answer) =>
  ["content-security-policy", "x-content-type-options", "referrer-policy"].map((name) => answer.header(name));
const PROTECTED = [SANDBOX, "nosniff", "no-referrer"];

export function describeOriginFields(pool: Pool): void {
  describe("fields that bind an origin", () => {
    const { upstream, askBy } = useTarget(pool);

    describe.each(SHARED)("by $selector", ({ selector }) => {
      it.each([...BINDING, ...ELSEWHERE])("stay here: $name", async ({ name, value }) => {
        upstream.answer = reply(200, [[name, value], [name.toLowerCase(), value], ["X-Own", "kept"]]);
        const answer = await askBy(selector);
        expect(answer.headersNamed(name)).toEqual([]);
        expect(answer.header("x-own")).toBe("kept");
      });

      it("leave a page its own opener policy", async () => {
        upstream.answer = reply(200, { "Cross-Origin-Opener-Policy": "same-origin" });
        expect((await askBy(selector)).header("cross-origin-opener-policy")).toBe("same-origin");
      });
    });

    it.each(BINDING)("pass by label, which has an origin of its own: $name", async ({ name, value }) => {
      upstream.answer = reply(200, { [name]: value });
      expect((await askBy("label")).headersNamed(name)).toEqual([value]);
    });

    it.each(ELSEWHERE)("stay here by label too: $name", async ({ name, value }) => {
      upstream.answer = reply(200, { [name]: value });
      expect((await askBy("label")).headersNamed(name)).toEqual([]);
    });
  });

  describe("a service worker", () => {
    const { proxy, upstream, askBy } = useTarget(pool);
    const fields = { "Service-Worker": "script", "Sec-Fetch-Site": "same-origin" };

    it.each(selectors("header", "cookie", "url", "at"))("is refused by $selector", async ({ selector }) => {
      const answer = await askBy(selector, "GET /worker.js", { fields });
      expectError(answer, { status: 403, names: /service.worker/i });
      expect(upstream.requests).toEqual([]);
    });

    it("is refused by arg", async () => {
      const argument = argOf({ url: `${upstream.origin}/worker.js` });
      const answer = await proxy.call(`GET /__proxy__/fetch?arg=${argument}`, { fields });
      expectError(answer, { status: 403, title: "Fetch API Error", names: /service.worker/i });
      expect(upstream.requests).toEqual([]);
    });

    it("is refused by url on a label's origin", async () => {
      const host: Header = ["Host", `${labelOf(upstream.origin)}.w.localhost:${proxy.port}`];
      const options = { fields: [host, ...Object.entries(fields)] };
      expectError(await askBy("url", "GET /worker.js", options), { status: 403, names: /service.worker/i });
    });

    it("passes by label", async () => {
      expect((await askBy("label", "GET /worker.js", { fields })).status).toBe(200);
      expect(upstream.request.header("service-worker")).toBe("script");
    });
  });

  describe.each(selectors("url", "at", "arg"))("a page by $selector", ({ selector }) => {
    const { upstream, askBy } = useTarget(pool);

    it.each(POLICIES)("is sandboxed beside its own policies: $about", async ({ fields, policies }) => {
      upstream.answer = reply(200, fields, "<p>");
      expect(listOf((await askBy(selector)).header("content-security-policy"))).toEqual(policies);
    });

    it.each([200, 404, 304, 500].map((status) => ({ status })))(
      "is neither sniffed nor referred to, status $status",
      async ({ status }) => {
        upstream.answer = reply(status);
        const answer = await askBy(selector);
        expect([answer.status, ...protectionOf(answer)]).toEqual([status, ...PROTECTED]);
      },
    );

    it("is so where the target says otherwise", async () => {
      upstream.answer = reply(200, { "Referrer-Policy": "unsafe-url", "X-Content-Type-Options": "nonsense" });
      const answer = await askBy(selector);
      // Browsers take the last policy that they know.
      expect(listOf(answer.header("referrer-policy")).at(-1)).toBe("no-referrer");
      // Browsers look at the first value only.
      expect(listOf(answer.header("x-content-type-options"))[0]).toBe("nosniff");
    });
  });

  describe.each(selectors("url", "arg"))("a page where a redirect ended, by $selector,", ({ selector }) => {
    const { upstream, askBy } = useTarget(pool);

    it("is sandboxed too", async () => {
      upstream.answer = routes({ "/p": reply(302, { Location: "/q" }), "/q": reply(200, {}, "<p>") });
      const answer = await askBy(selector);
      expect(upstream.targets).toEqual(["/p", "/q"]);
      expect(protectionOf(answer)).toEqual(PROTECTED);
    });
  });

  describe.each(HOST_SELECTORS)("a page by $selector", ({ selector }) => {
    const { upstream, askBy } = useTarget(pool);

    it.each([
      { about: "no policy", values: [undefined, undefined, undefined] },
      { about: "its own", values: ["img-src *", "nosniff", "origin"] },
    ])("has $about", async ({ values: [csp, sniffing, referrer] }) => {
      const own = {
        "Content-Security-Policy": csp,
        "X-Content-Type-Options": sniffing,
        "Referrer-Policy": referrer,
      };
      upstream.answer = reply(200, own);
      expect(protectionOf(await askBy(selector))).toEqual([csp, sniffing, referrer]);
    });
  });
}
