/**
 * Whose page asks, and what it may reach: a page that a target served has no more rights than on the open web.
 * @module
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BROWSER } from "../support/browser-fields.ts";
import { expectRefusal, expectUntouched } from "../support/refusal.ts";
import { leadTo } from "../support/sentinel.ts";
import type { World } from "../support/world.ts";
import { alike, type Answer, argOf, ask, type Selector } from "../support/topic.ts";

const PUBLIC = "93.184.216.34";
const INSIDE = "10.1.2.3";
const PROHIBITED = "destination_ip_prohibited" as const;

/** A script of the page; an address that was typed or mailed; a button of the page that is shown. */
const { script: SCRIPT, typed: TYPED, link: PRESSED } = BROWSER;

const NAMES = {
  "page.test": { a: [[PUBLIC]] },
  "inside.test": { a: [[INSIDE]] },
  "half.test": { a: [[PUBLIC, INSIDE]] },
  "half-6.test": { a: [[PUBLIC]], aaaa: [["fd00::1"]] },
  "printer": { a: [[INSIDE]] },
  "nas.local": { a: [[INSIDE]] },
  "wiki.internal": { a: [[INSIDE]] },
  "box.home.arpa": { a: [[INSIDE]] },
  "internal.page.test": { a: [[INSIDE]] },
  "a.suffixed.test": { a: [[INSIDE]] },
  "ranged.test": { a: [["172.16.0.1"]] },
  "labelled.test": { a: [[INSIDE]] },
};

const TRUE = { PRIVATE_TARGETS: "true" };
/** What pages may reach beside names that are private by themselves. */
const OPENED = {
  PRIVATE_TARGETS: "auto,inside.test,*.suffixed.test,172.16.0.0/12,half.test",
  PROXY_LABELS: "app=http://labelled.test",
};
const ALLOWED = { ALLOW_TARGETS: "inside.test,half.test" };

