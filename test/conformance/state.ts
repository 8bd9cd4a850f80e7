/**
 * The other reserved paths: the state, the console, health, metrics, and everything that is none.
 * @module
 */
import { describe, expect, it } from "vitest";
import { alike, expectError, type Pool, rowsOf } from "../support/topic.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

const HEADER = { proxy_host: "http://header.test/v1" };
const COOKIE = { Cookie: "proxy_host=http%3A%2F%2Fcookie.test%2Fv1" };
const LABEL = { Host: "label-test.w.localhost" };

const STATES = rowsOf(["name", "fields", "state"], [
  ["nothing", {}, { host: null, selector: null }],
  ["the header", HEADER, { host: "http://header.test/v1", selector: "header" }],
  ["the cookie", COOKIE, { host: "http://cookie.test/v1", selector: "cookie" }],
  ["the label", LABEL, { host: "https://label.test", selector: "label" }],
  ["cookie and label", { ...LABEL, ...COOKIE }, { host: "http://cookie.test/v1", selector: "cookie" }],
  ["all three", { ...LABEL, ...COOKIE, ...HEADER }, { host: "http://header.test/v1", selector: "header" }],
]);

const ACCEPTS = [
  { accept: BROWSER, type: /^text\/html\b/ },
  { accept: "text/html", type: /^text\/html\b/ },
  { accept: "application/json;q=0.5, text/html", type: /^text\/html\b/ },
  { accept: "*/*", type: /^application\/json\b/ },
  { accept: "application/json", type: /^application\/json\b/ },
  { accept: "application/json, text/plain, */*", type: /^application\/json\b/ },
  { accept: "text/html;q=0.5, application/json", type: /^application\/json\b/ },
  { accept: "text/html;q=0", type: /^application\/json\b/ },
];

const UNKNOWN = alike("path")`
  /__proxy__/nope /__proxy__/nope?url=http://a.test/ /__proxy__/fetch// /__proxy__/fetch/x
  /__proxy__/health/x /__proxy__/host /__proxy__// /__proxy__/index.html`;

export function describeState(pool: Pool): void {
  describe("/__proxy__/", () => {
    const proxy = pool.with();
    const plain = pool.with({ CONSOLE: "false", METRICS: "true" });

    it.each(STATES)("tells the target of $name", async ({ fields, state }) => {
      const answer = await proxy.call("GET /__proxy__/", { fields });
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toMatch(/^application\/json\b/);
      expect(answer.json()).toEqual(state);
    });

    it.each(alike("path")`
      /__proxy__ /__proxy__/? /__proxy__/?&`)(
      "is the same as $path",
      async ({ path }) =>
        expect((await proxy.call(`GET ${path}`)).json()).toEqual({ host: null, selector: null }),
    );

    it.each(alike("method")`POST PUT DELETE OPTIONS`)("answers $method", async ({ method }) => {
      const answer = await proxy.call(`${method} /__proxy__/`);
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({ host: null, selector: null });
    });

    it.each([
      ...alike("query", { names: "parameter \\S+: it is unknown here, expected url or host" })`
        x=1 hots=http://a.test ur=http://a.test host=http://a.test&x=1 URL=http://a.test`,
      { query: "arg=e30", names: "expected /__proxy__/fetch\\?arg=" },
      { query: "http://user:secret@a.test", names: "Cannot use the query: it is unknown here" },
      { query: "url=", names: "parameter url: it is empty" },
    ])("refuses $query, which is no success", async ({ query, names }) => {
      const answer = await proxy.call(`GET /__proxy__/?${query}`);
      expectError(answer, { status: 400, names: new RegExp(names) });
      expect(answer.text + answer.header("proxy-status")).not.toContain("secret");
      expect(answer.headersNamed("set-cookie")).toEqual([]);
    });

    it("refuses a malformed header", async () => {
      const answer = await proxy.call("GET /__proxy__/", { fields: { proxy_host: "nonsense", ...COOKIE } });
      expectError(answer, { status: 400, names: /header/i });
    });

    it.each(ACCEPTS)("answers Accept $accept with $type", async ({ accept, type }) => {
      const answer = await proxy.call("GET /__proxy__/", { fields: { Accept: accept } });
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toMatch(type);
    });

    it("shows the console without the slash too", async () => {
      const answer = await proxy.call("GET /__proxy__", { fields: { Accept: BROWSER } });
      expect(answer.header("content-type")).toMatch(/^text\/html\b/);
    });

    it("shows no console where it is switched off", async () => {
      const answer = await plain.call("GET /__proxy__/", { fields: { Accept: BROWSER } });
      expect(answer.json()).toEqual({ host: null, selector: null });
    });
  });

  describe("reserved paths", () => {
    const proxy = pool.with();
    const measured = pool.with({ CONSOLE: "false", METRICS: "true" });

    it("answer health", async () => {
      const answer = await proxy.call("GET /__proxy__/health");
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toMatch(/^application\/json\b/);
      expect(answer.json()).toEqual({ status: "ok" });
    });

    it("answer health to HEAD", async () => {
      const answer = await proxy.call("HEAD /__proxy__/health");
      expect(answer).toMatchObject({ status: 200, text: "", ended: "end" });
    });

    it("answer health whatever the selectors say", async () => {
      const answer = await proxy.call("GET /__proxy__/health?x=1", { fields: { proxy_host: "nonsense" } });
      expect(answer.json()).toEqual({ status: "ok" });
    });

    it.each(UNKNOWN)("know no $path", async ({ path }) => {
      expectError(await proxy.call(`GET ${path}`), { status: 404 });
    });

    it("know no metrics unless they are switched on", async () =>
      expectError(await proxy.call("GET /__proxy__/metrics"), { status: 404 }));

    it("give metrics in the text format of Prometheus", async () => {
      const answer = await measured.call("GET /__proxy__/metrics");
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toMatch(/^text\/plain\b/);
      expect(answer.text).toMatch(/^# TYPE \w+ (counter|gauge|histogram)$/m);
    });
  });
}
