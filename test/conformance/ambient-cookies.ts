/**
 * To whom the cookies go that a caller holds for the proxy's origin.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { Answer } from "../support/client.ts";
import type { Header } from "../support/http.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { ask, labelOf, type Selector } from "../support/ways.ts";

interface Row {
  selector: Selector;
  /** The host in the caller's cookie, compared with the target. */
  stored: "same" | "other" | "none";
  caller: "browser" | "program";
  arrives: string | undefined;
}

const SITE: Record<Row["caller"], Header[]> = { browser: [["Sec-Fetch-Site", "same-origin"]], program: [] };

const ROWS: Row[] = [
  { selector: "header", stored: "same", caller: "browser", arrives: "sid=1" },
  { selector: "header", stored: "same", caller: "program", arrives: "sid=1" },
  { selector: "header", stored: "other", caller: "browser", arrives: undefined },
  { selector: "header", stored: "other", caller: "program", arrives: undefined },
  { selector: "header", stored: "none", caller: "browser", arrives: "sid=1" },
  { selector: "header", stored: "none", caller: "program", arrives: "sid=1" },
  { selector: "cookie", stored: "same", caller: "browser", arrives: "sid=1" },
  { selector: "cookie", stored: "same", caller: "program", arrives: "sid=1" },
  { selector: "label", stored: "none", caller: "browser", arrives: "sid=1" },
  { selector: "label", stored: "none", caller: "program", arrives: "sid=1" },
  { selector: "url", stored: "same", caller: "browser", arrives: "sid=1" },
  { selector: "url", stored: "same", caller: "program", arrives: "sid=1" },
  { selector: "url", stored: "other", caller: "browser", arrives: undefined },
  { selector: "url", stored: "other", caller: "program", arrives: undefined },
  { selector: "url", stored: "none", caller: "browser", arrives: undefined },
  { selector: "url", stored: "none", caller: "program", arrives: "sid=1" },
];

/** Hosts that are configured by something else than a cookie, while `url` names the target. */
const CONFIGURED: {
  by: Selector;
  host: "same" | "other";
  caller: Row["caller"];
  arrives: string | undefined;
}[] = [
  { by: "label", host: "same", caller: "browser", arrives: "sid=1" },
  { by: "label", host: "other", caller: "browser", arrives: undefined },
  { by: "header", host: "same", caller: "browser", arrives: "sid=1" },
  { by: "header", host: "other", caller: "browser", arrives: undefined },
];

const UNCLEAR = [
  { about: "is malformed", cookie: "proxy_host=nonsense; sid=1" },
  { about: "is empty", cookie: "proxy_host=; sid=1" },
  { about: "is there twice", cookie: "proxy_host={origin}; sid=1; proxy_host=http://other.test" },
  { about: "has the target's name, but another port", cookie: "proxy_host=http://127.0.0.1:1; sid=1" },
  { about: "has the target's name, but another scheme", cookie: "proxy_host=https://{host}; sid=1" },
];

/** Who asks for a page behind a label; `{other}` is another label of the proxy. */
const CROSSINGS: {
  about: string;
  fields: Header[];
  method?: string;
  cookie: boolean;
  site: string | undefined;
}[] = [
  {
    about: "its own page",
    fields: siteOf("same-origin", "cors", "empty"),
    cookie: true,
    site: "same-origin",
  },
  {
    about: "a form of its own page",
    method: "POST",
    fields: siteOf("same-origin"),
    cookie: true,
    site: "same-origin",
  },
  { about: "who typed it", fields: siteOf("none"), cookie: true, site: "none" },
  { about: "a link of another label", fields: siteOf("same-site"), cookie: true, site: "cross-site" },
  {
    about: "a form of another label",
    method: "POST",
    fields: siteOf("same-site"),
    cookie: false,
    site: "cross-site",
  },
  {
    about: "a HEAD of another label",
    method: "HEAD",
    fields: siteOf("same-site"),
    cookie: false,
    site: "cross-site",
  },
  {
    about: "a frame of another label",
    fields: siteOf("same-site", "navigate", "iframe"),
    cookie: false,
    site: "cross-site",
  },
  {
    about: "a script of another label",
    fields: siteOf("same-site", "cors", "empty"),
    cookie: false,
    site: "cross-site",
  },
  {
    about: "a picture of another label",
    fields: siteOf("same-site", "no-cors", "image"),
    cookie: false,
    site: "cross-site",
  },
  {
    about: "the Origin of another label",
    method: "POST",
    fields: [["Origin", "{other}"]],
    cookie: false,
    site: undefined,
  },
  {
    about: "the Referer of another label",
    fields: [["Referer", "{other}/page"]],
    cookie: false,
    site: undefined,
  },
  { about: "a program", method: "POST", fields: [], cookie: true, site: undefined },
];

