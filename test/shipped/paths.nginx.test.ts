/**
 * `paths` in front of a real nginx: what passes lands in the location of the prefix, and in no other.
 * @module
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBelow } from "../../src/core/address/path-prefix.ts";
import { Dice } from "../support/dice.ts";
import { Nginx } from "../support/nginx.ts";
import { dealPath } from "../support/paths.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";

const CASES = 4_000;
const KEY = "the-real-key";
const TARGETS = JSON.stringify({
  "127.0.0.1": { set: { authorization: "Bearer {{FIRST_KEY}}" }, paths: ["/v1/"] },
});

describe.each([{ mergesSlashes: true }, { mergesSlashes: false }])(
  "paths before nginx with merge_slashes $mergesSlashes",
  ({ mergesSlashes }) => {
    let nginx: Nginx;
    beforeAll(async () => void (nginx = await Nginx.start(mergesSlashes)));
    afterAll(() => nginx.stop());

    it(`let only what lies below the prefix through, of ${CASES} random ones`, async () => {
      const dice = new Dice(41);
      const found = await Promise.all(
        Array.from({ length: CASES }, () => dealPath(dice)).map(async (path) => ({
          path,
          passes: isBelow(["/v1/"], path),
          location: await nginx.locate(path),
        })),
      );
      const countOf = (passes: boolean, location: string) =>
        found.filter((one) => one.passes === passes && one.location === location).length;
      expect(found.filter(({ passes, location }) => passes && location !== "v1").slice(0, 3)).toEqual([]);
      expect(countOf(true, "v1")).toBeGreaterThan(CASES / 20);
      expect(countOf(false, "admin") + countOf(false, "root")).toBeGreaterThan(CASES / 20);
    });
  },
);

describe.each([{ runtime: "bun" }, { runtime: "deno" }, { runtime: "node" }] as const)(
  "paths of the table before nginx, on $runtime",
  ({ runtime }) => {
    let nginx: Nginx;
    let proxy: Proxy;
    beforeAll(async () => {
      nginx = await Nginx.start(true);
      proxy = await startProxy(runtime, { TARGETS, FIRST_KEY: KEY });
    });
    afterAll(async () => {
      await proxy.stop("SIGKILL");
      await nginx.stop();
    });

    it.each([
      { path: "/v1/a%5ca/..%2f../admin", location: "admin" },
      { path: "/v1/a\\a/..%2f../admin", location: "admin" },
      { path: "/v1/a\\a/..%2f..%2fadmin", location: "admin" },
      { path: "/v1//../admin", location: "admin" },
    ])("refuse $path, which is $location there", async ({ path, location }) => {
      expect(await nginx.locate(path)).toBe(location);
      expect((await proxy.call(`GET ${path}`, { fields: { proxy_host: nginx.origin } })).status).toBe(403);
    });

    it.each(["/v1/a%5ca/..%2fb", "/v1/a%2fb", "/v1//a", "/v1/a/../b", "/v1/%2e/a"])(
      "let %s through",
      async (path) => {
        const answer = await proxy.call(`GET ${path}`, { fields: { proxy_host: nginx.origin } });
        expect([answer.status, answer.text]).toEqual([200, "v1"]);
      },
    );
  },
);
