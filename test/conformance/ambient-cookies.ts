/**
 * To whom the cookies go that a caller holds for the proxy's origin.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Answer, Header, Pool, Selector } from "../support/topic.ts";
import { ask, labelOf, useTarget, useUpstream } from "../support/topic.ts";

interface Row {
  selector: Selector;
  /** The host in the caller's cookie, compared with the target. */
  stored: "same" | "other" | "none";
  caller: "browser" | "program";
  arrives: string | undefined;
}

const SITE: Record<Row["caller"], Header[]> = { browser: [["Sec-Fetch-Site", "same-origin"]], program: [] };

const ROWS: Row[] = ([
  ["header", "same", "sid=1", "sid=1"],
  ["header", "other", undefined, undefined],
  ["header", "none", "sid=1", "sid=1"],
  ["cookie", "same", "sid=1", "sid=1"],
  ["label", "none", "sid=1", "sid=1"],
  ["url", "same", "sid=1", "sid=1"],
  ["url", "other", undefined, undefined],
  ["url", "none", undefined, "sid=1"],
  ["at", "same", "sid=1", "sid=1"],
  ["at", "other", undefined, undefined],
  ["at", "none", undefined, "sid=1"],
] as const).flatMap(([selector, stored, browser, program]) => [
  { selector, stored, caller: "browser", arrives: browser },
  { selector, stored, caller: "program", arrives: program },
]);

/** Hosts that are configured by something else than a cookie, while `url` names the target. */
const CONFIGURED = (["label", "header"] as const).flatMap((
  by,
) => [{ by, host: "same" as const, arrives: "sid=1" }, { by, host: "other" as const, arrives: undefined }]);

const UNCLEAR = [
  { about: "is malformed", cookie: "proxy_host=nonsense; sid=1" },
  { about: "is empty", cookie: "proxy_host=; sid=1" },
  { about: "is there twice", cookie: "proxy_host={origin}; sid=1; proxy_host=http://other.test" },
  { about: "has the target's name, but another port", cookie: "proxy_host=http://127.0.0.1:1; sid=1" },
  { about: "has the target's name, but another scheme", cookie: "proxy_host=https://{host}; sid=1" },
];

const OWN = { fields: siteOf("same-origin"), cookie: true, site: "same-origin" };
/** Who asks for a page behind a label; `{other}` is another label of the proxy. */
const CROSSINGS: { about: string; fields: Header[]; method?: string; cookie: boolean; site?: string }[] = [
  {
    about: "its own page",
    fields: siteOf("same-origin", "cors", "empty"),
    cookie: true,
    site: "same-origin",
  },
  { about: "a form of its own page", method: "POST", ...OWN },
  { about: "who typed it", fields: siteOf("none"), cookie: true, site: "none" },
  ...[
    { about: "a link of another label", fields: siteOf("same-site"), cookie: true },
    { about: "a form of another label", method: "POST", fields: siteOf("same-site"), cookie: false },
    { about: "a HEAD of another label", method: "HEAD", fields: siteOf("same-site"), cookie: false },
    { about: "a frame of another label", fields: siteOf("same-site", "navigate", "iframe"), cookie: false },
    { about: "a script of another label", fields: siteOf("same-site", "cors", "empty"), cookie: false },
    { about: "a picture of another label", fields: siteOf("same-site", "no-cors", "image"), cookie: false },
  ].map((row) => ({ ...row, site: "cross-site" })),
  { about: "the Origin of another label", method: "POST", fields: [["Origin", "{other}"]], cookie: false },
  { about: "the Referer of another label", fields: [["Referer", "{other}/page"]], cookie: false },
  { about: "a program", method: "POST", fields: [], cookie: true },
];

function siteOf(site: string, mode = "navigate", dest = "document"): Header[] {
  return [["Sec-Fetch-Site", site], ["Sec-Fetch-Mode", mode], ["Sec-Fetch-Dest", dest]];
}

