/**
 * User and password in an address: they become `Authorization`, and show nowhere (contract 1).
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { NOWHERE } from "../support/nowhere.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";

/** Declares the tests. */
export function describeCredentials(pool: Pool): void {
  describe("?url= with user and password", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each([
      { userinfo: "user:p4ssw0rd", credentials: "user:p4ssw0rd" },
      { userinfo: "us%40er:p%3Ass%2Fword", credentials: "us@er:p:ss/word" },
      { userinfo: "user", credentials: "user:" },
      { userinfo: ":p4ssw0rd", credentials: ":p4ssw0rd" },
      { userinfo: "%C3%BCser:p", credentials: "üser:p" },
    ])("makes Authorization of $userinfo", async ({ userinfo, credentials }) => {
      const answer = await proxy.call(`GET /__proxy__/?url=http://${userinfo}@${upstream.host}/p`);
      expect(answer.status).toBe(200);
      expect(upstream.request.header("authorization")).toBe(
        `Basic ${Buffer.from(credentials).toString("base64")}`,
      );
      expect(upstream.request.header("host")).toBe(upstream.host);
      expect(upstream.request.target).toBe("/p");
    });

    it("leaves a given Authorization alone", async () => {
      const fields = { Authorization: "Bearer own" };
      await proxy.call(`GET /__proxy__/?url=http://user:p4ssw0rd@${upstream.host}/p`, { fields });
      expect(upstream.request.headersNamed("authorization")).toEqual(["Bearer own"]);
    });

    it("shows them in no answer and no log", async () => {
      upstream.answer = routes({ "/p": reply(302, { Location: "/end" }), "/end": reply(200, {}, "end") });
      const answers = [
        await proxy.call(`GET /__proxy__/?url=http://user:p4ssw0rd@${upstream.host}/p`),
        await proxy.call(`GET /__proxy__/?url=http://user:p4ssw0rd@${NOWHERE}/p`),
        await proxy.call(`GET /__proxy__/?url=ftp://user:p4ssw0rd@${NOWHERE}/p`),
      ];
      const shown = answers.map((answer) => answer.raw.toString("latin1")).join();
      expect(shown).not.toMatch(/p4ssw0rd|dXNlcjpwNHNzdzByZA/);
      expect(proxy.proxy.stdout() + proxy.proxy.stderr()).not.toMatch(/p4ssw0rd|dXNlcjpwNHNzdzByZA/);
    });
  });
}
