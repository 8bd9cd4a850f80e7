/**
 * Addresses in the forms of other proxies: which requests reach which target, and what comes back.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import type { Pool } from "../support/topic.ts";
import { declareWith, expectedOf, expectError, fill, fillFields, RAW_ADDRESSES } from "../support/topic.ts";
import { alike, reply, useUpstream } from "../support/topic.ts";

/** All forms; in another order than they are tried in. */
export const FORMS = { ADDRESS_FORMS: "cors-anywhere,corsproxy,scalar,git" };

const ADDRESSES = [
  { path: "/{origin}/x?y=1&z=%26", arrives: "/x?y=1&z=%26" },
  ...alike("path", { arrives: "/x" })`
    /http:/{host}/x ///{host}/x /localhost:{port}/x /?url={origin}/x&resHeaders=a:b`,
  { path: "/{host}/x?y=1", arrives: "/x?y=1" },
  { path: "/{host}", arrives: "/" },
  { path: "/{origin}//a%2Fb/%7E?q=a+b&&", arrives: "//a%2Fb/%7E?q=a+b&&" },
  { path: "/{origin}?x=https://a.test/", arrives: "/?x=https://a.test/" },
  { path: "/?{origin}/x?y=1&z=2&url=3", arrives: "/x?y=1&z=2&url=3" },
  { path: "/?{origin}/x&y=%2F+", arrives: "/x&y=%2F+" },
  { path: "/?{encoded}%2Fx%3Fy%3D1%26z%3D%2525", arrives: "/x?y=1&z=%25" },
  { path: "/?url={encoded}%2Fx%3Fy%3D1%26z%3D%2525&a=1", arrives: "/x?y=1&z=%25" },
  { path: "/?key=1&url={origin}/x?y=1&z=2", arrives: "/x?y=1&z=2" },
  { path: "/?scalar_url={origin}/x?y=1&z=2", arrives: "/x?y=1&z=2" },
  { path: "/?url={origin}/%7Eu/a|b/it's", arrives: "/%7Eu/a|b/it's" },
  { path: "/?scalar_url={encoded}%2Fx%3Fq%3Da%2Bb%26z%3D%2525", arrives: "/x?q=a+b&z=%25" },
  { path: "/?scalar_url={encoded}%2Fa+b", arrives: "/a%20b" },
  {
    path: "/{host}/o/r.git/info/refs?service=git-upload-pack",
    arrives: "/o/r.git/info/refs?service=git-upload-pack",
  },
  { path: "/localhost:{port}/r/git-receive-pack", arrives: "/r/git-receive-pack" },
];

const NO_ADDRESSES = alike("path")`
  / /users/1 /favicon.ico /robots.txt /?x={origin}/ /x?url={origin}/ /x?scalar_url={encoded}`;

const MALFORMED = [
  ...alike("path", { names: "the path" })`/http:///x /http://:1234 /example.com:65536`,
  ...alike("path", { names: "parameter url" })`
    /?https%3A%2F%2F%zz /?url= /?url=file%3A%2F%2F%2Fetc%2Fpasswd`,
  ...alike("path", { names: "parameter scalar_url" })`/?scalar_url= /?scalar_url=%2Ffoobar`,
];

/** Selectors come first, as they do without forms; a malformed one is told, not skipped. */
const BEFORE = [
  { selector: "header", fields: { proxy_host: "{origin}" } },
  { selector: "cookie", fields: { Cookie: "proxy_host={origin}" } },
  { selector: "label", fields: { Host: "{label}.w.localhost" } },
];

