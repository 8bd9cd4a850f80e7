/**
 * `/__proxy__/?host=`: stores the target in the cookie, replaces it, clears it.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Answer, Pool } from "../support/topic.ts";
import { alike, expectError, isExpired, reply, setCookiesOf, useUpstream } from "../support/topic.ts";

const ATTRIBUTES = ["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=Lax"];

const STORED = [
  { query: "host=http%3A%2F%2Fa.test%2Fv1", host: "http://a.test/v1" },
  { query: "host=http%3A%2F%2Fa.test%2Fa%252Fb", host: "http://a.test/a%2Fb" },
  { query: "&host=http://a.test&host=http://b.test", host: "http://a.test" },
  { query: "host=https://b%C3%BCcher.test", host: "https://bücher.test" },
  ...alike("host")`
    http://a.test https://a.test/ https://a.test:8443/v1 HTTPS://A.Test/V1 http://[2001:db8::1]:8080`
    .map(({ host }) => ({ query: `host=${host}`, host })),
];

const REFUSED = [
  { query: "host=not%20a%20base", host: "not a base" },
  { query: "host=http%3A%2F%2Fuser%3Asecret%40a.test", host: "http://user:secret@a.test" },
  { query: "host=http%3A%2F%2Fa.test%2F%3Fq%3D1", host: "http://a.test/?q=1" },
  { query: "host=http%3A%2F%2Fa.test%2F%23f", host: "http://a.test/#f" },
  { query: "host=https://a.test%0D%0ASet-Cookie:x=y", host: "https://a.test\r\nSet-Cookie:x=y" },
  { query: "host=%00", host: "\0" },
  { query: "host=https://a.test%5Cevil", host: "https://a.test\\evil" },
  { query: "host=https%253A%252F%252Fa.test", host: "https%3A%2F%2Fa.test" },
  { query: "host=%3Cscript%3E", host: "<script>" },
  ...alike("host")`
    a.test //a.test http:// ftp://a.test file:///etc/passwd javascript:alert(1) http://a.test:99999 + %zz
    https://a.test%FF`
    .map(({ host }) => ({ query: `host=${host}`, host })),
];

// Browsers store 4,096 bytes with the name (RFC 6265bis §5.7); the host is percent-encoded there.
const ROOM = 4_096 - "proxy_host".length - "http%3A%2F%2Fa.test%2F".length;
const LENGTHS = [
  { about: "the longest", path: "p".repeat(ROOM), isStored: true },
  { about: "one byte more", path: "p".repeat(ROOM + 1), isStored: false },
  { about: "short, but long when encoded", path: "ü".repeat(700), isStored: false },
];

const METHODS = alike("method")`
  POST PUT PATCH DELETE OPTIONS PROPFIND`;

const SET = "proxy_host=http://b.test/v1";
const A = "http://a.test";
const EXPIRING = [
  { name: "another host", from: A, query: "host=http://b.test", gone: ["sid", "theme"] },
  { name: "another scheme", from: A, query: "host=https://a.test", gone: ["sid", "theme"] },
  { name: "another port", from: A, query: "host=http://a.test:81", gone: ["sid", "theme"] },
  { name: "clearing", from: A, query: "host=", gone: ["proxy_host", "sid", "theme"] },
  { name: "the same host", from: A, query: "host=http://a.test", gone: [] },
  { name: "another path of the same origin", from: `${A}/v1`, query: "host=http://a.test/v2", gone: [] },
  { name: "a host that is refused", from: A, query: "host=b.test", gone: [] },
];
const TYPED = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
const fetchedBy = (site: string, mode: string, dest: string) => ({
  "Sec-Fetch-Site": site,
  "Sec-Fetch-Mode": mode,
  "Sec-Fetch-Dest": dest,
});

export function describeHost(pool: Pool): void {
  describe("?host=", () => {
    const proxy = pool.with();
    const upstream = useUpstream();

    it.each(STORED)("stores $query", async ({ query, host }) => {
      const answer = await proxy.call(`GET /__proxy__/?${query}`);
      expect(answer.status).toBe(200);
      expect(answer.header("content-type")).toMatch(/^application\/json\b/);
      expect(answer.json()).toEqual({ host, status: true });
      expect(setCookiesOf(answer)).toEqual([
        { name: "proxy_host", value: expect.stringMatching(/^[\w.~%-]+$/), attributes: ATTRIBUTES },
      ]);
    });

    it("stores the base percent-encoded", async () => {
      const answer = await proxy.call("GET /__proxy__/?host=http://a.test/v1");
      expect(setCookiesOf(answer)[0]?.value).toBe("http%3A%2F%2Fa.test%2Fv1");
    });

    it.each(METHODS)("stores with $method", async ({ method }) => {
      const answer = await proxy.call(`${method} /__proxy__/?host=http://a.test`);
      expect(answer.json()).toEqual({ host: "http://a.test", status: true });
      expect(setCookiesOf(answer)).toMatchObject([{ name: "proxy_host" }]);
    });

    it("stores with HEAD", async () => {
      const answer = await proxy.call("HEAD /__proxy__/?host=http://a.test");
      expect(answer).toMatchObject({ status: 200, text: "" });
      expect(setCookiesOf(answer)).toMatchObject([{ name: "proxy_host" }]);
    });

    it("is the same without the slash", async () => {
      const answer = await proxy.call("GET /__proxy__?host=http://a.test");
      expect(answer.json()).toEqual({ host: "http://a.test", status: true });
    });

    it.each(REFUSED)("refuses $query without a cookie", async ({ query, host }) => {
      const answer = await proxy.call(`GET /__proxy__/?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.header("content-type")).toMatch(/^application\/json\b/);
      expect(answer.json()).toEqual({ host, status: false });
      expect(answer.header("proxy-status")).toMatch(
        /^fetchvia; error=http_request_error; details="Cannot use parameter host: it (?:has|is) (?!.*(?:secret|passwd))/,
      );
      expect(setCookiesOf(answer)).toEqual([]);
    });

    it.each(LENGTHS)("stores as much as browsers do: $about", async ({ path, isStored }) => {
      const host = `http://a.test/${path}`;
      const answer = await proxy.call(`GET /__proxy__/?host=${encodeURIComponent(host)}`);
      expect(answer.json()).toEqual({ host, status: isStored });
      expect(answer.status).toBe(isStored ? 200 : 400);
      expect(setCookiesOf(answer)).toHaveLength(isStored ? 1 : 0);
    });

    it("gives a cookie that leads to the target", async () => {
      const stored = await proxy.call(`GET /__proxy__/?host=${upstream.origin}/v1`);
      const cookie = stored.header("set-cookie")?.split(";")[0] ?? "";
      const answer = await proxy.call("GET /p?x", { fields: { Cookie: cookie } });
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.targets).toEqual(["/v1/p?x"]);
    });
  });

  describe("?host= and the cookies of the host before", () => {
    const proxy = pool.with();
    const preset = pool.with({ TARGET: A });
    const set = (host: string, Cookie: string) =>
      proxy.call(`GET /__proxy__/?host=${host}`, { fields: { Cookie } });
    const namesOf = (answer: Answer) => setCookiesOf(answer).filter(isExpired).map(({ name }) => name).sort();

    it("clears the cookie", async () => {
      const answer = await set("", "proxy_host=http://a.test");
      expect(answer.status).toBe(200);
      expect(answer.json()).toEqual({ host: "", status: true });
      expect(setCookiesOf(answer).filter(isExpired)).toMatchObject([{ name: "proxy_host" }]);
      expect(setCookiesOf(answer)[0]?.attributes).toContain("Path=/");
    });

    it("repairs a malformed cookie", async () =>
      expect((await set("http://a.test", "proxy_host=bad")).json())
        .toEqual({ host: "http://a.test", status: true }));

    it("clears a malformed cookie", async () => {
      const answer = await set("", "proxy_host=bad");
      expect(answer.json()).toEqual({ host: "", status: true });
      expect(setCookiesOf(answer).filter(isExpired)).toMatchObject([{ name: "proxy_host" }]);
    });

    it.each(EXPIRING)("expires $gone on $name", async ({ from, query, gone }) => {
      const cookie = `sid=1; proxy_host=${encodeURIComponent(from)}; theme=dark`;
      expect(namesOf(await set(query.slice("host=".length), cookie))).toEqual(gone);
    });

    it("leaves what is kept for hosts, and finds what is noted, on another host", async () => {
      const cookie =
        "proxy_host=http://a.test; theme=dark; proxy_at_http_a.test_~sid=1; proxy_set_lang~!2Fapp=1";
      const expired = setCookiesOf(await set("http://b.test", cookie)).filter(isExpired);
      const paths = expired.map((
        { name, attributes },
      ) => [name, ...attributes.filter((one) => /^Path=/.test(one))]);
      expect(paths)
        .toEqual([["lang", "Path=/app"], ["proxy_set_lang~!2Fapp", "Path=/"], ["theme", "Path=/"]]);
    });

    it("is set whatever cookies come along, as long as their head is taken", async () => {
      const many = Array.from({ length: 14 }, (_, index) => `c${index}=${"x".repeat(4_080)}`).join("; ");
      const answer = await set("http://b.test", `proxy_host=http://a.test; ${many}`);
      expect(answer.json()).toEqual({ host: "http://b.test", status: true });
      expect(setCookiesOf(answer).filter(isExpired)).toHaveLength(14);
    });

    it("takes what is kept for hosts too on clearing", async () => {
      const cookie = "proxy_host=http://a.test; proxy_at_http_a.test_~sid=1; proxy_auth=x; proxy_token=t";
      expect(namesOf(await set("", cookie)))
        .toEqual(["proxy_at_http_a.test_~sid", "proxy_auth", "proxy_host"]);
    });

    it("writes fifty lines at most, and tells how many are left", async () => {
      const many = Array.from({ length: 100 }, (_, index) => `c${index}=1`).join("; ");
      const answer = await set("http://b.test", `proxy_host=http://a.test; ${many}`);
      expect(answer.headersNamed("set-cookie")).toHaveLength(50);
      expect(answer.header("proxy-status")).toBe('fetchvia; details="51 cookies are left: ask again"');
    });

    it("expires nothing where there was no host before", async () =>
      expect(namesOf(await set("http://a.test", "sid=1"))).toEqual([]));

    it.each([{ host: "http://b.test", gone: ["sid"] }, { host: "http://a.test/v1", gone: [] }])(
      "expires $gone on $host where TARGET was the host before",
      async ({ host, gone }) => {
        const answer = await preset.call(`GET /__proxy__/?host=${host}`, { fields: { Cookie: "sid=1" } });
        expect(namesOf(answer)).toEqual(gone);
      },
    );
  });

  // Links that set the host and go on: one that somebody else wrote sets the host, and no more.
  describe("?host= with then=", () => {
    const proxy = pool.with();
    const closed = pool.with({ PRIVATE_TARGETS: "false" });
    const readProof = ({ text }: Answer) => /name="proof" value="([^"]*)"/.exec(text)?.[1] ?? "";
    const link = "/__proxy__/?host=http://b.test&then=%2Fnext";
    const upstream = useUpstream();

    it.each([
      { about: "a program", fields: {}, status: 303 },
      { about: "a window", fields: TYPED, status: 200 },
      { about: "what may be a window", fields: { "Upgrade-Insecure-Requests": "1" }, status: 200 },
      { about: "what reads HTML", fields: { Accept: "text/html,*/*;q=0.8" }, status: 200 },
      { about: "a window whose host stays the same", fields: { ...TYPED, Cookie: SET }, status: 303 },
      { about: "a window with a made-up mark", fields: TYPED, proof: "A".repeat(22), status: 200 },
    ])("is a $status for $about", async ({ fields, proof, status }) => {
      const answer = await proxy.call(`GET ${link}${proof ? `&proof=${proof}` : ""}`, { fields });
      expect(answer.status).toBe(status);
      expect(answer.header("location")).toBe(status === 303 ? `${proxy.origin}/next` : undefined);
      expect(setCookiesOf(answer)[0]).toMatchObject({ name: "proxy_host", value: "http%3A%2F%2Fb.test" });
    });

    it.each([
      { mode: "no-cors", dest: "image" },
      { mode: "no-cors", dest: "script" },
      { mode: "cors", dest: "empty" },
      { mode: "navigate", dest: "iframe" },
    ])("sets nothing for a part of a page: mode $mode, dest $dest", async ({ mode, dest }) => {
      const answer = await proxy.call(`GET ${link}`, { fields: fetchedBy("same-origin", mode, dest) });
      expectError(answer, { status: 403, names: /window of its own/ });
      expect(setCookiesOf(answer)).toEqual([]);
    });

    it("goes on where the proxy wrote it for who stood there, and for nobody else", async () => {
      upstream.answer = reply(302, { Location: "http://b.test/next?x#f" });
      const cookie = { Cookie: `proxy_host=${upstream.origin}` };
      const call = (path: string, fields = {}) =>
        proxy.call(`GET ${path}`, { fields: { ...TYPED, ...fields } });
      const path = (await call("/p", cookie)).header("location") ?? "";
      const answers = [
        await call(path, cookie),
        await call(path),
        await call(path.replace("next", "evil"), cookie),
        await call(path.replace("b.test", "c.test"), cookie),
      ];
      expect(answers.map(({ status }) => status)).toEqual([303, 200, 200, 200]);
      expect(answers[0]?.header("location")).toBe(`${proxy.origin}/next?x#f`);
    });

    it("goes on for the console's own form, which shows the ticket", async () => {
      const page = await proxy.call("GET /__proxy__/", { fields: { ...TYPED, Accept: "text/html" } });
      const proof = readProof(page);
      const form = { ...TYPED, "Sec-Fetch-Site": "same-origin", Cookie: "proxy_host=http://a.test" };
      const answer = await proxy.call(`GET ${link}&proof=${proof}`, { fields: form });
      expect(proof).toMatch(/^[\w-]+$/);
      expect(answer.status).toBe(303);
      expect(page.headersNamed("set-cookie")).toEqual([]);
      expectError(await proxy.call(`GET ${link}&proof=${proof}x`, { fields: form }), { status: 403 });
    });

    it("goes on where nobody is trusted with that, in the browser alone that was given the page", async () => {
      const page = await closed.call("GET /__proxy__/", { fields: { ...TYPED, Accept: "text/html" } });
      const proof = readProof(page);
      const cookie = page.header("set-cookie") ?? "";
      expect(cookie).toMatch(/^proxy_page=[\w-]+; Path=\/__proxy__; HttpOnly; SameSite=Strict$/);
      const form = { ...TYPED, "Sec-Fetch-Site": "same-origin" };
      const own = { ...form, Cookie: `proxy_host=http://a.test; ${cookie.split(";")[0]}` };
      expect((await closed.call(`GET ${link}&proof=${proof}`, { fields: own })).status).toBe(303);
      const elsewhere = { ...form, Cookie: "proxy_host=http://a.test" };
      expectError(await closed.call(`GET ${link}&proof=${proof}`, { fields: elsewhere }), { status: 403 });
    });
  });

  // In a browser the console sets the host, or its user by an address that is typed: no page of a target does.
  describe("?host= asked for by", () => {
    const proxy = pool.with();
    const stored = "proxy_host=http://a.test";

    it.each([
      { about: "a script of a page", site: "same-origin", mode: "cors", dest: "empty" },
      { about: "a link of a page", site: "same-origin", mode: "navigate", dest: "document" },
      { about: "a frame of a page", site: "same-origin", mode: "navigate", dest: "iframe" },
      { about: "a picture of a page", site: "same-origin", mode: "no-cors", dest: "image" },
      { about: "a frame that nobody typed", site: "none", mode: "navigate", dest: "iframe" },
    ])("$about changes nothing", async ({ site, mode, dest }) => {
      const fields = { ...fetchedBy(site, mode, dest), Cookie: stored };
      for (const query of ["host=http://b.test", "host="]) {
        const answer = await proxy.call(`GET /__proxy__/?${query}`, { fields });
        expectError(answer, { status: 403, names: /page of a target/ });
        expect(setCookiesOf(answer)).toEqual([]);
      }
    });

    it.each([
      { about: "a program", fields: {} },
      { about: "who typed it", fields: TYPED },
    ])("$about changes it", async ({ fields }) => {
      const own = { ...fields, Cookie: stored };
      const answer = await proxy.call("GET /__proxy__/?host=http://b.test", { fields: own });
      expect(answer.json()).toEqual({ host: "http://b.test", status: true });
      expect(setCookiesOf(answer)[0]).toMatchObject({ name: "proxy_host", value: "http%3A%2F%2Fb.test" });
    });
  });
}
