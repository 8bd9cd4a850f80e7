/** `fetchvia sign` writes links that the proxy takes. */
import { describe, expect, it } from "vitest";
import { fetchUrl, proxyUrl } from "../../src/client/client.ts";
import { verifyLink } from "../../src/parts/links/signed-link.ts";
import { sign } from "../../src/command/sign.ts";
import { rowsOf } from "../support/rows.ts";

const KEY = "test-key";
const NOW = 2_000_000_000;
const HOUR = { key: KEY, expires: NOW + 3_600 };
const ADDRESS = "https://a.test/it's?x=1&y=ü";
const ARGUMENT = { url: "https://a.test/", method: "POST", body: { a: 1 } };
const BASE = "http://localhost:8080";

const PLACE = "the link is for http://localhost:8080; --base changes that";
const SHORT =
  "SIGNING_KEY has fewer than 32 characters: whoever has a link or token can try to guess it. Make one with: openssl rand -hex 32";
const LONG_KEY = "0123456789abcdef0123456789abcdef";
const NEVER = "the link never expires, only another signing key ends it; --expires 1h changes that";
const GET = 'the request is a GET with a body, which many servers ignore; "method": "POST" changes that';

it.each(rowsOf(["words", "notes", "key"], [
  [["--expires=1h", "--base", "http://localhost:8080", "https://a.test/"], [SHORT], LONG_KEY.slice(1)],
  [["https://a.test/"], [NEVER, PLACE]],
  [["/m/__proxy__/?url=https://a.test/"], [NEVER, PLACE]],
  [["--base", "http://localhost:8080", "https://a.test/"], [NEVER]],
  [["--expires=1h", "http://p.test/__proxy__/?url=https://a.test/"], []],
  [
    ["http://p.test/__proxy__/?url=https%3A%2F%2Fa.test%2F&exp=2000000005&sig=x"],
    ["the link expires at 2033-05-18T03:33:25.000Z, as it did before; --expires changes that"],
  ],
  [["--expires=1h", '{"url":"https://a.test/","body":"a"}'], [GET, PLACE]],
  [["--expires=1h", "eyJ1cmwiOiJodHRwczovL2EudGVzdC8iLCJib2R5IjoiYSJ9"], [GET, PLACE]],
]))("sign $words notes $notes", async ({ words, notes, key = LONG_KEY }) => {
  const noted: string[] = [];
  await sign(words, key, NOW, (line) => noted.push(line));
  expect(noted).toEqual(notes);
});

