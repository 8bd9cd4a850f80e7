/**
 * Tokens of callers: where they are shown, what they allow, and that they stay here.
 * @module
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mintToken, type TokenOptions } from "../../src/parts/tokens/mint.ts";
import type { Pool } from "../support/topic.ts";
import { Acceptor, alike, argOf, expectError, handshake, join, placeOf, reply } from "../support/topic.ts";
import { rowsOf } from "../support/topic.ts";
import { setCookiesOf, useUpstream, waitUntil } from "../support/topic.ts";

const SIGNING_KEY = "the key of the tests";
const FIRST_KEY = "the-real-key";
const PROXY_TOKEN = "t0ken";
const LISTED = "https://app.test";
const OTHER = "https://other.test";
const HOUR = 3_600;
/** The settings of a proxy that asks each caller for a token, and holds a key for `localhost`. */
const CALLED = {
  SIGNING_KEY,
  FIRST_KEY,
  CALLER_TOKENS: "true",
  REVOKED_TOKENS: "lost,gone",
  METRICS: "true",
  LOG: "json",
  CORS_ORIGINS: `${LISTED},${OTHER}`,
  TARGETS: JSON.stringify({
    "localhost": { set: { "authorization": "Bearer {{FIRST_KEY}}", "x-api-key": "{{FIRST_KEY}}" } },
    "127.0.0.1": { set: { "x-plain": "1" } },
  }),
};

/** Makes a token for an hour. */
function mint(claims: Partial<TokenOptions> = {}, key = SIGNING_KEY): Promise<string> {
  return mintToken({ id: "ci", expires: Math.floor(Date.now() / 1_000) + HOUR, ...claims }, key);
}

/** Ways to show a token where `PROXY_TOKEN` may be; `{token}` stands for it. */
const PLACES = [
  { way: "header proxy_token", fields: { proxy_token: "{token}" } },
  { way: "header proxy-token", fields: { "proxy-token": "{token}" } },
  { way: "Proxy-Authorization", fields: { "Proxy-Authorization": "Bearer {token}" } },
  { way: "a cookie", fields: { Cookie: "a=1; proxy_token={token}; b=2" } },
];

/** Ways to show it in a field that the entry of `localhost` replaces with its key. */
const KEY_FIELDS = [
  { way: "Authorization", fields: { Authorization: "Bearer {token}" } },
  { way: "Authorization of Basic", fields: { Authorization: "Basic {basic}" } },
  { way: "x-api-key", fields: { "x-api-key": "{token}" } },
];

/** Places where a token does not count, and from which it must not go on either. */
const ELSEWHERE = [
  { way: "another field", fields: { "x-other": "{token}" } },
  { way: "Authorization for a target without a key", fields: { Authorization: "Bearer {token}" } },
  { way: "Basic for a target without a key", fields: { Authorization: "Basic {basic}" } },
  { way: "another cookie", fields: { Cookie: "a={token}; b=2" } },
];

/** Claims that a request to `{bound}/v1/p` by GET is out of. */
const OUT_OF: { claims: Partial<TokenOptions>; says: string }[] = [
  { claims: { targets: "127.0.0.9" }, says: "is not in targets" },
  { claims: { targets: ["*.localhost", "localhost:1"] }, says: "is not in targets" },
  { claims: { methods: ["POST"] }, says: "method GET is not in methods" },
  { claims: { paths: ["/v2/", "/v1/pp"] }, says: "this path is not in paths" },
];

