/** The address of another proxy. */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { decodeUpstreamProxy } from "../../../src/core/address/upstream-proxy.ts";
import { rowsOf } from "../../support/rows.ts";

describe("the address of a proxy", () => {
  it.each(rowsOf(["text", "read"], [
    ["http://proxy.test:3128", { kind: "http", hostname: "proxy.test", port: 3128 }],
    ["HTTP://Proxy.Test", { kind: "http", hostname: "proxy.test", port: 80 }],
    ["https://proxy.test/", { kind: "https", hostname: "proxy.test", port: 443 }],
    ["socks5://10.0.0.1", { kind: "socks5", hostname: "10.0.0.1", port: 1080 }],
    ["socks5://10.0.0.1:80", { kind: "socks5", hostname: "10.0.0.1", port: 80 }],
    ["http://[fd00::1]:8080", { kind: "http", hostname: "fd00::1", host: "[fd00::1]:8080" }],
    ["http://u@a.test", { login: { username: "u", password: "" } }],
    ["http://u%40x:p%3a%2F@a.test:1", { login: { username: "u@x", password: "p:/" }, host: "a.test:1" }],
    ["http://u:a:b@a.test", { login: { username: "u", password: "a:b" } }],
    ["socks5://%C3%A9:%C3%BC@a.test", { login: { username: "é", password: "ü" } }],
    ["http://a.test", { login: undefined }],
  ]))("$text is read", ({ text, read }) => expect(decodeUpstreamProxy(text)).toMatchObject(read));

  it.each([
    { text: "" },
    { text: "proxy.test:3128" },
    { text: "ftp://proxy.test" },
    { text: "socks4://proxy.test" },
    { text: "socks5h://proxy.test" },
    { text: "http://" },
    { text: "http://proxy.test:0" },
    { text: "http://proxy.test:65536" },
    { text: "http://proxy.test/path" },
    { text: "http://proxy.test?query" },
    { text: "http://proxy.test#fragment" },
    { text: "http://pro xy.test" },
    { text: "http://::1" },
    { text: "http://u:p/w@proxy.test" },
    { text: "http://%zz@proxy.test" },
    { text: "http://u:%0d%0ax@proxy.test" },
    // A colon would end the name.
    { text: "http://u%3Ax:p@proxy.test" },
    // Length takes one byte, and a name is needed.
    { text: `socks5://${"u".repeat(256)}:p@proxy.test` },
    { text: `socks5://u:${"%C3%A9".repeat(128)}@proxy.test` },
    { text: "socks5://:p@proxy.test" },
  ])("$text is none", ({ text }) => expect(decodeUpstreamProxy(text)).toBeUndefined());

  it("shows its credentials in no text form", () => {
    const proxy = decodeUpstreamProxy("http://user:secret@a.test");
    const texts = [JSON.stringify({ proxy }), inspect(proxy, { depth: 9, showHidden: true }), String(proxy)];
    expect(texts.join()).not.toContain("secret");
  });
});
