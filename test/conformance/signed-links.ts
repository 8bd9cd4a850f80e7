/**
 * `SIGNING_KEY`: links that pass in place of the token, until they end or somebody touches them.
 * @module
 */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fetchUrl, proxyUrl } from "../../src/client/client.ts";
import { argOf, base64, expectError, type Pool, rowsOf, useUpstream } from "../support/topic.ts";

const KEY = "test-key \u00fc";
const RAW = "/__proxy__/?url=";
const FUTURE = 4_102_444_800;

/** As a program of another language would sign. */
function sign(path: string, key = KEY): string {
  return `${path}&sig=${createHmac("sha256", key).update(path).digest("base64url")}`;
}

const swap = (from: string | RegExp, to: string) => (path: string) => sign(path).replace(from, to);
const ending = (end: string) => (path: string) => sign(path.replace("4102444800", end));
const flip = (first: string) => first === "A" ? "B" : "A";

/** Links that were good; `alter` makes them worthless. */
const WRONG = [
  { about: "a signature that is not last", alter: (path: string) => `${sign(path)}&x=1` },
  { about: "a signature in front", alter: (path: string) => path.replace("?", "?sig=abc&") },
  { about: "an escaped end", alter: (path: string) => `${sign(path)}%3D` },
  { about: "another key", alter: (path: string) => sign(path, "other") },
  { about: "an empty signature", alter: (path: string) => `${path}&sig=` },
  { about: "a signature of nothing", alter: (path: string) => `${path}&sig=AAAA` },
  { about: "a changed signature", alter: (path: string) => sign(path).replace(/(?<=&sig=)./, flip) },
  { about: "a later end", alter: swap("4102444800", "4102444801") },
  { about: "no end any more", alter: swap("&exp=4102444800", "") },
  { about: "another path", alter: swap("%2Fp", "%2Fq") },
  { about: "one more parameter", alter: swap("&sig", "&x=1&sig") },
  { about: "a parameter in front", alter: swap("?", "?x=1&") },
  { about: "another address behind", alter: swap("&sig", "&url=http://a.test&sig") },
  { about: "parameters in another order", alter: swap(/\?(.*)&(exp=\d+)&/, "?$2&$1&") },
  { about: "the other spelling of the path", alter: swap("/?", "?") },
  { about: "an end in the past", alter: ending("1000000000") },
  { about: "an end that is no number", alter: ending("never") },
  { about: "an end with a fraction", alter: ending("4102444800.5") },
  { about: "an empty end", alter: ending("") },
];

/** What may stand in the address of a target. */
const SPELLINGS = [
  { path: "/p" },
  { path: "/it's?q='a'&b=(1)!*~" },
  { path: "/\u00fc/\u{1f511}?\u00fc=%C3%BC" },
  { path: '/a^b|c?d^e|f={g}`"<>' },
  { path: "/p?x=%26&y=+%2B&sig=abc&exp=1&token=t" },
  { path: "//a/../b/./c" },
];

