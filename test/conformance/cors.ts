/**
 * Which pages of other origins may read answers: `CORS_ORIGINS`, and what holds without it.
 * @module
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { corsFieldsOf, expectAny, expectListed, expectNothing, varyOf } from "../support/cors.ts";
import { freePort } from "../support/free-port.ts";
import type { Pool, Shared, Upstream } from "../support/topic.ts";
import { alike, argOf, ask, expectError, reply, rowsWith, selectors } from "../support/topic.ts";
import { useUpstream } from "../support/topic.ts";

const APP = "https://app.test";
const BOTH = `*,${APP}`;
const LOCAL = "http://localhost:5173";
const OTHER = "https://other.test";
/** `*` alone grants no page a private target, and the targets here are on loopback. */
const TOKEN = { PROXY_TOKEN: "s3cret" };
const SHOWN = { proxy_token: "s3cret" };
const TARGETS_OWN = {
  "Access-Control-Allow-Origin": "https://target.test",
  "Access-Control-Allow-Credentials": "true",
  "Access-Control-Expose-Headers": "x-target",
  "Access-Control-Allow-Methods": "PURGE",
  "Access-Control-Allow-Headers": "x-target",
  "Access-Control-Max-Age": "7",
  "Vary": "Accept",
  "X-Own": "1",
  "Set-Cookie": "a=1",
};

const LOCAL_ORIGINS = alike("origin")`
  http://localhost:5173 https://localhost http://127.0.0.1:3000 http://127.9.9.9 http://[::1]:3000
  http://app.localhost:5173`;

const FOREIGN_ORIGINS = alike("origin")`
  null https://app.test http://evil-test.w.localhost:8080 http://evil-test.w.localhost.:8080
  http://localhost.evil.test http://10.0.0.1`;

const SELECTORS = selectors("header", "cookie", "label", "url", "at", "arg");

/** A preflight of a page. */
const preflight = (origin: string, names?: string) => ({
  Origin: origin,
  "Access-Control-Request-Method": "PUT",
  "Access-Control-Request-Headers": names,
  "Access-Control-Request-Private-Network": names && "true",
});

const LISTENER = "a listener that it knows";

