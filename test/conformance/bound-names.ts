/**
 * A key goes out with no name that its caller chose: Host, and the fields that servers take for it.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { argOf, declareWith, expectError, handshake, type Pool, useUpstream } from "../support/topic.ts";

const FIRST_KEY = "the-real-key";
const SECOND_KEY = "the-second-key";
const TOKEN = "t0ken";
const KEYED = { PROXY_TOKEN: TOKEN, FIRST_KEY, SECOND_KEY, HOSTS: "app.test", PRIVATE_TARGETS: "true" };
const SET = { "x-api-key": "{{FIRST_KEY}}" };
/** The names of loopback are two targets; their port is known only when they listen. */
const HOSTED = {
  ...KEYED,
  TARGETS: JSON.stringify({
    "127.0.0.1": { host: "caller", set: SET },
    "localhost": { host: "caller", keys: ["SECOND_KEY"] },
  }),
};
const NAMED = { ...KEYED, TARGETS: JSON.stringify({ "127.0.0.1": { set: SET } }) };

const FOREIGN = [
  "attacker.test",
  "attacker.test:8080",
  "localhost.attacker.test",
  "attacker.test%2f.localhost",
  "app.test.attacker.test",
  "93.184.216.34",
  "[2606:4700::1]",
];
const OWN = ["app.test", "APP.test:8080", "localhost:81", "app.localhost", "127.0.0.1:1", "[::1]:8080"];

/** Fields that name a host to some server. */
const NAMING = [
  "x-forwarded-host",
  "x_forwarded_host",
  "x-forwarded-server",
  "x-host",
  "x-original-host",
  "x-host-override",
  "x-http-host-override",
];

export function describeBoundNames(pool: Pool): void {
  describe("the names beside a key", () => {
    const named = pool.with(NAMED);
    const token = { proxy_token: TOKEN };
    const upstream = useUpstream();
    let other: string;
    beforeEach(() => {
      other = `http://localhost:${upstream.port}`;
    });
    const last = () => upstream.requests.at(-1);
    const headers = Object.fromEntries(NAMING.map((name) => [name, "attacker.test"]));

    declareWith(pool.runtime, "connections of its own", () => {
      const hosted = pool.with(HOSTED);
      const telling = pool.with({ ...NAMED, FORWARD_CLIENT: "true" });

      it.each(FOREIGN)("are no Host of the caller's, where the entry sends it: %s", async (Host) => {
        const fields = { ...token, Host };
        const answers = await Promise.all([
          hosted.call("GET /p", { fields: { ...fields, proxy_host: upstream.origin } }),
          hosted.call("GET /p", { fields: handshake({ ...fields, proxy_host: upstream.origin }) }),
          hosted.call(`GET /__proxy__/?url=${upstream.origin}/p`, { fields }),
          hosted.call("GET /p", { fields: { ...fields, proxy_host: other, "x-b": "{{SECOND_KEY}}" } }),
          hosted.call(`GET /__proxy__/?url=${other}/p?b={{SECOND_KEY}}`, { fields }),
        ]);
        for (const answer of answers) expectError(answer, { status: 403, names: "no name of this proxy" });
        expect(upstream.requests).toEqual([]);
      });

      it.each(OWN)("may be a name of the proxy: %s", async (Host) => {
        const answer = await hosted.call("GET /p", {
          fields: { ...token, Host, proxy_host: upstream.origin },
        });
        expect(answer.status).toBe(200);
        expect([last()?.header("host"), last()?.header("x-api-key")]).toEqual([Host, FIRST_KEY]);
      });

      it.each([
        { authority: "attacker.test", Host: "app.test", status: 400 },
        { authority: "app.test", Host: "attacker.test", status: 400 },
        { authority: "attacker.test", Host: "attacker.test", status: 403 },
      ])(
        "are not those of an address before the path: $authority, $Host",
        async ({ authority, Host, status }) => {
          const fields = { ...token, Host, proxy_host: upstream.origin };
          expectError(await hosted.call(`GET http://${authority}/p`, { fields }), { status });
          expect(upstream.requests).toEqual([]);
        },
      );

      it("may be any where no key goes out", async () => {
        await hosted.call("GET /p", { fields: { ...token, Host: "other.test", proxy_host: other } });
        expect(last()?.header("host")).toBe("other.test");
      });

      it.each([
        { Host: "attacker.test", says: undefined, forwarded: "for=127.0.0.1;proto=http" },
        { Host: "app.test", says: "app.test", forwarded: 'for=127.0.0.1;host="app.test";proto=http' },
      ])("are those of the proxy with FORWARD_CLIENT: $Host", async ({ Host, says, forwarded }) => {
        await telling.call("GET /p", { fields: { ...token, ...headers, Host, proxy_host: upstream.origin } });
        expect(last()?.header("x-api-key")).toBe(FIRST_KEY);
        expect(last()?.header("x-forwarded-host")).toBe(says);
        expect(last()?.header("forwarded")).toBe(forwarded);
      });
    });

    it("are in no other field that the caller sets", async () => {
      const forwarded = { ...headers, forwarded: "host=attacker.test" };
      const override = Buffer.from(JSON.stringify(forwarded)).toString("base64url");
      const arg = argOf({ url: `${upstream.origin}/p`, headers: forwarded });
      await named.call(`GET /__proxy__/fetch?arg=${arg}`, { fields: token });
      const fields = { ...token, ...headers, proxy_host: upstream.origin, proxy_headers: override };
      await named.call("GET /p", { fields });
      expect(upstream.requests.map((request) => request.header("x-api-key"))).toEqual([FIRST_KEY, FIRST_KEY]);
      expect(upstream.requests.map(({ head }) => head).join()).not.toContain("attacker");
    });

    it("are left as they are where no key goes out", async () => {
      const arg = argOf({ url: `${other}/p`, headers });
      await named.call(`GET /__proxy__/fetch?arg=${arg}`, { fields: token });
      expect(NAMING.map((name) => last()?.header(name))).toEqual(NAMING.map(() => "attacker.test"));
    });
  });
}
