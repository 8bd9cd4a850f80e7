/**
 * Redirects that the proxy follows, and those that it passes on.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { fetchArg, type Pool, reply, routes, useUpstream } from "../support/topic.ts";

export function describeRedirects(pool: Pool): void {
  describe("the redirect of an arg", () => {
    const proxy = pool.with();
    const upstream = useUpstream();
    beforeEach(() => {
      upstream.answer = routes({
        "/start": reply(302, { Location: "middle?x=1", "x-own": "1" }, "moved"),
        "/middle": reply(307, { Location: `${upstream.origin}/end` }),
        "/end": reply(200, {}, "end"),
      });
    });

    it.each([{ redirect: undefined }, { redirect: "follow" }])(
      "is followed for $redirect",
      async ({ redirect }) => {
        const answer = await fetchArg(proxy, { url: `${upstream.origin}/start`, redirect });
        expect(answer).toMatchObject({ status: 200, text: "end" });
        expect(upstream.targets).toEqual(["/start", "/middle?x=1", "/end"]);
        expect(answer.header("x-final-url")).toBe(`${upstream.origin}/end`);
      },
    );

    it("is passed on for manual", async () => {
      const answer = await fetchArg(proxy, { url: `${upstream.origin}/start`, redirect: "manual" });
      expect(answer).toMatchObject({ status: 302, text: "moved" });
      expect(answer.header("location")).toBe("middle?x=1");
      expect(answer.header("x-own")).toBe("1");
      expect(upstream.targets).toEqual(["/start"]);
    });
  });
}
