/**
 * What a target may not do to an origin that it shares: binding fields, service workers, pages.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { expectError } from "../support/expect.ts";
import type { Header } from "../support/http.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { ask, labelOf, type Selector } from "../support/ways.ts";

const SHARED: { selector: Selector }[] = [
  { selector: "header" },
  { selector: "cookie" },
  { selector: "url" },
  { selector: "arg" },
];

const HOST_SELECTORS: { selector: Selector }[] = [
  { selector: "header" },
  { selector: "cookie" },
  { selector: "label" },
];

const BINDING = [
  { name: "Strict-Transport-Security", value: "max-age=63072000; includeSubDomains; preload" },
  { name: "Clear-Site-Data", value: '"*"' },
  { name: "Public-Key-Pins", value: 'pin-sha256="x"; max-age=5' },
  { name: "Public-Key-Pins-Report-Only", value: 'pin-sha256="x"; max-age=5' },
  { name: "Service-Worker-Allowed", value: "/" },
];

const ELSEWHERE = [
  { name: "Alt-Svc", value: 'h3=":443"; ma=86400' },
  { name: "NEL", value: '{"report_to":"x","max_age":5}' },
  { name: "Report-To", value: '{"group":"x","endpoints":[]}' },
  { name: "Reporting-Endpoints", value: 'x="https://a.test/"' },
];

const SANDBOX = "sandbox allow-scripts allow-forms allow-popups allow-downloads";

const POLICIES: { about: string; fields: Header[]; policies: string[] }[] = [
  { about: "none", fields: [], policies: [SANDBOX] },
  {
    about: "one",
    fields: [["Content-Security-Policy", "default-src 'self'; img-src *"]],
    policies: ["default-src 'self'; img-src *", SANDBOX],
  },
  {
    about: "several",
    fields: [
      ["Content-Security-Policy", "default-src 'self', sandbox"],
      ["Content-Security-Policy", "img-src *"],
    ],
    policies: ["default-src 'self'", "sandbox", "img-src *", SANDBOX],
  },
];

function listOf(value: string | undefined): string[] {
  return (value ?? "").split(",").map((item) => item.trim());
}

/** Declares the tests. */
export function describeOriginFields(pool: Pool): void {
  describe("fields that bind an origin", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    describe.each(SHARED)("by $selector", ({ selector }) => {
      it.each([...BINDING, ...ELSEWHERE])("stay here: $name", async ({ name, value }) => {
        upstream.answer = reply(200, [[name, value], [name.toLowerCase(), value], ["X-Own", "kept"]]);
        const answer = await ask(proxy, selector, upstream.origin, "GET /p");
        expect(answer.headersNamed(name)).toEqual([]);
        expect(answer.header("x-own")).toBe("kept");
      });
    });

    it.each(BINDING)("pass by label, which has an origin of its own: $name", async ({ name, value }) => {
      upstream.answer = reply(200, { [name]: value });
      const answer = await ask(proxy, "label", upstream.origin, "GET /p");
      expect(answer.headersNamed(name)).toEqual([value]);
    });

    it.each(ELSEWHERE)("stay here by label too: $name", async ({ name, value }) => {
      upstream.answer = reply(200, { [name]: value });
      const answer = await ask(proxy, "label", upstream.origin, "GET /p");
      expect(answer.headersNamed(name)).toEqual([]);
    });
  });

  describeServiceWorker(pool);
  describeSandbox(pool);
}