export function describeSignedLinks(pool: Pool): void {
  const upstream = useUpstream();
  const arg = () => `arg=${argOf({ url: `${upstream.origin}/p` })}`;
  const link = () => `/__proxy__/?url=${encodeURIComponent(`${upstream.origin}/p`)}&exp=${FUTURE}`;

  describe("a signed link", () => {
    const proxy = pool.with({ PROXY_TOKEN: "secret", SIGNING_KEY: KEY });
    const pathOf = (address: string) => address.slice(proxy.origin.length);

    it.each([
      { about: "url", write: () => link() },
      { about: "url without an end", write: () => link().replace(/&exp=.*/, "") },
      { about: "url as it is", write: () => `/__proxy__/?url=${upstream.origin}/p&exp=${FUTURE}` },
      { about: "url without the slash", write: () => link().replace("/?", "?") },
      { about: "arg", write: () => `/__proxy__/fetch?${arg()}&exp=${FUTURE}` },
      { about: "arg behind a slash", write: () => `/__proxy__/fetch/?${arg()}&exp=${FUTURE}` },
    ])("passes without the token: $about", async ({ write }) => {
      expect(await proxy.call(`GET ${sign(write())}`)).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.request.target).toBe("/p");
      expect(upstream.request.head).not.toMatch(/sig|exp=/);
    });

    it.each([
      { about: "a navigation", method: "GET", mode: "navigate", dest: "document", status: 200 },
      { about: "a picture", method: "GET", mode: "no-cors", dest: "image", status: 200 },
      { about: "a script's fetch", method: "GET", mode: "cors", dest: "empty", status: 200 },
      { about: "HEAD", method: "HEAD", mode: "cors", dest: "empty", status: 200 },
      { about: "a form", method: "POST", mode: "navigate", dest: "document", status: 403 },
    ])("opens from any site, as $about: $status", async ({ method, mode, dest, status }) => {
      const fields = {
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": mode,
        "Sec-Fetch-Dest": dest,
        Origin: mode === "cors" || method === "POST" ? "https://elsewhere.test" : undefined,
      };
      const call = (path: string) => proxy.call(`${method} ${sign(path)}`, { fields });
      const answers = [await call(link()), await call(`/__proxy__/fetch?${arg()}&exp=${FUTURE}`)];
      // What a POST brings as its argument nobody has signed.
      expect(answers.map((answer) => answer.status)).toEqual([status, status === 200 ? 200 : 401]);
      expect(upstream.requests).toHaveLength(status === 200 ? 2 : 0);
      const own = { ...fields, proxy_token: "secret" };
      expect((await proxy.call(`${method} ${link()}`, { fields: own })).status)
        .toBe(method === "GET" && mode === "navigate" ? 200 : 403);
    });

    // The first of a process: in workerd none of them may wait for what another one began.
    it("passes as one of many at once", async () => {
      const calls = Array.from({ length: 20 }, () => proxy.call(`GET ${sign(link())}`));
      expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(20).fill(200));
    });

    it("passes with any method where the address is all that it says", async () => {
      expect((await proxy.call(`POST ${sign(link())}`, { body: "x" })).status).toBe(200);
      expect(upstream.request).toMatchObject({ method: "POST", target: "/p" });
    });

    it.each(WRONG)("is refused with $about", async ({ alter }) => {
      expectError(await proxy.call(`GET ${alter(link())}`), { status: 403 });
      expect(upstream.requests).toEqual([]);
    });

    it("is refused with its fault, whatever token comes with it", async () => {
      const fields = { proxy_token: "secret" };
      const wrong = await proxy.call(`GET ${sign(link(), "other")}`, { fields });
      expectError(wrong, { status: 403, names: "wrong" });
      const old = await proxy.call(`GET ${sign(link().replace(String(FUTURE), "1000000000"))}`, { fields });
      expectError(old, { status: 403, names: "expired" });
      expect(upstream.requests).toEqual([]);
    });

    it("is none without a signature", async () => {
      expectError(await proxy.call(`GET ${link()}`), { status: 401 });
      expect(upstream.requests).toEqual([]);
    });

    it.each(rowsOf(["about", "line"], [
      ["a host", () => `GET ${sign("/__proxy__/?host=http%3A%2F%2Fa.test")}`],
      ["the state", () => `GET ${sign("/__proxy__/?x=1")}`],
      ["metrics", () => `GET ${sign("/__proxy__/metrics?url=x")}`],
      ["a path of the target", () => `GET ${sign("/p?url=x")}`],
      ["the argument that a POST brings", () => `POST ${sign(`/__proxy__/fetch?${arg()}`)}`],
      ["the argument that a POST brings to /fetch/", () => `POST ${sign(`/__proxy__/fetch/?${arg()}`)}`],
      ["an address with a query of its own", () => `GET ${sign(`${RAW}${upstream.origin}/p?x=1`)}`],
    ]))("stands for $about not", async ({ line }) => {
      const body = JSON.stringify({ url: `${upstream.origin}/q` });
      const answer = await proxy.call(line(), { fields: { proxy_host: upstream.origin }, body });
      expectError(answer, { status: 401, title: /fetch/.test(line()) ? "Fetch API Error" : "Proxy Error" });
      expect(upstream.requests).toEqual([]);
    });

    it.each(SPELLINGS)("comes from the helper, to $path", async ({ path }) => {
      const target = upstream.origin + path;
      const options = { key: KEY, expires: Date.now() / 1000 + 60 };
      const address = await proxyUrl(proxy.origin, target, options);
      const described = { url: target, method: "PUT", body: "it's \u00fc" };
      const argument = await fetchUrl(proxy.origin, described, options);
      expect((await proxy.call(`GET ${pathOf(address)}`)).status).toBe(200);
      expect((await proxy.call(`GET ${pathOf(argument)}`)).status).toBe(200);
      const [one, other] = upstream.requests;
      expect(one?.target).toBe(other?.target);
      expect(other).toMatchObject({ method: "PUT", body: Buffer.from("it's \u00fc") });
    });

    it("comes from the helper, and ends", async () => {
      const expires = new Date(Date.now() - 1000);
      const address = await proxyUrl(proxy.origin, `${upstream.origin}/p`, { key: KEY, expires });
      expectError(await proxy.call(`GET ${pathOf(address)}`), { status: 403, names: "expired" });
    });
  });

  describe("signed links without a token", () => {
    const proxy = pool.with({ SIGNING_KEY: "test-key" });

    it.each(rowsOf(["about", "write"], [
      ["signed", () => sign(link(), "test-key")],
      ["unsigned", link],
      ["raw with a signature of the target's own", () => `${RAW}${upstream.origin}/p?a=1&exp=1&sig=abc`],
    ]))("pass: $about", async ({ write }) => {
      expect((await proxy.call(`GET ${write()}`)).status).toBe(200);
      expect(upstream.request.target).toMatch(/^\/p(?:\?a=1&exp=1&sig=abc)?$/);
    });

    it("are refused with a wrong signature", async () => {
      expectError(await proxy.call(`GET ${sign(link(), "other")}`), { status: 403 });
      const argument = `/__proxy__/fetch?arg=${base64("{}").replace(/=/g, "")}`;
      const answer = await proxy.call(`GET ${sign(argument, "other")}`);
      expectError(answer, { status: 403, title: "Fetch API Error" });
    });
  });

  const keyless = pool.with();
  it("say nothing where no key is set", async () => {
    expect((await keyless.call(`GET ${link()}&sig=abc`)).status).toBe(200);
    expect(upstream.request.target).toBe("/p");
  });
}
