/**
 * Secrets in captures: masked for all but the viewer who sent them; keys of the table for everybody.
 * @module
 */
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import { decodeHead } from "../../src/core/address/sealed-head.ts";
import type { Capture } from "../../src/parts/capture/capture.ts";
import { raw, reply } from "../support/answers.ts";
import { base64 } from "../support/arg.ts";
import { capture, textOf, valueOf } from "../support/captured.ts";
import { KEYED } from "./keys.ts";
import type { Pool, Shared } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const SECRET = "Pl4nted-s3cret";
const VIEWER = "0123456789abcdef0123456789abcdef";
const OTHER = "fedcba9876543210fedcba9876543210";

/** The places where a caller or a target may put a secret; the head of a request, and of its answer. */
const PLANTED: {
  about: string;
  path?: string;
  fields?: Record<string, string>;
  answer?: Record<string, string>;
}[] = [
  { about: "credentials", fields: { Authorization: `Bearer ${SECRET}` } },
  { about: "credentials of no known scheme", fields: { Authorization: SECRET } },
  { about: "credentials for the proxy", fields: { "Proxy-Authorization": `Basic ${SECRET}` } },
  { about: "cookies", fields: { Cookie: `sid=${SECRET}; b="${SECRET}"` } },
  { about: "a cookie without a name", fields: { Cookie: SECRET } },
  { about: "a key", fields: { "X-Api-Key": SECRET } },
  { about: "a field of its own", fields: { "X-My-Secret": SECRET, "x-session-id": SECRET } },
  { about: "a token for the proxy", fields: { proxy_token: SECRET } },
  {
    about: "proxy_headers",
    fields: { proxy_headers: encodeArg({ authorization: SECRET, cookie: `a=${SECRET}` }) },
  },
  { about: "a Referer", fields: { Referer: `https://a.test/?token=${SECRET}` } },
  { about: "the query", path: `/p?x=1&access_token=${SECRET}&y=2` },
  { about: "an encoded query", path: `/p?pass%77ord=${SECRET}` },
  { about: "an address in the query", path: `/p?next=${encodeURIComponent(`https://u:${SECRET}@a.test/`)}` },
  { about: "JSON in the query", path: `/p?q=${encodeURIComponent(JSON.stringify({ password: SECRET }))}` },
  { about: "a caller's token", path: `/p?x=fv1.${encodeArg(SECRET)}.${encodeArg(SECRET)}` },
  { about: "a path", path: `/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5${SECRET.replace("-", "")}` },
  { about: "Set-Cookie", answer: { "Set-Cookie": `a=${SECRET}; Path=/; HttpOnly` } },
  { about: "Location", answer: { Location: `/next?code=${SECRET}#id_token=${SECRET}` } },
  { about: "Link", answer: { Link: `</x?sig=${SECRET}>; rel=next` } },
  { about: "an answer's own field", answer: { "X-Auth-Token": SECRET } },
];

/** What may stand in `decode=`, and whether a body in gzip is decoded for it. */
const DECODES = [
  { decode: "gzip", isDecoded: true },
  { decode: "br,%20GZIP", isDecoded: true },
  { decode: "gzip,".repeat(1_000), isDecoded: true },
  { decode: "gzip&decode=br", isDecoded: true },
  { decode: "", isDecoded: false },
  { decode: "x-own", isDecoded: false },
  { decode: "constructor,__proto__", isDecoded: false },
  { decode: "gzip%00", isDecoded: false },
  { decode: "%ff%0d%0agzip", isDecoded: false },
  { decode: "br&decode=gzip", isDecoded: false },
];

/** What a target may call the coding of its body. */
const CODINGS = ["gzip, constructor", "constructor", "__proto__, gzip", "gzip,".repeat(1_000)];

/** Declares the tests. */
export function describeCaptureSecrets(pool: Pool): void {
  const proxy = pool.with({ LOG: "json", METRICS: "true", CAPTURE: "64KiB" });
  const keyed = pool.with({ ...KEYED, LOG: "json", CAPTURE: "64KiB" });
  const token = { proxy_token: KEYED.PROXY_TOKEN };
  let upstream: Upstream;
  beforeEach(async () => {
    upstream = await listen();
    return () => upstream.close();
  });

  /** Sends by the console's way; its page gives the ticket. */
  const sendAs = async (by: Shared, argument: object, known: Readonly<Record<string, string>> = {}) => {
    const navigation = {
      "Sec-Fetch-Site": "none",
      "Sec-Fetch-Mode": "navigate",
      "Sec-Fetch-Dest": "document",
    };
    const { text } = await by.call("GET /__proxy__/", {
      fields: { Accept: "text/html", ...navigation, ...known },
    });
    const [ticket = ""] = /[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}/.exec(text) ?? [];
    const script = { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
    const fields = { ...script, ...known, "x-fetchvia-ticket": ticket, "x-fetchvia-viewer": VIEWER };
    return { fields, ask: () => by.call("POST /__proxy__/send", { fields, body: JSON.stringify(argument) }) };
  };

  describe("secrets in captures", () => {
    it.each(PLANTED)("are masked: $about", async ({ path = "/p", fields = {}, answer = {} }) => {
      upstream.answer = reply(200, answer, "ok");
      const captured = await capture(
        proxy,
        () => proxy.call(`GET ${path}`, { fields: { proxy_host: upstream.origin, ...fields } }),
      );
      const text = JSON.stringify(captured);
      expect(captured.hops).toHaveLength(1);
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(base64(SECRET).slice(0, -3));
      expect(text).not.toContain("AAHdqTcvCH1vGWJxf");
      expect(proxy.proxy.stdout()).not.toContain(SECRET);
      expect((await proxy.call("GET /__proxy__/metrics")).text).not.toContain(SECRET);
    });

    it("are masked by length and digest, so that two can be compared", async () => {
      const fields = {
        proxy_host: upstream.origin,
        Authorization: `Bearer ${SECRET}`,
        Cookie: `a=${SECRET}; b=other`,
      };
      const { request, hops: [hop] } = await capture(proxy, () => proxy.call("GET /p", { fields }));
      const [, digest] =
        /^Bearer \*{3}\(14 bytes, ([0-9a-f]{4})\)$/.exec(valueOf(request.headers, "authorization") ?? "") ??
          [];
      expect(digest).toBeDefined();
      expect(valueOf(request.headers, "cookie")).toContain(`a=***(14 bytes, ${digest}); b=***(5 bytes, `);
      expect(valueOf(hop?.request.headers, "authorization")).toBe(`Bearer ***(14 bytes, ${digest})`);
    });

    it("are masked in addresses that other ones hold, and in sealed heads", async () => {
      upstream.answer = reply(200, { "Set-Cookie": `a=${SECRET}` }, "ok");
      const target = `${upstream.origin}/p?token=${SECRET}`.replace("//", `//u:${SECRET}@`);
      const captured = await capture(
        proxy,
        () =>
          proxy.call(`GET /__proxy__/?url=${encodeURIComponent(target)}`, { fields: { proxy_seal: "1" } }),
      );
      const head = valueOf(captured.response?.headers, "x-fetchvia-head") ?? "";
      expect(JSON.stringify(decodeHead(head)?.headers)).toMatch(/"a=\*{3}\(14 bytes, /);
      expect(JSON.stringify(captured) + JSON.stringify(decodeHead(head))).not.toContain(SECRET);
    });

    it("are shown to the viewer who sent them, and to nobody else", async () => {
      const argument = {
        url: `${upstream.origin}/p?token=${SECRET}`,
        headers: { authorization: `Bearer ${SECRET}` },
      };
      const { ask, fields } = await sendAs(proxy, argument);
      const own = await capture(proxy, ask, fields);
      expect(own.isOwn).toBe(true);
      expect(valueOf(own.hops[0]?.request.headers, "authorization")).toBe(`Bearer ${SECRET}`);
      expect(own.hops[0]?.request.url).toBe(argument.url);
      for (const viewer of [OTHER, "", VIEWER.slice(1)]) {
        const foreign = await proxy.call(`GET /__proxy__/capture?id=${own.id}`, {
          fields: { ...fields, "x-fetchvia-viewer": viewer },
        });
        expect(foreign.status).toBe(200);
        expect(foreign.text).not.toContain(SECRET);
        expect(foreign.json()).not.toHaveProperty("isOwn");
      }
    });

    it.each([
      { about: "a program", line: "POST /__proxy__/send" },
      { about: "another path", line: "POST /__proxy__/fetch" },
    ])("stay masked where $about names a viewer", async ({ line }) => {
      const body = JSON.stringify({ url: `${upstream.origin}/p`, headers: { authorization: SECRET } });
      const fields = { "x-fetchvia-viewer": VIEWER };
      const captured = await capture(proxy, () => proxy.call(line, { fields, body }), fields);
      expect(captured.isOwn).toBeUndefined();
      expect(JSON.stringify(captured)).not.toContain(SECRET);
    });

    it("of a viewer go to no target", async () => {
      const fields = { proxy_host: upstream.origin, "x-fetchvia-viewer": VIEWER };
      await capture(proxy, () => proxy.call("GET /p", { fields }));
      expect(upstream.request.header("x-fetchvia-viewer")).toBeUndefined();
    });
  });

  describe("encoded bodies in captures", () => {
    const packed = gzipSync(SECRET).toString("latin1");
    const pack = (coding: string) =>
      raw(
        `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${packed.length}\r\n\r\n${packed}`,
      );
    const fields = () => ({ proxy_host: upstream.origin, "Accept-Encoding": "gzip" });

    it.each(DECODES)("are decoded for $decode: $isDecoded", async ({ decode, isDecoded }) => {
      upstream.answer = pack("gzip");
      const { id } = await capture(proxy, () => proxy.call("GET /p", { fields: fields() }));
      const answer = await proxy.call(`GET /__proxy__/capture?id=${id}&decode=${decode}`);
      const { responseBody } = answer.json() as Capture;
      expect(responseBody?.decoded).toBe(isDecoded ? btoa(SECRET) : undefined);
    });

    it.each(CODINGS.map((coding) => ({ coding })))(
      "are shown, searched and saved whatever a target calls their coding: $coding",
      async ({ coding }) => {
        upstream.answer = pack(coding);
        const { id } = await capture(proxy, () => proxy.call("GET /p", { fields: fields() }));
        const named = encodeURIComponent(coding.slice(0, 1_000));
        const shown = await proxy.call(`GET /__proxy__/capture?id=${id}&decode=${named}`);
        expect([shown.status, (shown.json() as Capture).responseBody?.decoded]).toEqual([200, undefined]);
        const found = await proxy.call(`GET /__proxy__/capture?body=${SECRET}`);
        expect([found.status, found.text.includes(id)]).toEqual([200, false]);
        const saved = await proxy.call(`GET /__proxy__/traffic.har?id=${id}`);
        expect(saved).toMatchObject({ status: 200, ended: "end" });
        expect(() => saved.json()).not.toThrow();
      },
    );
  });

  describe("keys of the table in captures", () => {
    const KEYS = [KEYED.FIRST_KEY, KEYED.SECOND_KEY];
    const SPELLED = KEYS.flatMap((key) => [key, encodeURIComponent(key), base64(key).slice(0, -4)]);
    const found = (text: string) => {
      const decoded = [...text.matchAll(/[\w+/-]{8,}={0,2}/g)].map(([part]) =>
        Buffer.from(part, "base64").toString("latin1")
      );
      const all = [text, ...decoded].join("\n").toLowerCase();
      return SPELLED.filter((spelled) => all.includes(spelled.toLowerCase()));
    };
    const bound = () => `http://localhost:${upstream.port}`;

    it.each([
      { about: "as they are", body: `x ${KEYED.FIRST_KEY} y` },
      { about: "as Base64", body: `x ${btoa(`Key ${KEYED.FIRST_KEY}`)} y` },
      { about: "percent-encoded", body: encodeURIComponent(KEYED.FIRST_KEY) },
      { about: "cut off at the end", body: "x".repeat(65_536 - 8) + KEYED.FIRST_KEY },
    ])("are in no head and no body, $about", async ({ body }) => {
      upstream.answer = reply(200, { "X-Echo": KEYED.FIRST_KEY }, body);
      const captured = await capture(
        keyed,
        () => keyed.call("GET /p", { fields: { ...token, proxy_host: bound() } }),
        token,
      );
      expect(upstream.request.headersNamed("x-api-key")).toEqual([`Key ${KEYED.FIRST_KEY}`]);
      expect(valueOf(captured.hops[0]?.request.headers, "x-api-key")).toMatch(/^\*{3}\(17 bytes, /);
      expect(found(JSON.stringify(captured))).toEqual([]);
      expect(textOf(captured.responseBody)).not.toContain(KEYED.FIRST_KEY.slice(0, 6));
      expect(textOf(captured.responseBody)?.length).toBeGreaterThan(0);
    });

    it.each([
      { page: "capture?id={id}" },
      { page: "traffic.har" },
      { page: "traffic.har?id={id}" },
      { page: "metrics" },
      { page: "explain?url={url}" },
      { page: "" },
    ])("are in no page of the operator's: $page", async ({ page }) => {
      upstream.answer = reply(200, { "X-Echo": KEYED.FIRST_KEY }, KEYED.FIRST_KEY);
      const fields = { ...token, proxy_host: bound() };
      const ask = () => keyed.call(`GET /${KEYED.FIRST_KEY}?a=${KEYED.FIRST_KEY}`, { fields });
      const { id } = await capture(keyed, ask, token);
      const path = page.replace("{id}", id).replace("{url}", encodeURIComponent(bound()));
      const answer = await keyed.call(`GET /__proxy__/${path}`, { fields: token });
      expect([answer.status, found(answer.text)]).toEqual([200, []]);
    });

    it("are not to be found in an encoded body, which is only counted", async () => {
      upstream.answer = reply(200, { "Content-Encoding": "gzip" }, "any bytes");
      const fields = { ...token, proxy_host: bound(), "Accept-Encoding": "gzip" };
      const { responseBody } = await capture(keyed, () => keyed.call("GET /p", { fields }), token);
      expect(responseBody).toMatchObject({ base64: "", size: 9, withheld: expect.stringContaining("key") });
    });

    it("are not shown to the viewer who sent them", async () => {
      const argument = { url: `${bound()}/p?b=%7B%7BSECOND_KEY%7D%7D`, headers: { "x-own": SECRET } };
      upstream.answer = reply(200, {}, `${KEYED.SECOND_KEY} ${KEYED.FIRST_KEY}`);
      const { ask, fields } = await sendAs(keyed, argument, token);
      const captured = await capture(keyed, ask, fields);
      expect(captured.isOwn).toBe(true);
      expect(valueOf(captured.hops[0]?.request.headers, "x-own")).toBe(SECRET);
      expect(captured.hops[0]?.request.url).toContain("{{SECOND_KEY}}");
      expect(textOf(captured.responseBody)).toBe("{{SECOND_KEY}} {{FIRST_KEY}}");
      expect(found(JSON.stringify(captured))).toEqual([]);
    });
  });
}
