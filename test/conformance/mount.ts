/**
 * A proxy that stands behind a path of its own: what comes back stays there, whether the path arrives or was taken off.
 * @module
 */
import { describe, expect, it } from "vitest";
import { fill, fillFields, placeOf, type Pool, reply, rowsOf, useUpstream } from "../support/topic.ts";

const HEADER = { proxy_host: "{origin}/v1" };
const COOKIE = { Cookie: "proxy_host={origin}/v1" };

/** What a front server in front of the proxy leaves of the mount path. */
const FRONTS = [{ front: "all of it", mount: "/in/proxy" }, { front: "nothing", mount: "" }];

const FORWARDED = [{ path: "/a//b?x=%26", arrives: "/v1/a//b?x=%26" }, { path: "/", arrives: "/v1/" }];

const ANSWERED = rowsOf(["fields", "name", "value", "arrives"], [
  [HEADER, "Location", "/v1/next?x", "/in/proxy/next?x"],
  [HEADER, "Location", "{origin}/v1/next", "/in/proxy/next"],
  [HEADER, "Location", "next", "/in/proxy/dir/next"],
  [HEADER, "Refresh", "1; url=/v1/next", "1; url=/in/proxy/next"],
  [HEADER, "Set-Cookie", "a=1; Path=/v1/x", "a=1; Path=/in/proxy/x"],
  [COOKIE, "Set-Cookie", "a=1; Path=/", "a=1; Path=/in/proxy"],
  [COOKIE, "Location", "https://b.test/x", "/in/proxy/__proxy__/?host=https%3A%2F%2Fb.test&then=%2Fx"],
]);

export function describeMount(pool: Pool): void {
  describe.each(FRONTS)("mounted, where $front of the path arrives", ({ mount }) => {
    const proxy = pool.with({ MOUNT_PATH: "/in/proxy" });
    const upstream = useUpstream();

    it.each(FORWARDED)("$path reaches the target", async ({ path, arrives }) => {
      await proxy.call(`GET ${mount}${path}`, { fields: fillFields(HEADER, upstream) });
      expect(upstream.targets).toEqual([arrives]);
    });

    it.each(ANSWERED)("$name: $value comes back as $arrives", async ({ fields, name, value, arrives }) => {
      upstream.answer = reply(302, { [name]: fill(value, upstream) });
      const answer = await proxy.call(`GET ${mount}/dir/page`, { fields: fillFields(fields, upstream) });
      expect(answer.header(name)).toBe(arrives);
    });

    it("what stands below at stays there", async () => {
      upstream.answer = reply(302, { "Location": "/next", "Set-Cookie": "a=1; Path=/" });
      const answer = await proxy.call(`GET ${mount}${placeOf(upstream.origin)}/dir/page`);
      const place = `/in/proxy${placeOf(upstream.origin)}`;
      expect([answer.header("location"), answer.header("set-cookie")])
        .toEqual([`${place}/next`, `a=1; Path=${place}`]);
    });

    it("links of url lead back to it", async () => {
      upstream.answer = reply(302, { Location: "/next" });
      const answer = await proxy.call(`POST ${mount}/__proxy__/?url=${upstream.origin}/`);
      const link = `${proxy.origin}/in/proxy/__proxy__/?url=${encodeURIComponent(`${upstream.origin}/next`)}`;
      expect(answer.header("location")).toBe(link);
    });

    it("the host is kept there", async () => {
      const answer = await proxy.call(`GET ${mount}/__proxy__/?host=${upstream.origin}&then=%2Fx`);
      expect(answer.header("location")).toBe(`${proxy.origin}/in/proxy/x`);
      expect(answer.header("set-cookie")).toContain("; Path=/in/proxy;");
    });

    it("the console loads from there", async () => {
      const page = await proxy.call(`GET ${mount}/__proxy__/`, { fields: { Accept: "text/html" } });
      const [, script = ""] = /<script[^>]* src="\/in\/proxy([^"]+)"/.exec(page.text) ?? [];
      expect((await proxy.call(`GET ${mount}${script}`)).status).toBe(200);
    });
  });
}
