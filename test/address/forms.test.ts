/**
 * The forms of other proxies: which paths hold an address, and which, byte for byte. Their own examples are among them.
 * @module
 */
import { describe, expect, it } from "vitest";
import { readCorsAnywhere, readCorsproxy, readForm, readGit, readScalar } from "../../src/address/forms.ts";
import { ADDRESS_FORMS, type AddressForm } from "../../src/address/selector.ts";

describe("cors-anywhere", () => {
  it.each([
    // Its README.
    { path: "/http://google.com/", address: "http://google.com/" },
    { path: "/google.com", address: "http://google.com" },
    { path: "/google.com:443", address: "https://google.com:443" },
    // Its tests.
    { path: "/http://robots.txt", address: "http://robots.txt" },
    { path: "/example.com:80", address: "http://example.com:80" },
    { path: "/example.com:1337/echoheaders", address: "http://example.com:1337/echoheaders" },
    { path: "/example.com:65536", address: "http://example.com:65536" },
    { path: "///example.com", address: "http://example.com" },
    { path: "/http:/notenoughslashes", address: "http://notenoughslashes" },
    { path: "/http:///", address: "http:///" },
    { path: "/http://:1234", address: "http://:1234" },
    // The rest.
    { path: "/https://a.test/x", address: "https://a.test/x" },
    { path: "/https:/a.test/x", address: "https://a.test/x" },
    { path: "/HTTPS://a.test/x", address: "HTTPS://a.test/x" },
    { path: "/wss://a.test/x", address: "wss://a.test/x" },
    { path: "/a.test:443/x", address: "https://a.test:443/x" },
    { path: "/a.test:/x", address: "http://a.test/x" },
    { path: "/a.test./x", address: "http://a.test./x" },
    { path: "/a.test?x=1", address: "http://a.test?x=1" },
    { path: "/https://a.test?x=/b/../c&y=%2F", address: "https://a.test?x=/b/../c&y=%2F" },
    { path: "/https://a.test//x/%7E|'?q=a+b&&", address: "https://a.test//x/%7E|'?q=a+b&&" },
    { path: "/https://u:p@a.test/", address: "https://u:p@a.test/" },
    { path: "/https://localhost:3000/x", address: "https://localhost:3000/x" },
    { path: "/https://a.test/https://b.test/", address: "https://a.test/https://b.test/" },
    { path: "/localhost:3000/x", address: "http://localhost:3000/x" },
    { path: "/app.localhost/x", address: "http://app.localhost/x" },
    { path: "/127.0.0.1:3000/x", address: "http://127.0.0.1:3000/x" },
    { path: "/[::1]:443/x", address: "https://[::1]:443/x" },
    { path: "/xn--mnchen-3ya.de/x", address: "http://xn--mnchen-3ya.de/x" },
    { path: "/my_host.a.test/x", address: "http://my_host.a.test/x" },
    { path: "/a.js:8080/x", address: "http://a.js:8080/x" },
  ])("$path is $address", ({ path, address }) => {
    expect(readCorsAnywhere(path)).toBe(address);
  });

  it.each([
    { path: "/" },
    { path: "/?x" },
    { path: "//" },
    { path: "*" },
    { path: "//example.com" },
    { path: "/favicon.ico" },
    { path: "/robots.txt" },
    { path: "/index.html?x=1" },
    { path: "/app.min.js" },
    { path: "/users" },
    { path: "/users/1" },
    { path: "/host:3000/x" },
    { path: "/v1.2/users" },
    { path: "/1.2.3/x" },
    { path: "/.well-known/x" },
    { path: "/a..test/x" },
    { path: "/a.test:x/" },
    { path: "/a.test:123456/" },
    { path: "/u:p@a.test/" },
    { path: "/a.b/x" },
    { path: "/https%3A%2F%2Fa.test" },
    { path: "/ftp://a.test/" },
    { path: "/javascript:alert(1)" },
  ])("$path holds none", ({ path }) => {
    expect(readCorsAnywhere(path)).toBeUndefined();
  });
});

