/**
 * `GATE=report`: what the table and callers' tokens do not allow is done without a key, and recorded; all else is as before.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { mintToken, type TokenOptions } from "../../src/parts/tokens/mint.ts";
import { type Decision, readDecisions, recordOf } from "../support/recorded.ts";
import { argOf, placeOf, type Pool, reply, routes, type Shared, useUpstream } from "../support/topic.ts";
import { Acceptor, join } from "../support/topic.ts";
import type { Explanation } from "../../src/parts/explain/explain.ts";

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

export function describeReport(pool: Pool): void {
  describe("GATE=report", () => {
    const enforcing = pool.with({ ...SETTINGS, AUDIT: "enforcing" });
    const reporting = pool.with({ ...REPORT, AUDIT: "reporting" });
    const upstream = useUpstream();
    let bound: string;
    beforeEach(() => {
      bound = `http://localhost:${upstream.port}`;
    });

    /** What one call adds to the record. */
    const decide = async (proxy: Shared, call: () => Promise<unknown>): Promise<Decision[]> => {
      const lines = recordOf(proxy.settings.AUDIT!);
      const before = lines.length;
      await call();
      return readDecisions(lines.slice(before));
    };
    const heads = () => upstream.requests.map(({ head }) => head).join("\n");
    const expectNoKey = () => expect(heads()).not.toContain(FIRST_KEY);

    it("allows what is allowed, with its key", async () => {
      const fields = { proxy_host: bound, proxy_token: await mint() };
      const decisions = await decide(reporting, () => reporting.call("GET /v1/p", { fields }));
      expect(decisions).toMatchObject([{ verdict: "allowed", rule: "addresses", entry: "localhost" }]);
      expect(heads()).toContain(`x-api-key: ${FIRST_KEY}`);
    });

    it.each(REFUSED)("does without a key what is refused by $about", async (row) => {
      const { claims, line = "GET /v1/p", fields = {}, code = "forbidden" } = row;
      const sent = { fields: { proxy_host: bound, proxy_token: await mint(claims), ...fields } };
      const refused = await enforcing.call(line, sent);
      const { detail } = refused.json() as { detail: string };
      expect([refused.status, upstream.requests.length]).toEqual([403, 0]);
      const [method = "", path = ""] = line.split(" ");
      const query = `method=${method}&dns=true&path=${encodeURIComponent(path)}`;
      const told = await reporting.call(`GET /__proxy__/explain?${query}`, sent);
      const { verdict } = told.json() as Explanation;
      expect(verdict).toMatchObject({ allowed: true, wouldRefuse: true, rule: code, reason: detail });
      const decisions = await decide(
        reporting,
        async () => expect((await reporting.call(line, sent)).status).toBe(200),
      );
      expect(decisions).toMatchObject([{
        caller_id: "ci",
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
    });

    it("lets pass what is beyond the rate of a token", async () => {
      const fields = { proxy_host: bound, proxy_token: await mint({ id: "busy", rate: "1/1h" }) };
      const call = () => reporting.call("GET /v1/p", { fields });
      const [first, second] = [await decide(reporting, call), await decide(reporting, call)];
      expect([...first, ...second]).toMatchObject([
        { verdict: "allowed" },
        { verdict: "would_refuse", rule: "rate_limited" },
      ]);
      const [keyed = "", plain = ""] = upstream.requests.map(({ head }) => head);
      expect([keyed.includes(FIRST_KEY), plain.includes(FIRST_KEY)]).toEqual([true, false]);
    });

    it.each([
      { about: "url", line: () => `GET /__proxy__/?url=${bound}/v2/p` },
      { about: "at", line: () => `GET ${placeOf(bound)}/v2/p` },
      { about: "arg", line: () => `GET /__proxy__/fetch?arg=${argOf({ url: `${bound}/v2/p` })}` },
    ])("is the same by $about", async ({ about, line }) => {
      const fields = { proxy_token: await mint() };
      const decisions = await decide(reporting, () => reporting.call(line(), { fields }));
      expect(decisions).toMatchObject([{ selector: about, verdict: "would_refuse", path: "/v2/p" }]);
      expectNoKey();
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

    it.each([
      {
        about: "from an allowed target to another one",
        first: "/v1/to",
        next: "/v2/p",
        keyed: [true, false],
      },
      { about: "back from another one", first: "/v2/to", next: "/v1/p", keyed: [false, false] },
    ])("gives no key to a redirect $about", async ({ first, next, keyed }) => {
      upstream.answer = routes({ [first]: reply(302, { Location: `${bound}${next}` }), [next]: reply(200) });
      const fields = { proxy_token: await mint() };
      const line = `GET /__proxy__/?url=${bound}${first}`;
      const decisions = await decide(reporting, () => reporting.call(line, { fields }));
      expect(decisions.map(({ path, verdict }) => [path, verdict === "allowed"])).toEqual([
        [first, keyed[0]],
        [next, keyed[1]],
      ]);
      expect(new Set(decisions.map(({ id }) => id)).size).toBe(1);
      expect(upstream.requests.map(({ head }) => head.includes(FIRST_KEY))).toEqual(keyed);
    });
  });

  describe("GATE=report leaves as it is", () => {
    const reporting = pool.with({ ...REPORT, AUDIT: "leaves", REVOKED_TOKENS: "lost" });
    const upstream = useUpstream();

    it.each([
      { about: "a caller without a token", status: 401, rule: "token_missing", fields: () => ({}) },
      {
        about: "a token that was revoked",
        status: 401,
        rule: "token_revoked",
        fields: async () => ({ proxy_token: await mint({ id: "lost" }) }),
      },
      {
        about: "a page of another site",
        status: 403,
        rule: "forbidden",
        line: () => `GET /__proxy__/?url=${upstream.origin}/p`,
        fields: async () => ({ proxy_token: await mint(), Origin: "https://evil.test" }),
      },
      {
        about: "a page that the token is not for",
        status: 403,
        rule: "forbidden",
        fields: async () => ({
          proxy_token: await mint({ origins: "https://app.test" }),
          Origin: "https://evil.test",
        }),
      },
      {
        about: "an address that nobody reaches",
        status: 403,
        rule: "address_prohibited",
        fields: async () => ({
          proxy_token: await mint({ targets: "a.test" }),
          proxy_host: "http://169.254.169.254",
        }),
      },
      {
        about: "a token in a header for keys, to a target without one",
        status: 401,
        rule: "token_missing",
        fields: async () => ({ "x-api-key": await mint() }),
      },
      {
        about: "a key for another target",
        status: 403,
        rule: "forbidden",
        fields: async () => ({ proxy_token: await mint(), "x-own": "{{FIRST_KEY}}" }),
      },
    ])("$about", async ({ status, rule, fields, line = () => "GET /p" }) => {
      const lines = recordOf("leaves");
      const before = lines.length;
      const sent = { proxy_host: upstream.origin, ...await fields() };
      expect((await reporting.call(line(), { fields: sent })).status).toBe(status);
      expect(readDecisions(lines.slice(before))).toMatchObject([{ verdict: "refused", rule }]);
      expect(upstream.requests).toEqual([]);
    });
  });
}
