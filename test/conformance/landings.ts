/**
 * Whoever follows a `Location` through the proxy lands where the target sent them.
 * @module
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Visitor } from "../support/visitor.ts";
import type { Handler, Pool, Running, Upstream } from "../support/topic.ts";
import { labelOf, listen, reply, selectors, useUpstream } from "../support/topic.ts";

const SELECTORS = selectors("header", "cookie", "label", "url", "at");

const SAME_ORIGIN = [
  { location: "{origin}/next?x=%26&y=1", lands: "/next?x=%26&y=1" },
  { location: "/next#f", lands: "/next" },
  { location: "next", lands: "/dir/next" },
  { location: "../up", lands: "/up" },
  { location: "?q=2", lands: "/dir/page?q=2" },
  { location: "//{host}/next", lands: "/next" },
  { location: "{origin}", lands: "/" },
  { location: "{origin}?x", lands: "/?x" },
  { location: "{origin}//evil.test/x", lands: "//evil.test/x" },
  { location: "/a%2Fb/%7E?u=http://a.test/?b", lands: "/a%2Fb/%7E?u=http://a.test/?b" },
  { location: "/caf\u00c3\u00a9", lands: "/caf%C3%A9" },
  { location: "{origin}/caf\u00c3\u00a9?q=\u00c3\u00a9", lands: "/caf%C3%A9?q=%C3%A9" },
  { location: "/__proxy__/?host=http://evil.test", lands: "/__proxy__/?host=http://evil.test" },
  { location: "{origin}/__proxy__/fetch?arg=e30", lands: "/__proxy__/fetch?arg=e30" },
];

const OTHER_ORIGIN = [
  { location: "{other}/next?x=%26&y=1#f", lands: "/next?x=%26&y=1" },
  { location: "{other}", lands: "/" },
  { location: "//{otherHost}/next", lands: "/next" },
  { location: "{other}//evil.test/x", lands: "//evil.test/x" },
  { location: "{other}/__proxy__/?host=http://evil.test", lands: "/__proxy__/?host=http://evil.test" },
  { location: "{other}/x/../__proxy__/health", lands: "/__proxy__/health" },
];

const BASED = [
  { location: "{origin}/v1/next?x=1", lands: "/v1/next?x=1" },
  { location: "/v1/next", lands: "/v1/next" },
  { location: "next", lands: "/v1/dir/next" },
  { location: "../../v1/next", lands: "/v1/next" },
  { location: "{origin}/v1//evil.test/x", lands: "/v1//evil.test/x" },
];

const OUTSIDE = [
  { location: "/out?x=1", lands: "/out?x=1" },
  { location: "../../out", lands: "/out" },
  { location: "{origin}/v10/next", lands: "/v10/next" },
  { location: "{origin}", lands: "/" },
];

/** Redirects POST, and answers everything else. */
function redirectTo(location: string): Handler {
  const redirect = reply(303, { Location: location });
  const page = reply(200, {}, "landed");
  return (request, socket) => (request.method === "POST" ? redirect : page)(request, socket);
}

function writeFor(upstream: Upstream, other: Upstream): (text: string) => string {
  return (text) =>
    text.replaceAll("{origin}", upstream.origin).replaceAll("{host}", upstream.host)
      .replaceAll("{other}", other.origin).replaceAll("{otherHost}", other.host);
}

