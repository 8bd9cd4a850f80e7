/** `fetchvia decode` reads labels, args and whole links. */
import { describe, expect, it } from "vitest";
import { fetchUrl, proxyUrl } from "../../src/client/client.ts";
import { encodeArg } from "../../src/core/address/arg.ts";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { decode } from "../../src/command/decode.ts";
import { rowsOf } from "../support/rows.ts";

const ARG = "eyJ1cmwiOiJodHRwczovL2EudGVzdCJ9";
const KEY = "test-key";
const NOW = 2_000_000_000;
const read = async (text: string, key = "") =>
  JSON.parse(await decode(text, key, NOW)) as Record<string, unknown>;

describe("decode", () => {
  it.each([
    { text: "my--site-example-com-8443", written: "https://my-site.example.com:8443" },
    { text: ARG, written: '{\n  "url": "https://a.test"\n}' },
    { text: `${ARG.slice(0, 20)}\n${ARG.slice(20)}`, written: '{\n  "url": "https://a.test"\n}' },
  ])("$text", async ({ text, written }) => expect(await decode(text)).toBe(written));

  it.each([
    { link: `http://p.test/__proxy__/fetch?arg=${ARG}`, proxy: "http://p.test" },
    { link: `http://p.test:81/m/n/__proxy__/fetch?x=1&arg=${ARG}&y#top`, proxy: "http://p.test:81/m/n" },
    { link: `/m/__proxy__/fetch/?arg=${ARG}%3D`.replace("%3D", ""), proxy: "/m" },
    { link: `__proxy__/fetch?arg=${ARG}`.replace(/^/, "/"), proxy: "" },
  ])("the arg in $link", async ({ link, proxy }) =>
    expect(await read(link)).toEqual({
      proxy,
      selector: "arg",
      target: "https://a.test",
      argument: { url: "https://a.test" },
      signed: false,
    }));

  it.each(rowsOf(["query", "target", "fault"], [
    ["url=https%3A%2F%2Fa.test%2F%3Fx%3D1&y=2", "https://a.test/?x=1"],
    ["url=https://a.test/?x=1&exp=4102444800&sig=x", "https://a.test/?x=1&exp=4102444800&sig=x"],
    ["url=wss%3A%2F%2Fa.test", "wss://a.test"],
    ["url=a.test", "a.test", "the target has no scheme"],
  ]))("the address in $query", async ({ query, target, ...fault }) => {
    expect(await read(`http://p.test/__proxy__/?${query}`))
      .toEqual({ proxy: "http://p.test", selector: "url", target, ...fault, signed: false });
  });

  it.each([
    { query: "host=https%3A%2F%2Fa.test%2Fv1", target: "https://a.test/v1" },
    { query: "host=https://a.test?x", target: "https://a.test?x", fault: "the target has a query" },
  ])("the host in $query", async ({ query, target, ...fault }) => {
    expect(await read(`http://p.test/__proxy__/?${query}`))
      .toEqual({ proxy: "http://p.test", selector: "host", target, ...fault, signed: false });
  });

  it.each([
    {
      link: "http://127.0.0.1:8080/__proxy__/at/a-test/v1?x=/__proxy__/?url=y",
      target: "https://a.test/v1?x=/__proxy__/?url=y",
    },
    { link: "http://127.0.0.1:8080/__proxy__/at/localhost-3000#top", target: "http://localhost:3000" },
  ])("a base address by at: $link", async ({ link, target }) =>
    expect(await read(link))
      .toEqual({ proxy: "http://127.0.0.1:8080", selector: "at", target, signed: false }));

  it("no address by at whose label names no host", () =>
    expect(read("http://p.test/__proxy__/at/a.b/v1")).rejects.toThrow("its label has more than letters"));

  it.each([
    { about: "no key", key: "", signature: undefined },
    { about: "the key", key: KEY, signature: "right" },
    { about: "another key", key: "other", signature: "wrong" },
  ])("a signed link with $about", async ({ key, signature }) => {
    const options = { key: KEY, expires: NOW + 60 };
    const links = [
      await proxyUrl("http://p.test/m", "https://a.test/", options),
      await fetchUrl("http://p.test/m", { url: "https://a.test/" }, options),
    ];
    const said = {
      exp: NOW + 60,
      expires: "2033-05-18T03:34:20.000Z",
      expired: false,
      signed: true,
      signature,
    };
    for (const link of links) expect(await read(link, key)).toMatchObject(JSON.parse(JSON.stringify(said)));
    expect("signature" in await read(links[0]!, key)).toBe(key !== "");
  });

  it("the earliest end of several, by which the proxy goes", async () => {
    const link = `http://p.test/__proxy__/?url=https://a.test/&exp=${NOW + 9}&exp=${NOW}`;
    expect(await read(link)).toMatchObject({ exp: NOW, expired: true });
  });

  it("an expired link, and one that was changed", async () => {
    const link = await proxyUrl("http://p.test", "https://a.test/", { key: KEY, expires: NOW });
    expect(await read(link, KEY)).toMatchObject({ expired: true, signature: "right" });
    expect(await read(link.replace("a.test", "b.test"), KEY)).toMatchObject({ signature: "wrong" });
    expect(await read(link.replace(/&exp=\d+/, ""), KEY)).toMatchObject({ signature: "wrong" });
  });

  it.each(rowsOf(["about", "key", "revoked", "said"], [
    ["no key", "", undefined, {}],
    ["the key", KEY, undefined, { signature: "right" }],
    ["another key", "other", undefined, { signature: "wrong" }],
    ["a list of revoked ones", KEY, new Set(["ci"]), { signature: "right", revoked: true }],
    ["a list of others", "", new Set(["lost"]), { revoked: false }],
  ]))("a token with $about", async ({ key, revoked, said }) => {
    const token = await mintToken({ id: "ci", expires: NOW + 60, methods: ["GET"], targets: "a.test" }, KEY);
    expect(JSON.parse(await decode(token, key, NOW, () => revoked))).toEqual({
      id: "ci",
      exp: NOW + 60,
      expires: "2033-05-18T03:34:20.000Z",
      expired: false,
      claims: { methods: ["GET"], targets: "a.test" },
      ...said,
    });
  });

  it("a token that is expired, and one that no proxy takes", async () => {
    const old = await mintToken({ id: "ci", expires: NOW }, KEY);
    expect(await read(old, KEY)).toMatchObject({ expired: true, signature: "right" });
    const odd = await read(`fv1.${encodeArg({ id: "ci", admin: true })}.x`, KEY);
    expect(odd).not.toHaveProperty("expired");
    expect(odd).toMatchObject({ fault: expect.stringContaining('it has "admin"'), signature: "wrong" });
  });

  it.each(rowsOf(["text", "message"], [
    ["fv1.", "Cannot decode the token: its claims are not the Base64 of a JSON object"],
    ["fv1.!!.x", "Cannot decode the token: its claims are not the Base64 of a JSON object"],
    ["!!", /^Cannot decode this: .+ expected a host label such as example-com, the Base64 of/],
    ["eyJ1cmwiOiJodHRwczovL2V4YW1w", "it is neither a label nor an arg"],
    ["https://example.com/", "it is neither a label nor an arg nor a link nor a token"],
    ["http://p.test/__proxy__/?x=1", "Cannot decode the link: it names no target"],
    ["http://p.test/__proxy__/?url=%zz", "Cannot decode the link: it names no target"],
    ["http://p.test/__proxy__/fetch?arg=!!", /^Cannot decode the link: its arg is not the Base64.+ ! at 0/],
    [`http://p.test/__proxy__/fetch?arg=${btoa('{"url":"')}`, /: JSON ends at 8/],
    [`http://p.test/__proxy__/fetch?arg=${btoa('{"url":"\xff"}')}`, /: not UTF-8 at byte 8/],
    ["http://p.test/__proxy__/fetch?x=1", "Cannot decode the link: its arg is not the Base64"],
  ]))("refuses $text", ({ text, message }) => expect(decode(text)).rejects.toThrow(message));
});