describe("corsproxy", () => {
  it.each([
    // Its documentation.
    {
      path: "/?url=https%3A%2F%2Fapi.github.com%2Fusers%2Foctocat",
      address: "https://api.github.com/users/octocat",
    },
    {
      path: `/?url=${encodeURIComponent("https://api.example.com/search?q=hello world&type=json")}`,
      address: "https://api.example.com/search?q=hello world&type=json",
    },
    { path: "/?url=https://example.com/api", address: "https://example.com/api" },
    { path: "/?key=1&url=https%3A%2F%2Fhttpbin.org%2Fget", address: "https://httpbin.org/get" },
    // cloudflare-cors-anywhere, and Corsfix.
    { path: "/?https://httpbin.org/post", address: "https://httpbin.org/post" },
    { path: "/?https://api.example.com/data?key=1&x=2", address: "https://api.example.com/data?key=1&x=2" },
    // The rest.
    { path: "/?https://a.test/x?y=1&z=2", address: "https://a.test/x?y=1&z=2" },
    { path: "/?https://a.test/x&y=1", address: "https://a.test/x&y=1" },
    { path: "/?https://a.test/%7E%2F|'+?q=%26&url=b", address: "https://a.test/%7E%2F|'+?q=%26&url=b" },
    { path: "/?https%3A%2F%2Fa.test%2Fx%3Fy%3D1%26z%3D2", address: "https://a.test/x?y=1&z=2" },
    { path: "/?https%3A%2F%2Fa.test%2F%zz", address: "https%3A%2F%2Fa.test%2F%zz" },
    { path: "/?url=https%3A%2F%2Fa.test%2F%252F", address: "https://a.test/%2F" },
    { path: "/?url=https://a.test/p?x=%26&y=2", address: "https://a.test/p?x=%26&y=2" },
    { path: "/?url=https://a.test/p&y=2", address: "https://a.test/p" },
    { path: "/?url=wss://a.test/", address: "wss://a.test/" },
    { path: "/?url=", address: "" },
    { path: "/?url=a.test", address: "a.test" },
    { path: "/?url=%zz", address: "url=%zz" },
  ])("$path is $address", ({ path, address }) => {
    expect(readCorsproxy(path)).toBe(address);
  });

  it.each([
    { path: "/" },
    { path: "/?" },
    { path: "/?x=https://a.test/" },
    { path: "/?a.test" },
    { path: "/x?url=https://a.test/" },
    { path: "//?url=https://a.test/" },
    { path: "/?scalar_url=https://a.test/" },
    { path: "/?https" },
    { path: "*" },
  ])("$path holds none", ({ path }) => {
    expect(readCorsproxy(path)).toBeUndefined();
  });
});

describe("scalar", () => {
  it.each([
    // What its client writes, and its proxy's own hint.
    {
      path: `/?${new URLSearchParams({ scalar_url: "https://a.test/x?q=a b+c&é=~'" })}`,
      address: "https://a.test/x?q=a b+c&é=~'",
    },
    {
      path: "/?scalar_url=https%3A%2F%2Fgalaxy.scalar.com%2Fplanets",
      address: "https://galaxy.scalar.com/planets",
    },
    // The rest.
    { path: "/?x=1&scalar_url=https%3A%2F%2Fa.test%2F&y=2", address: "https://a.test/" },
    { path: "/?scalar_url=https%3A%2F%2Fa.test%2F%252F", address: "https://a.test/%2F" },
    { path: "/?scalar_url=https://a.test/a+b", address: "https://a.test/a+b" },
    { path: "/?scalar_url=https://a.test/p?x=%26&y=2", address: "https://a.test/p?x=%26&y=2" },
    { path: "/?scalar_url=%zz", address: "%zz" },
    { path: "/?scalar_url=", address: "" },
  ])("$path is $address", ({ path, address }) => {
    expect(readScalar(path)).toBe(address);
  });

  it.each([
    { path: "/" },
    { path: "/?url=https%3A%2F%2Fa.test%2F%3Fscalar_url%3Dx" },
    { path: "/x?scalar_url=https%3A%2F%2Fa.test%2F" },
    { path: "/?xscalar_url=https%3A%2F%2Fa.test%2F" },
  ])("$path holds none", ({ path }) => {
    expect(readScalar(path)).toBeUndefined();
  });
});