describe("sign", () => {
  it("writes the published vector", async () =>
    expect(await sign(["--expires", "2100-01-01T00:00:00Z", "https://example.com/"], KEY)).toBe(
      `${BASE}/__proxy__/?url=https%3A%2F%2Fexample.com%2F&exp=4102444800&sig=QdIxow0TYBncbYsRoNHRKhHTW81PUMkLxo4P6Pxi4Cg`,
    ));

  it.each(rowsOf(["about", "text", "link"], [
    ["an address", ADDRESS, () => proxyUrl(BASE, ADDRESS, HOUR)],
    [
      "a link",
      `http://p.test/m/__proxy__/?url=${encodeURIComponent(ADDRESS)}`,
      () => proxyUrl("http://p.test/m", ADDRESS, HOUR),
    ],
    [
      "a link with a raw address",
      `http://p.test/__proxy__/?url=https://a.test/?x=1&y=2`,
      () => proxyUrl("http://p.test", "https://a.test/?x=1&y=2", HOUR),
    ],
    [
      "a link without an origin",
      `/m/__proxy__/?url=${encodeURIComponent(ADDRESS)}`,
      () => proxyUrl(`${BASE}/m`, ADDRESS, HOUR),
    ],
    ["JSON", JSON.stringify(ARGUMENT, null, 2), () => fetchUrl(BASE, ARGUMENT, HOUR)],
    [
      "an arg",
      Buffer.from(JSON.stringify(ARGUMENT)).toString("base64"),
      () => fetchUrl(BASE, ARGUMENT, HOUR),
    ],
    [
      "a link with an arg",
      `http://p.test/__proxy__/fetch/?token=t&arg=${
        Buffer.from(JSON.stringify(ARGUMENT)).toString("base64")
      }&exp=1&sig=x`,
      () => fetchUrl("http://p.test", ARGUMENT, HOUR),
    ],
  ]))("writes what the client writes for $about", async ({ text, link }) => {
    expect(await sign(["--expires", "1h", text], KEY, NOW)).toBe(await link());
  });

  it.each([
    { about: "with a mount path", base: "https://p.test/m/", start: "https://p.test/m/__proxy__/" },
    { about: "without", base: "https://p.test:8443", start: "https://p.test:8443/__proxy__/" },
  ])("takes --base $about, for addresses and links", async ({ base, start }) => {
    const link = "http://other.test/n/__proxy__/?url=https%3A%2F%2Fa.test%2F";
    const written = [await sign(["--base", base, ADDRESS], KEY), await sign([`--base=${base}`, link], KEY)];
    expect(written.map((one) => one.slice(0, start.length))).toEqual([start, start]);
  });

  it("keeps the end of a link unless another is given, and sets none by itself", async () => {
    const link = await proxyUrl(BASE, ADDRESS, { key: "old", expires: NOW + 5 });
    expect(await sign([link], KEY)).toBe(await proxyUrl(BASE, ADDRESS, { key: KEY, expires: NOW + 5 }));
    expect(await sign([ADDRESS], KEY)).toBe(await proxyUrl(BASE, ADDRESS, { key: KEY }));
  });

  it("keeps all digits of a number, in a link that the door takes", async () => {
    const link = await sign(['{"url":"https://a.test/","body":12345678901234567890}'], KEY);
    const path = link.slice(BASE.length);
    expect(Buffer.from(/arg=([^&]*)/.exec(path)?.[1] ?? "", "base64url").toString())
      .toContain("12345678901234567890");
    expect(await verifyLink(path, KEY, NOW)).toBe("valid");
  });

  it.each(rowsOf(["words", "message", "key"], [
    [[ADDRESS], "Cannot sign: there is no key, expected the environment variable SIGNING_KEY", ""],
    [["--key=x", ADDRESS], "Cannot take the key as a flag: others see it in the process list"],
    [["--signing-key", "x", ADDRESS], "Cannot take the key as a flag"],
    [["--until", "1h", ADDRESS], "Unknown option '--until', expected flags such as --expires 1h"],
    [["--expires", "soon", ADDRESS], "Cannot use --expires soon"],
    [[ADDRESS, ADDRESS], "Cannot sign: there are 2 arguments, expected one"],
    [["a.test"], "Cannot sign this: it has no scheme, expected a link of the proxy, an address"],
    [["http://p.test/__proxy__/?url=a.test"], "Cannot sign this: it has no scheme"],
    [["http://p.test/__proxy__/?host=https://a.test"], "Cannot sign the link: it names no url and no arg"],
    [["http://p.test/__proxy__/fetch?arg=e30"], "Cannot use field of arg: url is missing"],
    [["http://p.test/__proxy__/fetch?arg=!"], "Cannot sign this: its arg is not Base64"],
    [['{"url":"https://a.test","nope":1}'], "Cannot use fields of arg: nope is unknown"],
    [["--base", "p.test", ADDRESS], "Cannot use --base: it has no scheme, expected an address such as"],
    [["--base", "http://p.test/?x", ADDRESS], "Cannot use --base: it has a query"],
    [["--base", "http://p.test/#x", ADDRESS], "Cannot use --base: it has a fragment"],
    [["--base", "http://u:p@p.test", ADDRESS], "Cannot use --base: it has credentials"],
    [
      ["http://p.test/__proxy__/?url=http%3A%2F%2Fa.test%2F&exp=5&sig=x"],
      "Cannot sign the link: it expired at 1970-01-01T00:00:05.000Z, expected --expires such as 1h",
    ],
  ]))("refuses $words", async ({ words, key = KEY, message }) => {
    await expect(sign(words, key, NOW)).rejects.toThrow(message);
  });
});
