/** Base addresses, whole addresses and request paths: what is read, what stays byte for byte, what is refused. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { decodeAddress, decodeBase } from "../../../src/core/address/address.ts";
import { formatAddress, readRequestPath } from "../../../src/core/address/address.ts";

describe("decodeBase", () => {
  it("looks at a long run of slashes once", () => {
    const path = `${"/".repeat(500_000)}x`;
    expect(decodeBase(`https://a.test${path}/`)?.path).toBe(path);
  });

  it.each([
    { text: "https://a.test", origin: "https://a.test", path: "" },
    { text: "http://a.test/", origin: "http://a.test", path: "" },
    { text: "HTTPS://A.Test", origin: "https://a.test", path: "" },
    { text: "https://a.test:443", origin: "https://a.test", path: "" },
    { text: "http://a.test:8443/", origin: "http://a.test:8443", path: "" },
    { text: "http://127.1:3000", origin: "http://127.0.0.1:3000", path: "" },
    { text: "http://[::1]:3000", origin: "http://[::1]:3000", path: "" },
    { text: "https://bücher.test", origin: "https://xn--bcher-kva.test", path: "" },
    { text: "https://a.test/v1", origin: "https://a.test", path: "/v1" },
    { text: "https://a.test/v1/", origin: "https://a.test", path: "/v1" },
    { text: "https://a.test/v1///", origin: "https://a.test", path: "/v1" },
    { text: "https://a.test///", origin: "https://a.test", path: "" },
    { text: "https://a.test/a//b", origin: "https://a.test", path: "/a//b" },
    { text: "https://a.test//evil.test", origin: "https://a.test", path: "//evil.test" },
    { text: "https://a.test/@evil.test", origin: "https://a.test", path: "/@evil.test" },
    { text: "https://a.test/%2F%41", origin: "https://a.test", path: "/%2F%41" },
    { text: "https://a.test/é", origin: "https://a.test", path: "/%C3%A9" },
  ])("reads $text", ({ text, origin, path }) => {
    expect(decodeBase(text)?.origin.href).toBe(`${origin}/`);
    expect(decodeBase(text)?.path).toBe(path);
    expect(decodeBase(text)).not.toHaveProperty("authorization");
  });

  it.each([
    { reason: "nothing", text: "" },
    { reason: "no scheme", text: "a.test" },
    { reason: "no scheme, but slashes", text: "//a.test" },
    { reason: "one slash", text: "https:/a.test" },
    { reason: "no slash", text: "https:a.test" },
    { reason: "no host", text: "https://" },
    { reason: "no host, but a path", text: "https:///a.test" },
    { reason: "two dots at the end of the host", text: "https://a.test.." },
    { reason: "two dots in the host", text: "https://a..test" },
    { reason: "a dot in front of the host", text: "https://.a.test" },
    { reason: "two encoded dots at the end of the host", text: "https://a.test%2E%2E" },
    { reason: "no host, but a port", text: "https://:80" },
    { reason: "ftp", text: "ftp://a.test" },
    { reason: "ws", text: "ws://a.test" },
    { reason: "file", text: "file:///etc/passwd" },
    { reason: "javascript", text: "javascript://a.test/%0aalert(1)" },
    { reason: "scheme behind a blank", text: " https://a.test" },
    { reason: "blank at the end", text: "https://a.test " },
    { reason: "blank in the path", text: "https://a.test/a b" },
    { reason: "no-break space", text: "https://a.test/\u00a0" },
    { reason: "line feed", text: "https://a.test\n" },
    { reason: "carriage return in the path", text: "https://a.test/\rx" },
    { reason: "tab in the host", text: "https://a\t.test" },
    { reason: "NUL", text: "https://a.test/\u0000" },
    { reason: "DEL", text: "https://a.test/\u007f" },
    { reason: "query", text: "https://a.test?x=1" },
    { reason: "empty query", text: "https://a.test/?" },
    { reason: "fragment", text: "https://a.test/#x" },
    { reason: "empty fragment", text: "https://a.test#" },
    { reason: "credentials", text: "https://user:pass@a.test" },
    { reason: "user", text: "https://user@a.test" },
    { reason: "empty user", text: "https://@a.test" },
    { reason: "backslash for a slash", text: "https:\\\\a.test" },
    { reason: "backslash behind the host", text: "https://a.test\\evil" },
    { reason: "backslash in the path", text: "https://a.test/\\evil.test" },
    { reason: "port out of range", text: "https://a.test:65536" },
    { reason: "port that is no number", text: "https://a.test:x" },
    { reason: "malformed percent-encoding in the host", text: "https://a%zz.test" },
    { reason: "percent-encoded slash in the host", text: "https://a%2Fb.test" },
    { reason: "lone surrogate in the host", text: "https://\ud800.test" },
    { reason: "IPv4 out of range", text: "http://256.0.0.1" },
    { reason: "IPv6 that is open", text: "http://[::1" },
  ])("refuses $reason", ({ text }) => {
    expect(decodeBase(text)).toBeUndefined();
    expect(decodeBase(text), "remembered").toBeUndefined();
  });

  it("gives the same answer after more bases than it remembers", () => {
    const bases = Array.from({ length: 600 }, (_, index) => `https://host-${index}.test/p${index}`);
    const read = [...bases, ...bases].map(decodeBase).map((base) => base && formatAddress(base));
    expect(read).toEqual([...bases, ...bases]);
  });
});

describe("an address of which Node (20.0 to 20.11) makes one without a host", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("is none", () => {
    vi.stubGlobal(
      "URL",
      class extends URL {
        override get hostname() {
          return "";
        }
      },
    );
    expect(decodeAddress("http://%31%32%37.0.0.1/")).toBeUndefined();
    expect(decodeBase("http://%31%32%37.0.0.1")).toBeUndefined();
  });
});

describe("decodeAddress", () => {
  it.each([
    { text: "http://a.test", origin: "http://a.test", path: "/" },
    { text: "https://a", origin: "https://a", path: "/" },
    { text: "http://a", origin: "http://a", path: "/" },
    { text: "HTTP://A.TEST/Path", origin: "http://a.test", path: "/Path" },
    { text: "https://a.test:443/x", origin: "https://a.test", path: "/x" },
    { text: "http://a.test?x=1", origin: "http://a.test", path: "/?x=1" },
    { text: "http://a.test?", origin: "http://a.test", path: "/?" },
    { text: "http://a.test/?", origin: "http://a.test", path: "/?" },
    { text: "http://a.test#part", origin: "http://a.test", path: "/" },
    { text: "http://a.test/p?q#part?no", origin: "http://a.test", path: "/p?q" },
    { text: "http://a.test//evil.test/", origin: "http://a.test", path: "//evil.test/" },
    { text: "http://a.test/%2F%7e%zz%", origin: "http://a.test", path: "/%2F%7e%zz%" },
    { text: "http://a.test/a|b'c\"d<e>{f}^`", origin: "http://a.test", path: "/a|b'c\"d<e>{f}^`" },
    { text: "http://a.test/a/../b/./c", origin: "http://a.test", path: "/a/../b/./c" },
    { text: "http://a.test/?u=http://b.test/?y", origin: "http://a.test", path: "/?u=http://b.test/?y" },
    { text: "http://a.test/?x=@b.test", origin: "http://a.test", path: "/?x=@b.test" },
    { text: "http://a.test/é?ü=ß", origin: "http://a.test", path: "/%C3%A9?%C3%BC=%C3%9F" },
    { text: "http://a.test/a b?c d", origin: "http://a.test", path: "/a%20b?c%20d" },
    { text: "http://a.test/\ud800", origin: "http://a.test", path: "/%EF%BF%BD" },
    { text: "http://a.test\\@evil.test/", origin: "http://a.test", path: "/@evil.test/" },
    { text: "http://a.test/x\\y", origin: "http://a.test", path: "/x/y" },
    { text: "http://[::1]:80/x", origin: "http://[::1]", path: "/x" },
  ])("reads $text", ({ text, origin, path }) => {
    expect(decodeAddress(text)?.origin.href).toBe(`${origin}/`);
    expect(decodeAddress(text)?.path).toBe(path);
    expect(decodeAddress(text)).not.toHaveProperty("authorization");
  });

  it.each([
    { text: "http://user:pass@a.test/x", credentials: "user:pass", path: "/x" },
    { text: "https://user@a.test", credentials: "user:", path: "/" },
    { text: "https://:pass@a.test?q", credentials: ":pass", path: "/?q" },
    { text: "http://a%40b:c%3Ad@a.test/", credentials: "a@b:c:d", path: "/" },
    { text: "http://u:%zz@a.test/", credentials: "u:%zz", path: "/" },
    { text: "http://u:p@q@a.test/", credentials: "u:p@q", path: "/" },
  ])("takes the credentials out of $text", ({ text, credentials, path }) => {
    const address = decodeAddress(text);
    expect(address?.authorization).toBe(`Basic ${btoa(credentials)}`);
    expect(address && formatAddress(address)).toBe(`${new URL(text).protocol}//a.test${path}`);
    expect(address?.origin.href).not.toContain("@");
  });

  it("encodes credentials as UTF-8", () =>
    expect(decodeAddress("http://jürgen:пароль@a.test/")?.authorization)
      .toBe(`Basic ${Buffer.from("jürgen:пароль").toString("base64")}`));

  it("takes credentials of any length", () => {
    const user = "u".repeat(250_000);
    expect(decodeAddress(`http://${user}@a.test/`)?.authorization).toBe(`Basic ${btoa(`${user}:`)}`);
  });

  it("takes empty credentials for none", () =>
    expect(decodeAddress("http://:@a.test/")).toEqual({ origin: new URL("http://a.test"), path: "/" }));

  it.each([
    { reason: "nothing", text: "" },
    { reason: "a path", text: "/x" },
    { reason: "a host", text: "a.test" },
    { reason: "no scheme", text: "//a.test/" },
    { reason: "one slash", text: "http:/a.test" },
    { reason: "no host", text: "http:///a.test" },
    { reason: "two dots at the end of the host", text: "http://a.test../x" },
    { reason: "two full-width dots at the end of the host", text: "http://a.test\uff0e\uff0e/x" },
    { reason: "backslashes for slashes", text: "http:\\\\a.test" },
    { reason: "a backslash for the host", text: "http://\\a.test" },
    { reason: "ftp", text: "ftp://a.test/" },
    { reason: "file", text: "file:///etc/passwd" },
    { reason: "data", text: "data:text/plain,x" },
    { reason: "blob", text: "blob:http://a.test/x" },
    { reason: "javascript", text: "javascript:alert(1)" },
    { reason: "a blank in front", text: " http://a.test" },
    { reason: "line feed in the scheme", text: "ht\ntp://a.test/" },
    { reason: "tab in the host", text: "http://a\t.test/" },
    { reason: "CRLF in the path", text: "http://a.test/\r\nhost: evil.test" },
    { reason: "NUL in the query", text: "http://a.test/?\u0000" },
    { reason: "DEL", text: "http://a.test/\u007f" },
    { reason: "port out of range", text: "http://a.test:99999/" },
    { reason: "blank in the host", text: "http://a .test/" },
    { reason: "malformed percent-encoding in the host", text: "http://a%.test/" },
    { reason: "only credentials", text: "http://user:pass@" },
  ])("refuses $reason", ({ text }) => expect(decodeAddress(text)).toBeUndefined());
});

describe("readRequestPath", () => {
  it.each([
    { url: "http://localhost:8080/a/b?c=d", path: "/a/b?c=d" },
    { url: "https://localhost/", path: "/" },
    { url: "http://localhost", path: "/" },
    { url: "/only/path?q", path: "/only/path?q" },
    { url: "//evil.test/x", path: "//evil.test/x" },
    { url: "http://localhost//evil.test/x", path: "//evil.test/x" },
    { url: "http://localhost/?", path: "/?" },
    { url: "http://localhost/a?b?c", path: "/a?b?c" },
    { url: "http://localhost/a#b?c", path: "/a" },
    { url: "http://localhost?x=1", path: "/?x=1" },
    { url: "http://localhost?x=/__proxy__/fetch?arg=e30", path: "/?x=/__proxy__/fetch?arg=e30" },
    { url: "http://localhost#/a", path: "/" },
    { url: "HTTP://localhost:1?", path: "/?" },
    { url: "http:///a", path: "/a" },
    { url: "localhost:443", path: "/" },
    { url: "*", path: "*" },
    { url: "http://localhost/%2F%7E%zz%|'", path: "/%2F%7E%zz%|'" },
    { url: "http://localhost/a/../b", path: "/a/../b" },
    { url: "http://localhost/\\evil.test", path: "/\\evil.test" },
    { url: "http://localhost/é?ü", path: "/%C3%A9?%C3%BC" },
    { url: "http://localhost/😀", path: "/%F0%9F%98%80" },
    { url: "http://localhost/a b\tc", path: "/a%20b%09c" },
    { url: "http://localhost/a\r\nb\u0000\u007f", path: "/a%0D%0Ab%00%7F" },
  ])("reads $url", ({ url, path }) => expect(readRequestPath(url)).toBe(path));

  it("gives only what HTTP allows for a lone surrogate", () =>
    expect(readRequestPath("http://localhost/\ud800")).toMatch(/^\/[\x21-\x7e]*$/));
});

it("gives the same object for the same origin, by which it is known again", () => {
  const { origin } = decodeAddress("https://known.test/a")!;
  expect(decodeAddress("https://u:p@KNOWN.test:443/b?c")?.origin).toBe(origin);
  expect(decodeAddress("https://known.test:444/a")?.origin).not.toBe(origin);
});

it.each([
  { text: "https://a.test:8443/p?q", formatted: "https://a.test:8443/p?q" },
  { text: "http://u:p@a.test:80//x#y", formatted: "http://a.test//x" },
])("formatAddress writes $text", ({ text, formatted }) => {
  const address = decodeAddress(text);
  expect(address && formatAddress(address)).toBe(formatted);
});