function describeServiceWorker(pool: Pool): void {
  describe("a service worker", () => {
    const proxy = pool.with();
    const fields = { "Service-Worker": "script", "Sec-Fetch-Site": "same-origin" };
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each([{ selector: "header" }, { selector: "cookie" }, { selector: "url" }] as const)(
      "is refused by $selector",
      async ({ selector }) => {
        const answer = await ask(proxy, selector, upstream.origin, "GET /worker.js", { fields });
        expectError(answer, { status: 403, names: /service.worker/i });
        expect(upstream.requests).toEqual([]);
      },
    );

    it("is refused by arg", async () => {
      const argument = argOf({ url: `${upstream.origin}/worker.js` });
      const answer = await proxy.call(`GET /__proxy__/fetch?arg=${argument}`, { fields });
      expectError(answer, { status: 403, title: "Fetch API Error", names: /service.worker/i });
      expect(upstream.requests).toEqual([]);
    });

    it("is refused by url on a label's origin", async () => {
      const host: Header = ["Host", `${labelOf(upstream.origin)}.w.localhost:${proxy.port}`];
      const options = { fields: [host, ...Object.entries(fields)] };
      const answer = await ask(proxy, "url", upstream.origin, "GET /worker.js", options);
      expectError(answer, { status: 403, names: /service.worker/i });
    });

    it("passes by label", async () => {
      const answer = await ask(proxy, "label", upstream.origin, "GET /worker.js", { fields });
      expect(answer.status).toBe(200);
      expect(upstream.request.header("service-worker")).toBe("script");
    });
  });
}

function describeSandbox(pool: Pool): void {
  describe.each([{ selector: "url" as const }, { selector: "arg" as const }])(
    "a page by $selector",
    ({ selector }) => {
      const proxy = pool.with();
      let upstream: Upstream;
      beforeEach(async () => {
        upstream = await listen();
        return () => upstream.close();
      });

      it.each(POLICIES)("is sandboxed beside its own policies: $about", async ({ fields, policies }) => {
        upstream.answer = reply(200, fields, "<p>");
        const answer = await ask(proxy, selector, upstream.origin, "GET /p");
        expect(listOf(answer.header("content-security-policy"))).toEqual(policies);
      });

      it.each([{ status: 200 }, { status: 404 }, { status: 304 }, { status: 500 }])(
        "is neither sniffed nor referred to, status $status",
        async ({ status }) => {
          upstream.answer = reply(status);
          const answer = await ask(proxy, selector, upstream.origin, "GET /p");
          expect(answer.status).toBe(status);
          expect(answer.header("content-security-policy")).toBe(SANDBOX);
          expect(answer.header("x-content-type-options")).toBe("nosniff");
          expect(answer.header("referrer-policy")).toBe("no-referrer");
        },
      );

      it("is so where the target says otherwise", async () => {
        upstream.answer = reply(200, {
          "Referrer-Policy": "unsafe-url",
          "X-Content-Type-Options": "nonsense",
        });
        const answer = await ask(proxy, selector, upstream.origin, "GET /p");
        // Browsers take the last policy that they know.
        expect(listOf(answer.header("referrer-policy")).at(-1)).toBe("no-referrer");
        // Browsers look at the first value only.
        expect(listOf(answer.header("x-content-type-options"))[0]).toBe("nosniff");
      });

      it("is so where a redirect ended", async () => {
        upstream.answer = routes({ "/p": reply(302, { Location: "/q" }), "/q": reply(200, {}, "<p>") });
        const answer = await ask(proxy, selector, upstream.origin, "GET /p");
        expect(upstream.targets).toEqual(["/p", "/q"]);
        expect(answer.header("content-security-policy")).toBe(SANDBOX);
        expect(answer.header("x-content-type-options")).toBe("nosniff");
        expect(answer.header("referrer-policy")).toBe("no-referrer");
      });
    },
  );

  describe.each(HOST_SELECTORS)("a page by $selector", ({ selector }) => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each([
      { about: "no policy", fields: {}, policy: undefined, sniffing: undefined, referrer: undefined },
      {
        about: "its own",
        fields: {
          "Content-Security-Policy": "img-src *",
          "X-Content-Type-Options": "nosniff",
          "Referrer-Policy": "origin",
        },
        policy: "img-src *",
        sniffing: "nosniff",
        referrer: "origin",
      },
    ])("has $about", async ({ fields, policy, sniffing, referrer }) => {
      upstream.answer = reply(200, fields);
      const answer = await ask(proxy, selector, upstream.origin, "GET /p");
      expect(answer.header("content-security-policy")).toBe(policy);
      expect(answer.header("x-content-type-options")).toBe(sniffing);
      expect(answer.header("referrer-policy")).toBe(referrer);
    });
  });
}
