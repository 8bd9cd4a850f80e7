/**
 * `/__proxy__/explain` over real sockets: what it tells, what it does not tell, and that it sends nothing.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { Entries } from "../support/lines.ts";
import type { Shared } from "../support/pool.ts";
import { argOf, listen, placeOf, type Pool, rowsOf, type Upstream } from "../support/topic.ts";

const SIGNING_KEY = "the key of the tests";

export function describeExplain(pool: Pool): void {
  describe("explain", () => {
    const proxy = pool.with();
    const keyed = pool.with({ PROXY_TOKEN: "t0ken" });
    const called = pool.with({
      SIGNING_KEY,
      FIRST_KEY: "the-real-key",
      CALLER_TOKENS: "true",
      LOG: "json",
      TARGETS: JSON.stringify({ localhost: { set: { "x-api-key": "{{FIRST_KEY}}" } } }),
    });
    const signed = pool.with({ SIGNING_KEY });
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return async () => {
        // Nothing reached the target.
        expect(upstream.targets).toEqual([]);
        await upstream.close();
      };
    });

    it.each(rowsOf(["way", "query", "redirects"], [
      ["url", () => `url=${encodeURIComponent(`${upstream.origin}/p?q`)}`, "follow"],
      ["arg", () => `arg=${argOf({ url: `${upstream.origin}/p?q` })}`, "follow"],
      ["header", () => "path=%2Fp%3Fq", "manual"],
      ["at", () => `path=${encodeURIComponent(`${placeOf(upstream.origin)}/p?q`)}`, "manual"],
    ]))("tells of a target by $way", async ({ way, query, redirects }) => {
      const fields: Record<string, string> = way === "header" ? { proxy_host: upstream.origin } : {};
      const answer = await proxy.call(`GET /__proxy__/explain?${query()}`, { fields });
      expect(answer.header("cache-control")).toBe("no-store");
      expect(answer.json()).toMatchObject({
        selectors: [{ selector: way, target: way === "header" ? upstream.origin : `${upstream.origin}/p?q` }],
        chosen: way,
        target: `${upstream.origin}/p?q`,
        verdict: { allowed: true },
        entry: null,
        redirects,
        cookies: { sent: false },
        cors: { origin: null, grant: "none" },
      });
    });

    it("is behind the token, as the fetch page is", async () => {
      const line = "GET /__proxy__/explain?url=http%3A%2F%2Fa.test";
      expect((await keyed.call(line)).status).toBe(401);
      expect((await keyed.call(line, { fields: { proxy_token: "t0ken" } })).status).toBe(200);
    });

    it.each([
      { claims: {}, rule: "addresses" },
      { claims: { paths: ["/p", "/q"] }, rule: "addresses" },
      { claims: { paths: ["/q"] }, rule: "forbidden" },
    ])("counts a token in the question's address as in the link's: $claims", async ({ claims, rule }) => {
      const expires = new Date(Date.now() + 3_600_000);
      const token = await mintToken({ id: "ci", expires, ...claims }, SIGNING_KEY);
      const target = encodeURIComponent(`http://127.0.0.1:${upstream.port}/p`);
      const asked = (proxy: Shared) => proxy.call(`GET /__proxy__/explain?token=${token}&url=${target}`);
      const rules = [(await asked(called)).json(), (await asked(signed)).json()];
      expect(rules).toMatchObject([{ verdict: { rule } }, { verdict: { rule } }]);
    });

    it.each([
      { about: "a good one", ttl: 3_600, allowed: true },
      { about: "one that has expired", ttl: -60, allowed: false },
    ])("is logged as the asker's, whose question shows another's token: $about", async ({ ttl, allowed }) => {
      const mint = (id: string, seconds: number) =>
        mintToken({ id, expires: Math.floor(Date.now() / 1_000) + seconds }, SIGNING_KEY);
      const fields = {
        "proxy_host": `http://localhost:${upstream.port}`,
        "Authorization": `Bearer ${await mint("asker", 3_600)}`,
        "x-api-key": await mint("other", ttl),
      };
      const entries = new Entries(called);
      const answer = await called.call("GET /__proxy__/explain?path=/v1/p", { fields });
      expect(answer.json()).toMatchObject({ verdict: { allowed } });
      expect(await entries.read(1)).toMatchObject([{ status: 200, caller_id: "asker" }]);
    });

    it.each([
      {
        fields: {
          "Sec-Fetch-Site": "cross-site",
          "Sec-Fetch-Mode": "navigate",
          "Sec-Fetch-Dest": "document",
        },
      },
      { fields: { Origin: "https://evil.test" } },
    ])("is closed to pages of other sites: $fields", async ({ fields }) => {
      const answer = await proxy.call("GET /__proxy__/explain?url=http%3A%2F%2Fa.test", { fields });
      expect(answer.status).toBe(403);
    });

    it.each([
      { query: "" },
      { query: "url=http://a.test&path=/", isRaw: true },
      { query: "arg=x&path=/" },
      { query: "path=p" },
      { query: "path=%zz" },
      { query: "dns=yes&path=/" },
      { query: "method=a(b&path=/" },
      { query: "method=POST&arg=x" },
    ])("refuses the question $query", async ({ query }) => {
      const answer = await proxy.call(`GET /__proxy__/explain?${query}`);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("Cannot explain this: ")]);
    });
  });
}
