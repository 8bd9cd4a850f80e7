/**
 * Which request and response fields end at the proxy, and which pass byte for byte (RFC 9110 §7.6.1).
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Header, Pool, Received } from "../support/topic.ts";
import { ADDED_FIELDS, alike, expectedOf, FIELD_VALUES, selectors, send } from "../support/topic.ts";
import { rowsOnce, useTarget } from "../support/topic.ts";

const NAMED_BY_CALLER = selectors("header", "cookie", "label", "url", "at");

const HOP_BY_HOP = [
  { name: "Keep-Alive", value: "timeout=marker" },
  { name: "TE", value: "trailers, marker" },
  { name: "Trailer", value: "x-marker" },
  { name: "Upgrade", value: "marker/1" },
  ...alike("name", { value: "marker" })`
    HTTP2-Settings Proxy-Connection Proxy-Authenticate Proxy-Whatever pROXY-x`,
  { name: "Proxy-Authorization", value: "Basic marker" },
];

const NOMINATED: { about: string; connection: Header[] }[] = [
  { about: "alone", connection: [["Connection", "x-hop"]] },
  { about: "in another case", connection: [["Connection", "X-HOP"]] },
  { about: "in a list", connection: [["Connection", "close, x-other ,\tX-Hop"]] },
  { about: "beside keep-alive", connection: [["Connection", "keep-alive,x-hop"]] },
  { about: "on a second line", connection: [["Connection", "keep-alive"], ["Connection", "x-hop"]] },
];

const PROTECTED = [
  { name: "Authorization", value: "Bearer kept" },
  { name: "Cookie", value: "a=kept" },
  { name: "Content-Type", value: "text/kept" },
  { name: "Content-Language", value: "kept" },
  { name: "Content-Disposition", value: "kept" },
];

const TWICE: Header[] = [["Authorization", "v1"], ["authorization", "v2"]];
const AGENTS: Header[] = [["User-Agent", "v1"], ["X-A", "1"], ["User-Agent", "v2"]];
const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const PASSED: { about: string; name: string; fields?: Header[]; arrives: string }[] = [
  { about: "an unknown one", name: "x-unknown-9", arrives: "a" },
  { about: "repeated lines", name: "x-a", fields: [["X-A", "1"], ["x-a", "2, 3"]], arrives: "1, 2, 3" },
  {
    about: "repeated lines of a field that has one value",
    name: "authorization",
    fields: TWICE,
    arrives: "v1, v2",
  },
  { about: "repeated lines of User-Agent", name: "user-agent", fields: AGENTS, arrives: "v1, v2" },
  { about: "the name __proto__", name: "__proto__", arrives: "1" },
  { about: "an empty value", name: "x-empty", arrives: "" },
  { about: "the case of a value", name: "x-case", arrives: "aBc Def" },
  { about: "quotes and commas", name: "x-q", arrives: 'a="b, c"; d' },
  { about: "inner blanks", name: "x-b", arrives: "a  b\tc" },
  { about: "Latin-1 bytes", name: "x-l", arrives: "caf\u00e9 \u00ff" },
  { about: "UTF-8 bytes", name: "x-u", arrives: "\u00c3\u00bc" },
  { about: "an odd name", name: "x_under.~!#$%&'*+^`|", arrives: "1" },
  { about: "the name constructor", name: "Constructor", arrives: "1" },
  { about: "a trace of W3C", name: "traceparent", arrives: TRACE },
  { about: "the state of a trace", name: "tracestate", arrives: "a=1,b@c=2" },
  { about: "baggage", name: "baggage", arrives: "k=v;p=1, x=%20" },
  { about: "Authorization", name: "Authorization", arrives: "Bearer t" },
  { about: "a browser's own", name: "Sec-Fetch-Dest", arrives: "empty" },
  { about: "If-None-Match", name: "If-None-Match", arrives: 'W/"a", "b"' },
  { about: "Range", name: "Range", arrives: "bytes=0-4" },
  { about: "Accept-Encoding", name: "Accept-Encoding", arrives: "br;q=1" },
  { about: "User-Agent", name: "User-Agent", arrives: "own/1 (x)" },
  { about: "Upgrade-Insecure-Requests", name: "Upgrade-Insecure-Requests", arrives: "1" },
  {
    about: "what starts like Proxy-",
    name: "X-Proxy-A",
    fields: [["Proxy", "p"], ["X-Proxy-A", "1"]],
    arrives: "1",
  },
];

/** What may stand in the request of a caller who sent nothing but Host. */
const NEUTRAL = new Set(["host", "connection", "cdn-loop"]);

function namesOf(request: Received): string[] {
  return request.headers.map(([name]) => name.toLowerCase());
}

