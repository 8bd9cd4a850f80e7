/**
 * What redirects may not do: run in circles, take credentials along, hide where they ended.
 * @module
 */
import { describe, expect, it } from "vitest";
import { NOWHERE } from "../support/nowhere.ts";
import type { Handler, Pool } from "../support/topic.ts";
import { ask, expectError, fetchArg, reply, routes, useTarget, useUpstream } from "../support/topic.ts";

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

export function describeHopLimits(pool: Pool): void {
  describe.each(SELECTORS)("redirects by $selector", ({ selector, title }) => {
    const { upstream, askBy } = useTarget(pool);
    const strict = pool.with({ MAX_REDIRECTS: "2" });
    const none = pool.with({ MAX_REDIRECTS: "0" });
    const other = useUpstream();

    it("are followed twenty times", async () => {
      upstream.answer = countdown;
      const answer = await askBy(selector, "GET /20");
      expect(answer).toMatchObject({ status: 200, text: "end" });
      expect(answer.header("x-final-url")).toBe(`${upstream.origin}/0`);
    });

    it("are not followed for ever", async () => {
      upstream.answer = reply(302, { Location: "/loop" });
      const answer = await askBy(selector, "GET /loop");
      expectError(answer, { status: 502, title, names: /^Too many redirects \(limit 20\)$/ });
      expect(upstream.requests).toHaveLength(21);
    });

    it("are not followed for ever between two origins", async () => {
      upstream.answer = reply(307, { Location: `${other.origin}/b` });
      other.answer = reply(307, { Location: `${upstream.origin}/a` });
      const answer = await askBy(selector, "GET /a");
      expectError(answer, { status: 502, title, names: /^Too many redirects \(limit 20\)$/ });
      expect(upstream.requests.length + other.requests.length).toBe(21);
    });

    it.each([{ path: "/1" }, { path: "/2" }])(
      "keep to MAX_REDIRECTS=2: $path is reached",
      async ({ path }) => {
        upstream.answer = countdown;
        const answer = await ask(strict, selector, upstream.origin, `GET ${path}`);
        expect(answer).toMatchObject({ status: 200, text: "end" });
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
      expect(await ask(none, selector, upstream.origin, "GET /0"))
        .toMatchObject({ status: 200, text: "end" });
      const answer = await ask(none, selector, upstream.origin, "GET /1");
      expectError(answer, { status: 502, title, names: /^Too many redirects \(limit 0\)$/ });
    });

    it("to a host that is not there are a 502", async () => {
      upstream.answer = reply(302, { Location: `http://${NOWHERE}/x` });
      expectError(await askBy(selector, "GET /start"), { status: 502, title, names: NOWHERE });
    });
  });

  describe.each(SELECTORS)("the credentials of a redirect by $selector", ({ selector }) => {
    const { proxy, upstream, askBy } = useTarget(pool);
    const other = useUpstream();

    it("stay within their origin", async () => {
      const redirect = reply(302, { Location: `${upstream.origin}/end` });
      upstream.answer = routes({ "/start": redirect, "/end": reply(200) });
      await askBy(selector, "GET /start", { fields: CREDENTIALS });
      const [, next] = upstream.requests;
      expect(next?.header("authorization")).toBe("Bearer marker");
      expect(next?.header("cookie")).toBe("sid=marker");
    });

    it.each([{ status: 301 }, { status: 303 }, { status: 307 }])(
      "do not go to another origin, status $status",
      async ({ status }) => {
        upstream.answer = reply(status, { Location: `${other.origin}/end` });
        const fields = { ...CREDENTIALS, "X-Own": "kept" };
        expect((await askBy(selector, "GET /start", { fields })).status).toBe(200);
        expect(other.request.head).not.toContain("marker");
        expect(other.request.header("x-own")).toBe("kept");
        expect(other.request.headersNamed("host")).toEqual([other.host]);
      },
    );

    it("do not come back with the way back", async () => {
      const redirect = reply(302, { Location: `${other.origin}/middle` });
      upstream.answer = routes({ "/start": redirect, "/end": reply(200) });
      other.answer = reply(302, { Location: `${upstream.origin}/end` });
      await askBy(selector, "GET /start", { fields: CREDENTIALS });
      expect(upstream.targets).toEqual(["/start", "/end"]);
      expect(upstream.requests[1]?.head).not.toContain("marker");
    });

    it("of the address stay within their origin", async () => {
      upstream.answer = routes({
        "/start": reply(302, { Location: "/middle" }),
        "/middle": reply(302, { Location: `${other.origin}/end` }),
      });
      await ask(proxy, selector, upstream.origin.replace("//", "//user:p4ss@"), "GET /start");
      const credentials = `Basic ${Buffer.from("user:p4ss").toString("base64")}`;
      const sent = upstream.requests.map((request) => request.header("authorization"));
      expect(sent).toEqual([credentials, credentials]);
      expect(other.request.header("authorization")).toBeUndefined();
    });
  });

  describe("the body of a redirect by arg", () => {
    const proxy = pool.with();
    const upstream = useUpstream();
    const other = useUpstream();

    it("goes to another origin with its type, the credentials do not", async () => {
      upstream.answer = reply(308, { Location: `${other.origin}/end` });
      const url = `${upstream.origin}/start`;
      await fetchArg(proxy, { url, method: "POST", headers: CREDENTIALS, body: { a: 1 } });
      expect(other.request.line).toBe("POST /end HTTP/1.1");
      expect(other.request.body.toString()).toBe('{"a":1}');
      expect(other.request.header("content-type")).toBe("application/json");
      expect(other.request.head).not.toContain("marker");
    });
  });

  describe.each(SELECTORS)("x-final-url by $selector", ({ selector }) => {
    const { proxy, upstream, askBy } = useTarget(pool);
    const other = useUpstream();

    it("is absent without a redirect", async () =>
      expect((await askBy(selector)).header("x-final-url")).toBeUndefined());

    it.each([
      { location: "/end?x=%26&y=|#f", final: "{origin}/end?x=%26&y=|" },
      { location: "{origin}", final: "{origin}/" },
      { location: "{other}/a//b?", final: "{other}/a//b?" },
      { location: "//{otherHost}/x", final: "{other}/x" },
      { location: "http://user:p4ss@{otherHost}/x", final: "{other}/x" },
    ])("names where it ended: $location", async ({ location, final }) => {
      const write = (text: string) =>
        text.replace("{origin}", upstream.origin)
          .replace("{otherHost}", other.host).replace("{other}", other.origin);
      const redirect = reply(302, { Location: write(location) });
      const forged = reply(200, { "X-Final-Url": "http://forged.test/" });
      upstream.answer = (request, socket) =>
        (request.target === "/start" ? redirect : forged)(request, socket);
      const answer = await askBy(selector, "GET /start");
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
