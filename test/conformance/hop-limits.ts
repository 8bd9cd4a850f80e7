/**
 * What redirects may not do: run in circles, take credentials along, hide where they ended.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { reply, routes } from "../support/answers.ts";
import { argOf } from "../support/arg.ts";
import { expectError } from "../support/expect.ts";
import { NOWHERE } from "../support/nowhere.ts";
import type { Pool } from "../support/pool.ts";
import { type Handler, listen, type Upstream } from "../support/upstream.ts";
import { ask } from "../support/ways.ts";

const SELECTORS = [
  { selector: "url" as const, title: "Proxy Error" as const },
  { selector: "arg" as const, title: "Fetch API Error" as const },
];

const CREDENTIALS = { "Authorization": "Bearer marker", "Cookie": "sid=marker" };

/** Leads from `/n` to `/n-1`, and ends at `/0`. */
const countdown: Handler = (request, socket) => {
  const left = Number(request.target.slice(1));
  const handler = left > 0 ? reply(302, { Location: `/${left - 1}` }) : reply(200, {}, "end");
  return handler(request, socket);
};

/** Declares the tests. */
export function describeHopLimits(pool: Pool): void {
  describe.each(SELECTORS)("redirects by $selector", ({ selector, title }) => {
    const proxy = pool.with();
    const strict = pool.with({ MAX_REDIRECTS: "2" });
    const none = pool.with({ MAX_REDIRECTS: "0" });
    let upstream: Upstream;
    let other: Upstream;
    beforeEach(async () => {
      [upstream, other] = await Promise.all([listen(), listen()]);
      return () => Promise.all([upstream.close(), other.close()]);
    });

    it("are followed twenty times", async () => {
      upstream.answer = countdown;
      const answer = await ask(proxy, selector, upstream.origin, "GET /20");
      expect(answer).toMatchObject({ status: 200, text: "end" });
      expect(answer.header("x-final-url")).toBe(`${upstream.origin}/0`);
    });

    it("are not followed for ever", async () => {
      upstream.answer = reply(302, { Location: "/loop" });
      const answer = await ask(proxy, selector, upstream.origin, "GET /loop");
      expectError(answer, { status: 502, title, names: /^Too many redirects \(limit 20\)$/ });
      expect(upstream.requests).toHaveLength(21);
    });

    it("are not followed for ever between two origins", async () => {
      upstream.answer = reply(307, { Location: `${other.origin}/b` });
      other.answer = reply(307, { Location: `${upstream.origin}/a` });
      const answer = await ask(proxy, selector, upstream.origin, "GET /a");
      expectError(answer, { status: 502, title, names: /^Too many redirects \(limit 20\)$/ });
      expect(upstream.requests.length + other.requests.length).toBe(21);
    });

    it.each([{ path: "/1" }, { path: "/2" }])(
      "keep to MAX_REDIRECTS=2: $path is reached",
      async ({ path }) => {
        upstream.answer = countdown;
        expect(await ask(strict, selector, upstream.origin, `GET ${path}`)).toMatchObject({
          status: 200,
          text: "end",
        });
      },
    );

    it("keep to MAX_REDIRECTS=2: /3 is too many", async () => {
      upstream.answer = countdown;
      const answer = await ask(strict, selector, upstream.origin, "GET /3");
      expectError(answer, { status: 502, title, names: /^Too many redirects \(limit 2\)$/ });
      expect(upstream.targets).toEqual(["/3", "/2", "/1"]);
    });

    it("keep to MAX_REDIRECTS=0", async () => {
      upstream.answer = countdown;
      expect(await ask(none, selector, upstream.origin, "GET /0")).toMatchObject({
        status: 200,
        text: "end",
      });
      expectError(await ask(none, selector, upstream.origin, "GET /1"), {
        status: 502,
        title,
        names: /^Too many redirects \(limit 0\)$/,
      });
    });

    it("to a host that is not there are a 502", async () => {
      upstream.answer = reply(302, { Location: `http://${NOWHERE}/x` });
      const answer = await ask(proxy, selector, upstream.origin, "GET /start");
      expectError(answer, { status: 502, title, names: NOWHERE });
    });
  });

  describeCredentials(pool);
  describeFinalUrl(pool);
}

