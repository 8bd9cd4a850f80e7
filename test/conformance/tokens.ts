/**
 * `PROXY_TOKEN`: the ways to show it, and that it stays here.
 * @module
 */
import { describe, expect, it } from "vitest";
import { NOWHERE } from "../support/nowhere.ts";
import { alike, argOf, expectError, type Pool, setCookiesOf, useUpstream } from "../support/topic.ts";

const TOKEN = "s3cr3t+%/='t";
const PARAMETER = encodeURIComponent(TOKEN).replace("'", "%27");

const TWICE = encodeURIComponent(PARAMETER);
const WINDOW = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };

const COOKIE = { Cookie: `proxy_token=${TOKEN}` };
const CROSS = { "Sec-Fetch-Site": "cross-site" };
const FIELDS = [
  { way: "the header", fields: { proxy_token: TOKEN } },
  { way: "its alias", fields: { "Proxy-Token": TOKEN } },
  { way: "the cookie", fields: { Cookie: `a=1; proxy_token=${TOKEN}; b=2` } },
  { way: "Proxy-Authorization", fields: { "Proxy-Authorization": `Bearer ${TOKEN}` } },
];
const ALL = {
  way: "all of them",
  fields: Object.assign({}, ...FIELDS.map(({ fields }) => fields)) as object,
};

const REFUSED = [
  { about: "nothing", fields: {} },
  { about: "another one", fields: { proxy_token: "other" } },
  { about: "a part of it", fields: { proxy_token: TOKEN.slice(0, -1) } },
  { about: "more than it", fields: { proxy_token: `${TOKEN}t` } },
  { about: "an empty one", fields: { proxy_token: "" } },
  { about: "an empty cookie", fields: { Cookie: "proxy_token=" } },
  { about: "a wrong bearer", fields: { "Proxy-Authorization": "Bearer other" } },
  { about: "Authorization, which is the target's", fields: { Authorization: `Bearer ${TOKEN}` } },
];

/** Everything that needs the token. */
const LINES = [
  ...alike("line")`
    GET / | POST /p | GET /__proxy__/ | GET /__proxy__/?host=http://a.test | GET /__proxy__/?url={target}/p |
    GET /__proxy__/metrics | GET /__proxy__/nope | OPTIONS /p`.map((row) => ({ ...row, title: undefined })),
  ...alike("line", { title: "Fetch API Error" })`GET /__proxy__/fetch?arg={arg} | POST /__proxy__/fetch`,
];

/** Addresses with the token in them; `{url}` is the target's, percent-encoded. */
const PARAMETERS = [
  { path: `/__proxy__/?token=${PARAMETER}&url={target}/p`, arrives: "/p" },
  { path: `/__proxy__/?token=${PARAMETER}&url={target}/p?x=1&y=2`, arrives: "/p?x=1&y=2" },
  { path: `/__proxy__/?url={target}/p&token=${PARAMETER}`, arrives: "/p" },
  { path: `/__proxy__/?url={url}&token=${PARAMETER}`, arrives: "/p?x=1" },
  { path: `/__proxy__/?token=${PARAMETER}&url={url}`, arrives: "/p?x=1" },
  { path: `/__proxy__/fetch?arg={arg}&token=${PARAMETER}`, arrives: "/p" },
  { path: `/__proxy__/fetch?token=${PARAMETER}&arg={arg}`, arrives: "/p" },
];

/** Addresses whose `token` is the target's own. */
const TARGETS_OWN = [
  { path: `/__proxy__/?url={target}/p?token=${PARAMETER}`, arrives: `/p?token=${PARAMETER}` },
  { path: `/__proxy__/?url={target}/p?x=1&token=${PARAMETER}`, arrives: `/p?x=1&token=${PARAMETER}` },
  { path: `/__proxy__/?url={target}%2Fp%3Ftoken%3D${TWICE}`, arrives: `/p?token=${PARAMETER}` },
  { path: `/p?token=${PARAMETER}`, arrives: `/p?token=${PARAMETER}` },
];

