/**
 * `GATE=report`: what the table and callers' tokens do not allow is done without a key, and recorded; all else is as before.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { encodeLabel } from "../../src/core/address/label.ts";
import { mintToken, type TokenOptions } from "../../src/parts/tokens/mint.ts";
import { type Decision, readDecisions, recordOf } from "../support/recorded.ts";
import { argOf, placeOf, type Pool, reply } from "../support/topic.ts";
import { routes, type Selector, type Shared, useUpstream } from "../support/topic.ts";
import { Acceptor, join } from "../support/topic.ts";
import type { Explanation } from "../../src/parts/explain/explain.ts";
import { rowsOf } from "../support/rows.ts";

const SIGNING_KEY = "the key of the tests";
const FIRST_KEY = "the-real-key";
/** `localhost` has a key and rules, `127.0.0.1` neither. */
const SETTINGS = {
  SIGNING_KEY,
  FIRST_KEY,
  CALLER_TOKENS: "true",
  TARGETS: JSON.stringify({
    localhost: {
      set: { "x-api-key": "{{FIRST_KEY}}", "?key": "{{FIRST_KEY}}", "x-plain": "1" },
      keys: ["FIRST_KEY"],
      methods: ["GET", "MOVE"],
      paths: ["/v1/", "/to"],
    },
  }),
};
const REPORT = { ...SETTINGS, GATE: "report" };

/** A token for an hour. */
function mint(claims: Partial<TokenOptions> = {}): Promise<string> {
  return mintToken({ id: "ci", expires: Math.floor(Date.now() / 1_000) + 3_600, ...claims }, SIGNING_KEY);
}

/** What a token or the table does not allow; a request is `GET /v1/p` to `localhost` unless it says otherwise. */
const REFUSED: {
  about: string;
  claims?: Partial<TokenOptions>;
  line?: string;
  fields?: Record<string, string>;
  code?: string;
}[] = [
  { about: "targets of a token", claims: { targets: "other.test" } },
  { about: "targets of a token, by address", claims: { targets: "127.0.0.9" } },
  { about: "methods of a token", claims: { methods: ["POST"] } },
  { about: "paths of a token", claims: { paths: ["/v2/"] } },
  { about: "methods of an entry", line: "POST /v1/p" },
  { about: "paths of an entry", line: "GET /v2/p" },
  { about: "a destination outside them", line: "MOVE /v1/p", fields: { Destination: "/v2/p" } },
];

/** A request to this origin by each selector: its method, its path, and the fields that go along. */
const WAYS: Record<
  Selector,
  (origin: string, method: string, path: string, fields: Record<string, string>) => [
    line: string,
    fields?: Record<string, string>,
  ]
> = {
  header: (origin, method, path, fields) => [`${method} ${path}`, { ...fields, proxy_host: origin }],
  cookie: (
    origin,
    method,
    path,
    fields,
  ) => [`${method} ${path}`, { ...fields, Cookie: `proxy_host=${origin}` }],
  label: (origin, method, path, fields) => [
    `${method} ${path}`,
    { ...fields, Host: `${encodeLabel(origin)}.w.localhost` },
  ],
  url: (origin, method, path, fields) => [`${method} /__proxy__/?url=${origin}${path}`, fields],
  at: (origin, method, path, fields) => [`${method} ${placeOf(origin)}${path}`, fields],
  arg: (origin, method, path, headers) => [
    `GET /__proxy__/fetch?arg=${argOf({ url: origin + path, method, headers })}`,
  ],
};
const SELECTORS = Object.keys(WAYS) as Selector[];

/** What one call adds to the record of a proxy. */
async function decide({ settings }: Shared, call: () => Promise<unknown>): Promise<Decision[]> {
  const record = recordOf(settings.AUDIT!);
  const before = record.length;
  await call();
  return readDecisions(record.slice(before));
}