function siteOf(site: string, mode = "navigate", dest = "document"): Header[] {
  return [["Sec-Fetch-Site", site], ["Sec-Fetch-Mode", mode], ["Sec-Fetch-Dest", dest]];
}

/** Declares the tests. */
export function describeAmbientCookies(pool: Pool): void {
  describe("the caller's cookies", () => {
    const proxy = pool.with();
    // By default a page behind a label reaches no other private target by url.
    const open = pool.with({ PRIVATE_TARGETS: "true" });
    let upstream: Upstream;
    let other: Upstream;
    beforeEach(async () => {
      [upstream, other] = await Promise.all([listen(), listen()]);
      return () => Promise.all([upstream.close(), other.close()]);
    });

    const askWith = (selector: Selector, cookie: string, caller: Row["caller"]): Promise<Answer> =>
      ask(proxy, selector, upstream.origin, "GET /p", { fields: [["Cookie", cookie], ...SITE[caller]] });

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
        const answer = await askWith(selector, cookie, caller);
        expect(answer.status).toBe(200);
        expect(upstream.request.header("cookie")).toBe(arrives);
      },
    );

    it.each(CONFIGURED)(
      "arrive as $arrives by url, host by $by: $host, from a $caller",
      async ({ by, host, caller, arrives }) => {
        const { origin } = { same: upstream, other }[host];
        const configured: Record<string, Header[]> = {
          label: [["Host", `${labelOf(origin)}.w.localhost:${open.port}`]],
          header: [["proxy_host", origin]],
        };
        const fields: Header[] = [...(configured[by] ?? []), ["Cookie", "sid=1"], ...SITE[caller]];
        const answer = await ask(open, "url", upstream.origin, "GET /p", { fields });
        expect(answer.status).toBe(200);
        expect(upstream.request.header("cookie")).toBe(arrives);
      },
    );

    it.each(UNCLEAR)("stay here where the stored host $about", async ({ cookie }) => {
      const filled = cookie.replace("{origin}", upstream.origin).replace("{host}", upstream.host);
      const answers = [
        await askWith("url", filled, "program"),
        await askWith("url", filled, "browser"),
        await askWith("header", filled, "program"),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(upstream.requests.map((request) => request.header("cookie"))).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    it("of a stored host arrive there for another address of its origin", async () => {
      const cookie = `proxy_host=${upstream.origin}/v1; sid=1`;
      await askWith("url", cookie, "browser");
      expect(upstream.request.target).toBe("/p");
      expect(upstream.request.header("cookie")).toBe("sid=1");
    });

    it("go to the stored host that wins over a label", async () => {
      const fields: Header[] = [["Cookie", `proxy_host=${other.origin}; sid=1`], ...SITE.program];
      await ask(proxy, "label", upstream.origin, "GET /p", { fields });
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
        await ask(proxy, "label", upstream.origin, `${method} /p`, { fields: sent });
        expect(upstream.request.header("cookie")).toBe(cookie ? "sid=1" : undefined);
        expect(upstream.request.header("sec-fetch-site")).toBe(site);
      },
    );
  });
}