describe("git", () => {
  it.each([
    // What isomorphic-git asks for.
    {
      path: "/github.com/o/r.git/info/refs?service=git-upload-pack",
      address: "https://github.com/o/r.git/info/refs?service=git-upload-pack",
    },
    {
      path: "/github.com/o/r.git/info/refs?service=git-receive-pack",
      address: "https://github.com/o/r.git/info/refs?service=git-receive-pack",
    },
    { path: "/github.com/o/r.git/git-upload-pack", address: "https://github.com/o/r.git/git-upload-pack" },
    { path: "/github.com/o/r.git/git-receive-pack", address: "https://github.com/o/r.git/git-receive-pack" },
    // The rest.
    {
      path: "/git.test:8443/r/info/refs?a=1&service=git-upload-pack",
      address: "https://git.test:8443/r/info/refs?a=1&service=git-upload-pack",
    },
    {
      path: "/127.0.0.1:3000/r.git/info/refs?service=git-upload-pack",
      address: "http://127.0.0.1:3000/r.git/info/refs?service=git-upload-pack",
    },
    { path: "/localhost:3000/r.git/git-upload-pack", address: "http://localhost:3000/r.git/git-upload-pack" },
    { path: "/git.localhost/r.git/git-upload-pack", address: "http://git.localhost/r.git/git-upload-pack" },
    { path: "/[::1]:3000/r.git/git-upload-pack", address: "https://[::1]:3000/r.git/git-upload-pack" },
  ])("$path is $address", ({ path, address }) => {
    expect(readGit(path)).toBe(address);
  });

  it.each([
    { path: "/" },
    { path: "/github.com/o/r.git" },
    { path: "/github.com/o/r.git/info/refs" },
    { path: "/github.com/o/r.git/info/refs?service=git-upload-archive" },
    { path: "/github.com/o/r.git/info/refs?xservice=git-upload-pack" },
    { path: "/github.com/o/r.git/HEAD" },
    { path: "/github.com/o/r.git/?/git-upload-pack" },
    { path: "/o/r.git/git-upload-pack" },
    { path: "/https://github.com/o/r.git/git-upload-pack" },
    { path: "/git-upload-pack" },
  ])("$path holds none", ({ path }) => {
    expect(readGit(path)).toBeUndefined();
  });
});

describe("of several forms", () => {
  it.each<{ path: string; forms: AddressForm[]; read: unknown }>([
    { path: "/https://a.test/", forms: [], read: undefined },
    { path: "/https://a.test/", forms: ["git", "scalar", "corsproxy"], read: undefined },
    { path: "/?url=https://a.test/", forms: ["cors-anywhere", "git", "scalar"], read: undefined },
    {
      path: "/a.test/r/git-upload-pack",
      forms: ["cors-anywhere", "git"],
      read: { form: "git", address: "https://a.test/r/git-upload-pack" },
    },
    {
      path: "/a.test/r/git-upload-pack",
      forms: ["cors-anywhere"],
      read: { form: "cors-anywhere", address: "http://a.test/r/git-upload-pack" },
    },
    {
      path: "/?url=a&scalar_url=b",
      forms: [...ADDRESS_FORMS],
      read: { form: "scalar", address: "b" },
    },
    { path: "/?url=a&scalar_url=b", forms: ["corsproxy"], read: { form: "corsproxy", address: "a" } },
  ])("$forms read $path as $read", ({ path, forms, read }) => {
    expect(readForm(path, forms)).toEqual(read);
  });
});