export function describeReport(pool: Pool): void {
  /** A proxy with a record of its own. */
  const withRecord = (name: string, settings: Record<string, string>) =>
    pool.with({ ...settings, AUDIT: `report-${name}` });

  describe("GATE=report", () => {
    const enforcing = withRecord("enforcing", SETTINGS);
    const reporting = withRecord("reporting", REPORT);
    const upstream = useUpstream();
    let bound: string;
    beforeEach(() => {
      bound = `http://localhost:${upstream.port}`;
    });

    const heads = () => upstream.requests.map(({ head }) => head).join("\n");
    const expectNoKey = () => expect(heads()).not.toContain(FIRST_KEY);

    it("allows what is allowed, with its key", async () => {
      const fields = { proxy_host: bound, proxy_token: await mint() };
      const decisions = await decide(reporting, () => reporting.call("GET /v1/p", { fields }));
      expect(decisions).toMatchObject([{ verdict: "allowed", rule: "addresses", entry: "localhost" }]);
      expect(heads()).toContain(`x-api-key: ${FIRST_KEY}`);
    });

    it.each(REFUSED.flatMap((row) => SELECTORS.map((selector) => ({ ...row, selector }))))(
      "does without a key what is refused by $about, by $selector",
      async ({ selector, claims, line = "GET /v1/p", fields = {}, code = "forbidden" }) => {
        const [method = "", path = ""] = line.split(" ");
        const [asked, named] = WAYS[selector](bound, method, path, fields);
        const sent = { fields: { ...named, proxy_token: await mint(claims) } };
        const refused = await enforcing.call(asked, sent);
        const { detail } = refused.json() as { detail: string };
        expect([refused.status, upstream.requests.length]).toEqual([403, 0]);
        const [outer = "", place = ""] = asked.split(" ");
        const query = `method=${outer}&dns=true&path=${encodeURIComponent(place)}`;
        const told = await reporting.call(`GET /__proxy__/explain?${query}`, sent);
        const { verdict } = told.json() as Explanation;
        expect(verdict).toMatchObject({ allowed: true, wouldRefuse: true, rule: code, reason: detail });
        const decisions = await decide(
          reporting,
          async () => expect((await reporting.call(asked, sent)).status).toBe(200),
        );
        expect(decisions).toMatchObject([{
          caller_id: "ci",
          selector,
          method,
          path,
          host: new URL(bound).host,
          rule: code,
          verdict: "would_refuse",
          reason: detail,
        }]);
        expectNoKey();
        // What the entry sets without a key is set.
        expect(heads()).toContain("x-plain: 1");
      },
    );

    it("lets pass what is beyond the rate of a token", async () => {
      const fields = { proxy_host: bound, proxy_token: await mint({ id: "busy", rate: "1/1h" }) };
      const call = () => reporting.call("GET /v1/p", { fields });
      const [first, second] = [await decide(reporting, call), await decide(reporting, call)];
      expect([...first, ...second])
        .toMatchObject([{ verdict: "allowed" }, { verdict: "would_refuse", rule: "rate_limited" }]);
      const [keyed = "", plain = ""] = upstream.requests.map(({ head }) => head);
      expect([keyed.includes(FIRST_KEY), plain.includes(FIRST_KEY)]).toEqual([true, false]);
    });

    it("is the same for a WebSocket", async () => {
      new Acceptor(upstream);
      const fields = { proxy_host: bound, proxy_token: await mint() };
      const decisions = await decide(reporting, async () => {
        const { caller } = await join(reporting.port, "/v2/p", fields);
        caller.close();
      });
      expect(decisions).toMatchObject([{ scheme: "ws", verdict: "would_refuse", path: "/v2/p" }]);
      expectNoKey();
    });

    it.each(rowsOf(["about", "first", "next", "keyed"], [
      ["from an allowed target to another one", "/v1/to", "/v2/p", [true, false]],
      ["back from another one", "/v2/to", "/v1/p", [false, false]],
    ]))("gives no key to a redirect $about", async ({ first, next, keyed }) => {
      upstream.answer = routes({ [first]: reply(302, { Location: `${bound}${next}` }), [next]: reply(200) });
      const fields = { proxy_token: await mint() };
      const line = `GET /__proxy__/?url=${bound}${first}`;
      const decisions = await decide(reporting, () => reporting.call(line, { fields }));
      expect(decisions.map(({ path, verdict }) => [path, verdict === "allowed"]))
        .toEqual([[first, keyed[0]], [next, keyed[1]]]);
      expect(new Set(decisions.map(({ id }) => id)).size).toBe(1);
      expect(upstream.requests.map(({ head }) => head.includes(FIRST_KEY))).toEqual(keyed);
    });
  });

  describe("GATE=report leaves as it is", () => {
    const reporting = withRecord("leaves", {
      ...REPORT,
      REVOKED_TOKENS: "lost",
      DENY_TARGETS: "denied.test",
    });
    const closed = withRecord("closed", { ...REPORT, PRIVATE_TARGETS: "false" });
    const upstream = useUpstream();

    const NEVER: { about: string; proxy: Shared; origin: () => string; rule?: string }[] = [
      { about: "a private address", proxy: closed, origin: () => upstream.origin },
      { about: "a link-local address", proxy: reporting, origin: () => "http://169.254.169.254" },
      {
        about: "what DENY_TARGETS has",
        proxy: reporting,
        origin: () => "http://denied.test",
        rule: "forbidden",
      },
    ];

    it.each(NEVER.flatMap((row) => SELECTORS.map((selector) => ({ ...row, selector }))))(
      "$about, by $selector",
      async ({ selector, proxy, origin, rule = "address_prohibited" }) => {
        const [line, named] = WAYS[selector](origin(), "GET", "/p", {});
        // Its token does not allow the target either, which is let pass.
        const fields = { ...named, proxy_token: await mint({ targets: "a.test" }) };
        const decisions = await decide(
          proxy,
          async () => expect((await proxy.call(line, { fields })).status).toBe(403),
        );
        expect(decisions).toMatchObject([{ selector, verdict: "refused", rule }]);
        expect(upstream.requests).toEqual([]);
      },
    );

    it.each(rowsOf(["about", "status", "rule", "fields", "line"], [
      ["a caller without a token", 401, "token_missing", () => ({})],
      [
        "a token that was revoked",
        401,
        "token_revoked",
        async () => ({ proxy_token: await mint({ id: "lost" }) }),
      ],
      [
        "a page of another site",
        403,
        "forbidden",
        async () => ({ proxy_token: await mint(), Origin: "https://evil.test" }),
        () => `GET /__proxy__/?url=${upstream.origin}/p`,
      ],
      ["a page that the token is not for", 403, "forbidden", async () => ({
        proxy_token: await mint({ origins: "https://app.test" }),
        Origin: "https://evil.test",
      })],
      [
        "a token in a header for keys, to a target without one",
        401,
        "token_missing",
        async () => ({ "x-api-key": await mint() }),
      ],
      [
        "a key for another target",
        403,
        "forbidden",
        async () => ({ proxy_token: await mint(), "x-own": "{{FIRST_KEY}}" }),
      ],
    ]))("$about", async ({ status, rule, fields, line = () => "GET /p" }) => {
      const sent = { proxy_host: upstream.origin, ...await fields() };
      const decisions = await decide(
        reporting,
        async () => expect((await reporting.call(line(), { fields: sent })).status).toBe(status),
      );
      expect(decisions).toMatchObject([{ verdict: "refused", rule }]);
      expect(upstream.requests).toEqual([]);
    });
  });
}