/** Declares the tests that need names. */
export function describeRights(world: World): void {
  beforeAll(() => world.names(NAMES));

  // Row 1: the name behind a label may lead elsewhere at any time.
  describe("a page behind a label", () => {
    const proxy = world.with();
    const listed = world.with(OPENED);
    beforeEach(() => world.forget());
    const call = (label: string, fields: Record<string, string> = SCRIPT, line = "GET /p") =>
      proxy.call(line, { fields: { Host: `${label}.w.localhost:${proxy.port}`, ...fields } });

    it.each(alike("label")`
      10-1-2-3 printer h-nas-local h-wiki-internal h-box-home-arpa`)(
      "reaches its own host by a name that is private by itself: $label",
      async ({ label }) => {
        // Without the flag a single name is asked by https.
        const written = label === "printer" ? "h-printer" : label;
        expect(await call(written)).toMatchObject({ status: 200, text: "seen /p" });
      },
    );

    it.each([{ label: "h-inside-test" }, { label: "h-internal-page-test" }])(
      "reaches nothing private by a public name: $label",
      async ({ label }) => {
        const name = label.slice(2).replaceAll("-", ".");
        for (const answer of [await call(label), await call(label, SCRIPT, "POST /p")]) {
          expectRefusal(answer, PROHIBITED);
          expect(answer.text).toContain(`. To allow it, set PRIVATE_TARGETS=auto,${name}:80"`);
        }
        await expectUntouched(world);
      },
    );

    it("reaches it as a window, a frame or a form no more than by a script", async () => {
      const navigations = [TYPED, PRESSED, BROWSER.frame];
      for (const fields of navigations) expectRefusal(await call("h-inside-test", fields), PROHIBITED);
      await expectUntouched(world);
    });

    it("is asked nothing of the kind where no browser asks", async () =>
      expect(await call("h-inside-test", {})).toMatchObject({ status: 200, text: "seen /p" }));

    it.each([
      { by: "the list of PRIVATE_TARGETS, a name", settings: OPENED, label: "h-inside-test" },
      { by: "the list of PRIVATE_TARGETS, a suffix", settings: OPENED, label: "h-a-suffixed-test" },
      { by: "the list of PRIVATE_TARGETS, a range", settings: OPENED, label: "h-ranged-test" },
      { by: "PROXY_LABELS", settings: OPENED, label: "app" },
      { by: "ALLOW_TARGETS", settings: ALLOWED, label: "h-inside-test" },
      { by: "PRIVATE_TARGETS=true", settings: TRUE, label: "h-inside-test" },
    ].map(({ settings, ...row }) => ({ ...row, open: world.with(settings) })))(
      "reaches it where a setting names it: $by",
      async ({ open, label }) => {
        const fields = { Host: `${label}.w.localhost:${open.port}`, ...SCRIPT };
        expect(await open.call("GET /p", { fields })).toMatchObject({ status: 200, text: "seen /p" });
      },
    );

    it("reaches nothing else where a setting names some", async () => {
      const fields = { Host: `h-labelled-test.w.localhost:${listed.port}`, ...SCRIPT };
      expect((await listed.call("GET /p", { fields })).status).toBe(200);
      const other = { Host: `h-internal-page-test.w.localhost:${listed.port}`, ...SCRIPT };
      expectRefusal(await listed.call("GET /p", { fields: other }), PROHIBITED);
    });

    it.each([
      { line: "GET /__proxy__/?url=http://10.1.2.3/p" },
      { line: "POST /__proxy__/?url=http://10.1.2.3/p" },
      { line: "GET /__proxy__/at/10-1-2-3/p" },
      { line: "POST /__proxy__/at/10-1-2-3/p" },
      { line: `GET /__proxy__/fetch?arg=${argOf({ url: "http://10.1.2.3/p" })}`, selector: "arg" as const },
      { line: "GET /p", fields: { proxy_host: "http://10.1.2.3" } },
    ])(
      "reads no other private target, even from a private host: $line",
      async ({ line, fields, selector }) => {
        expectRefusal(await call("h-wiki-internal", { ...SCRIPT, ...fields }, line), PROHIBITED, selector);
        await expectUntouched(world);
      },
    );

    it("sees no live traffic", async () =>
      expect((await call("10-1-2-3", SCRIPT, "HEAD /__proxy__/traffic")).status).toBe(403));
  });

  describeMixtures(world);

  // Row 2: the proxy's plain origin is each host's in turn.
  describe("a page on the plain origin", () => {
    const proxy = world.with();
    beforeEach(() => world.forget());
    const own = (host: string) => ({ Cookie: `proxy_host=${encodeURIComponent(host)}` });
    const STEPS: { by: string; line: string; fields?: Record<string, string>; selector?: Selector }[] = [
      { by: "url", line: "GET /__proxy__/?url=http://10.1.2.3/p" },
      { by: "url with POST", line: "POST /__proxy__/?url=http://10.1.2.3/p" },
      { by: "at", line: "GET /__proxy__/at/10-1-2-3/p" },
      { by: "at with POST", line: "POST /__proxy__/at/10-1-2-3/p" },
      { by: "arg", line: `GET /__proxy__/fetch?arg=${argOf({ url: "http://10.1.2.3/p" })}`, selector: "arg" },
      { by: "header", line: "GET /p", fields: { proxy_host: "http://10.1.2.3" } },
    ];

    it.each(STEPS)("reads no private target by $by", async ({ line, fields, selector }) => {
      const cookie = own("http://page.test");
      const bare = { ...SCRIPT, Referer: `${proxy.origin}/page` };
      const answers = [
        await proxy.call(line, { fields: { ...SCRIPT, ...cookie, ...fields } }),
        // It sends neither cookies nor Referer.
        await proxy.call(line, { fields: { ...SCRIPT, ...fields } }),
        await proxy.call(line, { fields: { ...bare, ...fields } }),
      ];
      for (const answer of answers) expectRefusal(answer, PROHIBITED, selector);
      await expectUntouched(world);
    });

    it.each(STEPS)("reads its own private host by $by", async ({ line, fields }) => {
      const cookie = own("http://10.1.2.3");
      const answer = await proxy.call(line, { fields: { ...SCRIPT, ...cookie, ...fields } });
      expect(answer).toMatchObject({ status: 200, text: "seen /p" });
    });

    it.each([
      { host: "http://wiki.internal", status: 200 },
      { host: "http://inside.test", status: 403 },
    ])("reaches its host as the cookie names it, $host: $status", async ({ host, status }) => {
      expect((await proxy.call("GET /p", { fields: { ...SCRIPT, ...own(host) } })).status).toBe(status);
    });

    it("reads every private target where it shows that it is the console", async () => {
      const page = await proxy.call("GET /__proxy__/", { fields: { ...TYPED, Accept: "text/html" } });
      const ticket = /&#34;ticket&#34;:&#34;([\w-]+)&#34;/.exec(page.text)?.[1] ?? "none";
      const fields = { ...SCRIPT, ...own("http://page.test"), "X-Fetchvia-Ticket": ticket };
      const line = `GET /__proxy__/fetch?arg=${argOf({ url: "http://10.1.2.3/p" })}`;
      expect(await proxy.call(line, { fields })).toMatchObject({ status: 200, text: "seen /p" });
      const wrong = await proxy.call(line, { fields: { ...fields, "X-Fetchvia-Ticket": `${ticket}x` } });
      expectRefusal(wrong, PROHIBITED, "arg");
    });

    it("gets no ticket of the console by reading its page", async () => {
      const page = await proxy.call("GET /__proxy__/", { fields: { ...SCRIPT, Accept: "text/html" } });
      expect(page.text).toContain("&#34;ticket&#34;:null");
      expect(page.text).toContain('name="proof" value=""');
      expect(page.headersNamed("set-cookie")).toEqual([]);
    });

    it("of another program on this machine reads them too", async () => {
      const fields = { ...BROWSER.elsewhere, Origin: "http://localhost:5173" };
      const answer = await proxy.call("GET /__proxy__/?url=http://inside.test/p", { fields });
      expect(answer).toMatchObject({ status: 200, text: "seen /p" });
    });
  });

  // A page may crowd the cookie of the host out of its browser, and plant another; a public host may lead anywhere.
  const cookieOf = (...cookies: string[]) => ({ Cookie: cookies.join("; ") });
  const pairOf = (answer: Answer, name: string) =>
    answer.headersNamed("set-cookie").map((line) => line.split(";")[0] ?? "").find((pair) =>
      pair.startsWith(name)
    ) ?? "";

  describe("a host that a cookie names", () => {
    const proxy = world.with({}, "seal");
    beforeEach(() => world.forget());

    it("is private only where its user set it, once a public one's pages were there", async () => {
      const planted = cookieOf("proxy_host=http://wiki.internal");
      expect((await proxy.call("GET /p", { fields: { ...SCRIPT, ...planted } })).status).toBe(200);
      const stranger = { ...TYPED, ...cookieOf("proxy_host=http://page.test") };
      expect((await proxy.call("GET /page", { fields: stranger })).status).toBe(200);
      await world.forget();
      const refused = await proxy.call("GET /p", { fields: { ...SCRIPT, ...planted } });
      expectRefusal(refused, PROHIBITED);
      expect(refused.text).toContain(". Set the host again at /__proxy__/");
      await expectUntouched(world);
      const set = await proxy.call("GET /__proxy__/?host=http://wiki.internal", { fields: TYPED });
      const sealed = cookieOf(pairOf(set, "proxy_host="), pairOf(set, "proxy_seal="));
      expect((await proxy.call("GET /p", { fields: { ...SCRIPT, ...sealed } })).status).toBe(200);
      const other = cookieOf("proxy_host=http://nas.local", pairOf(set, "proxy_seal="));
      expectRefusal(await proxy.call("GET /p", { fields: { ...SCRIPT, ...other } }), PROHIBITED);
    });
  });

  describe("a redirect by the cookie selector", () => {
    const proxy = world.with({}, "way");
    const follow = async (from: string, to: string, ...cookies: string[]) => {
      const cookie = cookieOf(`proxy_host=${encodeURIComponent(from)}`, ...cookies);
      const led = await proxy.call(`GET ${leadTo(to)}`, { fields: { ...TYPED, ...cookie } });
      const next = await proxy.call(`GET ${led.header("location")}`, { fields: { ...TYPED, ...cookie } });
      return { led, next };
    };

    it.each([
      ...alike("to", { from: "http://page.test", status: 403 })`http://wiki.internal/x http://10.1.2.3/x`,
      { from: "http://page.test", to: "http://other.page.test/x", status: 303 },
      ...alike("to", { from: "http://wiki.internal", status: 303 })`http://page.test/x http://nas.local/x`,
    ])("from $from to $to is a $status", async ({ from, to, status }) => {
      const { next } = await follow(from, to);
      expect(next.status).toBe(status);
      expect(pairOf(next, "proxy_host="))
        .toBe(status === 303 ? `proxy_host=${encodeURIComponent(new URL(to).origin)}` : "");
    });

    it("leads back to the private host that it came from", async () => {
      const { led } = await follow("http://wiki.internal", "http://page.test/x");
      const way = pairOf(led, "proxy_back=");
      expect((await follow("http://page.test", "http://wiki.internal/in", way)).next.status).toBe(303);
      expect((await follow("http://page.test", "http://nas.local/in", way)).next.status).toBe(403);
    });
  });

  // Row 3: a link that does more than look is opened by somebody, and asked for by nobody.
  describe("a link to a private target", () => {
    const proxy = world.with();
    beforeEach(() => world.forget());
    const linkOf = (argument: Record<string, unknown>) => `/__proxy__/fetch?arg=${argOf(argument)}`;
    it.each([
      { about: "another method", argument: { method: "POST" } },
      { about: "HEAD", argument: { method: "HEAD" } },
      { about: "fields of its own", argument: { headers: { "x-admin": "1" } } },
      { about: "a body", argument: { method: "PUT", body: { a: "<b>&" } } },
    ])("asks before it sends $about, and does it then", async ({ argument }) => {
      const described = { url: "http://10.1.2.3/p", ...argument };
      const asked = await proxy.call(`GET ${linkOf(described)}`, { fields: TYPED });
      expect(asked.status).toBe(403);
      expect(asked.header("content-type")).toMatch(/^text\/html\b/);
      expect(asked.header("cache-control")).toBe("no-store");
      expect(asked.header("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(asked.text).toContain("http://10.1.2.3/p");
      await expectUntouched(world);
      const action = /<form method="post" action="([^"]+)">/.exec(asked.text)?.[1]?.replaceAll("&#38;", "&");
      const fields = { ...PRESSED, Origin: proxy.origin };
      expect((await proxy.call(`POST ${action}`, { fields })).status).toBe(200);
      expect((await world.seen()).requests).toMatchObject([{ dialled: "10.1.2.3:80", path: "/p" }]);
    });

    it("is not confirmed by a mark of another one", async () => {
      const first = await proxy.call(`GET ${linkOf({ url: "http://10.1.2.3/a", method: "POST" })}`, {
        fields: TYPED,
      });
      const mark = /confirm=([\w-]+)/.exec(first.text)?.[1] ?? "none";
      const other = argOf({ url: "http://10.1.2.3/b", method: "POST" });
      const fields = { ...PRESSED, Origin: proxy.origin };
      const answer = await proxy.call(`POST /__proxy__/fetch?confirm=${mark}&arg=${other}`, { fields });
      // The user is asked about that one.
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("http://10.1.2.3/b")]);
      await expectUntouched(world);
    });

    it("opens at once where it only looks", async () =>
      expect([
        await proxy.call(`GET ${linkOf({ url: "http://10.1.2.3/p" })}`, { fields: TYPED }),
        await proxy.call("GET /__proxy__/?url=http://10.1.2.3/p", { fields: TYPED }),
        await proxy.call("GET /__proxy__/at/10-1-2-3/p", { fields: TYPED }),
      ]).toMatchObject([{ status: 200, text: "seen /p" }, { status: 200, text: "seen /p" }, {
        status: 200,
        text: "seen /p",
      }]));

    it.each([
      { about: "user and password", line: "GET /__proxy__/?url=http://user:p4ss@10.1.2.3/p" },
      { about: "a form", line: "POST /__proxy__/?url=http://10.1.2.3/p" },
      { about: "a form by at", line: "POST /__proxy__/at/10-1-2-3/p" },
    ])("asks before it opens url with $about, and shows no password", async ({ line }) => {
      const asked = await proxy.call(line, { fields: TYPED });
      expect(asked.status).toBe(403);
      expect(asked.header("content-type")).toMatch(/^text\/html\b/);
      expect(asked.text).toContain("10.1.2.3/p");
      expect(asked.text).not.toContain("user:p4ss");
      await expectUntouched(world);
    });

    it.each([
      { about: "a program asks", fields: {}, url: "http://10.1.2.3/p" },
      { about: "the target is public", fields: TYPED, url: "http://page.test/p" },
    ])("is not asked about where $about", async ({ fields, url }) => {
      const answer = await proxy.call(`GET ${linkOf({ url, method: "POST" })}`, { fields });
      expect(answer).toMatchObject({ status: 200, text: "seen /p" });
    });
  });

  // Row 7: who comes through somebody is not on this machine for certain.
  const FIELDS = [
    { field: "Forwarded", value: "for=127.0.0.1" },
    { field: "Via", value: "1.1 front" },
    ...alike("field", { value: "127.0.0.1" })`X-Forwarded-For X-Real-IP CF-Connecting-IP True-Client-IP`,
    { field: "X-Forwarded-Host", value: "localhost" },
    { field: "X-Forwarded-Proto", value: "http" },
    { field: "x-forwarded-server", value: "front" },
    { field: "X-Forwarded-For", value: "" },
  ];
  describe.each(FIELDS)("a caller with $field: $value", ({ field, value }) => {
    const proxy = world.with();
    const open = world.with({ PRIVATE_TARGETS: "true" });
    beforeEach(() => world.forget());
    const fields = { Host: "localhost", [field]: value };

    it("reaches no private target, and is told the setting", async () => {
      const answer = await ask(proxy, "header", `http://${INSIDE}`, "GET /p", { fields });
      expectRefusal(answer, PROHIBITED);
      expect(answer.text).toContain(
        `came through another proxy. To allow it, set ALLOW_TARGETS=${INSIDE}:80 (ALLOW_TARGETS closes all other targets)"`,
      );
      await expectUntouched(world);
    });

    it("sees no live traffic", async () => {
      expect((await proxy.call("HEAD /__proxy__/traffic", { fields })).status).toBe(403);
      expect((await proxy.call("HEAD /__proxy__/traffic", { fields: { Host: "localhost" } })).status)
        .toBe(200);
    });

    it("reaches public targets, and private ones where a setting says so", async () =>
      expect([
        await ask(proxy, "header", `http://${PUBLIC}`, "GET /p", { fields }),
        await ask(open, "header", `http://${INSIDE}`, "GET /p", { fields }),
      ]).toMatchObject([{ status: 200, text: "seen /p" }, { status: 200, text: "seen /p" }]));
  });
}