export function describeRequestFields(pool: Pool): void {
  describe.each(rowsOnce(pool.runtime, NAMED_BY_CALLER))("request fields by $selector", ({ selector }) => {
    const { upstream, askBy } = useTarget(pool);

    it.each(HOP_BY_HOP)("end here: $name", async ({ name, value }) => {
      const fields: Header[] = [[name, value], ["X-Own", "kept"]];
      expect((await askBy(selector, "GET /p", { fields })).status).toBe(200);
      expect(upstream.request.head).not.toContain("marker");
      expect(upstream.request.header("x-own")).toBe("kept");
    });

    it.each(NOMINATED)("end here when Connection names them, $about", async ({ connection }) => {
      const fields: Header[] = [...connection, ["X-Hop", "marker"], ["X-Other", "1"], ["X-Own", "kept"]];
      expect((await askBy(selector, "GET /p", { fields })).status).toBe(200);
      expect(upstream.request.head).not.toMatch(/marker|x-hop/i);
      expect(upstream.request.header("x-own")).toBe("kept");
    });

    it.each(PROTECTED)("survive although Connection names them: $name", async ({ name, value }) => {
      const fields: Header[] = [["Connection", `keep-alive, ${name.toLowerCase()}, content-length, host`]];
      const options = { fields: [...fields, [name, value] as Header], body: "body" };
      expect((await askBy(selector, "POST /p", options)).status).toBe(200);
      expect(upstream.request.headersNamed(name)).toEqual([value]);
      expect(upstream.request.headersNamed("host")).toEqual([upstream.host]);
      expect(upstream.request.headersNamed("content-length")).toEqual(["4"]);
      expect(upstream.request.body.toString()).toBe("body");
    });

    it.each(PASSED)("pass: $about", async ({ name, arrives, fields = [[name, arrives]] }) => {
      expect((await askBy(selector, "GET /p", { fields })).status).toBe(200);
      expect(upstream.request.header(name)).toBe(expectedOf(FIELD_VALUES, pool.runtime, arrives, arrives));
    });

    it("give Host as the target's own", async () => {
      await askBy(selector);
      expect(upstream.request.headersNamed("host")).toEqual([upstream.host]);
    });

    it.each([{ method: "GET" }, { method: "HEAD" }, { method: "DELETE" }])(
      "are none that the caller of $method did not send",
      async ({ method }) => {
        await askBy(selector, `${method} /p`);
        const added = namesOf(upstream.request).filter((name) => !NEUTRAL.has(name));
        expect(added).toEqual(expectedOf<string[]>(ADDED_FIELDS, pool.runtime, method, []));
      },
    );

    it("offer no coding beside a Range", async () => {
      const fields: Header[] = [["Range", "bytes=0-1"], ["User-Agent", "a"], ["Accept", "*/*"]];
      await askBy(selector, "GET /p", { fields });
      expect(upstream.request.header("accept-encoding") ?? "identity").toBe("identity");
    });
  });

  describe("request fields", () => {
    const { proxy, upstream, askBy } = useTarget(pool);

    it("hold neither Expect nor the framing of a chunked upload that is not the proxy's own", async () => {
      const head = `POST /p HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nproxy_host: ${upstream.origin}\r\n` +
        "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n";
      expect((await send(proxy.port, `${head}4\r\nbody\r\n0\r\n\r\n`)).status).toBe(200);
      expect(upstream.request.head).not.toMatch(/expect/i);
      expect(upstream.request.headersNamed("transfer-encoding")).toEqual(["chunked"]);
      expect(upstream.request.body.toString()).toBe("body");
    });

    it("of several Cookie lines pass as one", async () => {
      const fields: Header[] = [["Host", `127.0.0.1:${proxy.port}`], ["proxy_host", upstream.origin]];
      await proxy.call("GET /p", { fields: [...fields, ["Cookie", "a=1"], ["Cookie", "b=2; c=3"]] });
      const joined = expectedOf(FIELD_VALUES, pool.runtime, "a=1; b=2; c=3", "a=1; b=2; c=3");
      expect(upstream.request.headersNamed("cookie")).toEqual([joined]);
    });

    it("of several Cookie lines hold none of the proxy's own", async () => {
      const fields: Header[] = [["Host", `127.0.0.1:${proxy.port}`], ["proxy_host", upstream.origin]];
      await proxy.call("GET /p", {
        fields: [...fields, ["Cookie", "a=1"], ["Cookie", "proxy_token=marker"]],
      });
      expect(upstream.request.headersNamed("cookie")).toEqual(["a=1"]);
    });

    it("pass ninety at a time", async () => {
      const fields = Array.from({ length: 90 }, (_, index): Header => [`X-N-${index}`, `v${index}`]);
      expect((await askBy("header", "GET /p", { fields })).status).toBe(200);
      expect(fields.filter(([name, value]) => upstream.request.header(name) !== value)).toEqual([]);
    });
  });
}