export function describeAmbientCookies(pool: Pool): void {
  describe("the caller's cookies", () => {
    const { proxy, upstream, askBy } = useTarget(pool);
    // By default a page behind a label reaches no other private target by url.
    const open = pool.with({ PRIVATE_TARGETS: "true" });
    const other = useUpstream();

    const askWith = (selector: Selector, cookie: string, caller: Row["caller"]): Promise<Answer> =>
      askBy(selector, "GET /p", { fields: [["Cookie", cookie], ...SITE[caller]] });

    it.each(ROWS)(
      "arrive as $arrives by $selector, stored host: $stored, from a $caller",
      async ({ selector, stored, caller, arrives }) => {
        const cookies = {
          same: `proxy_host=${encodeURIComponent(upstream.origin)}; sid=1`,
          other: `sid=1; proxy_host=${other.origin}`,
          none: "sid=1",
        };
        // The cookie selector writes the stored host itself.
        const cookie = selector === "cookie" ? cookies.none : cookies[stored];
        expect((await askWith(selector, cookie, caller)).status).toBe(200);
        expect(upstream.request.header("cookie")).toBe(arrives);
      },
    );

    it.each(CONFIGURED)(
      "arrive as $arrives by url, host by $by: $host, from a browser",
      async ({ by, host, arrives }) => {
        const { origin } = { same: upstream, other }[host];
        const label = `${labelOf(origin)}.w.localhost:${open.port}`;
        const configured: Header = by === "label" ? ["Host", label] : ["proxy_host", origin];
        const fields: Header[] = [configured, ["Cookie", "sid=1"], ...SITE.browser];
        expect((await ask(open, "url", upstream.origin, "GET /p", { fields })).status).toBe(200);
        expect(upstream.request.header("cookie")).toBe(arrives);
      },
    );

    it.each(UNCLEAR)("stay here where the stored host $about", async ({ cookie }) => {
      const filled = cookie.replace("{origin}", upstream.origin).replace("{host}", upstream.host);
      expect([
        await askWith("url", filled, "program"),
        await askWith("url", filled, "browser"),
        await askWith("header", filled, "program"),
      ].map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(upstream.requests.map((request) => request.header("cookie"))).toEqual(Array(3).fill(undefined));
    });

    it("of a stored host arrive there for another address of its origin", async () => {
      await askWith("url", `proxy_host=${upstream.origin}/v1; sid=1`, "browser");
      expect(upstream.request.target).toBe("/p");
      expect(upstream.request.header("cookie")).toBe("sid=1");
    });

    it("go to the stored host that wins over a label", async () => {
      const fields: Header[] = [["Cookie", `proxy_host=${other.origin}; sid=1`], ...SITE.program];
      await askBy("label", "GET /p", { fields });
      expect(other.request.header("cookie")).toBe("sid=1");
      expect(upstream.requests).toEqual([]);
    });

    it.each([{ caller: "browser" as const }, { caller: "program" as const }])(
      "never go with an arg from a $caller",
      async ({ caller }) => {
        const argument = Buffer.from(JSON.stringify({ url: upstream.origin })).toString("base64url");
        const fields: Header[] = [["Cookie", `proxy_host=${upstream.origin}; sid=1`], ...SITE[caller]];
        await proxy.call(`GET /__proxy__/fetch?arg=${argument}`, { fields });
        expect(upstream.request.header("cookie")).toBeUndefined();
      },
    );

    // To a browser all labels are one site, so it would send `SameSite=Strict` cookies from one to another.
    it.each(CROSSINGS)(
      "go to a label with $about: $cookie",
      async ({ method = "GET", fields, cookie, site }) => {
        const origin = `http://h-evil-test.w.localhost:${proxy.port}`;
        const filled = fields.map(([name, value]): Header => [name, value.replace("{other}", origin)]);
        const sent: Header[] = [["Cookie", "sid=1"], ...filled];
        await askBy("label", `${method} /p`, { fields: sent });
        expect(upstream.request.header("cookie")).toBe(cookie ? "sid=1" : undefined);
        expect(upstream.request.header("sec-fetch-site")).toBe(site);
      },
    );
  });
}
