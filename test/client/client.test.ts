/** The helper for callers: its links, its size, and that it needs nothing but a browser. */
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { decodeArg } from "../../src/core/address/arg.ts";
import { fetchUrl, labelFor, proxyUrl } from "../../src/client/client.ts";
import { readAddressParameter, readQuery } from "../../src/core/address/query.ts";
import { verifyLink } from "../../src/parts/links/signed-link.ts";
import { rowsOf, words } from "../support/rows.ts";

const BASE = "http://localhost:8080";
const NOW = 1_800_000_000;

const TARGETS = [
  { target: "https://example.com/" },
  { target: "https://example.com/p?x=1&y=%26#part" },
  { target: "https://example.com/it's?q='\"<>^|`{}" },
  { target: "https://example.com/ü/\u{1f511}?ü=%C3%BC+ %" },
  { target: "https://user:p@ss@example.com:8443/" },
  { target: "http://a.test/?url=http://b.test/&sig=abc&exp=1" },
];

describe("proxyUrl", () => {
  it.each(rowsOf(["base", "link"], [
    ["http://localhost:8080", "http://localhost:8080/__proxy__/?url=https%3A%2F%2Fexample.com%2F"],
    ["http://localhost:8080/", "http://localhost:8080/__proxy__/?url=https%3A%2F%2Fexample.com%2F"],
    ["https://p.test/x?y#z", "https://p.test/x/__proxy__/?url=https%3A%2F%2Fexample.com%2F"],
    [new URL("http://[::1]:1"), "http://[::1]:1/__proxy__/?url=https%3A%2F%2Fexample.com%2F"],
  ]))("on $base", async ({ base, link }) => {
    expect(await proxyUrl(base, "https://example.com/")).toBe(link);
    expect(await proxyUrl(base, new URL("https://example.com"))).toBe(link);
  });

  it.each(TARGETS)("holds $target, and nothing that an address would change", async ({ target }) => {
    const link = await proxyUrl(BASE, target);
    expect(new URL(link).href).toBe(link);
    expect(readAddressParameter(readQuery(link))).toBe(target);
  });

  it("signs as the published vector has it", async () =>
    expect(await proxyUrl(BASE, "https://example.com/", { key: "test-key", expires: 4_102_444_800 })).toBe(
      `${BASE}/__proxy__/?url=https%3A%2F%2Fexample.com%2F&exp=4102444800&sig=QdIxow0TYBncbYsRoNHRKhHTW81PUMkLxo4P6Pxi4Cg`,
    ));

  it.each(TARGETS)("signs $target", async ({ target }) => {
    const link = await proxyUrl(BASE, target, { key: "k", expires: NOW + 60 });
    expect(await verifyLink(link.slice(BASE.length), "k", NOW)).toBe("valid");
    expect(await verifyLink(link.slice(BASE.length), "k", NOW + 61)).toBe("expired");
  });

  it.each([
    { expires: NOW, written: NOW },
    { expires: NOW + 0.75, written: NOW },
    { expires: new Date(NOW * 1000 + 999), written: NOW },
  ])("ends at $expires", async ({ expires, written }) => {
    expect(await proxyUrl(BASE, "https://a.test/", { expires })).toMatch(new RegExp(`&exp=${written}$`));
  });

  it.each([
    { expires: NaN },
    { expires: Infinity },
    { expires: -1 },
    { expires: new Date("never") },
    { expires: new Date(-1) },
    { expires: NOW * 1000 },
  ])("never ends at $expires", async ({ expires }) => {
    await expect(proxyUrl(BASE, "https://a.test/", { expires })).rejects.toThrow(RangeError);
    await expect(fetchUrl(BASE, { url: "https://a.test/" }, { expires })).rejects.toThrow(RangeError);
  });

  it.each([{ base: "localhost:8080" }, { base: "a.test" }, { base: "" }, { base: new URL("ws://a.test/") }])(
    "does not begin with $base",
    async ({ base }) => {
      const expected = `Cannot use base ${base}: it is not an http or https address`;
      await expect(proxyUrl(base, "https://a.test/")).rejects.toThrow(TypeError);
      await expect(proxyUrl(base, "https://a.test/")).rejects.toThrow(expected);
      await expect(fetchUrl(base, { url: "https://a.test/" })).rejects.toThrow(expected);
    },
  );
});

describe("fetchUrl", () => {
  const argument = {
    url: "https://a.test/ü?x='",
    method: "POST",
    headers: { "x-a": "1" },
    body: { text: "it's ü\u{1f511}??>>" },
    redirect: "manual" as const,
  };

  it("holds the whole request", async () => {
    const link = await fetchUrl(BASE, argument);
    expect(link).toMatch(/^http:\/\/localhost:8080\/__proxy__\/fetch\?arg=[\w-]+$/);
    expect(decodeArg(link.split("arg=")[1] ?? "")).toEqual(argument);
  });

  it("signs it", async () => {
    const link = await fetchUrl(BASE, argument, { key: "k", expires: new Date((NOW + 60) * 1000) });
    expect(await verifyLink(link.slice(BASE.length), "k", NOW)).toBe("valid");
  });
});

describe("labelFor", () => {
  it.each([
    { target: "https://example.com", label: "example-com" },
    { target: new URL("http://localhost:3000/"), label: "localhost-3000" },
  ])("$target → $label", ({ target, label }) => expect(labelFor(target)).toBe(label));

  it.each(["http://[::1]/", "https://example.com/v1"])(
    "refuses %s",
    (target) => expect(() => labelFor(target)).toThrow(RangeError),
  );
});

it("in a browser it is small, and stands alone", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ["src/client/client.ts"],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  expect(Object.keys(metafile.inputs).sort()).toEqual(words(`
    src/client/caller-fields.ts src/client/client.ts src/client/next-request.ts
    src/client/proxied-request.ts src/client/proxy-link.ts src/client/unseal.ts src/core/address/arg.ts
    src/core/address/base64url.ts src/core/address/label.ts src/core/address/plain-url.ts
    src/core/address/sealed-head.ts src/core/address/signature.ts
    src/core/http/headers.ts src/core/http/memo.ts src/core/http/owned-fields.ts
    src/core/http/text.ts
  `));
  const [file] = outputFiles;
  expect(file?.text).not.toMatch(/\b(?:require|process|Buffer|Deno|Bun)\b|node:/);
  expect(file?.contents.length).toBeLessThan(12_000);
});