export function describeLandings(pool: Pool): void {
  describe.each(SELECTORS)("a Location that is followed by $selector", ({ selector }) => {
    const proxy = pool.with();
    const upstream = useUpstream();
    const other = useUpstream();
    const write = writeFor(upstream, other);

    it.each(SAME_ORIGIN)("lands on the same target: $location", async ({ location, lands }) => {
      upstream.answer = redirectTo(write(location));
      const visitor = new Visitor(proxy, selector, upstream.origin, "/dir/page?q=1");
      const answer = await visitor.follow(await visitor.request("POST"));
      expect(answer).toMatchObject({ status: 200, text: "landed" });
      expect(upstream.targets).toEqual(["/dir/page?q=1", lands]);
    });
  });

  describe.each(SELECTORS.filter(({ selector }) => selector !== "header"))(
    "a Location to another origin that is followed by $selector",
    ({ selector }) => {
      const proxy = pool.with();
      const upstream = useUpstream();
      const other = useUpstream();
      const write = writeFor(upstream, other);

      it.each(OTHER_ORIGIN)("lands there: $location", async ({ location, lands }) => {
        upstream.answer = redirectTo(write(location));
        const visitor = new Visitor(proxy, selector, upstream.origin, "/dir/page");
        const answer = await visitor.follow(await visitor.request("POST"));
        expect(answer).toMatchObject({ status: 200, text: "ok" });
        expect(upstream.targets).toEqual(["/dir/page"]);
        expect(other.targets).toEqual([lands]);
      });
    },
  );

  describe("a Location that is followed by cookie", () => {
    const proxy = pool.with();
    const upstream = useUpstream();
    const other = useUpstream();
    const write = writeFor(upstream, other);

    it.each(BASED)("stays behind the base path: $location", async ({ location, lands }) => {
      upstream.answer = redirectTo(write(location));
      const visitor = new Visitor(proxy, "cookie", `${upstream.origin}/v1`, "/dir/page");
      await visitor.follow(await visitor.request("POST"));
      expect(upstream.targets).toEqual(["/v1/dir/page", lands]);
      expect(visitor.cookies.proxy_host).toBe(encodeURIComponent(`${upstream.origin}/v1`));
    });

    it.each(OUTSIDE)("leaves the base path with the host: $location", async ({ location, lands }) => {
      upstream.answer = redirectTo(write(location));
      const visitor = new Visitor(proxy, "cookie", `${upstream.origin}/v1`, "/dir/page");
      await visitor.follow(await visitor.request("POST"));
      expect(upstream.targets).toEqual(["/v1/dir/page", lands]);
      expect(visitor.cookies.proxy_host).toBe(encodeURIComponent(upstream.origin));
    });

    it("sets the host of the other origin with a 303 to the path", async () => {
      upstream.answer = redirectTo(`${other.origin}/next?x=1`);
      const redirect = await new Visitor(proxy, "cookie", upstream.origin, "/dir/page").request("POST");
      const link = await proxy.call(`GET ${redirect.header("location")}`);
      expect(link.status).toBe(303);
      expect(link.header("location")).toBe(`${proxy.origin}/next?x=1`);
      expect(link.header("set-cookie")).toMatch(/^proxy_host=/);
    });

    it("takes no cookie of one origin to the other", async () => {
      upstream.answer = reply(303, { "Set-Cookie": "sid=marker", "Location": `${other.origin}/next` });
      const visitor = new Visitor(proxy, "cookie", upstream.origin, "/dir/page");
      await visitor.follow(await visitor.request("POST"));
      expect(other.request.head).not.toContain("marker");
    });
  });

  describe("a Location that is followed by a configured label", () => {
    let upstream: Upstream;
    let other: Upstream;
    let proxy: Running;
    let write: (text: string) => string;
    beforeAll(async () => {
      [upstream, other] = await Promise.all([listen(), listen()]);
      write = writeFor(upstream, other);
      proxy = await pool.begin({ PROXY_LABELS: `based=${upstream.origin}/v1,elsewhere=${other.origin}/v2` });
    });
    afterAll(() => Promise.all([proxy.stop(), upstream.close(), other.close()]));

    const follow = async (location: string): Promise<URL> => {
      upstream.requests.length = other.requests.length = 0;
      upstream.answer = redirectTo(write(location));
      const start = `http://based.w.localhost:${proxy.port}/dir/page`;
      const first = await proxy.call("POST /dir/page", { fields: { Host: new URL(start).host } });
      const next = new URL(first.header("location") ?? "", start);
      await proxy.call(`GET ${next.pathname}${next.search}`, { fields: { Host: next.host } });
      return next;
    };

    it.each(BASED)("stays there: $location", async ({ location, lands }) => {
      const { hostname } = await follow(location);
      expect(hostname).toBe("based.w.localhost");
      expect(upstream.targets).toEqual(["/v1/dir/page", lands]);
    });

    it.each(OUTSIDE)("leaves its base path: $location", async ({ location, lands }) => {
      const { hostname } = await follow(location);
      expect(hostname).toBe(`${labelOf(upstream.origin)}.w.localhost`);
      expect(upstream.targets).toEqual(["/v1/dir/page", lands]);
    });

    it.each([
      { location: "{other}/v2/next?x", label: "elsewhere", lands: "/v2/next?x" },
      { location: "{other}/out", label: undefined, lands: "/out" },
    ])("goes to another origin: $location", async ({ location, label, lands }) => {
      const { hostname } = await follow(location);
      expect(hostname).toBe(`${label ?? labelOf(other.origin)}.w.localhost`);
      expect(other.targets).toEqual([lands]);
    });
  });
}
