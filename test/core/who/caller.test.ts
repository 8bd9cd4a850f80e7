/** The caller's facts: host, origin, scheme, address. @module */
import { describe, expect, it } from "vitest";
import { readCaller } from "../../../src/core/who/caller.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import type { Incoming } from "../../../src/core/runtime.ts";
import { alike, rowsOf, words } from "../../support/rows.ts";

function incoming(url: string, host?: string): Incoming {
  const headers = new Headers(host === undefined ? {} : { host });
  return { url, method: "GET", headers, body: null, signal: new AbortController().signal };
}

describe("host and origin", () => {
  it.each([
    { url: "http://x.test/", host: "localhost:8080", isSecure: false, origin: "http://localhost:8080" },
    ...alike("host", { url: "https://x.test/", isSecure: true, origin: "https://a.test" })`a.test a.test:443`,
    { url: "/path", host: "a.test:81", isSecure: false, origin: "http://a.test:81" },
    { url: "/https://x", host: "a.test", isSecure: false, origin: "http://a.test" },
    { url: "http://x.test/", host: "[::1]:8080", isSecure: false, origin: "http://[::1]:8080" },
    { url: "http://x.test/", host: "A_b.Test.", isSecure: false, origin: "http://A_b.Test." },
    {
      url: "http://x.test/",
      host: "a-b_c~%2e!$&'()*+=.test:81",
      isSecure: false,
      origin: "http://a-b_c~%2e!$&'()*+=.test:81",
    },
    { url: "http://x.test/", host: "\u00c3\u0080.test", isSecure: false, origin: "http://\u00c3\u0080.test" },
    ...alike("host", { url: "http://x.test/", isSecure: false, origin: "http://a.test" })`a.test: a.test:80`,
  ])("$host on $url", ({ url, host, isSecure, origin }) => {
    expect(readCaller(incoming(url, host), {}, [])).toMatchObject({ host, isSecure, origin });
  });

  it.each([
    { url: "http://x.test:81/p?q", host: "x.test:81", origin: "http://x.test:81" },
    { url: "https://x.test", host: "x.test", origin: "https://x.test" },
    { url: "https://x.test?q", host: "x.test", origin: "https://x.test" },
    { url: "/only/path", host: "", origin: "http://" },
  ])("without a Host header they come from $url", ({ url, host, origin }) => {
    expect(readCaller(incoming(url), {}, [])).toMatchObject({ host, origin });
  });

  it.each([
    ...words`a.test,b.test a.test/x a.test\x a.test?x a.test#x user:pass@a.test user@a.test http://a.test a.test:x
      a.test:1:2 a.test:123456 :80 ::1 [::1 [a.test] [] [::1]x x";for=6.6.6.6;y="`,
    ...["a b", "a\tb", "a.test, b.test"],
    ...[...'";<>^`{|}'].map((character) => `a${character}b.test`),
  ])("is refused: %s", (host) => {
    const read = () => readCaller(incoming("http://localhost/", host), {}, []);
    expect(read).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(read).toThrow(/^Cannot use header host: .+, expected host\[:port\]$/);
  });

  it.each([
    { about: "two", host: "a.test, b.test", fault: "the request names more than one host" },
    { about: "a malformed one", host: "user@a.test", fault: "it is malformed" },
  ])("is refused for what is wrong: $about", ({ host, fault }) => {
    const read = () => readCaller(incoming("http://localhost/", host), {}, []);
    expect(read).toThrow(`Cannot use header host: ${fault}, `);
  });
});

describe("what a browser says of itself", () => {
  const own = "http://localhost:8080";
  it.each(rowsOf(["fields", "isBrowser", "hasOrigin", "isForeign"], [
    [{}, false, false, false],
    [{ "sec-fetch-site": "none" }, true, false, false],
    [{ "sec-fetch-site": "same-origin" }, true, false, false],
    [{ "sec-fetch-site": "same-site" }, true, false, true],
    [{ "sec-fetch-site": "cross-site", "origin": own }, true, true, true],
    [{ origin: own }, false, true, false],
    [{ origin: "http://a.test" }, false, true, true],
    [{ upgrade: "websocket" }, false, false, false],
    [{ upgrade: "websocket", origin: own }, true, true, false],
  ]))("$fields", ({ fields, ...facts }) => {
    const headers = new Headers({ host: "localhost:8080", ...(fields as Record<string, string>) });
    expect(readCaller({ ...incoming("http://x.test/"), headers }, {})).toMatchObject(facts);
  });
});

it.each([
  { clientAddress: "127.0.0.1", address: "127.0.0.1" },
  { clientAddress: "2001:db8::1", address: "2001:db8::1" },
  { clientAddress: "::1", address: "::1" },
  { clientAddress: undefined, address: "" },
  { clientAddress: null as unknown as undefined, address: "" },
  { clientAddress: "", address: "" },
  { clientAddress: "::ffff:192.0.2.1", address: "192.0.2.1" },
  { clientAddress: "::ffff:c000:201", address: "192.0.2.1" },
])("address $clientAddress → $address", ({ clientAddress, address }) => {
  expect(readCaller(incoming("http://localhost/"), { clientAddress }, []).address).toBe(address);
});

it("an address that is no text is refused by its name, as that of Deno's connections", () => {
  const clientAddress = { hostname: "192.0.2.1", port: 1 } as unknown as string;
  expect(() => readCaller(incoming("http://localhost/"), { clientAddress }, []))
    .toThrow(/^clientAddress is \{"hostname":"192\.0\.2\.1","port":1\}, expected an address/);
});

describe("behind trusted proxies", () => {
  const { trustedProxies } = readOptions({ trustedProxies: "10.0.0.0/8,2001:db8::/32" });
  const from = (clientAddress: string, fields: Record<string, string>) => {
    const request = incoming("http://localhost/", "localhost");
    const headers = new Headers([...request.headers, ...Object.entries(fields)]);
    return readCaller({ ...request, headers }, { clientAddress }, trustedProxies);
  };

  it.each(rowsOf(["about", "peer", "chain", "address"], [
    ["what an IPv6 proxy says", "2001:db8::1", "9.9.9.9", "9.9.9.9"],
    ["what a proxy in IPv6 clothes says", "::ffff:10.0.0.1", "9.9.9.9", "9.9.9.9"],
    ["the first of trusted ones", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["nothing from an empty field", "10.0.0.1", "", "10.0.0.1"],
    ["nothing where the peer is unknown", "", "9.9.9.9", ""],
  ]))("takes $about: $peer, $chain → $address", ({ peer, chain, address }) => {
    expect(from(peer, { "x-forwarded-for": chain }).address).toBe(address);
  });

  it.each([
    { peer: "10.0.0.1", proto: "HTTPS", isSecure: true },
  ])("is secure: $isSecure, for $proto from $peer", ({ peer, proto, isSecure }) => {
    const caller = from(peer, { "x-forwarded-proto": proto });
    expect(caller).toMatchObject({ isSecure, origin: `${isSecure ? "https" : "http"}://localhost` });
  });
});
