/**
 * Keys of the table: they go to the hosts that they are bound to, by callers who may spend them, and nowhere else.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { BROWSER } from "../support/browser-fields.ts";
import { Acceptor, alike, argOf, expectError, handshake } from "../support/topic.ts";
import { placeOf, type Pool, reply, useUpstream } from "../support/topic.ts";

const SITE = "sec-fetch-site";
const TOKEN = "t0ken";
const FIRST_KEY = "first/secret+1";
const SECOND_KEY = "second-secret";
/** The settings of a proxy that holds keys for `localhost`, and for nobody else. */
export const KEYED = {
  PROXY_TOKEN: TOKEN,
  FIRST_KEY,
  SECOND_KEY,
  METRICS: "true",
  CORS_ORIGINS: "https://app.test",
  TARGETS: JSON.stringify({
    "localhost": { set: { "x-api-key": "Key {{FIRST_KEY}}", "?key": "{{FIRST_KEY}}" }, keys: ["SECOND_KEY"] },
    "127.0.0.1": { set: { "x-plain": "{{}}" } },
  }),
};
/** Every spelling of a key that could be found somewhere. */
const SECRETS = [FIRST_KEY, SECOND_KEY, encodeURIComponent(FIRST_KEY), btoa(FIRST_KEY), btoa(SECOND_KEY)];

