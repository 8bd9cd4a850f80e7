/**
 * `Location`, `Content-Location`, `Refresh` and `Link` as they are written: the caller stays in the same selector.
 * @module
 */
import { describe, expect, it } from "vitest";
import { varyOf } from "../support/cors.ts";
import type { AskOptions, Header, Pool, Selector } from "../support/topic.ts";
import { alike, expectedOf, FIELD_VALUES, labelOf, proxyOriginOf, reply } from "../support/topic.ts";
import { selectors, useTarget, useUpstream } from "../support/topic.ts";

interface Row {
  value: string;
  arrives: string;
}

const ALL = selectors("header", "cookie", "label", "url", "at", "arg");
/** Written the same by all selectors. */
const ALIKE = [
  { value: "mailto:someone@a.test" },
  { value: "about:blank" },
  { value: "javascript:alert(1)" },
  { value: "data:text/plain,x" },
  { value: "file:///etc/passwd" },
  { value: "https://" },
  { value: "" },
];

const SAME_ORIGIN: Row[] = [
  { value: "{origin}/next?x=%26&y=1#f", arrives: "/next?x=%26&y=1#f" },
  { value: "{origin}", arrives: "/" },
  { value: "//{host}/next", arrives: "/next" },
  { value: "/next", arrives: "/next" },
  { value: "next", arrives: "next" },
  { value: "?q", arrives: "?q" },
];

const BASED: Row[] = [
  { value: "{origin}/v1/next?x", arrives: "/next?x" },
  { value: "/v1/next", arrives: "/next" },
  { value: "/v1", arrives: "/" },
  { value: "next", arrives: "/dir/next" },
];

/** `content`: what a `Content-Location` arrives as, where nobody is led there and the host stays. */
const LINK = "/__proxy__/?host={other%}&then=%2Fnext%3Fx%23f";
const DETOUR = "{proxy}/__proxy__/?url={other%}%2Fnext%3Fx#f";
const NEXT = "/__proxy__/?host={other%}&then=";
const URL_OTHER = "{proxy}/__proxy__/?url={other%}";
const SENT_ON = "/__proxy__/?url={other%}%2F__proxy__%2F";
const RESERVED = `${SENT_ON}%3Fhost%3Dx`;
const OUT = {
  arrives: "/__proxy__/?host={origin%}&then=%2Fout",
  content: "{proxy}/__proxy__/?url={origin%}%2Fout",
};
const LABELLED = "http://{otherLabel}.w.localhost:{port}";
const OTHER: { selector: Selector; base?: string; value: string; arrives: string; content?: string }[] = [
  { selector: "header", value: "{other}/next?x", arrives: "{other}/next?x" },
  { selector: "header", value: "//{otherHost}/next", arrives: "{other}/next" },
  { selector: "header", base: "/v1", value: "/out?x", arrives: "{origin}/out?x" },
  { selector: "header", base: "/v1", value: "../../out", arrives: "{origin}/out" },
  { selector: "header", base: "/v1", value: "{origin}/v10", arrives: "{origin}/v10" },
  { selector: "cookie", value: "{other}/next?x#f", arrives: LINK, content: `${URL_OTHER}%2Fnext%3Fx#f` },
  { selector: "cookie", value: "{other}", arrives: `${NEXT}%2F`, content: `${URL_OTHER}%2F` },
  { selector: "cookie", base: "/v1", value: "/out", ...OUT },
  { selector: "label", value: "{other}/next?x#f", arrives: `${LABELLED}/next?x#f` },
  { selector: "cookie", value: "{other}/__proxy__/?host=x", arrives: `{proxy}${RESERVED}` },
  { selector: "label", value: "{other}/__proxy__/?host=x", arrives: `{at}${RESERVED}` },
  { selector: "label", value: "https://a-b.test/", arrives: "http://a--b-test.w.localhost:{port}/" },
  { selector: "label", value: "http://a.test:8080/x", arrives: "http://h-a-test-8080.w.localhost:{port}/x" },
];

/** Who is led to the other host, and who sees it without leaving the own one. */
const MAYBE = { "Upgrade-Insecure-Requests": "1" };
const LED = [
  { about: "a program", fields: {}, arrives: LINK },
  { about: "a window", fields: part("navigate", "document"), arrives: `${LINK}&proof={mark}` },
  { about: "what may be a browser without Fetch Metadata", fields: MAYBE, arrives: `${LINK}&proof={mark}` },
  { about: "a frame", fields: part("navigate", "iframe"), arrives: DETOUR },
  { about: "a picture", fields: part("no-cors", "image"), arrives: DETOUR },
  { about: "a script", fields: part("no-cors", "script"), arrives: DETOUR },
  { about: "fetch", fields: part("cors", "empty"), arrives: DETOUR },
];

