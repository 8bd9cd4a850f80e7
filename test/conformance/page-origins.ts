/**
 * `Origin` and `Referer`: what points at the proxy points at the target.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { Pool, Received, Selector } from "../support/topic.ts";
import { alike, expectedOf, FIELD_VALUES, labelOf } from "../support/topic.ts";
import { proxyOriginOf, rowsWith, selectors } from "../support/topic.ts";
import { useTarget } from "../support/topic.ts";

const SELECTORS = selectors("header", "cookie", "label", "url", "at");
const HOST_SELECTORS = SELECTORS.slice(0, 3);
const isOwnPath = (selector: Selector) => selector === "url" || selector === "at";

/** Loopback origins where a reserved path is asked: others are refused there. */
const FOREIGN_ORIGINS = alike("origin")`http://localhost:3000 http://127.0.0.1:1`;

const FOREIGN_REFERERS = [
  { referer: "https://other.test/page?x=1" },
  { referer: "https://other.test/" },
  { referer: "http://127.0.0.1:1/page" },
  { referer: "https://other.test/?from=http://127.0.0.1:{port}/page" },
  { referer: "{proxy}9/page" },
  { referer: "{proxy}.other.test/page" },
  { referer: "https://other.test/page?token=1&sig=2" },
  { referer: "https://other.test/front/__proxy__/?url=http://a.test/" },
  { referer: "about:blank" },
  { referer: "" },
];

const OWN_REFERERS = [
  { referer: "{proxy}/", arrives: "/" },
  { referer: "{proxy}", arrives: "/" },
  { referer: "{proxy}/page?x=%26&y=http://a.test/", arrives: "/page?x=%26&y=http://a.test/" },
  { referer: "{proxy}//evil.test/x", arrives: "//evil.test/x" },
  { referer: "{proxy}/__proxy__x/page", arrives: "/__proxy__x/page" },
  { referer: "{proxy}/a/__proxy__/", arrives: "/a/__proxy__/" },
];

const RESERVED_REFERERS = [
  { referer: "{proxy}/__proxy__" },
  { referer: "{proxy}/__proxy__/" },
  { referer: "{proxy}/__proxy__?url=http://secret.test/" },
  { referer: "{proxy}/__proxy__/?url=http://secret.test/&token=t" },
  { referer: "{proxy}/__proxy__/fetch?arg=secret" },
  // Behind a front that strips a prefix, or by another name, its path is no reserved one; what it holds is a secret all the same.
  { referer: "{proxy}/front/__proxy__/?token=secret" },
  { referer: "https://front.test/front/__proxy__/?url=http://a.test/&token=secret" },
  { referer: "https://front.test/front/__proxy__/fetch?arg=e30&exp=1&sig=secret" },
];

const LISTENER = "a listener that it knows";

/** The fields that point at the proxy, as a page of a target sends them. */
export const sentWith = (own: string) => ({
  origin: own,
  referer: `${own}/page?x=1`,
  destination: `${own}/b%20c`,
  if: `<${own}/a> (<urn:uuid:1>)`,
});

/** What arrived in the fields of these names. */
export function valuesOf(request: Received, names: object) {
  return Object.fromEntries(Object.keys(names).map((name) => [name, request.header(name)]));
}