export function describeCors(pool: Pool): void {
  const upstream = useUpstream();
  beforeEach(() => {
    upstream.answer = reply(200, TARGETS_OWN, "ok");
  });

  describe.each([
    { set: "*", settings: { CORS_ORIGINS: "*", ...TOKEN }, origin: APP, expectRead: expectAny },
    { set: "*", settings: { CORS_ORIGINS: "*", ...TOKEN }, origin: "null", expectRead: expectAny },
    { set: APP, settings: { CORS_ORIGINS: APP }, origin: APP, expectRead: expectListed },
    { set: BOTH, settings: { CORS_ORIGINS: BOTH, ...TOKEN }, origin: APP, expectRead: expectListed },
    { set: BOTH, settings: { CORS_ORIGINS: BOTH, ...TOKEN }, origin: OTHER, expectRead: expectAny },
    ...rowsWith<GrantRow>(pool.runtime, LISTENER, [
      { set: "nothing", settings: {}, origin: LOCAL, expectRead: expectListed },
    ]),
  ] as GrantRow[])(
    "CORS with $set, for $origin",
    (row) => describeGranted(pool.with(row.settings), row, upstream),
  );

  describe("CORS for an origin that is not listed", () => {
    const proxy = pool.with({ CORS_ORIGINS: APP });

    it.each([OTHER, "null", LOCAL, "http://app.test"].map((origin) => ({ origin })))(
      "refuses the preflight of $origin",
      async ({ origin }) => {
        const fields = { proxy_host: upstream.origin, ...preflight(origin) };
        const answer = await proxy.call("OPTIONS /p", { fields });
        expectError(answer, { status: 403 });
        expectNothing(answer);
        expect(varyOf(answer)).toContain("origin");
        expect(upstream.requests).toEqual([]);
      },
    );

    it("hands no malformed field of a preflight back", async () => {
      const fields = { proxy_host: upstream.origin, ...preflight(APP, "x-\u0001") };
      const answer = await proxy.call("OPTIONS /p", { fields });
      expect(answer.status).toBe(400);
      expect(answer.header("access-control-allow-headers")).toBeUndefined();
      expect(upstream.requests).toEqual([]);
    });

    it.each(SELECTORS)(
      "hides an answer by $selector, and drops the target's own fields",
      async ({ selector }) => {
        const answer = await ask(proxy, selector, upstream.origin, "GET /p", { fields: { "X-A": "1" } });
        expect(answer.status).toBe(200);
        expectNothing(answer);
        expect(varyOf(answer)).toEqual(expect.arrayContaining(["accept", "origin"]));
      },
    );
  });

  const usual = pool.with();
  it.each(rowsWith(pool.runtime, LISTENER, [{ site: "none" }, { site: "same-origin" }]))(
    "varies by origin beside loopback origins, for a browser ($site)",
    async ({ site }) => {
      const fields = { proxy_host: upstream.origin, "Sec-Fetch-Site": site };
      expect(varyOf(await usual.call("GET /p", { fields }))).toContain("origin");
    },
  );

  const both = pool.with({ CORS_ORIGINS: BOTH, ...TOKEN });
  it("varies by origin where `*` stands beside a list", async () =>
    expect(varyOf(await both.call("GET /", { fields: { Origin: OTHER, ...SHOWN } }))).toContain("origin"));

  const all = pool.with({ CORS_ORIGINS: "*", PRIVATE_TARGETS: "true" });
  it.each([{ origin: APP }, { origin: "null" }])(
    "grants $origin no private target by `*` alone, and lets it read why",
    async ({ origin }) => {
      const answer = await all.call("GET /p", { fields: { proxy_host: upstream.origin, Origin: origin } });
      expectError(answer, { status: 403, error: "destination_ip_prohibited", names: /CORS_ORIGINS=\*/ });
      expectAny(answer);
      expect(upstream.requests).toEqual([]);
    },
  );

  describeUnset(pool, upstream);

  describe("CORS of errors", () => {
    const proxy = pool.with({ CORS_ORIGINS: APP, PROXY_TOKEN: "secret", RATE_LIMIT: "2/60s" });
    let closed: string;
    beforeAll(async () => {
      closed = `http://127.0.0.1:${await freePort()}`;
    });

    it.each(ERRORS.map((row, index) => ({ ...row, from: `127.0.2.${index + 1}` })))(
      "$status to $line is read",
      async ({ status, line, fields, from }) => {
        const own = { Origin: APP, proxy_token: "secret", ...fields };
        const filled = Object.entries(own).map(([name, value]) => [name, value?.replace("{closed}", closed)]);
        const answer = await proxy.call(line, { fields: Object.fromEntries(filled), from });
        expect(answer.status).toBe(status);
        expectListed(answer, APP);
      },
    );

    it("429 is read, Retry-After too", async () => {
      const options = { fields: { Origin: APP, proxy_token: "secret" }, from: "127.0.2.100" };
      const answers = [await proxy.call("GET /", options), await proxy.call("GET /", options)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const answer = await proxy.call("GET /", options);
      expectError(answer, { status: 429 });
      expectListed(answer, APP);
      expect(answer.header("access-control-expose-headers")).toContain("retry-after");
    });
  });
}

interface GrantRow {
  set: string;
  settings: Record<string, string>;
  origin: string;
  expectRead: typeof expectListed;
}

function describeGranted(proxy: Shared, { origin, expectRead }: GrantRow, upstream: Upstream): void {
  it.each(SELECTORS)("is read by $selector, without the target's own fields", async ({ selector }) => {
    const { origin: target } = upstream;
    const options = { fields: { Origin: origin, ...SHOWN } };
    const line = `GET /__proxy__/fetch?arg=${argOf({ url: `${target}/p` })}`;
    const asked = selector === "arg"
      ? proxy.call(line, options)
      : ask(proxy, selector, target, "GET /p", options);
    const answer = await asked;
    expect(answer.text).toBe("ok");
    expectRead(answer, origin);
    expect(answer.head).not.toMatch(/target\.test|x-target|PURGE/);
    expect(Object.values(corsFieldsOf(answer)).map((values) => values.length)).not.toContain(2);
  });

  it.each(alike("method")`GET HEAD POST OPTIONS`)("is read with $method", async ({ method }) => {
    const fields = { proxy_host: upstream.origin, Origin: origin, ...SHOWN };
    const answer = await proxy.call(`${method} /p`, { fields });
    expect(answer.status).toBe(200);
    expectRead(answer, origin);
    expect(answer.head).not.toMatch(/target\.test|x-target|PURGE/);
    expect(upstream.request.method).toBe(method);
  });

  it.each(alike("path")`
    /p /__proxy__/ /__proxy__/?url={origin}/p /__proxy__/fetch?arg=x /__proxy__/health`)(
    "has its preflights answered here: $path",
    async ({ path }) => {
      const { origin: target } = upstream;
      const fields = { proxy_host: target, ...preflight(origin, "authorization, x-a") };
      const answer = await proxy.call(`OPTIONS ${path.replace("{origin}", target)}`, { fields });
      expect(answer).toMatchObject({ status: 204, ended: "end" });
      expectRead(answer, origin);
      expect(upstream.requests).toEqual([]);
    },
  );

  it("is allowed the method, the fields and the private network that its preflight asks for", async () => {
    const fields = { proxy_host: upstream.origin, ...preflight(origin, "authorization, x-a") };
    const answer = await proxy.call("OPTIONS /p", { fields });
    expect(corsFieldsOf(answer)).toMatchObject({
      "access-control-allow-methods": ["PUT"],
      "access-control-allow-headers": ["authorization, x-a"],
      "access-control-allow-private-network": ["true"],
      "access-control-max-age": [expect.stringMatching(/^\d+$/)],
    });
    const asked = ["access-control-request-method", "access-control-request-headers"];
    expect(varyOf(answer)).toEqual(expect.arrayContaining(asked));
  });

  it("is allowed nothing that it does not ask for", async () => {
    const answer = await proxy.call("OPTIONS /p", { fields: preflight(origin) });
    expect(Object.keys(corsFieldsOf(answer))).not.toContain("access-control-allow-headers");
    expect(Object.keys(corsFieldsOf(answer))).not.toContain("access-control-allow-private-network");
  });
}

function describeUnset(pool: Pool, upstream: Upstream): void {
  describe("CORS that is not set", () => {
    const local = pool.with();
    const open = pool.with({ HOST: "0.0.0.0", PRIVATE_TARGETS: "true" });

    it.each(rowsWith(pool.runtime, LISTENER, LOCAL_ORIGINS))(
      "lets $origin read, on a loopback listener",
      async ({ origin }) => {
        const answer = await local.call("GET /", { fields: { Origin: origin } });
        expect(answer.status).toBe(200);
        expectListed(answer, origin);
      },
    );

    it.each([
      ...FOREIGN_ORIGINS.map(({ origin }) => ({ origin, name: "loopback", proxy: local })),
      ...[...FOREIGN_ORIGINS, ...LOCAL_ORIGINS].map((row) => ({ ...row, name: "public", proxy: open })),
    ])("grants $origin nothing on a $name listener", async ({ origin, proxy }) => {
      const answer = await proxy.call("GET /", { fields: { Origin: origin } });
      expect(answer.status).toBe(200);
      expectNothing(answer);
    });

    it.each([
      { name: "loopback", proxy: local, origin: APP },
      { name: "public", proxy: open, origin: "http://localhost:5173" },
    ])("leaves preflights and fields to the target, on a $name listener", async ({ proxy, origin }) => {
      const fields = { proxy_host: upstream.origin, ...preflight(origin, "x-a") };
      const answer = await proxy.call("OPTIONS /p", { fields });
      expect(upstream.request).toMatchObject({ method: "OPTIONS", target: "/p" });
      expect(upstream.request.header("access-control-request-headers")).toBe("x-a");
      expect(corsFieldsOf(answer)).toEqual({
        "access-control-allow-origin": ["https://target.test"],
        "access-control-allow-credentials": ["true"],
        "access-control-expose-headers": ["x-target"],
        "access-control-allow-methods": ["PURGE"],
        "access-control-allow-headers": ["x-target"],
        "access-control-max-age": ["7"],
      });
    });
  });
}

/** Every way for the proxy to say no; the fields of a request, and its path. */
const ERRORS = [
  { status: 400, line: "GET /p", fields: { proxy_host: "nonsense" } },
  { status: 400, line: "GET /__proxy__/fetch?arg=x", fields: {} },
  { status: 400, line: "GET /__proxy__/?host=nonsense", fields: {} },
  { status: 401, line: "GET /p", fields: { proxy_token: undefined } },
  { status: 403, line: "GET /p", fields: { proxy_host: "http://169.254.1.1" } },
  { status: 404, line: "GET /__proxy__/nope", fields: {} },
  { status: 405, line: "DELETE /__proxy__/fetch", fields: {} },
  { status: 502, line: "GET /p", fields: { proxy_host: "{closed}" } },
];