function part(mode: string, dest: string) {
  return { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest };
}

const URL_LINKS = [
  { value: "{origin}/next?x=%26&y=1", arrives: "{origin%}%2Fnext%3Fx%3D%2526%26y%3D1" },
  { value: "{origin}/next#f", arrives: "{origin%}%2Fnext#f" },
  { value: "/next", arrives: "{origin%}%2Fnext" },
  { value: "next", arrives: "{origin%}%2Fdir%2Fnext" },
  { value: "//{otherHost}/next", arrives: "{other%}%2Fnext" },
  { value: "{other}/next", arrives: "{other%}%2Fnext" },
].map(({ value, arrives }) => ({ value, arrives: `{proxy}/__proxy__/?url=${arrives}` }));

const ARGUMENTS = alike("value")`
  {origin}/next {other}/next /next next //{otherHost}/next`;

const REFRESHES: { selector: Selector; value: string; arrives: string }[] = [
  { selector: "header", value: "5", arrives: "5" },
  { selector: "header", value: "5; url={origin}/next", arrives: "5; url=/next" },
  { selector: "label", value: '0;URL="{origin}/next"', arrives: '0;URL="/next"' },
  { selector: "cookie", value: "0; {other}/next", arrives: "0; /__proxy__/?host={other%}&then=%2Fnext" },
  { selector: "label", value: "0; url='{other}/x'", arrives: `0; url='${LABELLED}/x'` },
  { selector: "label", value: "0; url='{other}/__proxy__/'", arrives: `0; url='{at}${SENT_ON}'` },
  { selector: "url", value: "0; url=next", arrives: "0; url={proxy}/__proxy__/?url={origin%}%2Fdir%2Fnext" },
];

const UP = "<{other}/b>; rel=up";
const PAGE = "{proxy}/__proxy__/?url={origin%}%2Fdir%2Fr%3Fpage%3D2";
const LINKS: { selector: Selector; base?: string; value: string; arrives: string }[] = [
  { selector: "header", value: '<{origin}/r?page=2>; rel="next"', arrives: '</r?page=2>; rel="next"' },
  { selector: "cookie", value: `<{origin}/a>; rel="prev", ${UP}`, arrives: `</a>; rel="prev", ${UP}` },
  { selector: "label", value: '<{origin}/a,b>; title="<x>, y"', arrives: '</a,b>; title="<x>, y"' },
  { selector: "header", base: "/v1", value: "<{origin}/v1/r>, </v1/s>", arrives: "</r>, </s>" },
  { selector: "header", base: "/v1", value: "<next>, </out>", arrives: "<next>, </out>" },
  { selector: "label", value: "</style.css>; rel=preload", arrives: "</style.css>; rel=preload" },
  { selector: "label", value: "<//{otherHost}/x>; rel=preload", arrives: "<//{otherHost}/x>; rel=preload" },
  { selector: "cookie", value: "<{origin}/a>; rel=next, </b", arrives: "<{origin}/a>; rel=next, </b" },
  { selector: "url", value: `<r?page=2>; rel=next, ${UP}`, arrives: `<${PAGE}>; rel=next, ${UP}` },
  { selector: "arg", value: "<{origin}/a>; rel=next", arrives: "<{origin}/a>; rel=next" },
];

