/**
 * `/__proxy__/at/<label>/…`: a base address for programs whose resolver knows no `*.localhost`.
 * @module
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Header, Pool, Running, Upstream } from "../support/topic.ts";
import { alike, chunked, expectError, labelOf, listen, placeOf, reply, useTarget } from "../support/topic.ts";
import { useUpstream } from "../support/topic.ts";

const NO_LABEL = [
  { path: "/__proxy__/at", names: "it is empty" },
  { path: "/__proxy__/at?x=/a-test/", names: "it is empty" },
  { path: "/__proxy__/at/", names: "it is empty" },
  { path: "/__proxy__/at//a-test/", names: "it is empty" },
  { path: "/__proxy__/at/a-test", names: "it has no slash behind it" },
  { path: "/__proxy__/at/a-test?x=/", names: "it has no slash behind it" },
  ...alike("path", { names: "it has more than letters, digits and inner hyphens" })`
    /__proxy__/at/%61-test/ /__proxy__/at/a.test/ /__proxy__/at/a-test:80/ /__proxy__/at/https:%2F%2Fa.test/
    /__proxy__/at/-a/ /__proxy__/at/user@a-test/ /__proxy__/at/a%2Ftest/`,
  { path: "/__proxy__/at/s-a-test/", names: "it is another spelling of a-test" },
  { path: "/__proxy__/at/a---b/", names: "it does not decode to a host" },
  { path: `/__proxy__/at/${"a".repeat(64)}/`, names: "it is longer than 63 characters" },
];

/** What comes below the label of a target with the base path `/v1`; `{place}` is where it stands. */
const LOCATIONS = [
  { location: "/v1/next?x=%26#f", arrives: "{place}/next?x=%26#f" },
  { location: "{origin}/v1/next", arrives: "{place}/next" },
  { location: "next", arrives: "{place}/dir/next" },
  { location: "../../../v1/a/../b", arrives: "{place}/b" },
  { location: "/v1//evil.test/x", arrives: "{place}//evil.test/x" },
  { location: "/v1/__proxy__/?host=x", arrives: "{place}/__proxy__/?host=x" },
  { location: "/v10/next", arrives: "{url}{origin%}%2Fv10%2Fnext" },
  { location: "../../out", arrives: "{url}{origin%}%2Fout" },
  { location: "https://b.test/x#f", arrives: "{url}https%3A%2F%2Fb.test%2Fx#f" },
  { location: "{proxy}/__proxy__/fetch?arg=x", arrives: "{url}{proxy%}%2F__proxy__%2Ffetch%3Farg%3Dx" },
  { location: "{proxy}/v1/next?x", arrives: "{place}/next?x" },
  { location: "{proxy}/elsewhere", arrives: "{proxy}/elsewhere" },
  { location: "{proxy}{place}/back?x", arrives: "{proxy}{place}/back?x" },
  { location: "mailto:a@b.test", arrives: "mailto:a@b.test" },
];

const COOKIES: { about: string; fields: Header[]; line: string; arrives: string[] }[] = [
  { about: "a program", fields: [], line: "a=1; Path=/v1/app", arrives: ["a=1; Path={place}/app"] },
  { about: "a program", fields: [], line: "a=1; Path=/", arrives: ["a=1; Path={place}"] },
  { about: "a program", fields: [], line: "a=1", arrives: ["a=1"] },
  {
    about: "a program",
    fields: [],
    line: "__Host-a=1; Path=/; Secure",
    arrives: ["proxy_carried__Host-a=1; Path={place}"],
  },
  { about: "a browser", fields: [["Sec-Fetch-Site", "none"]], line: "a=1; Path=/", arrives: [] },
];

/** Fields with an address of the proxy, and what arrives at a target with the base path `/v1`. */
const POINTING: { field: string; value: string; arrives?: string }[] = [
  { field: "Referer", value: "{proxy}{place}/page?x", arrives: "{origin}/v1/page?x" },
  { field: "Referer", value: "{proxy}{place}-two/page" },
  { field: "Referer", value: "{proxy}/page" },
  { field: "Referer", value: "{proxy}{place}/page?token=x" },
  { field: "Destination", value: "{proxy}{place}/b%20c", arrives: "{origin}/v1/b%20c" },
  { field: "Destination", value: "{place}/b", arrives: "/v1/b" },
  { field: "Destination", value: "{proxy}/__proxy__/at/b-test/b", arrives: "{proxy}/__proxy__/at/b-test/b" },
  { field: "If", value: "<{proxy}{place}/a> (<urn:uuid:1>)", arrives: "<{origin}/v1/a> (<urn:uuid:1>)" },
];

