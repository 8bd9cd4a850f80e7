/**
 * `paths` of the table and of a caller's token: what some server takes for a path elsewhere goes to no target, whatever
 * names the path.
 * @module
 */
import { beforeAll, describe, expect, it } from "vitest";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { argOf, expectError, handshake, placeOf, type Pool, reply, useUpstream } from "../support/topic.ts";

const SIGNING_KEY = "the key of the tests";
/** The table narrows one name of the target, and the token the other. */
const TARGETS = JSON.stringify({ "127.0.0.1": { paths: ["/v1/"] } });

/** Paths below `/v1`, each of which leaves it for some server. */
const LEAVING = [
  "/a%5ca/..%2f../admin",
  "/a\\..%2f../admin",
  "//a%2fa/../../admin",
  "/;%2fa/../admin",
  "/a%2fa/..\\../admin",
  "/%252e%252e/admin",
  "/..%3b/admin",
  "/%c0%ae%c0%ae/admin",
  "/%ef%bc%8e%ef%bc%8e/admin",
  "/..%ef%bc%8fadmin",
];
const STAYING = ["/a%2fb", "/a//b", "/a;b", "/a%5cb/c.d", "/a/%E4%B8%AD"];

export function describePaths(pool: Pool): void {
  describe("paths that servers read differently", () => {
    const proxy = pool.with({ TARGETS, SIGNING_KEY });
    const listed = pool.with({
      TARGETS: JSON.stringify({
        "127.0.0.1": { requests: ["GET http =/one", "POST http =/two", "GET http /v2/", "GET ws =/socket"] },
      }),
    });
    let narrow: string;
    const upstream = useUpstream();
    beforeAll(async () => {
      const expires = Math.floor(Date.now() / 1_000) + 3_600;
      narrow = await mintToken({ id: "ci", expires, paths: ["/v1/"] }, SIGNING_KEY);
    });

    /** All ways to name a path at a target. */
    const ask = (origin: string, path: string, fields: Record<string, string>) =>
      Promise.all([
        proxy.call(`GET /v1${path}`, { fields: { ...fields, proxy_host: origin } }),
        proxy.call(`GET ${path}`, { fields: { ...fields, proxy_host: `${origin}/v1` } }),
        proxy.call(`GET /v1${path}`, { fields: handshake({ ...fields, proxy_host: origin }) }),
        proxy.call(`GET /__proxy__/?url=${origin}/v1${path}`, { fields }),
        proxy.call(`GET ${placeOf(origin)}/v1${path}`, { fields }),
        proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: `${origin}/v1${path}` })}`, { fields }),
      ]);

    it.each(LEAVING)("are refused by the table and by the token: /v1%s", async (path) => {
      const named = upstream.origin.replace("127.0.0.1", "localhost");
      const answers = [
        ...await ask(upstream.origin, path, {}),
        ...await ask(named, path, { proxy_token: narrow }),
      ];
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
      expect(upstream.targets).toEqual([]);
    });

    it.each(LEAVING)("are followed to by no redirect: /v1%s", async (path) => {
      upstream.answer = reply(302, { Location: `${upstream.origin}/v1${path}` }, "");
      const answer = await proxy.call(`GET /__proxy__/?url=${upstream.origin}/v1/first`);
      expectError(answer, { status: 403, names: "this path is not allowed" });
      expect(upstream.targets).toEqual(["/v1/first"]);
    });

    it.each([
      { line: "GET /one", status: 401 },
      { line: "GET /one?q=/two", status: 401 },
      { line: "GET /v2/a/b", status: 401 },
      { line: "POST /two", status: 401 },
      { line: "GET /two", status: 403 },
      { line: "POST /one", status: 403 },
      { line: "HEAD /one", status: 403 },
      { line: "GET /one/", status: 403 },
      { line: "GET /%6fne", status: 403 },
      { line: "GET /v2/../one", status: 403 },
      { line: "GET /socket", status: 403 },
      { line: "GET /one", isSocket: true, status: 403 },
      { line: "GET /socket", isSocket: true, status: 401 },
    ])(
      "are those of requests that the entry names: $line is a $status",
      async ({ line, isSocket, status }) => {
        const named = { proxy_host: upstream.origin };
        // Whoever asks, so that a handshake and a request that arrive are answered alike.
        upstream.answer = reply(401, {}, "");
        const answer = await listed.call(line, { fields: isSocket ? handshake(named) : named });
        expect(answer.status).toBe(status);
        expect(upstream.targets).toEqual(status === 403 ? [] : [line.split(" ")[1]]);
      },
    );

    it.each(STAYING)("pass where none of them leaves: /v1%s", async (path) => {
      const answer = await proxy.call(`GET /v1${path}`, {
        fields: { proxy_host: upstream.origin, proxy_token: narrow },
      });
      expect(answer.status).toBe(200);
      expect(upstream.targets).toEqual([`/v1${path}`]);
    });
  });
}