export function describeCallerTokens(pool: Pool): void {
  describe("a caller's token", () => {
    const proxy = pool.with(CALLED);
    const small = pool.with({ ...CALLED, MAX_REQUEST_BYTES: "4" });
    const both = pool.with({ ...CALLED, CALLER_TOKENS: undefined, PROXY_TOKEN });
    let token: string;
    const upstream = useUpstream();
    let bound: string;
    beforeAll(async () => void (token = await mint()));
    beforeEach(() => {
      bound = `http://localhost:${upstream.port}`;
    });

    const write = (fields: Readonly<Record<string, string | undefined>>, text = token) =>
      Object.fromEntries(
        Object.entries(fields).map((
          [name, value],
        ) => [name, value?.replace("{token}", text).replace("{basic}", btoa(`user:${text}`))]),
      );
    const forge = async () => (await mint({ id: "a" })).replace(/\.[^.]*\./, `.${token.split(".")[1]}.`);
    const last = () => upstream.requests.at(-1);
    /** No token has come to the target, in whatever field. */
    const expectHidden = () => {
      const heads = upstream.requests.map(({ head }) => head).join();
      expect(heads).not.toMatch(/fv1|^proxy/im);
      expect(heads).not.toContain(btoa(`user:${token}`));
    };

    it.each(PLACES)("is shown as $way, and goes no further", async ({ fields }) => {
      const sent = { proxy_host: upstream.origin, ...write(fields) };
      const answer = await proxy.call("GET /p?x=1", { fields: sent });
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(answer.headersNamed("vary").join()).toContain("proxy_token");
      expectHidden();
    });

    it.each(KEY_FIELDS)("is shown as $way, where the key takes its place", async ({ fields }) => {
      const answer = await proxy.call("GET /v1/p", { fields: { proxy_host: bound, ...write(fields) } });
      expect(answer.status).toBe(200);
      expect(last()?.headersNamed("authorization")).toEqual([`Bearer ${FIRST_KEY}`]);
      expect(last()?.headersNamed("x-api-key")).toEqual([FIRST_KEY]);
      expect(answer.header("cache-control")).toBe("private");
      expect((await proxy.call(`GET ${placeOf(bound)}/v1/p`, { fields: write(fields) })).status).toBe(200);
      expect(last()?.headersNamed("authorization")).toEqual([`Bearer ${FIRST_KEY}`]);
      expectHidden();
    });

    it.each(ELSEWHERE)("is none in $way", async ({ fields }) => {
      const sent = { proxy_host: upstream.origin, ...write(fields) };
      const forSdk = "Authorization" in fields;
      expectError(await proxy.call("GET /p", { fields: sent }), { status: 401, forSdk });
      expect(upstream.requests).toHaveLength(0);
    });

    it.each(rowsOf(["about", "asks", "isTold"], [
      ["a host", () => proxy.call("GET /p", { fields: { proxy_host: bound } }), true],
      ["a base address", () => proxy.call(`GET ${placeOf(bound)}/v1`), true],
      ["an address", () => proxy.call(`GET /__proxy__/?url=${bound}/p`), true],
      ["a page of the proxy", () => proxy.call("GET /__proxy__/metrics"), false],
      ["a proxy with a token of its own", () => both.call(`GET ${placeOf(bound)}/v1`), false],
    ]))("that is missing may come as the API key, says $about: $isTold", async ({ asks, isTold }) => {
      const named = /^Cannot use this proxy: .+ Send it in the header proxy_token(, or as the API key.+)?$/;
      const answer = await asks();
      expectError(answer, { status: 401, names: named });
      expect(answer.text.includes("as the API key")).toBe(isTold);
    });

    it.each(ELSEWHERE)("is kept back in $way", async ({ fields }) => {
      const shown = { proxy_token: token, proxy_host: upstream.origin };
      expect((await proxy.call("GET /p", { fields: { ...write(fields), ...shown } })).status).toBe(200);
      expectHidden();
    });

    it("is kept back in a field of an arg, and leaves the other cookies alone", async () => {
      const headers = { "x-other": `my ${token}`, "x-kept": "1", cookie: `a=1; b=${token}; c=3` };
      const arg = argOf({ url: `${upstream.origin}/p`, headers });
      await proxy.call(`GET /__proxy__/fetch?arg=${arg}`, { fields: { proxy_token: token } });
      expect(last()?.header("x-kept")).toBe("1");
      expect(last()?.header("cookie")).toBe("a=1; c=3");
      expectHidden();
    });

    it.each(alike("line")`
      GET /p?key={token} | GET /{token}/p | GET /__proxy__/?url={origin}/p?key={token} |
      GET {place}/p?key={token} | GET {place}/{token}/p`)(
      "may not stand in the target's address: $line",
      async ({ line }) => {
        const written = line.replace("{token}", token).replace("{origin}", upstream.origin)
          .replace("{place}", placeOf(upstream.origin));
        const fields = { proxy_token: token, proxy_host: upstream.origin };
        const answer = await proxy.call(written, { fields });
        expectError(answer, { status: 400, names: "its address holds a caller's token" });
        expect(upstream.requests).toHaveLength(0);
      },
    );

    it.each([
      { about: "none", make: () => Promise.resolve(""), says: "is missing or wrong" },
      { about: "a wrong signature", make: () => mint({}, "another key"), says: "its signature is wrong" },
      { about: "an old one", make: () => mint({ expires: 1_000_000_000 }), says: "it has expired" },
      { about: "a revoked one", make: () => mint({ id: "lost" }), says: "it was revoked" },
      { about: "half of one", make: () => Promise.resolve("fv1.e30"), says: "it is malformed" },
      { about: "other claims", make: forge, says: "its signature is wrong" },
    ])("is refused: $about", async ({ make, says }) => {
      const shown = await make();
      const answer = await proxy.call("GET /p", { fields: { proxy_host: bound, proxy_token: shown } });
      expectError(answer, { status: 401, error: "http_request_denied", names: says });
      expect(answer.header("www-authenticate")).toMatch(/^Bearer realm="fetchvia"/);
      const inField = await proxy.call("GET /p", { fields: { proxy_host: bound, "x-api-key": shown } });
      expectError(inField, { status: 401, names: says, forSdk: shown !== "" });
      expect(upstream.requests).toHaveLength(0);
    });

    it.each(OUT_OF)("is limited by $claims", async ({ claims, says }) => {
      const fields = { proxy_token: await mint(claims) };
      const arg = argOf({ url: `${bound}/v1/p` });
      const answers = [
        await proxy.call("GET /v1/p", { fields: { ...fields, proxy_host: bound } }),
        await proxy.call("GET /v1/p", { fields: { ...fields, Cookie: `proxy_host=${bound}` } }),
        await proxy.call(`GET /__proxy__/?url=${bound}/v1/p`, { fields }),
        await proxy.call(`GET /__proxy__/fetch?arg=${arg}`, { fields }),
        await proxy.call(`GET ${placeOf(bound)}/v1/p`, { fields }),
        await proxy.call("GET /v1/p", { fields: handshake({ ...fields, proxy_host: bound }) }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
      expect(answers.filter(({ text }) => text.includes(says))).toHaveLength(answers.length);
      expect(upstream.requests).toHaveLength(0);
    });

    it.each([
      { claims: { targets: "127.0.0.1,localhost" } },
      { claims: { targets: ["localhost"], methods: ["GET"], paths: ["/v1/"], rate: "9/60s" } },
      { claims: { targets: ["*"], origins: [LISTED] } },
    ])("allows within $claims", async ({ claims }) => {
      const fields = { proxy_host: bound, authorization: `Bearer ${await mint(claims)}` };
      expect((await proxy.call("GET /v1/p", { fields })).status).toBe(200);
    });

    it.each([
      { about: "a method", status: 403, claims: { methods: ["POST"] } },
      { about: "a rate", status: 429, claims: { rate: "1/60s" } },
      { about: "a target that is not there", status: 502, port: "1" },
      { about: "a body", status: 413, line: "POST /v1/p", body: "too long" },
      { about: "an address", status: 400, line: "GET /__proxy__/?url=" },
      { about: "a header", status: 400, more: { "proxy_headers": "{" } },
    ])("in the header of a key is told of $about in error, and elsewhere not", async (row) => {
      const { status, claims = {}, port, line = "GET /v1/p", body = "", more } = row;
      const proxy_host = port ? `http://localhost:${port}` : bound;
      for (const name of ["x-api-key", "proxy_token"]) {
        const shown = await mint({ id: `sdk-${Math.random()}`, ...claims });
        const ask = () => small.call(line, { fields: { ...more, proxy_host, [name]: shown }, body });
        await ask();
        expectError(await ask(), { status, forSdk: name === "x-api-key" });
      }
    });

    it("shows nothing but title and detail on the proxy's own pages", async () => {
      const fields = { Authorization: `Bearer ${token}` };
      const answer = await proxy.call("GET /__proxy__/fetch?arg=%%%", { fields });
      expect(answer.json()).toEqual({ title: "Fetch API Error", detail: "Invalid Base64 or JSON format" });
    });

    it("is checked for each hop of a redirect", async () => {
      upstream.answer = reply(302, { Location: `${upstream.origin}/next` }, "");
      const fields = { proxy_token: await mint({ targets: "localhost" }) };
      const answer = await proxy.call(`GET /__proxy__/?url=${bound}/first`, { fields });
      expectError(answer, { status: 403, names: "is not in targets" });
      expect(upstream.targets).toEqual(["/first"]);
      expectHidden();
    });

    it("opens a WebSocket, and is not in its handshake", async () => {
      new Acceptor(upstream);
      await join(proxy.port, "/ws", { proxy_host: bound, Authorization: `Bearer ${token}` });
      expect(last()?.header("authorization")).toBe(`Bearer ${FIRST_KEY}`);
      expectHidden();
    });

    it("counts its rate under its id", async () => {
      const ids = [`rate-${Math.random()}`, `rate-${Math.random()}`];
      const statuses: number[] = [];
      const details: (string | undefined)[] = [];
      for (const id of [ids[0], ids[0], ids[0], ids[1]]) {
        const fields = { proxy_host: upstream.origin, proxy_token: await mint({ id, rate: "2/60s" }) };
        const answer = await proxy.call("GET /p", { fields });
        statuses.push(answer.status);
        details.push(answer.header("proxy-status"));
      }
      expect(statuses).toEqual([200, 200, 429, 200]);
      expect(details[2]).toContain(`; details="rate of the caller's token ${ids[0]}"`);
    });

    it("is shown as Authorization on the proxy's own pages", async () => {
      const arg = argOf({ url: `${upstream.origin}/p` });
      const fields = { Authorization: `Bearer ${token}` };
      expect((await proxy.call(`GET /__proxy__/fetch?arg=${arg}`, { fields })).status).toBe(200);
      expect((await proxy.call("GET /__proxy__/", { fields })).status).toBe(200);
      expectHidden();
    });

    it.each([
      ...alike("path", { status: 403 })`/__proxy__/metrics /__proxy__/traffic`,
      ...alike("path", { status: 200 })`/__proxy__/ /__proxy__/health`,
    ])("gives no sight of others: $path → $status", async ({ path, status }) => {
      expect((await proxy.call(`GET ${path}`, { fields: { proxy_token: token } })).status).toBe(status);
      const page = await proxy.call(`GET ${path}`, { fields: { proxy_token: token, Accept: "text/html" } });
      expect(page.text).not.toMatch(/"ticket":"/);
    });

    it("is kept in a cookie where a browser opens it, and PROXY_TOKEN never is in its place", async () => {
      const window = { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
      const answer = await both.call(`GET /__proxy__/?token=${token}`, { fields: window });
      expect(answer.status).toBe(303);
      expect(setCookiesOf(answer)).toMatchObject([{ name: "proxy_token", value: token }]);
      expect(answer.header("location")).toBe("/__proxy__/");
    });

    it("stands in for PROXY_TOKEN, and limits its caller even beside it", async () => {
      const own = { proxy_host: upstream.origin };
      const narrow = await mint({ methods: ["POST"] });
      const ask = async (fields: Record<string, string>) =>
        (await both.call("GET /p", { fields: { ...own, ...fields } })).status;
      expect([
        await ask({}),
        await ask({ proxy_token: PROXY_TOKEN }),
        await ask({ proxy_token: token }),
        await ask({ proxy_token: PROXY_TOKEN, "proxy-token": narrow }),
        await ask({ proxy_token: PROXY_TOKEN, "proxy-token": "fv1.e30.x" }),
      ]).toEqual([401, 200, 200, 403, 200]);
    });

    it("is named by its id in the log, which does not hold it", async () => {
      const id = `log-${Math.random().toString(36).slice(2)}`;
      const text = await mint({ id });
      await proxy.call("GET /p", { fields: { proxy_host: bound, authorization: `Bearer ${text}` } });
      await waitUntil(() => proxy.proxy.stdout().includes(`"caller_id":"${id}"`));
      expect(proxy.proxy.stdout() + proxy.proxy.stderr()).not.toContain(text.slice(0, 20));
    });
  });

  describe("a caller's token that does not count, in the log", () => {
    const proxy = pool.with(CALLED);
    const both = pool.with({ ...CALLED, CALLER_TOKENS: undefined, PROXY_TOKEN });

    it.each([
      { about: "none", make: () => Promise.resolve(""), error: "token_missing", id: undefined },
      { about: "a guess", make: () => Promise.resolve("guess"), error: "token_wrong", id: undefined },
      { about: "half of one", make: () => Promise.resolve("fv1.e30"), error: "token_wrong", id: undefined },
      { about: "a forged one", make: () => mint({ id: "forged" }, "x"), error: "token_wrong", id: undefined },
      { about: "an old one", make: () => mint({ expires: 1e9 }), error: "token_expired", id: "ci" },
      { about: "a revoked one", make: () => mint({ id: "lost" }), error: "token_revoked", id: "lost" },
    ])("is named for what it is: $about", async ({ make, error, id }) => {
      const token = await make();
      for (const asked of [proxy, both]) {
        const answer = await asked.call("GET /p", { fields: { proxy_token: token } });
        const own = `"id":"${answer.header("x-request-id")}"`;
        const find = () => asked.proxy.stdout().split("\n").find((line) => line.includes(own));
        const line = await waitUntil(find);
        expect(JSON.parse(line)).toMatchObject({ status: 401, error });
        expect(JSON.parse(line).caller_id).toBe(id);
      }
    });
  });

  describe("a page with a caller's token", () => {
    const proxy = pool.with(CALLED);
    const upstream = useUpstream();
    let bound: string;
    beforeEach(() => {
      bound = `http://localhost:${upstream.port}`;
    });

    const CORS = { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };

    it.each([
      { origin: LISTED, origins: undefined, status: 200 },
      { origin: LISTED, origins: [LISTED], status: 200 },
      { origin: LISTED, origins: ["*"], status: 200 },
      { origin: OTHER, origins: [LISTED], status: 403 },
      { origin: "https://evil.test", origins: undefined, status: 403 },
      { origin: "https://evil.test", origins: ["https://evil.test"], status: 403 },
      { origin: "null", origins: [LISTED], status: 403 },
    ])("of $origin, for $origins → $status", async ({ origin, origins, status }) => {
      const fields = { ...CORS, Origin: origin, proxy_host: bound, "x-api-key": await mint({ origins }) };
      const answer = await proxy.call("GET /p", { fields });
      expect(answer.status).toBe(status);
      const isListed = origin === LISTED || origin === OTHER;
      expect(answer.header("access-control-allow-origin")).toBe(isListed ? origin : undefined);
      expect(upstream.requests).toHaveLength(status === 200 ? 1 : 0);
    });

    it("may not use it where the browser names no origin", async () => {
      const fields = {
        "Sec-Fetch-Site": "none",
        "Sec-Fetch-Mode": "navigate",
        proxy_host: upstream.origin,
        Cookie: `proxy_token=${await mint({ origins: [LISTED] })}`,
      };
      expectError(await proxy.call("GET /p", { fields }), { status: 403, names: "origins" });
    });

    it.each([
      { origin: LISTED, status: 204 },
      { origin: "https://evil.test", status: 403 },
    ])("of $origin asks first, without it → $status", async ({ origin, status }) => {
      const fields = {
        ...CORS,
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,proxy_host",
      };
      const answer = await proxy.call("OPTIONS /p", { fields });
      expect(answer.status).toBe(status);
      expect(answer.header("access-control-allow-origin")).toBe(status === 204 ? origin : undefined);
      expect(upstream.requests).toHaveLength(0);
    });
  });
}
