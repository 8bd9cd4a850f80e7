/**
 * A page that must not hold the key: it has a token for its own origin, as docs/agents.md has it.
 * @module
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { placeOf } from "../support/ways.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { Site } from "./site.ts";
import type { Stage } from "./stage.ts";

const KEY = "the-real-key-0123456789";
const SIGNING_KEY = "a-signing-key-of-the-test-0123456789";

/** Declares the tests. */
export function describePageTokens(stage: Stage): void {
  describe("a page with a token for its origin", () => {
    let sites: Site[];
    let target: Upstream;
    let proxy: Proxy;
    let token: string;
    beforeAll(async () => {
      sites = await Promise.all([new Site().listen(), new Site().listen()]);
      for (const site of sites) site.answer = (_request, response) => response.end("<!doctype html>");
      target = await listen();
      const [own] = sites as [Site];
      const place = new URL(target.origin).host;
      proxy = await startProxy(stage.runtime, {
        LOG: "off",
        SIGNING_KEY,
        CALLER_TOKENS: "true",
        CORS_ORIGINS: sites.map(({ origin }) => origin).join(),
        TARGETS: JSON.stringify({ [place]: { set: { authorization: "Bearer {{PAGE_KEY}}" } } }),
        PAGE_KEY: KEY,
      });
      const expires = Date.now() / 1_000 + 3_600;
      token = await mintToken({ id: "page", targets: [place], origins: [own.origin], expires }, SIGNING_KEY);
    });
    afterAll(() => Promise.all([...sites.map((site) => site.close()), target.close(), proxy.stop()]));

    /** What a page of this site is answered. */
    const askFrom = async ({ origin }: Site): Promise<number> => {
      const context = await stage.open();
      const page = await context.newPage();
      await page.goto(origin);
      const status = await page.evaluate(
        ([url, authorization]) =>
          fetch(url!, { headers: { authorization: authorization! } }).then((answer) => answer.status),
        [`http://localhost:${proxy.port}${placeOf(target.origin)}/models`, `Bearer ${token}`],
      );
      await context.close();
      return status;
    };

    it("spends the key without having it, and a page of another listed origin does not with its token", async () => {
      expect(await Promise.all(sites.map(askFrom))).toEqual([200, 403]);
      const shown = target.requests.map((request) => request.headersNamed("authorization"));
      expect(shown).toEqual([[`Bearer ${KEY}`]]);
    });
  });
}