export function describeAt(pool: Pool): void {
  describe("a target by at", () => {
    const { proxy, upstream } = useTarget(pool);
    const other = useUpstream();
    const locked = pool.with({ PROXY_TOKEN: "t0ken" });

    it.each(NO_LABEL)("refuses $path: $names", async ({ path, names }) => {
      const answer = await proxy.call(`GET ${path}`, { fields: { proxy_host: upstream.origin } });
      expectError(answer, { status: 400, names });
      expect(answer.json()).toMatchObject({ detail: expect.stringContaining("/__proxy__/at/<label>/") });
      expect(upstream.requests).toEqual([]);
    });

    it.each(alike("by")`proxy_host Cookie Host`)("beats the host that is named by $by", async ({ by }) => {
      const named = {
        proxy_host: other.origin,
        Cookie: `proxy_host=${other.origin}`,
        Host: `${labelOf(other.origin)}.w.localhost:${proxy.port}`,
      };
      const fields = { [by]: named[by as keyof typeof named] };
      expect((await proxy.call(`GET ${placeOf(upstream.origin)}/p`, { fields })).status).toBe(200);
      expect([upstream.targets, other.targets]).toEqual([["/p"], []]);
    });

    it("has all of its path and query, whatever the proxy would read there", async () => {
      const path = "/__proxy__/fetch?token=t0ken&arg=x&host=http://evil.test&sig=y";
      const place = placeOf(upstream.origin);
      expectError(await locked.call(`GET ${place}${path}`), { status: 401 });
      expect(upstream.requests).toEqual([]);
      const answer = await locked.call(`POST ${place}${path}`, { fields: { proxy_token: "t0ken" } });
      expect(answer).toMatchObject({ status: 200, text: "ok" });
      expect([upstream.targets, upstream.request.header("proxy_token")]).toEqual([[path], undefined]);
    });

    it("gets Authorization, in which the proxy's own token opens nothing", async () => {
      const fields = { Authorization: "Bearer t0ken" };
      expectError(await locked.call(`GET ${placeOf(upstream.origin)}/p`, { fields }), { status: 401 });
      await locked.call(`GET ${placeOf(upstream.origin)}/p`, {
        fields: { ...fields, "proxy_token": "t0ken" },
      });
      expect(upstream.request.header("authorization")).toBe("Bearer t0ken");
    });
  });

  describe("a target by at, with a base path", () => {
    let upstream: Upstream;
    let proxy: Running;
    const place = "/__proxy__/at/Based";
    beforeAll(async () => {
      upstream = await listen();
      proxy = await pool.begin({ PROXY_LABELS: `based=${upstream.origin}/v1` });
    });
    afterAll(() => Promise.all([proxy.stop(), upstream.close()]));

    const write = (text: string) =>
      text.replaceAll("{place}", place).replaceAll("{origin}", upstream.origin)
        .replaceAll("{url}", `${proxy.origin}/__proxy__/?url=`).replaceAll("{proxy}", proxy.origin)
        .replaceAll("{origin%}", encodeURIComponent(upstream.origin))
        .replaceAll("{proxy%}", encodeURIComponent(proxy.origin));

    it.each(LOCATIONS)("passes a redirect on: $location → $arrives", async ({ location, arrives }) => {
      upstream.requests.length = 0;
      upstream.answer = reply(302, { Location: write(location), Refresh: `0; url=${write(location)}` });
      const answer = await proxy.call(`GET ${place}/dir/page`);
      expect(answer.status).toBe(302);
      expect([answer.header("location"), answer.header("refresh")])
        .toEqual([write(arrives), `0; url=${write(arrives)}`]);
      expect(upstream.targets).toEqual(["/v1/dir/page"]);
    });

    it.each(COOKIES)("keeps cookies of $about to itself: $line", async ({ fields, line, arrives }) => {
      upstream.answer = reply(200, { "Set-Cookie": line });
      const answer = await proxy.call(`GET ${place}/p`, { fields });
      expect(answer.headersNamed("set-cookie")).toEqual(arrives.map(write));
    });

    it("gets the cookies of a program back", async () => {
      await proxy.call(`GET ${place}/p`, { fields: { Cookie: "a=1; proxy_carried__Host-b=2" } });
      expect(upstream.requests.at(-1)?.header("cookie")).toBe("a=1; __Host-b=2");
    });

    it.each(POINTING)("hears of its own pages: $field $value", async ({ field, value, arrives }) => {
      await proxy.call(`COPY ${place}/a`, { fields: { [field]: write(value) } });
      expect(upstream.requests.at(-1)?.header(field)).toBe(arrives && write(arrives));
    });

    it("has links of its own", async () => {
      upstream.answer = reply(200, { Link: `<${upstream.origin}/v1/r?page=2>; rel=next, <next>; rel=up` });
      const answer = await proxy.call(`GET ${place}/r`);
      expect(answer.header("link")).toBe(`<${place}/r?page=2>; rel=next, <next>; rel=up`);
    });
  });
}

export function describeAtWalk(pool: Pool): void {
  describe("a program with a base address by at", () => {
    const { proxy, upstream } = useTarget(pool);

    it("uploads, streams, and follows a redirect below its base", async () => {
      const place = placeOf(upstream.origin);
      const body = Buffer.alloc(300_000, "x");
      upstream.answer = reply(307, { Location: "/v1/second?q=%2F" });
      const first = await proxy.call(`POST ${place}/v1/first`, { body });
      expect([first.status, first.header("location")]).toEqual([307, `${place}/v1/second?q=%2F`]);
      upstream.answer = chunked(
        200,
        { "Content-Type": "text/event-stream" },
        ["data: 1\n\n", "data: 2\n\n"],
        20,
      );
      const second = await proxy.call(`POST ${first.header("location")}`, { body });
      expect(second).toMatchObject({ status: 200, text: "data: 1\n\ndata: 2\n\n", ended: "end" });
      expect(upstream.requests.map(({ target, body: sent }) => [target, sent.length]))
        .toEqual([["/v1/first", body.length], ["/v1/second?q=%2F", body.length]]);
    });
  });
}