export function describeKeys(pool: Pool): void {
  describe("keys of the table", () => {
    const proxy = pool.with(KEYED);
    const token = { proxy_token: TOKEN };
    const upstream = useUpstream();
    let bound: string;
    beforeEach(() => {
      bound = `http://localhost:${upstream.port}`;
    });

    const last = () => upstream.requests.at(-1);

    it.each([
      { selector: "header", line: "GET /p?key=mine", fields: { proxy_host: "{bound}", "x-api-key": "mine" } },
      { selector: "cookie", line: "GET /p", fields: { Cookie: "proxy_host={bound}" } },
      { selector: "url", line: "POST /__proxy__/?url={bound}/p", fields: {} },
      { selector: "at", line: "POST {place}/p", fields: {} },
    ])("go out by $selector, in place of the caller's", async ({ line, fields }) => {
      const filled = Object.entries(fields).map(([name, value]) => [name, value.replace("{bound}", bound)]);
      const sent = { ...Object.fromEntries(filled), ...token };
      const answer = await proxy.call(line.replace("{bound}", bound).replace("{place}", placeOf(bound)), {
        fields: sent,
      });
      expect(answer.status).toBe(200);
      expect(last()?.headersNamed("x-api-key")).toEqual([`Key ${FIRST_KEY}`]);
      expect(last()?.target).toBe(`/p?key=${encodeURIComponent(FIRST_KEY)}`);
      expect(answer.header("cache-control")).toBe("private");
    });

    it("go out with an arg, and with those that callers place", async () => {
      const argument = { url: `${bound}/p?b=%7B%7BSECOND_KEY%7D%7D`, headers: { "x-b": "b {{SECOND_KEY}}" } };
      await proxy.call(`GET /__proxy__/fetch?arg=${argOf(argument)}`, { fields: token });
      expect(last()?.header("x-b")).toBe(`b ${SECOND_KEY}`);
      expect(last()?.target).toBe(`/p?b=${SECOND_KEY}&key=${encodeURIComponent(FIRST_KEY)}`);
    });

    it("are no text of bodies and of other targets", async () => {
      const fields = { ...token, proxy_host: upstream.origin, "x-b": "{{UNKNOWN}}" };
      await proxy.call("POST /p?x={{SECOND_KEY}}", { fields, body: "{{FIRST_KEY}} {{SECOND_KEY}}" });
      expect(last()?.header("x-b")).toBe("{{UNKNOWN}}");
      expect(last()?.header("x-plain")).toBe("{{}}");
      expect(last()?.body.toString()).toBe("{{FIRST_KEY}} {{SECOND_KEY}}");
      expect(last()?.target).toBe("/p?x={{SECOND_KEY}}");
    });

    it.each([
      { about: "in a field", placed: { "x-b": "{{SECOND_KEY}}" } },
      { about: "by proxy_headers", placed: { proxy_headers: argOf({ "x-b": "{{SECOND_KEY}}" }) } },
    ])("may not be placed for another target, $about", async ({ placed }) => {
      const fields = { ...token, proxy_host: upstream.origin, ...placed };
      const answer = await proxy.call("GET /p", { fields });
      expectError(answer, { status: 403 });
      expect(answer.text).toContain("Cannot place {{SECOND_KEY}}");
      expect(upstream.requests).toHaveLength(0);
    });

    it("stay behind at a redirect elsewhere", async () => {
      upstream.answer = (request, socket) => {
        const [, query = ""] = request.target.split("?");
        return request.target.startsWith("/first")
          ? reply(302, { Location: `${upstream.origin}/next?${query}` }, "")(request, socket)
          : reply(200, { "X-Echo": query }, "ok")(request, socket);
      };
      const fields = { ...token, "x-b": "{{SECOND_KEY}}", "x-c": "1" };
      const answer = await proxy.call(`GET /__proxy__/?url=${bound}/first?b={{SECOND_KEY}}`, { fields });
      expect(upstream.requests).toHaveLength(2);
      expect(last()?.header("x-c")).toBe("1");
      expect(last()?.header("x-b")).toBeUndefined();
      const written = `${last()?.head} ${answer.head} ${answer.text}`;
      expect(SECRETS.filter((secret) => written.includes(secret))).toEqual([]);
    });

    it("go on with a redirect on their own host", async () => {
      upstream.answer = (request, socket) =>
        request.target.startsWith("/first")
          ? reply(302, { Location: `/next?${request.target.split("?")[1]}` }, "")(request, socket)
          : reply(200, {}, "ok")(request, socket);
      const line = `GET /__proxy__/?url=${bound}/first?b={{SECOND_KEY}}`;
      const answer = await proxy.call(line, { fields: token });
      expect(last()?.target).toBe(`/next?b=${SECOND_KEY}&key=${encodeURIComponent(FIRST_KEY)}`);
      expect(answer.header("x-final-url")).toBe(`${bound}/next?b={{SECOND_KEY}}&key={{FIRST_KEY}}`);
    });

    it("leave no trace in an answer that repeats them", async () => {
      upstream.answer = (request, socket) => {
        const repeated = { Location: request.target, Link: `<${request.target}>` };
        return reply(201, { ...repeated, "X-Key": request.header("x-api-key") }, "")(request, socket);
      };
      const answer = await proxy.call("GET /p", { fields: { ...token, proxy_host: bound } });
      expect(SECRETS.filter((secret) => answer.head.includes(secret))).toEqual([]);
    });

    it("leave no trace in another spelling, in a reason phrase and in a sealed head", async () => {
      const login = `/login?next=${encodeURIComponent(`/p?key=${encodeURIComponent(FIRST_KEY)}`)}`;
      const head = [
        `HTTP/1.1 401 No such key: ${FIRST_KEY}`,
        `Location: ${login}`,
        `X-Lower: ${encodeURIComponent(FIRST_KEY).toLowerCase()}`,
        `X-Json: "${FIRST_KEY.replace("/", "\\/")}"`,
        `X-State: ${btoa(`{"key":"${FIRST_KEY}"}`)}`,
        "Content-Length: 0",
      ];
      upstream.answer = (_, socket) => void socket.write(`${head.join("\r\n")}\r\n\r\n`);
      for (const seal of [{}, { proxy_seal: "1" }]) {
        const answer = await proxy.call("GET /p", { fields: { ...token, proxy_host: bound, ...seal } });
        const sealed = Buffer.from(answer.header("x-fetchvia-head") ?? "", "base64url").toString();
        const decoded = decodeURIComponent(decodeURIComponent(`${answer.head} ${sealed}`));
        const plain = decoded.replaceAll("\\/", "/");
        expect(plain.toLowerCase()).not.toContain(FIRST_KEY.toLowerCase());
        expect(plain).not.toContain(btoa(FIRST_KEY).slice(0, -3));
      }
    });

    it("keep shared caches from what they led to", async () => {
      const cached = { "Cache-Control": "public, max-age=9", "CDN-Cache-Control": "max-age=9" };
      const redirect = reply(302, { Location: `${upstream.origin}/next` }, "");
      upstream.answer = (request, socket) =>
        (request.target.startsWith("/first") ? redirect : reply(200, cached, "ok"))(request, socket);
      const answer = await proxy.call(`GET /__proxy__/?url=${bound}/first`, { fields: token });
      expect(answer.text).toBe("ok");
      expect(answer.header("cache-control")).toBe("private, max-age=9");
      expect(answer.header("cdn-cache-control")).toBeUndefined();
    });

    it("go out with a WebSocket's handshake", async () => {
      new Acceptor(upstream);
      const fields = handshake({ ...token, proxy_host: bound }) as Record<string, string>;
      expect((await proxy.call("GET /p", { fields })).status).toBe(101);
      expect(last()?.header("x-api-key")).toBe(`Key ${FIRST_KEY}`);
    });

    it("are not spent over plain http by what shows the token as a browser does", async () => {
      const fields = { Host: "proxy.lan", Cookie: `proxy_token=${TOKEN}; proxy_host=${bound}` };
      expectError(await proxy.call("GET /p", { fields }), { status: 403 });
      expect(upstream.requests).toHaveLength(0);
    });

    it.each([
      { about: "a page of the target", fields: { [SITE]: "same-origin", "Sec-Fetch-Mode": "cors" } },
      { about: "a link", fields: { [SITE]: "none", "Sec-Fetch-Mode": "navigate" } },
      { about: "a page elsewhere", fields: { ...BROWSER.typed, [SITE]: "cross-site" } },
      { about: "a frame", fields: BROWSER.frame },
    ])("are not spent by $about", async ({ fields }) => {
      const cookie = `proxy_token=${TOKEN}; proxy_host=${bound}`;
      const placed = "x-b=%7B%7BSECOND_KEY%7D%7D";
      for (const path of ["/p", `/p?${placed}`, `${placeOf(bound)}/p`, `${placeOf(bound)}/p?${placed}`]) {
        const answer = await proxy.call(`GET ${path}`, { fields: { ...fields, Cookie: cookie } });
        expectError(answer, { status: 403 });
        expect(SECRETS.filter((secret) => (answer.head + answer.text).includes(secret))).toEqual([]);
      }
      expect(upstream.requests).toHaveLength(0);
    });

    it("are not spent by a page's WebSocket", async () => {
      const cookie = `proxy_token=${TOKEN}; proxy_host=${bound}`;
      const fields = handshake({ Cookie: cookie, Origin: proxy.origin, [SITE]: "same-origin" });
      for (const path of ["/p", `${placeOf(bound)}/p`]) {
        expectError(await proxy.call(`GET ${path}`, { fields }), { status: 403 });
      }
      expect(upstream.requests).toHaveLength(0);
    });

    it("are spent by a page that CORS_ORIGINS lists", async () => {
      const fields = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", Origin: "https://app.test" };
      await proxy.call("GET /p", { fields: { ...fields, ...token, proxy_host: bound } });
      expect(last()?.header("x-api-key")).toBe(`Key ${FIRST_KEY}`);
    });

    it.each(alike("line")`
      GET /__proxy__/?url={other}/p?b={{SECOND_KEY}} |
      GET {place}/p?b={{SECOND_KEY}} | TRACE {place}/p | GET {place} | GET /__proxy__/at/{{SECOND_KEY}}/p |
      GET /__proxy__/?url={closed}/p?b={{SECOND_KEY}} | GET {closedPlace}/p?b={{SECOND_KEY}} |
      GET /__proxy__/?url={{SECOND_KEY}} | GET /__proxy__/{{FIRST_KEY}}`)(
      "are in no refusal, nor why: $line",
      async ({ line }) => {
        const closed = "http://localhost:1";
        const path = line.replaceAll("{other}", upstream.origin)
          .replaceAll("{closed}", closed).replaceAll("{closedPlace}", placeOf(closed))
          .replaceAll("{place}", placeOf(upstream.origin));
        for (const fields of [token, { proxy_token: "wrong" }]) {
          const answer = await proxy.call(path, { fields });
          expect(answer.status).toBeGreaterThanOrEqual(400);
          expect(answer.header("proxy-status")).toMatch(/^fetchvia; error=[a-z_]+; details="/);
          const written = decodeURIComponent(answer.head + answer.text);
          expect([...SECRETS, TOKEN].filter((secret) => written.includes(secret))).toEqual([]);
        }
      },
    );

    it("are in no metric, no page and no error", async () => {
      const lines = ["/__proxy__/metrics", "/__proxy__/", "/__proxy__/nope", `/__proxy__/?host=${bound}`];
      const answers = await Promise.all(lines.map((line) => proxy.call(`GET ${line}`, { fields: token })));
      const written = answers.map(({ head, text }) => head + text).join();
      expect(SECRETS.filter((secret) => written.includes(secret))).toEqual([]);
    });
  });
}