/** Row 1: names of which one answer holds public and private addresses. */
export function describeMixtures(world: World): void {
  describe("a name that leads to public and to private addresses", () => {
    const proxy = world.with();
    beforeAll(() => world.names(NAMES));
    beforeEach(() => world.forget());

    it.each(
      (["header", "cookie", "url", "at", "arg"] satisfies Selector[]).flatMap((
        selector,
      ) => [{ selector, name: "half.test" }, { selector, name: "half-6.test" }]),
    )("is refused to everyone in auto: $name by $selector", async ({ selector, name }) => {
      const answer = await ask(proxy, selector, `http://${name}`);
      expectRefusal(answer, PROHIBITED, selector);
      expect(answer.text).toContain(`. To allow it, set PRIVATE_TARGETS=auto,${name}:80"`);
      await expectUntouched(world);
    });

    it.each([TRUE, OPENED, ALLOWED].map((settings) => ({ settings, open: world.with(settings) })))(
      "is reached with $settings",
      async ({ open }) =>
        expect(await ask(open, "header", "http://half.test")).toMatchObject({ status: 200 }),
    );
  });
}

const LISTED = { PRIVATE_TARGETS: "false", ALLOW_TARGETS: `10.0.0.0/8,${PUBLIC}` };

const NAMED = { PROXY_DOMAIN: "proxy.test", HOSTS: "own.test,*.below.test,ported.test:8080" };
const LOCKED = { ...TRUE, CORS_ORIGINS: "*,https://app.test", PROXY_TOKEN: "secret" };

