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
