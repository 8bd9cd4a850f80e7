/** Each host selector by itself: what it reads, and how it refuses what is malformed. @module */
import { describe, expect, it } from "vitest";
import { type Address, formatAddress } from "../../../src/core/address/address.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { readCookieBase, readHeaderBase, readLabelBase } from "../../../src/core/who/host-selectors.ts";
import { alike } from "../../support/rows.ts";

const CONFIG = readOptions({ proxyLabels: "api=https://api.test/v1,example-com=http://own.test" });

const written = (base: Address | undefined) => base && formatAddress(base);
const readCookies = (cookie: string) => readCookieBase(new Headers({ cookie }));

/** A text as it is read where it was sent in UTF-8. */
const raw = (text: string) => Buffer.from(text).toString("latin1");

describe("readHeaderBase", () => {
  it.each([
    { headers: { proxy_host: "https://a.test" }, base: "https://a.test" },
    { headers: { Proxy_Host: "https://a.test/v1/" }, base: "https://a.test/v1" },
    { headers: { "proxy-host": "http://a.test:81" }, base: "http://a.test:81" },
    { headers: { proxy_host: "https://a.test", "proxy-host": "https://a.test" }, base: "https://a.test" },
    { headers: { proxy_host: "  https://a.test\t" }, base: "https://a.test" },
    { headers: { proxy_host: raw("https://bücher.test/é") }, base: "https://xn--bcher-kva.test/%C3%A9" },
    { headers: { proxy_host: "https://b\xfccher.test" }, base: "https://xn--bcher-kva.test" },
    { headers: { cookie: "proxy_host=https://a.test" }, base: undefined },
    { headers: { proxyhost: "https://a.test", x_proxy_host: "https://a.test" }, base: undefined },
    { headers: {}, base: undefined },
  ])("$headers → $base", ({ headers, base }) => {
    expect(written(readHeaderBase(new Headers(headers as HeadersInit)))).toBe(base);
  });

  it.each([
    { headers: [["proxy_host", "https://a.test"], ["proxy_host", "https://a.test"]] },
    { headers: [["proxy-host", "https://a.test"], ["proxy-host", "https://b.test"]] },
    { headers: [["proxy_host", "https://a.test"], ["proxy-host", ""]] },
    { headers: [["proxy_host", "https://a.test,"]] },
    { headers: [["proxy_host", ",https://a.test"]] },
  ])("refuses more than one value: $headers", ({ headers }) => {
    const read = () => readHeaderBase(new Headers(headers as [string, string][]));
    expect(read).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(read).toThrow(/^Cannot use header proxy_host: .+, expected one/);
  });
});

describe("readCookieBase", () => {
  it.each([
    ...alike("cookie", { base: "https://a.test" })`proxy_host=https://a.test proxy_host=HTTPS://A.test/
      proxy_host="https://a.test"`,
    { cookie: "proxy_host=https%3A%2F%2Fa.test%2Fv1", base: "https://a.test/v1" },
    { cookie: "a=1; proxy_host=https://a.test ; b=2", base: "https://a.test" },
    { cookie: "a=1;proxy_host=http://a.test:81", base: "http://a.test:81" },
    { cookie: "proxy_host=https://a.test/%2F", base: "https://a.test/%2F" },
    { cookie: "proxy_host=https://a.test; proxy_host=https://a.test", base: "https://a.test" },
    { cookie: "proxy_host=https://a.test; proxy_host=https%3A%2F%2Fa.test", base: "https://a.test" },
    { cookie: `proxy_host=${raw("https://bücher.test")}`, base: "https://xn--bcher-kva.test" },
    { cookie: "proxy_host=https%3A%2F%2Fb%C3%BCcher.test", base: "https://xn--bcher-kva.test" },
    ...alike("cookie", { base: undefined })`a=1 a=proxy_host=https://a.test xproxy_host=https://a.test
      proxy_hosts=https://a.test Proxy_Host=https://a.test proxy-host=https://a.test
      __Host-proxy_host=https://a.test`,
  ])("$cookie → $base", ({ cookie, base }) => expect(written(readCookies(cookie))).toBe(base));

  it("is nothing without the field", () =>
    expect(readCookieBase(new Headers({ proxy_host: "https://a.test" }))).toBeUndefined());

  it.each([
    "proxy_host=https://a.test; proxy_host=https://b.test",
    "proxy_host=https://a.test; x=1; proxy_host=http://a.test",
    "proxy_host=https://a.test; proxy_host=",
    "proxy_host=; proxy_host=https://a.test",
    "proxy_host=https://a.test; proxy_host=https://a.test; proxy_host=https%3A%2F%2Fb.test",
  ])("refuses two that differ: %s", (cookie) => {
    expect(() => readCookies(cookie)).toThrow(expect.objectContaining({ code: "bad_request" }));
    expect(() => readCookies(cookie)).toThrow(/^Cannot use cookie proxy_host: .+ different .+, expected one/);
  });
});

describe("readLabelBase", () => {
  it.each([
    ...alike("host", { base: "https://b.test/" })`b-test.w.localhost b-test.w.localhost:8080
      B-Test.W.LocalHost b-test.w.localhost. b-test.w.localhost.:8080`,
    { host: "h-b-test.w.localhost", base: "http://b.test/" },
    { host: "127-0-0-1-3000.w.localhost", base: "http://127.0.0.1:3000/" },
    ...alike("host", { base: "https://api.test/v1" })`api.w.localhost API.w.localhost:1`,
    { host: "example-com.w.localhost", base: "http://own.test/" },
    ...alike("host", { base: undefined })`localhost localhost:8080 w.localhost b-test.localhost
      b-test.w.localhost.evil.test b-test.w.evil.test b-test.xw.localhost b-test.w.notlocalhost`,
    { host: "", base: undefined },
  ])("$host → $base", ({ host, base }) => {
    const read = readLabelBase(host, CONFIG);
    expect(read && read.origin.origin + (read.path || "/")).toBe(base);
  });

  it.each([
    { proxyDomain: "proxy.test", host: "b-test.w.proxy.test:8080", base: "https://b.test" },
    { proxyDomain: "Proxy.Test.", host: "b-test.w.proxy.test", base: "https://b.test" },
    { proxyDomain: "proxy.test", host: "b-test.w.localhost", base: undefined },
    { proxyDomain: "proxy.test", host: "b-test.w.xproxy.test", base: undefined },
    { proxyDomain: "proxy.test", host: "b-test.w.proxyxtest", base: undefined },
    { proxyDomain: "w.test", host: "b-test.w.w.test", base: "https://b.test" },
  ])("under $proxyDomain, $host → $base", ({ proxyDomain, host, base }) => {
    expect(written(readLabelBase(host, readOptions({ proxyDomain })))).toBe(base);
  });
});
