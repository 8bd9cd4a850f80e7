/**
 * Which request and response fields end at the proxy, and which pass byte for byte (RFC 9110 §7.6.1).
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { send } from "../support/client.ts";
import { ADDED_FIELDS, expectedOf, FIELD_VALUES } from "../support/exceptions.ts";
import type { Header } from "../support/http.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Received, type Upstream } from "../support/upstream.ts";
import { ask, type Selector } from "../support/ways.ts";

const NAMED_BY_CALLER: { selector: Selector }[] = [
  { selector: "header" },
  { selector: "cookie" },
  { selector: "label" },
  { selector: "url" },
];

const HOP_BY_HOP = [
  { name: "Keep-Alive", value: "timeout=marker" },
  { name: "TE", value: "trailers, marker" },
  { name: "Trailer", value: "x-marker" },
  { name: "Upgrade", value: "marker/1" },
  { name: "HTTP2-Settings", value: "marker" },
  { name: "Proxy-Connection", value: "marker" },
  { name: "Proxy-Authorization", value: "Basic marker" },
  { name: "Proxy-Authenticate", value: "marker" },
  { name: "Proxy-Whatever", value: "marker" },
  { name: "pROXY-x", value: "marker" },
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

const PASSED: { about: string; fields: Header[]; name: string; arrives: string }[] = [
  { about: "an unknown one", fields: [["X-Unknown-9", "a"]], name: "x-unknown-9", arrives: "a" },
  { about: "repeated lines", fields: [["X-A", "1"], ["x-a", "2, 3"]], name: "x-a", arrives: "1, 2, 3" },
  {
    about: "repeated lines of a field that has one value",
    fields: [["Authorization", "v1"], ["authorization", "v2"]],
    name: "authorization",
    arrives: "v1, v2",
  },
  {
    about: "repeated lines of User-Agent",
    fields: [["User-Agent", "v1"], ["X-A", "1"], ["User-Agent", "v2"]],
    name: "user-agent",
    arrives: "v1, v2",
  },
  { about: "the name __proto__", fields: [["__proto__", "1"]], name: "__proto__", arrives: "1" },
  { about: "an empty value", fields: [["X-Empty", ""]], name: "x-empty", arrives: "" },
  { about: "the case of a value", fields: [["X-Case", "aBc Def"]], name: "x-case", arrives: "aBc Def" },
  { about: "quotes and commas", fields: [["X-Q", 'a="b, c"; d']], name: "x-q", arrives: 'a="b, c"; d' },
  { about: "inner blanks", fields: [["X-B", "a  b\tc"]], name: "x-b", arrives: "a  b\tc" },
  { about: "Latin-1 bytes", fields: [["X-L", "caf\u00e9 \u00ff"]], name: "x-l", arrives: "caf\u00e9 \u00ff" },
  { about: "UTF-8 bytes", fields: [["X-U", "\u00c3\u00bc"]], name: "x-u", arrives: "\u00c3\u00bc" },
  {
    about: "an odd name",
    fields: [["x_under.~!#$%&'*+^`|", "1"]],
    name: "x_under.~!#$%&'*+^`|",
    arrives: "1",
  },
  { about: "the name constructor", fields: [["Constructor", "1"]], name: "constructor", arrives: "1" },
  {
    about: "a trace of W3C",
    fields: [["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]],
    name: "traceparent",
    arrives: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  },
  {
    about: "the state of a trace",
    fields: [["tracestate", "a=1,b@c=2"]],
    name: "tracestate",
    arrives: "a=1,b@c=2",
  },
  { about: "baggage", fields: [["baggage", "k=v;p=1, x=%20"]], name: "baggage", arrives: "k=v;p=1, x=%20" },
  {
    about: "Authorization",
    fields: [["Authorization", "Bearer t"]],
    name: "authorization",
    arrives: "Bearer t",
  },
  {
    about: "a browser's own",
    fields: [["Sec-Fetch-Dest", "empty"]],
    name: "sec-fetch-dest",
    arrives: "empty",
  },
  {
    about: "If-None-Match",
    fields: [["If-None-Match", 'W/"a", "b"']],
    name: "if-none-match",
    arrives: 'W/"a", "b"',
  },
  { about: "Range", fields: [["Range", "bytes=0-4"]], name: "range", arrives: "bytes=0-4" },
  {
    about: "Accept-Encoding",
    fields: [["Accept-Encoding", "br;q=1"]],
    name: "accept-encoding",
    arrives: "br;q=1",
  },
  { about: "User-Agent", fields: [["User-Agent", "own/1 (x)"]], name: "user-agent", arrives: "own/1 (x)" },
  {
    about: "Upgrade-Insecure-Requests",
    fields: [["Upgrade-Insecure-Requests", "1"]],
    name: "upgrade-insecure-requests",
    arrives: "1",
  },
  {
    about: "what starts like Proxy-",
    fields: [["Proxy", "p"], ["X-Proxy-A", "1"]],
    name: "x-proxy-a",
    arrives: "1",
  },
];

/** What may stand in the request of a caller who sent nothing but Host. */
const NEUTRAL = new Set(["host", "connection", "cdn-loop"]);

