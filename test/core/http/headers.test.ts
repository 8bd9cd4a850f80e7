/** Which header fields are whose, and what `Connection` may take away. */
import { describe, expect, it } from "vitest";
import { HOP_BY_HOP, isCallerIdentity, isFieldValue, isHopByHop } from "../../../src/core/http/headers.ts";
import {
  isLook,
  isNavigation,
  isSteering,
  isToken,
  isTopNavigation,
  isTyped,
} from "../../../src/core/http/headers.ts";
import { isUpgrade, readNominated, readUpgrade } from "../../../src/core/http/headers.ts";
import { grouped, words } from "../../support/rows.ts";

const ALL_CHARACTERS = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code));

describe("isToken", () => {
  it("takes exactly the characters of RFC 9110 §5.6.2", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    expect(ALL_CHARACTERS.filter(isToken).sort().join(""))
      .toBe([..."!#$%&'*+-.^_`|~0123456789", ...letters].sort().join(""));
  });

  it.each(grouped(["is", "text"], [
    [false, ["", "a b", "a:", "a\n", "\na", "a\r\nb", "é", "\ud800", "a,b", "a/b"]],
    [true, ["GET", "x-a_b", "__proto__"]],
  ]))("$text: $is", ({ text, is }) => expect(isToken(text)).toBe(is));
});

describe("isUpgrade", () => {
  it.each(grouped(["is", "upgrade"], [
    [true, ["websocket", "WebSocket", "h2c, websocket"]],
    [false, ["h2c", "websocket2", ""]],
  ]))("$upgrade → $is", ({ upgrade, is }) => expect(isUpgrade(new Headers({ upgrade }))).toBe(is));

  it("is false without the field", () => expect(isUpgrade(new Headers())).toBe(false));
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

  it("is undefined without the field", () =>
    expect(readUpgrade(new Headers({ connection: "upgrade" }))).toBeUndefined());
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

  it.each(grouped(["is", "text"], [
    [true, ["", 'a, b; c="d"']],
    [false, ["a\n", "a\r\nb: c", "a\0b", "😀", "\udc00"]],
  ]))("$text: $is", ({ text, is }) => expect(isFieldValue(text)).toBe(is));
});

describe("isHopByHop", () => {
  it.each(grouped(["is", "name"], [
    [
      true,
      words(`
        connection keep-alive te trailer transfer-encoding upgrade expect http2-settings proxy-connection
        proxy-authorization proxy-authenticate proxy-authentication-info proxy-host proxy-token proxy-
      `),
    ],
    [false, [
      ...words(`
        proxy proxy_host x-proxy-a te-x upgrade-insecure-requests content-length content-encoding
        authorization cookie host accept-encoding range constructor
      `),
      "",
    ]],
  ]))("$name: $is", ({ name, is }) => expect(isHopByHop(name)).toBe(is));

  it("knows every listed field", () => {
    expect(HOP_BY_HOP.size).toBeGreaterThan(0);
    expect([...HOP_BY_HOP].filter((name) => !isHopByHop(name) || name !== name.toLowerCase())).toEqual([]);
  });
});

it.each(grouped(["is", "name"], [
  [
    true,
    words(`
      forwarded x-forwarded x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port
      x-forwarded-anything x-original-forwarded-for x-real-ip x-client-ip x-cluster-client-ip client-ip
      true-client-ip cf-connecting-ip cf-ipcountry cf-ray fastly-client-ip fly-client-ip
      x-envoy-external-address x-vercel-forwarded-for x-azure-clientip x-appengine-user-ip x-originating-ip
      remote-addr x-proxyuser-ip forwarded-for x-forward-for x-appengine-remote-addr x-akamai-edgescape
      x_forwarded_for x-forwarded_for x_real_ip client_ip cf_connecting_ip cloudfront-viewer-address ali-cdn-real-ip
    `),
  ],
  [
    false,
    words(`
      proxy_host proxy_token x_a forwarded-x x-cf-ray cfa x-vercel-id via user-agent referer origin
      authorization constructor
    `),
  ],
]))("isCallerIdentity: $name: $is", ({ name, is }) => expect(isCallerIdentity(name)).toBe(is));

it.each(grouped(["is", "name"], [
  [true, ["proxy_host", "proxy_token", "proxy-host", "proxy-token"]],
  [false, ["proxy_hosts", "x_proxy_host", "host", "cookie"]],
]))(
  "isSteering, with what Proxy-* covers: $name: $is",
  ({ name, is }) => expect(isSteering(name) || isHopByHop(name)).toBe(is),
);

describe("readNominated", () => {
  it.each([
    ...words(`keep-alive close authorization Cookie HOST content-length`),
    null,
    "",
    "Content-Type, content-encoding,content-x",
    "authorization, cookie, host, content-length",
    " , ,,",
  ])("of %s is nothing", (connection) => expect([...readNominated(connection) ?? []]).toEqual([]));

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
    expect([nominated?.has("authorization"), nominated?.has("cookie")]).toEqual([false, false]);
  });

  it.each(["keep-alive, x-a", "close, x-a", "Keep-Alive, X-A"])(
    "finds what stands beside an option: %s",
    (connection) => expect(readNominated(connection)?.has("x-a")).toBe(true),
  );
});

it.each([
  { mode: "navigate", dest: "document", is: true, isTop: true },
  { mode: "navigate", dest: "iframe", is: true, isTop: false },
  { mode: "no-cors", dest: "document", is: false, isTop: false },
  { mode: "cors", dest: "empty", is: false, isTop: false },
])("navigations: $mode, $dest: $is, in a window of its own: $isTop", ({ mode, dest, is, isTop }) => {
  const headers = new Headers({ "sec-fetch-mode": mode, "sec-fetch-dest": dest });
  expect([isNavigation(headers), isTopNavigation(headers)]).toEqual([is, isTop]);
});

it.each([
  { method: "GET", is: true },
  { method: "HEAD", is: true },
  { method: "POST", is: false },
])("$method only looks: $is", ({ method, is }) => expect(isLook(method)).toBe(is));

it.each([
  { site: "none", dest: "document", is: true },
  { site: "none", dest: "iframe", is: false },
  { site: "cross-site", dest: "document", is: false },
])("an address is typed, from $site for a $dest: $is", ({ site, dest, is }) =>
  expect(isTyped(
    new Headers({ "sec-fetch-mode": "navigate", "sec-fetch-site": site, "sec-fetch-dest": dest }),
  )).toBe(is));