export function describeTokens(pool: Pool): void {
  describe("a token", () => {
    const proxy = pool.with({ PROXY_TOKEN: TOKEN });
    const upstream = useUpstream();
    const write = (text: string) =>
      text.replace("{target}%", `${encodeURIComponent(upstream.origin)}%`)
        .replace("{target}", upstream.origin).replace("{url}", encodeURIComponent(`${upstream.origin}/p?x=1`))
        .replace("{arg}", argOf({ url: `${upstream.origin}/p` }));

    it.each([...FIELDS, ALL])("is shown as $way, and goes no further", async ({ fields }) => {
      const answer = await proxy.call("GET /p?x=1", { fields: { proxy_host: upstream.origin, ...fields } });
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.request.head).not.toContain("s3cr3t");
      expect(upstream.request.head).not.toMatch(/^proxy/im);
    });

    it.each([{ path: "/p" }, { path: "/__proxy__/?url={target}/p" }, { path: "/__proxy__/" }])(
      "is what caches tell the answers to $path apart by",
      async ({ path }) => {
        const fields = { proxy_host: upstream.origin, proxy_token: TOKEN };
        const answer = await proxy.call(write(`GET ${path}`), { fields });
        expect(answer.headersNamed("vary").join().toLowerCase().split(/, ?/))
          .toEqual(expect.arrayContaining(["proxy_token", "proxy-token", "proxy-authorization", "cookie"]));
      },
    );

    it.each([
      { line: "GET /__proxy__/metrics", status: 404 },
      { line: "GET /__proxy__/", status: 200 },
      { line: "GET /__proxy__/?host=http://a.test", status: 200 },
      { line: "GET /__proxy__/fetch?arg={arg}", status: 200 },
    ])("is shown as Authorization with $line, and goes no further", async ({ line, status }) => {
      const answer = await proxy.call(write(line), { fields: { Authorization: `Bearer ${TOKEN}` } });
      expect(answer.status).toBe(status);
      expect(answer.headersNamed("vary").join()).toContain("Authorization");
      expect(upstream.requests.map(({ head }) => head).join()).not.toMatch(/authorization|s3cr3t/i);
    });

    it.each([{ upgrade: {} }, { upgrade: { Connection: "Upgrade", Upgrade: "websocket" } }])(
      "is missing as Authorization with ?url=, where that is the target's: $upgrade",
      async ({ upgrade }) => {
        const fields = { Authorization: `Bearer ${TOKEN}`, ...upgrade };
        expectError(await proxy.call(write("GET /__proxy__/?url={target}/p"), { fields }), { status: 401 });
        expect(upstream.requests).toEqual([]);
      },
    );

    it("leaves the other cookies and Authorization to the target", async () => {
      const kept = { Cookie: `a=1; proxy_token=${TOKEN}; b=2`, Authorization: "Bearer own" };
      await proxy.call("GET /p", { fields: { proxy_host: upstream.origin, ...kept } });
      expect(upstream.request.header("cookie")).toBe("a=1; b=2");
      expect(upstream.request.header("authorization")).toBe("Bearer own");
    });

    it.each(PARAMETERS)("is shown in $path, and goes no further", async ({ path, arrives }) => {
      expect(await proxy.call(write(`GET ${path}`))).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.request.target).toBe(arrives);
      expect(upstream.request.head).not.toContain("s3cr3t");
    });

    it.each(PARAMETERS)("leaves $path where a browser opens it, and is kept", async ({ path }) => {
      const answer = await proxy.call(write(`GET ${path}`), { fields: WINDOW });
      expect(answer.status).toBe(303);
      expect(setCookiesOf(answer))
        .toEqual([{ name: "proxy_token", value: TOKEN, attributes: ["HttpOnly", "Path=/", "SameSite=Lax"] }]);
      expect(answer.header("cache-control")).toBe("no-store");
      expect(answer.header("referrer-policy")).toBe("no-referrer");
      expect(upstream.requests).toEqual([]);
      const next = answer.header("location") ?? "";
      expect(next).not.toMatch(/token|s3cr3t/);
      expect((await proxy.call(`GET ${next}`, { fields: { ...WINDOW, ...COOKIE } })).status).toBe(200);
      expect(upstream.request.head).not.toContain("s3cr3t");
    });

    it.each([
      { about: "a form", line: "POST", mode: "navigate", dest: "document" },
      { about: "a script", line: "GET", mode: "cors", dest: "empty" },
      { about: "a picture", line: "GET", mode: "no-cors", dest: "image" },
    ])("stays in the address of $about", async ({ line, mode, dest }) => {
      const fields = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest };
      const answer = await proxy.call(`${line} /__proxy__/?token=${PARAMETER}`, { fields });
      expect(answer.status).toBe(200);
      expect(setCookiesOf(answer)).toEqual([]);
    });

    it("is not kept where it is a wrong one", async () => {
      const answer = await proxy.call(`GET /__proxy__/?token=${PARAMETER}x`, { fields: WINDOW });
      expect(answer.status).toBe(401);
      expect(answer.text).toContain("That is not a token of this proxy.");
      expect(answer.text).not.toContain("s3cr3t");
      expect(setCookiesOf(answer)).toEqual([]);
    });

    describe("typed on the page that a browser gets", () => {
      const type = { "Content-Type": "application/x-www-form-urlencoded" };
      const post = (token: string, fields: Record<string, string> = {}) => {
        const body = String(new URLSearchParams({ token, next: "/p?x=1" }));
        const form = { ...WINDOW, "Sec-Fetch-Site": "same-origin", ...type, ...fields };
        return proxy.call("POST /__proxy__/sign-in", { fields: form, body });
      };

      it("opens what was asked for", async () => {
        const page = await proxy.call("GET /p?x=1", { fields: WINDOW });
        expect([page.status, page.header("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
        expect(page.text).toContain('value="/p?x=1"');
        const answer = await post(TOKEN);
        expect([answer.status, answer.header("location")]).toEqual([303, "/p?x=1"]);
        const [{ name, value } = { name: "", value: "" }] = setCookiesOf(answer);
        expect([name, value]).toEqual(["proxy_token", TOKEN]);
      });

      it.each([
        { about: "a wrong one", token: "other", fields: {}, status: 401 },
        { about: "a wrong one beside the right cookie", token: "other", fields: COOKIE, status: 401 },
        { about: "one from a page of another site", token: TOKEN, fields: CROSS, status: 403 },
      ])("keeps nothing of $about", async ({ token, fields, status }) => {
        const answer = await post(token, fields as Record<string, string>);
        expect([answer.status, setCookiesOf(answer)]).toEqual([status, []]);
      });
    });

    it("is not told by the Referer of a page that was opened with it", async () => {
      const page = `${proxy.origin}/__proxy__/?token=${PARAMETER}&url=${upstream.origin}/`;
      const fields = { proxy_host: upstream.origin, proxy_token: TOKEN, Referer: page };
      await proxy.call("GET /p", { fields });
      await proxy.call(write("GET /__proxy__/?url={target}/p"), { fields });
      expect(upstream.requests.map(({ head }) => head).join()).not.toContain("s3cr3t");
    });

    it.each(TARGETS_OWN)("is none in $path, which is the target's", async ({ path, arrives }) => {
      const fields = { proxy_host: upstream.origin };
      expectError(await proxy.call(write(`GET ${path}`), { fields }), { status: 401 });
      expect(upstream.requests).toEqual([]);
      await proxy.call(write(`GET ${path}`), { fields: { ...fields, proxy_token: TOKEN } });
      expect(upstream.request.target).toBe(arrives);
    });

    it.each(REFUSED)("is missing with $about", async ({ fields }) => {
      const answer = await proxy.call("GET /p", { fields: { proxy_host: upstream.origin, ...fields } });
      expectError(answer, { status: 401, error: "http_request_denied" });
      expect(answer.header("www-authenticate")).toMatch(/^Bearer\b/);
      expect(answer.text).not.toContain("s3cr3t");
      expect(upstream.requests).toEqual([]);
    });

    it.each(LINES)("is needed for $line", async ({ line, title }) => {
      expectError(await proxy.call(write(line)), { status: 401, title });
      expect(upstream.requests).toEqual([]);
    });

    it.each(["health", "health?x=1"].map((path) => ({ path })))(
      "is not needed for $path",
      async ({ path }) =>
        expect((await proxy.call(`GET /__proxy__/${path}`)).json()).toEqual({ status: "ok" }),
    );

    it("stands in no answer, no log and no error", async () => {
      await proxy.call(`GET /__proxy__/?token=${PARAMETER}&url=http://${NOWHERE}/`);
      await proxy.call(`GET /__proxy__/?token=${PARAMETER}x&url=http://${NOWHERE}/`);
      const answer = await proxy.call("GET /", { fields: { proxy_token: TOKEN } });
      expect(answer.status).toBe(200);
      const written = proxy.proxy.stdout() + proxy.proxy.stderr();
      expect(answer.raw.toString("latin1") + written).not.toContain("s3cr3t");
    });
  });
}
