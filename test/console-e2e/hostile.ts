/**
 * Hostile targets: what they send is shown and does nothing, and their pages do not get at the console.
 * @module
 */
import { beforeAll, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import type { Handler } from "../support/upstream.ts";
import { showView, type Stage } from "./stage.ts";

const EVIL = "http://evil.test";
const STRIKE = "parent.document.title='pwned';top.pwned=1;alert(1)";
const MARKUP =
  `<script>${STRIKE}</script><img src="${EVIL}/i.png" onerror="${STRIKE}"><svg onload="${STRIKE}">`;
const PAGE = `<!doctype html><html onclick="${STRIKE}"><head><base href="${EVIL}/" target="_top">
<meta http-equiv="refresh" content="0;url=${EVIL}/refresh"><link rel="stylesheet" href="${EVIL}/c.css">
<style>body{background:url(${EVIL}/style.png)}</style></head>
<body style="background:url(${EVIL}/inline.png)" onload="${STRIKE}"><p>Harmless</p>${MARKUP}
<iframe src="${EVIL}/frame"></iframe><iframe srcdoc="<script>${STRIKE}</script>"></iframe>
<object data="${EVIL}/o"></object><embed src="${EVIL}/e"><video src="${EVIL}/v" autoplay></video>
<a href="${EVIL}/link">Link</a><a href="javascript:${STRIKE}">Script</a>
<form action="/__proxy__/" target="_top"><input name="host" value="${EVIL}"><button>Form</button></form></body></html>`;

const CAPTURE = "/__proxy__/capture";
const SEND = "/__proxy__/send";
const CLOSED = "http://127.0.0.1:1/";
/** What the console alone may ask for. */
const PRIVILEGED: { path: string; init: RequestInit }[] = [
  { path: CAPTURE, init: { method: "GET" } },
  { path: CAPTURE, init: { method: "POST", body: '{"mode":"64KiB","minutes":1}' } },
  { path: CAPTURE, init: { method: "DELETE" } },
  { path: "/__proxy__/traffic.har", init: { method: "GET" } },
  { path: SEND, init: { method: "POST", body: `{"url":"${CLOSED}"}` } },
  {
    path: `${SEND}?`,
    init: { method: "POST", headers: { "x-fetchvia-request": btoa(`{"url":"${CLOSED}"}`) } },
  },
  { path: "/__proxy__/socket", init: { method: "POST", body: `{"url":"${CLOSED}"}` } },
];

/** What the hostile target answers. */
function answerHostile(): Handler {
  const hostile = {
    "X-Evil": MARKUP,
    "Refresh": `0;url=${EVIL}/refresh`,
    "Link": `<${EVIL}/l.css>; rel=stylesheet, <${EVIL}/p>; rel=preload; as=script`,
    "Set-Cookie": `proxy_host=${EVIL}`,
  };
  const as = (type: string, body: string) => reply(200, { "Content-Type": type, ...hostile }, body);
  return routes({
    "/html": as("text/html", PAGE),
    "/tags": as("text/html", `<p>Harmless</p>${"<a".repeat(250_000)}`),
    "/svg": as(
      "image/svg+xml",
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>${STRIKE}</script></svg>`,
    ),
    "/json": as("application/json", JSON.stringify({ [MARKUP]: MARKUP })),
    "/text": as("text/plain", MARKUP),
    "/login": reply(401, { "WWW-Authenticate": 'Basic realm="evil"' }, MARKUP),
    "/everywhere": reply(
      200,
      { "Content-Type": "text/html", "Cache-Control": "max-age=600", "No-Vary-Search": "params" },
      "<title>Everywhere</title>",
    ),
    "/spy": reply(
      200,
      // The policy of the console: with it the browser would keep windows and the state of the history between the two.
      { "Content-Type": "text/html", "Cross-Origin-Opener-Policy": "noopener-allow-popups" },
      "<h1>Spy</h1>",
    ),
  });
}

/** Declares the tests. */
export function describeHostile(stage: Stage): void {
  describe("a hostile target", () => {
    beforeAll(() => {
      stage.target.answer = answerHostile();
    });

    describe("an answer", () => {
      it.each([
        { path: "/html", views: ["Preview", "Raw", /^Headers/] },
        { path: "/tags", views: ["Raw", "Preview"] },
        { path: "/svg", views: ["Preview", "Raw"] },
        { path: "/json", views: ["Pretty"] },
        { path: "/text", views: ["Raw"] },
        { path: "/login", views: ["Raw"] },
      ])("$path as $views runs nothing, loads nothing and leads nowhere", async ({ path, views }) => {
        const page = await stage.compose();
        const { context, asked, troubles } = stage.visit;
        await page.fill("#address", stage.target.origin + path);
        await page.getByRole("button", { name: "Send" }).click();
        await page.locator(".summary").waitFor();
        for (const name of views) {
          await page.locator("#answer").getByRole("tab", { name }).click();
          await page.waitForTimeout(200);
        }
        expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
        expect([await page.title(), page.url()])
          .toEqual(["fetchvia console", `${stage.proxy.origin}/__proxy__/#request`]);
        expect(
          asked.filter((address) =>
            !/^(?:blob:|data:|about:)/.test(address) && !address.startsWith(stage.proxy.origin)
          ),
        )
          .toEqual([]);
        expect(troubles.filter((trouble) => /dialog|pwned/.test(trouble))).toEqual([]);
        expect(await context.cookies()).toEqual([]);
      });

      it("in the preview leads nowhere when it is clicked", async () => {
        const page = await stage.compose();
        const { context, asked } = stage.visit;
        await page.fill("#address", `${stage.target.origin}/html`);
        await page.getByRole("button", { name: "Send" }).click();
        const frame = page.frameLocator("iframe");
        for (const name of ["Harmless", "Form", "Script", "Link"]) {
          await frame.getByText(name, { exact: true }).click({ timeout: 2_000 }).catch(() => {});
        }
        await page.waitForTimeout(300);
        expect(page.url()).toBe(`${stage.proxy.origin}/__proxy__/#request`);
        expect(await page.evaluate(() => "pwned" in globalThis)).toBe(false);
        expect(asked.filter((address) => address.startsWith(EVIL) || address.includes("host="))).toEqual([]);
        expect([await context.cookies(), context.pages().length]).toEqual([[], 1]);
      });
    });

    it("leaves in the browser's cache no response to other addresses", async () => {
      const page = await stage.compose();
      for (const name of ["everywhere", "order"]) {
        await page.goto(`${stage.proxy.origin}/__proxy__/?url=${stage.target.origin}/${name}`);
      }
      expect(stage.target.targets).toEqual(["/everywhere", "/order"]);
      await page.goto(`${stage.proxy.origin}/__proxy__/`);
      expect(await page.title()).toBe("fetchvia console");
    });

    describe("a page of a target on the proxy's own origin", () => {
      /** Opens such a page, by the cookie selector. */
      async function spy() {
        await stage.compose();
        await stage.visit.context.addCookies([{
          name: "proxy_host",
          value: encodeURIComponent(stage.target.origin),
          url: stage.proxy.origin,
        }]);
        await stage.visit.page.goto(`${stage.proxy.origin}/spy`);
        return stage.visit.page;
      }

      it("gets no ticket by fetching the console, and no traffic without", async () => {
        const page = await spy();
        const facts = await page.evaluate(async () => {
          const text = await (await fetch("/__proxy__/", { headers: { accept: "text/html" } })).text();
          const parsed = new DOMParser().parseFromString(text, "text/html");
          return JSON.parse(parsed.querySelector<HTMLMetaElement>("meta[name=fetchvia]")?.content ?? "null");
        });
        expect(facts).toMatchObject({ version: expect.any(String), ticket: null });
        expect(await page.evaluate(async () => (await fetch("/__proxy__/traffic")).status)).toBe(403);
      });

      it.each(PRIVILEGED)("gets 403 for $init.method $path", async ({ path, init }) => {
        const page = await spy();
        const ask = async (asked: typeof path, how: RequestInit) => (await fetch(asked, how)).status;
        expect(await page.evaluate(`(${ask})(${JSON.stringify(path)}, ${JSON.stringify(init)})`)).toBe(403);
      });

      it("gets no hold of a console that it opens, and none in a frame", async () => {
        const page = await spy();
        const [opened] = await Promise.all([
          stage.visit.context.waitForEvent("page"),
          page.evaluate(() => void Object.assign(globalThis, { held: open("/__proxy__/") })),
        ]);
        await opened.getByText("Live", { exact: true }).waitFor();
        const { closed, framed } = await page.evaluate(async () => {
          const frame = Object.assign(document.createElement("iframe"), { src: "/__proxy__/" });
          const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
          document.body.append(frame);
          await loaded;
          const { held } = globalThis as unknown as { held: Window | null };
          return {
            closed: held === null || held.closed,
            framed: frame.contentDocument?.querySelector("meta") ?? null,
          };
        });
        expect([closed, framed]).toEqual([true, null]);
        expect(await opened.evaluate(() => opener)).toBeNull();
      });

      const confirmed = btoa(JSON.stringify({ url: "http://127.0.0.1:2/", method: "DELETE" }));
      it.each([
        { path: "/__proxy__/", title: "fetchvia console" },
        { path: `/__proxy__/fetch?arg=${confirmed}`, title: "Send this request?" },
      ])(
        "keeps no hold of $title that it leaves for, by a window that it has opened",
        async ({ path, title }) => {
          const page = await spy();
          const [opened] = await Promise.all([
            stage.visit.context.waitForEvent("page"),
            page.evaluate(() => void open("/everywhere")),
          ]);
          await opened.waitForLoadState();
          await Promise.all([
            page.waitForEvent("load"),
            page.evaluate((next) => void (location.href = next), path),
          ]);
          expect(await page.title()).toBe(title);
          expect(await opened.evaluate(() => opener === null || opener.closed)).toBe(true);
        },
      );

      it.each([
        { about: "another address", list: "/evil/__proxy__/" },
        { about: "an address elsewhere", list: `${EVIL}/` },
        { about: "no text", list: { a: 1 } },
      ])("leaves $about as the state of the list, and the console asks the proxy alone", async ({ list }) => {
        // In a browser that does not know the policy a target's page can write it; here the page itself does.
        const page = await stage.open({ path: "/__proxy__/" });
        await Promise.all([
          page.waitForEvent("load"),
          page.evaluate((state) => {
            history.pushState(state, "", "/__proxy__/");
            location.reload();
          }, { list, cleared: 1e18 }),
        ]);
        expect(await page.evaluate(() => history.state)).toMatchObject({ cleared: 1e18 });
        await page.getByText("Live", { exact: true }).waitFor();
        await showView(page, "Compose");
        await showView(page, "Traffic");
        expect(page.url()).toBe(`${stage.proxy.origin}/__proxy__/#traffic`);
        await showView(page, "Compose");
        await page.fill("#address", `${stage.target.origin}/text`);
        await page.getByRole("button", { name: "Send" }).click();
        await page.locator(".summary").waitFor();
        expect(stage.target.targets.filter((target) => target.includes("__proxy__"))).toEqual([]);
        await page.locator(".log-row[data-key]").first().waitFor({ state: "attached" });
      });

      it("leads to no regular expression by a link, also when the console is loaded again", async () => {
        const page = await stage.open({ path: "/__proxy__/#f=%2F(a%2B)%2B%24%2F" });
        await page.getByText("Live", { exact: true }).waitFor();
        await page.reload();
        await page.getByText("Live", { exact: true }).waitFor();
        expect(await page.getByRole("searchbox").inputValue()).toBe("");
      });

      it("leaves recent hosts that are shown as text, or not at all", async () => {
        const page = await spy();
        const hosts = [`https://a.test/${"<img src=x onerror=alert(1)>"}`, "javascript:alert(1)"];
        await page.evaluate((value) => localStorage.setItem("fetchvia.hosts", value), JSON.stringify(hosts));
        await page.goto(`${stage.proxy.origin}/__proxy__/`);
        expect(await page.locator("#recents-list .pick").allTextContents())
          .toEqual(["a.test/<img src=x onerror=alert(1)>"]);
        expect(await page.locator("#recents-list img").count()).toBe(0);
        expect(stage.visit.troubles.filter((trouble) => trouble.startsWith("dialog"))).toEqual([]);
      });
    });
  });
}