export function describePageOrigins(pool: Pool): void {
  describe.each(SELECTORS)("Origin and Referer by $selector", ({ selector }) => {
    const { proxy, upstream, askBy } = useTarget(pool);
    let write: (text: string) => string;
    beforeEach(() => {
      const own = proxyOriginOf(proxy, selector, upstream.origin);
      write = (text) => text.replaceAll("{proxy}", own).replaceAll("{port}", String(proxy.port));
    });

    it("map the resources that WebDAV names, and no others", async () => {
      const own = isOwnPath(selector) ? write("{proxy}") : upstream.origin;
      const fields = {
        Destination: write("{proxy}/b%20c"),
        If: write("<{proxy}/a> (<urn:uuid:1>) <http://other.test/> (<urn:uuid:2>)"),
      };
      await askBy(selector, "COPY /a", { fields });
      expect(upstream.request.header("destination")).toBe(`${own}/b%20c`);
      expect(upstream.request.header("if"))
        .toBe(`<${own}/a> (<urn:uuid:1>) <http://other.test/> (<urn:uuid:2>)`);
    });

    it("map the proxy's own origin", async () => {
      const fields = { Origin: write("{proxy}"), "Sec-Fetch-Site": "same-origin" };
      await askBy(selector, "POST /p", { fields });
      expect(upstream.request.headersNamed("origin")).toEqual([upstream.origin]);
    });

    it.each(isOwnPath(selector) ? rowsWith(pool.runtime, LISTENER, FOREIGN_ORIGINS) : FOREIGN_ORIGINS)(
      "leave the origin $origin alone",
      async ({ origin }) => {
        await askBy(selector, "POST /p", { fields: { Origin: write(origin) } });
        expect(upstream.request.headersNamed("origin")).toEqual([write(origin)]);
      },
    );

    it.each(FOREIGN_REFERERS)("leave the referer $referer alone", async ({ referer }) => {
      await askBy(selector, "GET /p", { fields: { Referer: write(referer) } });
      const arrives = expectedOf(FIELD_VALUES, pool.runtime, `known: ${referer}`, write(referer));
      expect(upstream.request.header("referer")).toBe(arrives);
    });

    it.each(RESERVED_REFERERS)("drop the reserved referer $referer", async ({ referer }) => {
      await askBy(selector, "GET /p", { fields: { Referer: write(referer) } });
      expect(upstream.request.headersNamed("referer")).toEqual([]);
    });
  });

  describe.each(SELECTORS)("a target that is told the caller's host, by $selector,", ({ selector }) => {
    const { proxy, upstream, askBy } = useTarget(pool, { PRIVATE_TARGETS: "true", FORWARD_CLIENT: "true" });

    it.each([{ base: "" }, { base: "/v1" }])(
      "hears the proxy's own origin as it was sent, $base",
      async ({ base }) => {
        const own = proxyOriginOf(proxy, selector, upstream.origin);
        const sent = sentWith(own);
        const fields = { ...sent, "Sec-Fetch-Site": "same-origin" };
        await askBy(selector, "COPY /a", { fields, ...(base && selector !== "label" && { base }) });
        expect(upstream.request.header("x-forwarded-host")).toBe(new URL(own).host);
        const arrives = selector === "url" || selector === "at" ? { ...sent, referer: undefined } : sent;
        expect(valuesOf(upstream.request, sent)).toEqual(arrives);
      },
    );

    it("hears of its place on the proxy as of its own paths", async () => {
      const sent = sentWith(`${proxy.origin}/__proxy__/at/${labelOf(upstream.origin)}`);
      await askBy("at", "MOVE /a", { fields: { ...sent, origin: proxy.origin } });
      expect(valuesOf(upstream.request, sent)).toEqual(sentWith(proxy.origin));
    });

    it.each(RESERVED_REFERERS)("sees no reserved referer: $referer", async ({ referer }) => {
      const own = proxyOriginOf(proxy, selector, upstream.origin);
      await askBy(selector, "GET /p", { fields: { Referer: referer.replaceAll("{proxy}", own) } });
      expect(upstream.request.headersNamed("referer")).toEqual([]);
    });
  });

  describe.each(HOST_SELECTORS)("pages of the target by $selector", ({ selector }) => {
    const { proxy, upstream, askBy } = useTarget(pool);
    let own: string;
    beforeEach(() => {
      own = proxyOriginOf(proxy, selector, upstream.origin);
    });

    it.each(OWN_REFERERS)("map the referer $referer", async ({ referer, arrives }) => {
      await askBy(selector, "GET /p", { fields: { Referer: referer.replace("{proxy}", own) } });
      expect(upstream.request.headersNamed("referer")).toEqual([upstream.origin + arrives]);
    });

    it.each([{ origin: "https://other.test" }, { origin: "null" }])(
      "leave the origin $origin alone",
      async ({ origin }) => {
        await askBy(selector, "POST /p", { fields: { Origin: origin } });
        expect(upstream.request.headersNamed("origin")).toEqual([origin]);
      },
    );
  });

  // A page of the plain origin is none of the target that an address names.
  describe.each(selectors("url", "at"))("pages of other targets by $selector", ({ selector }) => {
    const { proxy, upstream, askBy } = useTarget(pool);

    it.each(OWN_REFERERS)("drop the referer $referer", async ({ referer }) => {
      await askBy(selector, "GET /p", { fields: { Referer: referer.replace("{proxy}", proxy.origin) } });
      expect(upstream.request.headersNamed("referer")).toEqual([]);
    });
  });

  describe.each(selectors("header", "cookie"))(
    "pages of a target with a base path by $selector",
    ({ selector }) => {
      const { proxy, upstream, askBy } = useTarget(pool);

      it("map Referer with the base path, Origin without", async () => {
        const fields = { Referer: `${proxy.origin}/page?x=1`, Origin: proxy.origin };
        await askBy(selector, "POST /p", { fields, base: "/v1" });
        expect(upstream.request.header("referer")).toBe(`${upstream.origin}/v1/page?x=1`);
        expect(upstream.request.header("origin")).toBe(upstream.origin);
      });
    },
  );
}