function describeCredentials(pool: Pool): void {
  describe.each(SELECTORS)("the credentials of a redirect by $selector", ({ selector }) => {
    const proxy = pool.with();
    let upstream: Upstream;
    let other: Upstream;
    beforeEach(async () => {
      [upstream, other] = await Promise.all([listen(), listen()]);
      return () => Promise.all([upstream.close(), other.close()]);
    });

    it("stay within their origin", async () => {
      upstream.answer = routes({
        "/start": reply(302, { Location: `${upstream.origin}/end` }),
        "/end": reply(200),
      });
      await ask(proxy, selector, upstream.origin, "GET /start", { fields: CREDENTIALS });
      const [, next] = upstream.requests;
      expect(next?.header("authorization")).toBe("Bearer marker");
      expect(next?.header("cookie")).toBe("sid=marker");
    });

    it.each([{ status: 301 }, { status: 303 }, { status: 307 }])(
      "do not go to another origin, status $status",
      async ({ status }) => {
        upstream.answer = reply(status, { Location: `${other.origin}/end` });
        const fields = { ...CREDENTIALS, "X-Own": "kept" };
        const answer = await ask(proxy, selector, upstream.origin, "GET /start", { fields });
        expect(answer.status).toBe(200);
        expect(other.request.head).not.toContain("marker");
        expect(other.request.header("x-own")).toBe("kept");
        expect(other.request.headersNamed("host")).toEqual([other.host]);
      },
    );

    it("do not come back with the way back", async () => {
      upstream.answer = routes({
        "/start": reply(302, { Location: `${other.origin}/middle` }),
        "/end": reply(200),
      });
      other.answer = reply(302, { Location: `${upstream.origin}/end` });
      await ask(proxy, selector, upstream.origin, "GET /start", { fields: CREDENTIALS });
      expect(upstream.targets).toEqual(["/start", "/end"]);
      expect(upstream.requests[1]?.head).not.toContain("marker");
    });

    it("of the address stay within their origin", async () => {
      upstream.answer = routes({
        "/start": reply(302, { Location: "/middle" }),
        "/middle": reply(302, { Location: `${other.origin}/end` }),
      });
      const address = upstream.origin.replace("//", "//user:p4ss@");
      await ask(proxy, selector, address, "GET /start");
      const credentials = `Basic ${Buffer.from("user:p4ss").toString("base64")}`;
      expect(upstream.requests.map((request) => request.header("authorization"))).toEqual([
        credentials,
        credentials,
      ]);
      expect(other.request.header("authorization")).toBeUndefined();
    });
  });

  describe("the body of a redirect by arg", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    let other: Upstream;
    beforeEach(async () => {
      [upstream, other] = await Promise.all([listen(), listen()]);
      return () => Promise.all([upstream.close(), other.close()]);
    });

    it("goes to another origin with its type, the credentials do not", async () => {
      upstream.answer = reply(308, { Location: `${other.origin}/end` });
      const argument = {
        url: `${upstream.origin}/start`,
        method: "POST",
        headers: CREDENTIALS,
        body: { a: 1 },
      };
      await proxy.call(`GET /__proxy__/fetch?arg=${argOf(argument)}`);
      expect(other.request.line).toBe("POST /end HTTP/1.1");
      expect(other.request.body.toString()).toBe('{"a":1}');
      expect(other.request.header("content-type")).toBe("application/json");
      expect(other.request.head).not.toContain("marker");
    });
  });
}

function describeFinalUrl(pool: Pool): void {
  describe.each(SELECTORS)("x-final-url by $selector", ({ selector }) => {
    const proxy = pool.with();
    let upstream: Upstream;
    let other: Upstream;
    beforeEach(async () => {
      [upstream, other] = await Promise.all([listen(), listen()]);
      return () => Promise.all([upstream.close(), other.close()]);
    });

    it("is absent without a redirect", async () => {
      const answer = await ask(proxy, selector, upstream.origin, "GET /p");
      expect(answer.header("x-final-url")).toBeUndefined();
    });

    it.each([
      { location: "/end?x=%26&y=|#f", final: "{origin}/end?x=%26&y=|" },
      { location: "{origin}", final: "{origin}/" },
      { location: "{other}/a//b?", final: "{other}/a//b?" },
      { location: "//{otherHost}/x", final: "{other}/x" },
      { location: "http://user:p4ss@{otherHost}/x", final: "{other}/x" },
    ])("names where it ended: $location", async ({ location, final }) => {
      const write = (text: string) =>
        text
          .replace("{origin}", upstream.origin)
          .replace("{otherHost}", other.host)
          .replace("{other}", other.origin);
      const redirect = reply(302, { Location: write(location) });
      upstream.answer = (request, socket) =>
        (request.target === "/start" ? redirect : reply(200, { "X-Final-Url": "http://forged.test/" }))(
          request,
          socket,
        );
      const answer = await ask(proxy, selector, upstream.origin, "GET /start");
      expect(answer.headersNamed("x-final-url")).toEqual([write(final)]);
      expect(answer.raw.toString("latin1")).not.toContain("p4ss");
    });

    it("shows no credentials of the address", async () => {
      upstream.answer = routes({ "/start": reply(302, { Location: "end" }), "/end": reply(404) });
      const address = upstream.origin.replace("//", "//user:p4ss@");
      const answer = await ask(proxy, selector, address, "GET /start");
      expect(answer.status).toBe(404);
      expect(answer.header("x-final-url")).toBe(`${upstream.origin}/end`);
      expect(answer.raw.toString("latin1")).not.toMatch(/p4ss|user/);
    });
  });
}