function namesOf(request: Received): string[] {
  return request.headers.map(([name]) => name.toLowerCase());
}

/** Declares the tests. */
export function describeRequestFields(pool: Pool): void {
  describe.each(NAMED_BY_CALLER)("request fields by $selector", ({ selector }) => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each(HOP_BY_HOP)("end here: $name", async ({ name, value }) => {
      const fields: Header[] = [[name, value], ["X-Own", "kept"]];
      const answer = await ask(proxy, selector, upstream.origin, "GET /p", { fields });
      expect(answer.status).toBe(200);
      expect(upstream.request.head).not.toContain("marker");
      expect(upstream.request.header("x-own")).toBe("kept");
    });

    it.each(NOMINATED)("end here when Connection names them, $about", async ({ connection }) => {
      const fields: Header[] = [...connection, ["X-Hop", "marker"], ["X-Other", "1"], ["X-Own", "kept"]];
      const answer = await ask(proxy, selector, upstream.origin, "GET /p", { fields });
      expect(answer.status).toBe(200);
      expect(upstream.request.head).not.toMatch(/marker|x-hop/i);
      expect(upstream.request.header("x-own")).toBe("kept");
    });

    it.each(PROTECTED)("survive although Connection names them: $name", async ({ name, value }) => {
      const fields: Header[] = [["Connection", `keep-alive, ${name.toLowerCase()}, content-length, host`]];
      const options = { fields: [...fields, [name, value] as Header], body: "body" };
      const answer = await ask(proxy, selector, upstream.origin, "POST /p", options);
      expect(answer.status).toBe(200);
      expect(upstream.request.headersNamed(name)).toEqual([value]);
      expect(upstream.request.headersNamed("host")).toEqual([upstream.host]);
      expect(upstream.request.headersNamed("content-length")).toEqual(["4"]);
      expect(upstream.request.body.toString()).toBe("body");
    });

    it.each(PASSED)("pass: $about", async ({ fields, name, arrives }) => {
      const answer = await ask(proxy, selector, upstream.origin, "GET /p", { fields });
      expect(answer.status).toBe(200);
      expect(upstream.request.header(name)).toBe(expectedOf(FIELD_VALUES, pool.runtime, arrives, arrives));
    });

    it("give Host as the target's own", async () => {
      await ask(proxy, selector, upstream.origin, "GET /p");
      expect(upstream.request.headersNamed("host")).toEqual([upstream.host]);
    });

    it.each([{ method: "GET" }, { method: "HEAD" }, { method: "DELETE" }])(
      "are none that the caller of $method did not send",
      async ({ method }) => {
        await ask(proxy, selector, upstream.origin, `${method} /p`);
        const added = namesOf(upstream.request).filter((name) => !NEUTRAL.has(name));
        expect(added).toEqual(expectedOf<string[]>(ADDED_FIELDS, pool.runtime, method, []));
      },
    );

    it("offer no coding beside a Range", async () => {
      const fields: Header[] = [["Range", "bytes=0-1"], ["User-Agent", "a"], ["Accept", "*/*"]];
      await ask(proxy, selector, upstream.origin, "GET /p", { fields });
      expect(upstream.request.header("accept-encoding") ?? "identity").toBe("identity");
    });
  });

  describeMore(pool);
}

function describeMore(pool: Pool): void {
  describe("request fields", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it("hold neither Expect nor the framing of a chunked upload that is not the proxy's own", async () => {
      const head = `POST /p HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nproxy_host: ${upstream.origin}\r\n` +
        "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\nTrailer: x-late\r\n\r\n";
      const answer = await send(proxy.port, `${head}4\r\nbody\r\n0\r\n\r\n`);
      expect(answer.status).toBe(200);
      expect(upstream.request.head).not.toMatch(/expect|trailer|x-late/i);
      expect(upstream.request.headersNamed("transfer-encoding")).toEqual(["chunked"]);
      expect(upstream.request.body.toString()).toBe("body");
    });

    it("of several Cookie lines pass as one", async () => {
      const fields: Header[] = [["Host", `127.0.0.1:${proxy.port}`], ["proxy_host", upstream.origin]];
      await proxy.call("GET /p", { fields: [...fields, ["Cookie", "a=1"], ["Cookie", "b=2; c=3"]] });
      const joined = expectedOf(FIELD_VALUES, pool.runtime, "a=1; b=2; c=3", "a=1; b=2; c=3");
      expect(upstream.request.headersNamed("cookie")).toEqual([joined]);
    });

    it("pass ninety at a time", async () => {
      const fields = Array.from({ length: 90 }, (_, index): Header => [`X-N-${index}`, `v${index}`]);
      const answer = await ask(proxy, "header", upstream.origin, "GET /p", { fields });
      expect(answer.status).toBe(200);
      expect(fields.filter(([name, value]) => upstream.request.header(name) !== value)).toEqual([]);
    });
  });
}
