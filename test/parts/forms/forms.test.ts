/**
 * The forms of other proxies: which paths hold an address, and which, byte for byte. Their own examples are among them.
 */
import { describe, expect, it } from "vitest";
import { readCorsAnywhere, readCorsproxy, readForm } from "../../../src/parts/forms/forms.ts";
import { readGit, readScalar } from "../../../src/parts/forms/forms.ts";
import { ADDRESS_FORMS, type AddressForm } from "../../../src/core/address/address.ts";
import { rowsOf, words } from "../../support/rows.ts";

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
  ])("$path is $address", ({ path, address }) => expect(readCorsAnywhere(path)).toBe(address));

  it.each(words(`
    / /?x // * //example.com /favicon.ico /robots.txt /index.html?x=1 /app.min.js /users /users/1 /host:3000/x
    /v1.2/users /1.2.3/x /.well-known/x /a..test/x /a.test:x/ /a.test:123456/ /u:p@a.test/ /a.b/x
    /https%3A%2F%2Fa.test /ftp://a.test/ /javascript:alert(1)
  `))("%s holds none", (path) => expect(readCorsAnywhere(path)).toBeUndefined());
});

describe("corsproxy", () => {
  it.each(rowsOf(["path", "address"], [
    // Its documentation.
    ["/?url=https%3A%2F%2Fapi.github.com%2Fusers%2Foctocat", "https://api.github.com/users/octocat"],
    [
      `/?url=${encodeURIComponent("https://api.example.com/search?q=hello world&type=json")}`,
      "https://api.example.com/search?q=hello world&type=json",
    ],
    ["/?url=https://example.com/api", "https://example.com/api"],
    ["/?key=1&url=https%3A%2F%2Fhttpbin.org%2Fget", "https://httpbin.org/get"],
    // cloudflare-cors-anywhereand Corsfix.
    ["/?https://httpbin.org/post", "https://httpbin.org/post"],
    ["/?https://api.example.com/data?key=1&x=2", "https://api.example.com/data?key=1&x=2"],
    // The rest.
    ["/?https://a.test/x?y=1&z=2", "https://a.test/x?y=1&z=2"],
    ["/?https://a.test/x&y=1", "https://a.test/x&y=1"],
    ["/?https://a.test/%7E%2F|'+?q=%26&url=b", "https://a.test/%7E%2F|'+?q=%26&url=b"],
    ["/?https%3A%2F%2Fa.test%2Fx%3Fy%3D1%26z%3D2", "https://a.test/x?y=1&z=2"],
    ["/?https%3A%2F%2Fa.test%2F%zz", "https%3A%2F%2Fa.test%2F%zz"],
    ["/?url=https%3A%2F%2Fa.test%2F%252F", "https://a.test/%2F"],
    ["/?url=https://a.test/p?x=%26&y=2", "https://a.test/p?x=%26&y=2"],
    ["/?url=https://a.test/p&y=2", "https://a.test/p"],
    ["/?url=wss://a.test/", "wss://a.test/"],
    ["/?url=", ""],
    ["/?url=a.test", "a.test"],
    ["/?url=%zz", "url=%zz"],
  ]))("$path is $address", ({ path, address }) => expect(readCorsproxy(path)).toBe(address));

  it.each(words(`
    / /? /?x=https://a.test/ /?a.test /x?url=https://a.test/ //?url=https://a.test/
    /?scalar_url=https://a.test/ /?https *
  `))("%s holds none", (path) => expect(readCorsproxy(path)).toBeUndefined());
});

describe("scalar", () => {
  it.each(rowsOf(["path", "address"], [
    // What its client writesand its proxy's own hint.
    [
      `/?${new URLSearchParams({ scalar_url: "https://a.test/x?q=a b+c&é=~'" })}`,
      "https://a.test/x?q=a b+c&é=~'",
    ],
    ["/?scalar_url=https%3A%2F%2Fgalaxy.scalar.com%2Fplanets", "https://galaxy.scalar.com/planets"],
    // The rest.
    ["/?x=1&scalar_url=https%3A%2F%2Fa.test%2F&y=2", "https://a.test/"],
    ["/?scalar_url=https%3A%2F%2Fa.test%2F%252F", "https://a.test/%2F"],
    ["/?scalar_url=https://a.test/a+b", "https://a.test/a+b"],
    ["/?scalar_url=https://a.test/p?x=%26&y=2", "https://a.test/p?x=%26&y=2"],
    ["/?scalar_url=%zz", "%zz"],
    ["/?scalar_url=", ""],
  ]))("$path is $address", ({ path, address }) => expect(readScalar(path)).toBe(address));

  it.each(words(`
    / /?url=https%3A%2F%2Fa.test%2F%3Fscalar_url%3Dx /x?scalar_url=https%3A%2F%2Fa.test%2F
    /?xscalar_url=https%3A%2F%2Fa.test%2F
  `))("%s holds none", (path) => expect(readScalar(path)).toBeUndefined());
});

describe("git", () => {
  it.each(rowsOf(["path", "address"], [
    // What isomorphic-git asks for.
    [
      "/github.com/o/r.git/info/refs?service=git-upload-pack",
      "https://github.com/o/r.git/info/refs?service=git-upload-pack",
    ],
    [
      "/github.com/o/r.git/info/refs?service=git-receive-pack",
      "https://github.com/o/r.git/info/refs?service=git-receive-pack",
    ],
    ["/github.com/o/r.git/git-upload-pack", "https://github.com/o/r.git/git-upload-pack"],
    ["/github.com/o/r.git/git-receive-pack", "https://github.com/o/r.git/git-receive-pack"],
    // The rest.
    [
      "/git.test:8443/r/info/refs?a=1&service=git-upload-pack",
      "https://git.test:8443/r/info/refs?a=1&service=git-upload-pack",
    ],
    [
      "/127.0.0.1:3000/r.git/info/refs?service=git-upload-pack",
      "http://127.0.0.1:3000/r.git/info/refs?service=git-upload-pack",
    ],
    ["/localhost:3000/r.git/git-upload-pack", "http://localhost:3000/r.git/git-upload-pack"],
    ["/git.localhost/r.git/git-upload-pack", "http://git.localhost/r.git/git-upload-pack"],
    ["/[::1]:3000/r.git/git-upload-pack", "https://[::1]:3000/r.git/git-upload-pack"],
  ]))("$path is $address", ({ path, address }) => expect(readGit(path)).toBe(address));

  it.each(words(`
    / /github.com/o/r.git /github.com/o/r.git/info/refs
    /github.com/o/r.git/info/refs?service=git-upload-archive
    /github.com/o/r.git/info/refs?xservice=git-upload-pack /github.com/o/r.git/HEAD
    /github.com/o/r.git/?/git-upload-pack /o/r.git/git-upload-pack /https://github.com/o/r.git/git-upload-pack
    /git-upload-pack
  `))("%s holds none", (path) => expect(readGit(path)).toBeUndefined());
});

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
  { path: "/?url=a&scalar_url=b", forms: [...ADDRESS_FORMS], read: { form: "scalar", address: "b" } },
  { path: "/?url=a&scalar_url=b", forms: ["corsproxy"], read: { form: "corsproxy", address: "a" } },
])(
  "of several forms: $forms read $path as $read",
  ({ path, forms, read }) => expect(readForm(path, forms)).toEqual(read),
);
