/**
 * Signed links, from wherever they are opened: whoever holds the key said yes to exactly this request.
 * @module
 */
import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { BROWSER } from "../support/browser-fields.ts";
import { argOf, expectError, type Pool, reply, routes, rowsOf, useUpstream } from "../support/topic.ts";

const KEY = "test-key";
const SETTINGS = { PROXY_TOKEN: "secret", SIGNING_KEY: KEY };
const FUTURE = 4_102_444_800;
const PAST = 1_000_000_000;
const CORP = "cross-origin-resource-policy";

const sign = (path: string, key = KEY) =>
  `${path}&sig=${createHmac("sha256", key).update(path).digest("base64url")}`;

const FETCH = "/__proxy__/fetch?arg=";
const base64Of = (argument: object) => Buffer.from(JSON.stringify(argument)).toString("base64");

/** Every spelling of a link to an address. */
const SPELLINGS = rowsOf(["spelling", "write"], [
  ["url", (to: string) => `/__proxy__/?url=${encodeURIComponent(to)}`],
  ["a raw url", (to: string) => `/__proxy__/?url=${to}`],
  ["url without the slash", (to: string) => `/__proxy__?url=${encodeURIComponent(to)}`],
  ["arg", (to: string) => `/__proxy__/fetch?arg=${argOf({ url: to })}`],
  ["arg in plain Base64", (to: string) => `${FETCH}${encodeURIComponent(base64Of({ url: to }))}`],
  [
    "arg that does more than read",
    (to: string) => `${FETCH}${argOf({ url: to, method: "PUT", body: { a: 1 } })}`,
  ],
]);

const crossing = (mode: string, dest: string) => ({
  "Sec-Fetch-Site": "cross-site",
  "Sec-Fetch-Mode": mode,
  "Sec-Fetch-Dest": dest,
});
/** Who opens it. */
const OPENERS: { opener: string; fields: Record<string, string> }[] = [
  { opener: "a program such as curl", fields: {} },
  {
    opener: "a link in a wiki or in webmail",
    fields: { ...crossing("navigate", "document"), "Sec-Fetch-User": "?1" },
  },
  { opener: "a frame of another site", fields: crossing("navigate", "iframe") },
  { opener: "an image of another site", fields: crossing("no-cors", "image") },
  { opener: "an image of the same site", fields: { ...BROWSER.image, "sec-fetch-site": "same-site" } },
  { opener: "a script of another site", fields: { ...BROWSER.elsewhere, Origin: "https://wiki.test" } },
  { opener: "a visited page on a label", fields: { ...BROWSER.image, Host: "h-evil-test.w.localhost" } },
  {
    opener: "a visited page with a cookie",
    fields: { ...BROWSER.image, Cookie: "proxy_host=http://evil.test" },
  },
  { opener: "a typed address", fields: BROWSER.typed },
];

export function describeSignedOpenings(pool: Pool): void {
  const proxy = pool.with(SETTINGS);
  const mounted = pool.with({ ...SETTINGS, MOUNT_PATH: "/tools" });
  const upstream = useUpstream();
  const other = useUpstream();
  beforeEach(() => {
    const closed = { "Cross-Origin-Resource-Policy": "same-origin" };
    upstream.answer = routes({
      "/p": reply(200, closed, "ok"),
      "/away": reply(302, { ...closed, Location: `${other.origin}/landing` }),
    });
    other.answer = routes({ "/landing": reply(200, closed, "landed") });
  });
  const rows = OPENERS.flatMap((opener) => SPELLINGS.map((spelling) => ({ ...opener, ...spelling })));

  describe("a signed link, opened by", () => {
    it.each(rows)("$opener, by $spelling", async ({ fields, write }) => {
      const link = sign(`${write(`${upstream.origin}/p`)}&exp=${FUTURE}`);
      const answer = await proxy.call(`GET ${link}`, { fields });
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(answer.header(CORP)).toBe("cross-origin");
      expect(upstream.requests).toHaveLength(1);
    });

    it.each(rows)("$opener, by $spelling, leads on where the target leads", async ({ fields, write }) => {
      const answer = await proxy.call(`GET ${sign(write(`${upstream.origin}/away`))}`, { fields });
      expect(answer).toMatchObject({ status: 200, text: "landed" });
      expect(answer.header(CORP)).toBe("cross-origin");
    });

    it.each(OPENERS)(
      "$opener, and is 403 where it is wrong or expired, with a token too",
      async ({ fields }) => {
        for (const { write } of SPELLINGS) {
          const path = write(`${upstream.origin}/p`);
          const ends = [sign(`${path}&exp=${PAST}`), sign(`${path}&exp=x`)];
          for (const link of [sign(`${path}&exp=${FUTURE}`, "other"), ...ends]) {
            for (const shown of [{}, { proxy_token: "secret" }]) {
              const answer = await proxy.call(`GET ${link}`, { fields: { ...fields, ...shown } });
              const title = path.includes("arg=") ? "Fetch API Error" : "Proxy Error";
              expectError(answer, { status: 403, names: /link/, title });
              expect(answer.header(CORP)).toBeUndefined();
            }
          }
        }
        expect(upstream.requests).toEqual([]);
      },
    );

    it.each(SPELLINGS)("an image of another site, behind a path, by $spelling", async ({ write }) => {
      const link = sign(write(`${upstream.origin}/p`));
      const answer = await mounted.call(`GET /tools${link}`, { fields: crossing("no-cors", "image") });
      expect(answer.status).toBe(200);
      expect(answer.header(CORP)).toBe("cross-origin");
    });
  });

  describe("the policy of the target", () => {
    it.each([
      { about: "an unsigned url", ask: () => [`GET /__proxy__/?url=${upstream.origin}/p`, {}] as const },
      { about: "a host", ask: () => ["GET /p", { proxy_host: upstream.origin }] as const },
    ])("stays in the answer to $about", async ({ ask }) => {
      const [line, fields] = ask();
      const answer = await proxy.call(line, { fields: { ...fields, proxy_token: "secret" } });
      expect(answer.status).toBe(200);
      expect(answer.header(CORP)).toBe("same-origin");
    });
  });
}