/** Row 9: settings that open private targets, and Hosts that a rebinding page would send. Declares the tests that need no name. */
export function describeKnownHosts(world: World): void {
  describe.each([{ opened: TRUE }, { opened: LISTED }])("private targets opened by $opened", ({ opened }) => {
    const proxy = world.with({ ...opened, ...NAMED });
    beforeEach(() => world.forget());
    const call = (host: string, target = INSIDE) =>
      proxy.call("GET /p", { fields: { Host: host, proxy_host: `http://${target}` } });

    it.each(alike("host")`
      localhost app.localhost:1 127.0.0.1 10.1.2.3:8080 192.0.2.1 [fd00::1] proxy.test PROXY.test.:8080
      any.proxy.test`)("are reached by a Host that is the proxy's: $host", async ({ host }) => {
      expect(await call(host)).toMatchObject({ status: 200, text: "seen /p" });
    });

    it.each([
      { host: "evil.test", hosts: "evil.test" },
      { host: "evil.test:8080", hosts: "evil.test" },
      { host: "proxy.test.evil.test", hosts: "proxy.test.evil.test" },
      { host: "notproxy.test", hosts: "notproxy.test" },
      { host: "10.1.2.3.nip.io", hosts: "10.1.2.3.nip.io" },
    ])("are refused to Host $host, which is told the setting", async ({ host, hosts }) => {
      const answer = await call(host);
      expectRefusal(answer, PROHIBITED);
      expect(answer.text).toContain(`${host} is not a known name of this proxy. Add ${hosts} to HOSTS"`);
      await expectUntouched(world);
    });

    it.each([
      ...alike("host", { status: 200 })`own.test OWN.test.:1 a.below.test ported.test:8080`,
      ...alike("host", { status: 403 })`ported.test below.test a.own.test`,
    ])("answer Host $host with $status where HOSTS lists names", async ({ host, status }) => {
      expect((await call(host)).status).toBe(status);
    });

    it("leave public ones to every Host", async () =>
      expect(await call("evil.test", PUBLIC)).toMatchObject({ status: 200, text: "seen /p" }));
  });

  describe("live traffic where private targets are open", () => {
    const proxy = world.with({ ...TRUE, ...NAMED });

    it.each([
      { host: "localhost", status: 200 },
      { host: "own.test", status: 200 },
      { host: "evil.test", status: 403 },
      { host: "10-1-2-3.w.proxy.test", status: 403, fields: SCRIPT },
    ])("is a $status to Host $host", async ({ host, status, fields }) => {
      const answer = await proxy.call("HEAD /__proxy__/traffic", { fields: { Host: host, ...fields } });
      expect(answer.status).toBe(status);
    });
  });

  describe("CORS_ORIGINS=* where private targets are open", () => {
    const proxy = world.with({ ...TRUE, CORS_ORIGINS: "*" });
    const locked = world.with(LOCKED);
    const evil = { Origin: "https://evil.test" };
    beforeEach(() => world.forget());

    it.each<{ selector: Selector; fields: Record<string, string> }>([
      { selector: "header", fields: evil },
      { selector: "header", fields: { Origin: "null" } },
      { selector: "cookie", fields: { ...evil, "Sec-Fetch-Site": "cross-site" } },
      { selector: "url", fields: evil },
      { selector: "at", fields: evil },
    ])("grants no page a private one, by $selector, $fields", async ({ selector, fields }) => {
      const answer = await ask(proxy, selector, `http://${INSIDE}`, "GET /p", { fields });
      expectRefusal(answer, PROHIBITED);
      expect(answer.text).toContain("CORS_ORIGINS=* allows public ones only");
      await expectUntouched(world);
    });

    it("grants none by arg", async () => {
      const line = `GET /__proxy__/fetch?arg=${argOf({ url: `http://${INSIDE}/p` })}`;
      expectRefusal(await proxy.call(line, { fields: evil }), PROHIBITED, "arg");
      await expectUntouched(world);
    });

    it("shows no page live traffic", async () =>
      expect((await proxy.call("HEAD /__proxy__/traffic", { fields: evil })).status).toBe(403));

    it("grants public ones", async () => {
      const answer = await ask(proxy, "header", `http://${PUBLIC}`, "GET /p", { fields: evil });
      expect(answer).toMatchObject({ status: 200, text: "seen /p" });
    });

    it.each([
      { about: "with the token", fields: evil },
      { about: "where its origin is listed", fields: { Origin: "https://app.test" } },
      { about: "where nobody knows the Host", fields: { Host: "evil.test" } },
    ])("grants private ones to who has the token: $about", async ({ fields }) => {
      const own = { ...fields, proxy_token: "secret" };
      const answer = await ask(locked, "header", `http://${INSIDE}`, "GET /p", { fields: own });
      expect(answer).toMatchObject({ status: 200, text: "seen /p" });
    });
  });
}