export function describeLocations(pool: Pool): void {
  describe("addresses in an answer", () => {
    const { proxy, upstream, askBy } = useTarget(pool);
    const other = useUpstream();

    const write = (text: string): string =>
      text.replaceAll("{origin}", upstream.origin).replaceAll("{host}", upstream.host)
        .replaceAll("{origin%}", encodeURIComponent(upstream.origin)).replaceAll("{other}", other.origin)
        .replaceAll("{otherHost}", other.host).replaceAll("{other%}", encodeURIComponent(other.origin))
        .replaceAll("{otherLabel}", labelOf(other.origin)).replaceAll("{proxy}", proxy.origin)
        .replaceAll("{at}", proxyOriginOf(proxy, "label", upstream.origin))
        .replaceAll("{port}", String(proxy.port));

    const locate = async (selector: Selector, value: string, options: AskOptions = {}) => {
      const text = write(value);
      upstream.answer = reply(201, { "Location": text, "Content-Location": text });
      const answer = await askBy(selector, "POST /dir/page?q=1", options);
      return [answer.header("location"), answer.header("content-location")];
    };

    it.each(ALIKE)("stay as they are: $value", async ({ value }) => {
      const seen = [];
      for (const { selector } of ALL) seen.push(await locate(selector, value));
      const arrives = expectedOf(FIELD_VALUES, pool.runtime, `known: ${value}`, value);
      expect(seen).toEqual(ALL.map(() => [arrives, arrives]));
    });

    it.each(SAME_ORIGIN)(
      "of the same origin are paths by the host selectors: $value",
      async ({ value, arrives }) =>
        expect([await locate("header", value), await locate("cookie", value), await locate("label", value)])
          .toEqual(Array(3).fill([arrives, arrives])),
    );

    it.each(BASED)("inside the base path lose it: $value → $arrives", async ({ value, arrives }) => {
      const base = "/v1";
      const seen = [await locate("header", value, { base }), await locate("cookie", value, { base })];
      expect(seen).toEqual(Array(2).fill([arrives, arrives]));
    });

    it.each(OTHER)(
      "elsewhere, by $selector behind $base: $value → $arrives",
      async ({ selector, base, value, arrives, content = arrives }) =>
        expect(await locate(selector, value, { base })).toEqual([write(arrives), write(content)]),
    );

    it.each(LED)("elsewhere, by cookie for $about", async ({ fields, arrives }) => {
      const [location] = await locate("cookie", "{other}/next?x#f", { fields });
      upstream.answer = reply(200, { Refresh: write("5; url={other}/next?x#f") });
      const refreshed = await askBy("cookie", "GET /dir/page", { fields });
      // The mark that this proxy makes is its own affair.
      const unmarked = (value = "") => value.replace(/(?<=&proof=)[\w-]{22}$/, "{mark}");
      const led = write(arrives);
      expect([location, refreshed.header("refresh")].map(unmarked)).toEqual([led, `5; url=${led}`]);
    });

    it.each([{ name: "Location", value: "/next" }, { name: "Refresh", value: "0; url=/next" }])(
      "are kept apart by caches, for who is led and who is not: $name",
      async ({ name, value }) => {
        upstream.answer = reply(200, { [name]: value });
        const varies = varyOf(await askBy("cookie"));
        expect(varies).toEqual(["proxy_host", "cookie", "sec-fetch-mode", "sec-fetch-dest"]);
      },
    );

    it.each(URL_LINKS)("are links by url: $value → $arrives", async ({ value, arrives }) => {
      expect(await locate("url", value)).toEqual([write(arrives), write(arrives)]);
    });

    it.each(ARGUMENTS)(
      "stay as the target sent them for an arg that is not followed: $value",
      async ({ value }) => {
        const location = write(value);
        upstream.answer = reply(302, { "Location": location });
        const answer = await askBy("arg", "GET /dir/page", { redirect: "manual" });
        expect(answer).toMatchObject({ status: 302 });
        expect(answer.header("location")).toBe(location);
      },
    );

    it.each(REFRESHES)(
      "in Refresh, by $selector: $value → $arrives",
      async ({ selector, value, arrives }) => {
        upstream.answer = reply(200, { "Refresh": write(value) });
        expect((await askBy(selector, "GET /dir/page?q=1")).header("refresh")).toBe(write(arrives));
      },
    );

    it.each(LINKS)(
      "in Link, by $selector behind $base: $value → $arrives",
      async ({ selector, base, value, arrives }) => {
        upstream.answer = reply(200, { "Link": write(value) });
        expect((await askBy(selector, "GET /dir/page?q=1", { base })).header("link")).toBe(write(arrives));
      },
    );

    it("in several lines of Link, each by itself", async () => {
      const lines = ["<{origin}/a>; rel=next", "<{origin}/b>; rel=last"].map(write);
      upstream.answer = reply(200, lines.map((line): Header => ["Link", line]));
      expect((await askBy("header", "GET /dir/page")).header("link")).toBe("</a>; rel=next, </b>; rel=last");
    });

    it("are one where two are equal, and two where they differ", async () => {
      const locations: Header[] = [["Location", "/a"], ["Location", "/a"]];
      upstream.answer = reply(201, [...locations, ["Refresh", "1; url=/b"], ["Refresh", "1; url=/c"]]);
      const answer = await askBy("header", "POST /p");
      expect(answer.header("location")).toBe("/a");
      expect(answer.header("refresh")).toBe("1; url=/b, 1; url=/c");
    });

    it("show no credentials", async () => {
      const value = write("http://user:p4ss@{otherHost}/next");
      expect([await locate("cookie", value), await locate("label", value)].join()).not.toMatch(/p4ss/);
    });

    it("are relative to where redirects ended", async () => {
      upstream.answer = (request, socket) =>
        request.target === "/start"
          ? reply(302, { Location: "/a/b" })(request, socket)
          : reply(200, { "Content-Location": "c" })(request, socket);
      const answer = await askBy("url", "GET /start");
      expect(answer.header("content-location")).toBe(write("{proxy}/__proxy__/?url={origin%}%2Fa%2Fc"));
    });
  });
}
