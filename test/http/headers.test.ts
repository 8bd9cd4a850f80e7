/**
 * Which header fields are whose, and what `Connection` may take away.
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  HOP_BY_HOP,
  isCallerIdentity,
  isFieldValue,
  isHopByHop,
  isNavigation,
  isSteering,
  isToken,
  isTopNavigation,
  isUpgrade,
  readNominated,
  readUpgrade,
} from "../../src/http/headers.ts";

const ALL_CHARACTERS = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));

describe("isToken", () => {
  it("takes exactly the characters of RFC 9110 §5.6.2", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    expect(ALL_CHARACTERS.filter(isToken).sort().join("")).toBe(
      [..."!#$%&'*+-.^_`|~0123456789", ...letters].sort().join(""),
    );
  });

  it.each([
    { text: "", is: false },
    { text: "GET", is: true },
    { text: "x-a_b", is: true },
    { text: "__proto__", is: true },
    { text: "a b", is: false },
    { text: "a:", is: false },
    { text: "a\n", is: false },
    { text: "\na", is: false },
    { text: "a\r\nb", is: false },
    { text: "é", is: false },
    { text: "\ud800", is: false },
    { text: "a,b", is: false },
    { text: "a/b", is: false },
  ])("$text: $is", ({ text, is }) => {
    expect(isToken(text)).toBe(is);
  });
});

describe("isUpgrade", () => {
  it.each([
    { upgrade: "websocket", is: true },
    { upgrade: "WebSocket", is: true },
    { upgrade: "h2c, websocket", is: true },
    { upgrade: "h2c", is: false },
    { upgrade: "websocket2", is: false },
    { upgrade: "", is: false },
  ])("$upgrade → $is", ({ upgrade, is }) => {
    expect(isUpgrade(new Headers({ upgrade }))).toBe(is);
  });

  it("is false without the field", () => {
    expect(isUpgrade(new Headers())).toBe(false);
  });
});

describe("readUpgrade", () => {
  it.each<{ upgrade: string; connection?: string; is: string | undefined }>([
    { upgrade: "websocket", is: "websocket" },
    { upgrade: "tcp, WebSocket", is: "websocket" },
    { upgrade: "websocket", connection: "close", is: "websocket" },
    { upgrade: "tcp", is: "tcp" },
    { upgrade: "tcp", connection: "x, UPGRADE", is: "tcp" },
    { upgrade: "tcp", connection: "close", is: undefined },
    { upgrade: ", h2c ,\tSPDY/3.1 , b", is: "SPDY/3.1" },
    { upgrade: "h2c-14", is: "h2c-14" },
    { upgrade: "h2c", is: undefined },
    { upgrade: "H2, HTTP/2.0,TLS/1.0", is: undefined },
    { upgrade: "https", is: "https" },
    { upgrade: "", is: undefined },
  ])("$upgrade, by Connection: $connection → $is", ({ upgrade, connection = "Upgrade", is }) => {
    expect(readUpgrade(new Headers({ upgrade, connection }))).toBe(is);
  });

  it("is undefined without the field", () => {
    expect(readUpgrade(new Headers({ connection: "upgrade" }))).toBeUndefined();
  });
});

describe("isFieldValue", () => {
  it("takes tab, blank, visible ASCII and the upper half of Latin-1, nothing else", () => {
    const refused = ALL_CHARACTERS.filter((character) => !isFieldValue(character)).map((c) =>
      c.charCodeAt(0)
    );
    const controls = Array.from({ length: 32 }, (_, code) => code).filter((code) => code !== 9);
    const beyond = Array.from({ length: 0x80 }, (_, index) => 0x100 + index);
    expect(refused).toEqual([...controls, 0x7f, ...beyond]);
  });

  it.each([
    { text: "", is: true },
    { text: 'a, b; c="d"', is: true },
    { text: "a\n", is: false },
    { text: "a\r\nb: c", is: false },
    { text: "a\0b", is: false },
    { text: "😀", is: false },
    { text: "\udc00", is: false },
  ])("$text: $is", ({ text, is }) => {
    expect(isFieldValue(text)).toBe(is);
  });
});

describe("isHopByHop", () => {
  it.each([
    { name: "connection", is: true },
    { name: "keep-alive", is: true },
    { name: "te", is: true },
    { name: "trailer", is: true },
    { name: "transfer-encoding", is: true },
    { name: "upgrade", is: true },
    { name: "expect", is: true },
    { name: "http2-settings", is: true },
    { name: "proxy-connection", is: true },
    { name: "proxy-authorization", is: true },
    { name: "proxy-authenticate", is: true },
    { name: "proxy-authentication-info", is: true },
    { name: "proxy-host", is: true },
    { name: "proxy-token", is: true },
    { name: "proxy-", is: true },
    { name: "proxy", is: false },
    { name: "proxy_host", is: false },
    { name: "x-proxy-a", is: false },
    { name: "te-x", is: false },
    { name: "upgrade-insecure-requests", is: false },
    { name: "content-length", is: false },
    { name: "content-encoding", is: false },
    { name: "authorization", is: false },
    { name: "cookie", is: false },
    { name: "host", is: false },
    { name: "accept-encoding", is: false },
    { name: "range", is: false },
    { name: "constructor", is: false },
    { name: "", is: false },
  ])("$name: $is", ({ name, is }) => {
    expect(isHopByHop(name)).toBe(is);
  });

  it("knows every listed field", () => {
    expect(HOP_BY_HOP.size).toBeGreaterThan(0);
    expect([...HOP_BY_HOP].filter((name) => !isHopByHop(name) || name !== name.toLowerCase())).toEqual([]);
  });
});

describe("isCallerIdentity", () => {
  it.each([
    { name: "forwarded", is: true },
    { name: "x-forwarded", is: true },
    { name: "x-forwarded-for", is: true },
    { name: "x-forwarded-host", is: true },
    { name: "x-forwarded-proto", is: true },
    { name: "x-forwarded-port", is: true },
    { name: "x-forwarded-anything", is: true },
    { name: "x-original-forwarded-for", is: true },
    { name: "x-real-ip", is: true },
    { name: "x-client-ip", is: true },
    { name: "x-cluster-client-ip", is: true },
    { name: "client-ip", is: true },
    { name: "true-client-ip", is: true },
    { name: "cf-connecting-ip", is: true },
    { name: "cf-ipcountry", is: true },
    { name: "cf-ray", is: true },
    { name: "fastly-client-ip", is: true },
    { name: "fly-client-ip", is: true },
    { name: "x-envoy-external-address", is: true },
    { name: "x-vercel-forwarded-for", is: true },
    { name: "x-azure-clientip", is: true },
    { name: "x-appengine-user-ip", is: true },
    { name: "x-originating-ip", is: true },
    { name: "remote-addr", is: true },
    { name: "x-proxyuser-ip", is: true },
    { name: "forwarded-for", is: true },
    { name: "x-forward-for", is: true },
    { name: "x-appengine-remote-addr", is: true },
    { name: "x-akamai-edgescape", is: true },
    { name: "x_forwarded_for", is: true },
    { name: "x-forwarded_for", is: true },
    { name: "x_real_ip", is: true },
    { name: "client_ip", is: true },
    { name: "cf_connecting_ip", is: true },
    { name: "proxy_host", is: false },
    { name: "proxy_token", is: false },
    { name: "x_a", is: false },
    { name: "forwarded-x", is: false },
    { name: "x-cf-ray", is: false },
    { name: "cfa", is: false },
    { name: "x-vercel-id", is: false },
    { name: "via", is: false },
    { name: "user-agent", is: false },
    { name: "referer", is: false },
    { name: "origin", is: false },
    { name: "authorization", is: false },
    { name: "constructor", is: false },
  ])("$name: $is", ({ name, is }) => {
    expect(isCallerIdentity(name)).toBe(is);
  });
});

describe("isSteering, with what Proxy-* covers", () => {
  it.each([
    { name: "proxy_host", is: true },
    { name: "proxy_token", is: true },
    { name: "proxy-host", is: true },
    { name: "proxy-token", is: true },
    { name: "proxy_hosts", is: false },
    { name: "x_proxy_host", is: false },
    { name: "host", is: false },
    { name: "cookie", is: false },
  ])("$name: $is", ({ name, is }) => {
    expect(isSteering(name) || isHopByHop(name)).toBe(is);
  });
});

describe("readNominated", () => {
  it.each([
    { connection: null },
    { connection: "" },
    { connection: "keep-alive" },
    { connection: "close" },
    { connection: "authorization" },
    { connection: "Cookie" },
    { connection: "HOST" },
    { connection: "content-length" },
    { connection: "Content-Type, content-encoding,content-x" },
    { connection: "authorization, cookie, host, content-length" },
    { connection: " , ,," },
  ])("of $connection is nothing", ({ connection }) => {
    expect([...readNominated(connection) ?? []]).toEqual([]);
  });

  it.each([
    { connection: "x-a", names: ["x-a"] },
    { connection: "X-A", names: ["x-a"] },
    { connection: "x-a,X-B ,\tx-c", names: ["x-a", "x-b", "x-c"] },
    { connection: "authorization, x-a, cookie", names: ["x-a"] },
    { connection: "x-a,,", names: ["x-a"] },
    { connection: "upgrade", names: ["upgrade"] },
    { connection: "x-authorization", names: ["x-authorization"] },
    { connection: "contents", names: ["contents"] },
    { connection: "__proto__", names: ["__proto__"] },
  ])("of $connection holds $names", ({ connection, names }) => {
    const nominated = readNominated(connection);
    expect(names.filter((name) => !nominated?.has(name))).toEqual([]);
    expect(nominated?.has("authorization")).toBe(false);
    expect(nominated?.has("cookie")).toBe(false);
  });

  it.each([
    { connection: "keep-alive, x-a" },
    { connection: "close, x-a" },
    { connection: "Keep-Alive, X-A" },
  ])("finds what stands beside an option: $connection", ({ connection }) => {
    expect(readNominated(connection)?.has("x-a")).toBe(true);
  });
});

describe("navigations", () => {
  it.each([
    { mode: "navigate", dest: "document", is: true, isTop: true },
    { mode: "navigate", dest: "iframe", is: true, isTop: false },
    { mode: "no-cors", dest: "document", is: false, isTop: false },
    { mode: "cors", dest: "empty", is: false, isTop: false },
  ])("$mode, $dest: $is, in a window of its own: $isTop", ({ mode, dest, is, isTop }) => {
    const headers = new Headers({ "sec-fetch-mode": mode, "sec-fetch-dest": dest });
    expect([isNavigation(headers), isTopNavigation(headers)]).toEqual([is, isTop]);
  });
});