export function describeAddressForms(pool: Pool): void {
  const upstream = useUpstream();
  const write = (path: string) =>
    fill(path.replaceAll("{encoded}", encodeURIComponent(upstream.origin)), upstream);

  describe("an address in another proxy's form", () => {
    const proxy = pool.with(FORMS);

    it.each(ADDRESSES)("$path arrives as $arrives", async ({ path, arrives }) => {
      expect(await proxy.call(`GET ${write(path)}`)).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.targets).toEqual([expectedOf(RAW_ADDRESSES, pool.runtime, arrives, arrives)]);
      expect(upstream.request.header("host"))
        .toMatch(RegExp(`^(?:127\\.0\\.0\\.1|localhost):${upstream.port}$`));
    });

    it.each(NO_ADDRESSES)("is not in $path", async ({ path }) => {
      const answer = await proxy.call(`GET ${write(path)}`);
      expect(answer.json()).toMatchObject({ msg: "Please set host first!" });
      expect(upstream.requests).toEqual([]);
    });

    it.each(MALFORMED)("is malformed in $path", async ({ path, names }) => {
      expectError(await proxy.call(`GET ${write(path)}`), { status: 400, names });
    });

    it.each(BEFORE)("counts for less than the $selector", async ({ fields }) => {
      const path = "/http://other.test/x";
      expect((await proxy.call(`GET ${path}`, { fields: fillFields(fields, upstream) })).status).toBe(200);
      expect(upstream.targets).toEqual([path]);
    });

    it("does not hide that a selector is malformed", async () => {
      const answer = await proxy.call(`GET /${upstream.origin}/x`, { fields: { proxy_host: "nonsense" } });
      expectError(answer, { status: 400, names: "proxy_host" });
      expect(upstream.requests).toEqual([]);
    });

    it("takes any method, body and fields", async () => {
      const fields = { "content-type": "text/x-test", "x-own": "1" };
      const answer = await proxy.call(`PATCH /${upstream.origin}/x`, { fields, body: "body ü" });
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect(upstream.request).toMatchObject({ method: "PATCH", target: "/x" });
      expect(upstream.request.header("x-own")).toBe("1");
      expect(upstream.request.body.toString()).toBe("body ü");
    });

    it("is no file of another host for a cache", async () => {
      const answer = await proxy.call(`GET /${upstream.origin}/x`);
      expect(answer.headersNamed("vary").join(", ")).toContain("proxy_host, Cookie");
    });

    it("is sandboxed as url is, and its user and password stay out of sight", async () => {
      const answer = await proxy.call(`GET /?http://u:p@${upstream.host}/x`);
      expect(answer.header("content-security-policy")).toMatch(/^sandbox /);
      expect(answer.header("x-content-type-options")).toBe("nosniff");
      expect(answer.header("referrer-policy")).toBe("no-referrer");
      expect(upstream.request.header("authorization")).toBe("Basic dTpw");
    });
  });

  describeRedirects(pool);
  describeUnasked(pool);
}

function describeRedirects(pool: Pool): void {
  describe("a redirect of an address in a form", () => {
    const proxy = pool.with(FORMS);
    const upstream = useUpstream();
    beforeEach(() => {
      upstream.answer = (request, socket) =>
        (request.target === "/from" ? reply(302, { Location: "/to?x=1" }) : reply(200, {}, "there"))(
          request,
          socket,
        );
    });

    it.each([{ method: "GET", text: "there" }, { method: "HEAD", text: "" }])(
      "is followed for $method, and both addresses are told",
      async ({ method, text }) => {
        const answer = await proxy.call(`${method} /${upstream.host}/from`);
        expect(answer).toMatchObject({ status: 200, text });
        expect(answer.header("x-request-url")).toBe(`${upstream.origin}/from`);
        expect(answer.header("x-final-url")).toBe(`${upstream.origin}/to?x=1`);
      },
    );

    it("tells the address without a redirect too", async () => {
      const answer = await proxy.call(`GET /${upstream.host}/to`);
      expect(answer.header("x-final-url")).toBe(`${upstream.origin}/to`);
    });

    it("leads to the link that url is for other methods", async () => {
      const answer = await proxy.call(`POST /?url=${upstream.origin}/from`, { body: "b" });
      expect(answer.status).toBe(302);
      expect(answer.header("location"))
        .toBe(`${proxy.origin}/__proxy__/?url=${encodeURIComponent(`${upstream.origin}/to?x=1`)}`);
    });

    declareWith(pool.runtime, "a listener that it knows", () => {
      it("may not lead to the proxy itself", async () => {
        expectError(await proxy.call(`GET /${proxy.origin}/${upstream.origin}/to`), { status: 508 });
        expect(upstream.requests).toEqual([]);
      });
    });
  });
}

/** Settings under which a path stays a path. */
function describeUnasked(pool: Pool): void {
  describe("an address in a form", () => {
    const plain = pool.with();
    const git = pool.with({ ADDRESS_FORMS: "git" });
    const mounted = pool.with({ ...FORMS, MOUNT_PATH: "/in/proxy" });
    const upstream = useUpstream();

    it.each([{ path: "/{origin}/x" }, { path: "/?url={origin}/x" }, { path: "/{host}/r/git-upload-pack" }])(
      "is a path like any other unless it is asked for: $path",
      async ({ path }) => {
        const answer = await plain.call(`GET ${fill(path, upstream)}`);
        expect(answer.json()).toMatchObject({ msg: "Please set host first!" });
        expect(upstream.requests).toEqual([]);
      },
    );

    it("is read in the forms that are asked for", async () => {
      const answer = await git.call(`GET /${upstream.origin}/x`);
      expect(answer.json()).toMatchObject({ path: `/${upstream.origin}/x` });
      await git.call(`GET /${upstream.host}/r/git-upload-pack`);
      expect(upstream.targets).toEqual(["/r/git-upload-pack"]);
    });

    it.each([{ path: "/{origin}/x" }, { path: "?url={origin}/x" }, { path: "/?{origin}/x" }])(
      "stands behind the mount path: $path",
      async ({ path }) => {
        const answer = await mounted.call(`GET /in/proxy${fill(path, upstream)}`);
        expect(answer).toMatchObject({ status: 200, text: "ok" });
        expect(upstream.targets).toEqual(["/x"]);
      },
    );
  });
}
