/** Which way a connection takes. @module */
import { describe, expect, it } from "vitest";
import type { Exchange, Prepared } from "../../../src/core/exchange/exchange.ts";
import { NO_HOOKS } from "../../../src/core/exchange/hooks.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import type { Bonds } from "../../../src/core/runtime.ts";
import { readConfig } from "../../../src/core/settings/config.ts";
import {
  checkRuntime,
  chooseRoute,
  isHandedOn,
  lendBonds,
  mayDetour,
  refuseDetour,
} from "../../../src/core/way/choose-route.ts";
import { exchangeOf, type Request } from "../../support/exchange.ts";
import { alike, rowsOf } from "../../support/rows.ts";
import { hooksFor, tableOf } from "../../support/table.ts";

const UPSTREAM_PROXY = "http://proxy.test:3128";
const PUBLIC = "93.184.216.34";
const waysOf = (settings: Record<string, string | undefined>, entries?: Record<string, unknown>) => ({
  config: readConfig(settings),
  parts: hooksFor(entries && tableOf(entries)),
});

it.each([
  { about: "no entry", members: undefined, asks: false },
  { about: "an entry that says nothing of the connection", members: { methods: ["GET"] }, asks: false },
  { about: "another proxy", members: { upstream: "http://proxy.test:1" }, asks: true },
  { about: "a way of its own", members: { upstream: "direct" }, asks: true },
  { about: "certificates", members: { insecure: true }, asks: true },
])("what asks for a way is found for $about: $asks", ({ members, asks }) => {
  expect(mayDetour(waysOf({}, members && { "a.test": members }), new URL("https://a.test"))).toBe(asks);
  expect(mayDetour(waysOf({ UPSTREAM_PROXY }, {}), new URL("https://a.test"))).toBe(true);
});

describe("the way of a hop", () => {
  it.each(rowsOf(["about", "origin", "addresses", "through"], [
    ["a public address", "http://a.test", [PUBLIC], true],
    ["https", "https://a.test", [PUBLIC], true],
    ["a literal", `http://${PUBLIC}`, [PUBLIC], true],
    ["IPv6", "http://a.test", ["2606:4700::1111"], true],
    ["a name that nobody looked up", "http://a.test", undefined, true],
    ["loopback", "http://a.test", ["127.0.0.1"], false],
    ["a private address", "http://a.test", ["10.0.0.1"], false],
    ["a private one among public ones", "http://a.test", [PUBLIC, "10.0.0.1"], false],
    ["IPv4 inside IPv6", "http://a.test", ["64:ff9b::a00:1"], false],
    ["localhost", "http://localhost", [PUBLIC], false],
    ["localhost unseen", "http://a.localhost", undefined, false],
    ["a listed name", "http://listed.test", [PUBLIC], false],
    ["a listed name in capitals", "http://LISTED.test", undefined, false],
    ["a name below a listed one", "http://a.below.test", [PUBLIC], false],
    ["the listed suffix itself", "http://below.test", [PUBLIC], true],
    ["a listed port", "http://port.test:81", [PUBLIC], false],
    ["another port", "http://port.test", [PUBLIC], true],
    ["a listed range", "http://a.test", [PUBLIC, "8.8.4.4"], false],
  ]))("to $about goes through the other proxy: $through", ({ origin, addresses, through }) => {
    const config = readConfig({
      UPSTREAM_PROXY,
      NO_UPSTREAM: "listed.test,*.below.test,port.test:81,8.8.4.0/24",
    });
    const route = chooseRoute({ config, parts: NO_HOOKS }, new URL(origin), addresses);
    expect(route).toBe(through ? config.upstreamProxy?.http : undefined);
  });

  it("is that of its scheme", () => {
    const config = readConfig({
      UPSTREAM_PROXY: "env",
      HTTPS_PROXY: "http://a.test",
      HTTP_PROXY: "http://b.test",
    });
    const hosts = ["https://x.test", "http://x.test"].map((origin) =>
      chooseRoute({ config, parts: NO_HOOKS }, new URL(origin), [PUBLIC])?.upstream?.host
    );
    expect(hosts).toEqual(["a.test:80", "b.test:80"]);
  });

  it("is direct without the setting", () =>
    expect(chooseRoute(waysOf({}), new URL("http://a.test"), [PUBLIC])).toBeUndefined());
});

describe("the route of an entry", () => {
  const own = "socks5://own.test:1081";

  it.each(rowsOf(["about", "settings", "upstream", "host"], [
    ["its own proxy", {}, own, "own.test:1081"],
    ["its own proxy first", { UPSTREAM_PROXY }, own, "own.test:1081"],
    ["directly", { UPSTREAM_PROXY }, "direct", undefined],
    ["directly where it is listed", { UPSTREAM_PROXY, NO_UPSTREAM: "a.test" }, own, undefined],
  ]))("goes through $about", ({ settings, upstream, host }) => {
    const ways = waysOf(settings, { "a.test": { upstream } });
    const route = chooseRoute(ways, new URL("http://a.test"), [PUBLIC]);
    expect(route?.upstream?.host).toBe(host);
    expect(chooseRoute(ways, new URL("https://a.test"), [PUBLIC])).toBe(route);
    expect(chooseRoute(ways, new URL("http://a.test"), ["10.0.0.1"])).toBeUndefined();
  });

  it("has its certificates, for https alone", () => {
    const ways = waysOf({}, { "a.test": { serverName: "b.test" } });
    const route = chooseRoute(ways, new URL("https://a.test"), [PUBLIC]);
    expect(route).toEqual({ tls: { serverName: "b.test" } });
    expect(chooseRoute(ways, new URL("https://a.test"), ["127.0.0.1"])).toBe(route);
    expect(chooseRoute(ways, new URL("http://a.test"), [PUBLIC])).toBeUndefined();
    expect(chooseRoute(ways, new URL("https://b.test"), [PUBLIC])).toBeUndefined();
  });

  it("is another one for each way, entry and table", () => {
    const entries = { "a.test": { serverName: "c.test" }, "b.test": { serverName: "c.test" } };
    const ways = waysOf({ UPSTREAM_PROXY }, entries);
    const through = chooseRoute(ways, new URL("https://a.test"), [PUBLIC]);
    const routes = [
      through,
      chooseRoute(ways, new URL("https://a.test"), ["10.0.0.1"]),
      chooseRoute(ways, new URL("https://b.test"), [PUBLIC]),
      chooseRoute({ ...ways, parts: hooksFor(tableOf(entries)) }, new URL("https://a.test"), [PUBLIC]),
    ];
    expect(new Set(routes).size).toBe(4);
    expect(routes.map((route) => route?.upstream?.host ?? "direct"))
      .toEqual(["proxy.test:3128", "direct", "proxy.test:3128", "proxy.test:3128"]);
    expect(chooseRoute(ways, new URL("https://a.test"), [PUBLIC])).toBe(through);
  });

  it("that is direct leaves no name to the other proxy", () => {
    const entries = { "a.test": { upstream: "direct" }, "b.test": { upstream: own } };
    const ways = waysOf({ UPSTREAM_PROXY, UPSTREAM_DNS: "remote" }, entries);
    const handed = ["a", "b", "c"].map((name) => isHandedOn(ways, new URL(`http://${name}.test`)));
    expect(handed).toEqual([false, true, true]);
  });
});

it.each([
  { origin: "http://a.test", remote: true },
  { origin: `http://${PUBLIC}`, remote: false },
  ...alike("origin", { remote: false })`http://[::1] http://localhost http://intranet http://a.internal
    http://listed.test`,
])("names that the other proxy looks up $origin: $remote", ({ origin, remote }) => {
  const settings = { UPSTREAM_PROXY, UPSTREAM_DNS: "remote", NO_UPSTREAM: "listed.test" };
  expect(isHandedOn(waysOf(settings), new URL(origin))).toBe(remote);
  expect(isHandedOn(waysOf({ ...settings, UPSTREAM_DNS: "local" }), new URL(origin))).toBe(false);
  expect(isHandedOn(waysOf({ ...settings, UPSTREAM_PROXY: "" }), new URL(origin))).toBe(false);
});

describe("a runtime that connects directly only", () => {
  const config = readConfig({ UPSTREAM_PROXY });

  it("is refused at the start", () =>
    expect(() => checkRuntime(config, {})).toThrow(/^UPSTREAM_PROXY is set, expected none here/));

  it("is fine without the setting, as every other one is with it", () => {
    expect(() => checkRuntime(readConfig({}), {})).not.toThrow();
    expect(() => checkRuntime(config, { obeysRoute: true })).not.toThrow();
  });

  it("sends nothing directly", () => {
    expect(() => refuseDetour({}, new URL("http://a.test"), {})).toThrow(
      expect.objectContaining({
        code: "not_implemented",
        message: expect.stringMatching(/^Cannot reach a\.test: /),
      }),
    );
    expect(() => refuseDetour({}, new URL("http://a.test"), { tls: { insecure: true } }))
      .toThrow(/^Cannot reach a\.test: its entry in the table of targets asks for certificates/);
    expect(() => refuseDetour({ obeysRoute: true }, new URL("http://a.test"), {})).not.toThrow();
  });
});

/** Bonds that tell which part of them was lent. */
const BONDS = { part: (name: string) => name } as unknown as Bonds;
const TRUSTED = { options: { trustedProxies: ["127.0.0.1"] } };

const headers = new Fields([["authorization", "NTLM own"]]);
const PREPARED = { headers } as unknown as Prepared;

function lend(request: Request, more: Partial<Exchange> = {}, prepared = PREPARED, sent = headers) {
  const exchange = exchangeOf(request);
  const incoming = Object.assign(exchange.incoming, { bonds: BONDS });
  return lendBonds({ ...exchange, incoming, ...more }, prepared, sent);
}

it("lends those of a connection as they are to its one user", () => {
  expect(lend({})).toBe(BONDS);
  expect(lend({}, {}, PREPARED, new Fields(headers))).toBe(BONDS);
});

it("lends a stray request none", () => expect(lend({}, {}, { ...PREPARED, isStray: true })).toBeUndefined());

it("lends none where the connection is not known", () => {
  expect(lendBonds(exchangeOf(), PREPARED, headers)).toBeUndefined();
});

it("keeps apart what one connection carries", () => {
  const token = (id: string) => ({ token: { claims: { id } } } as unknown as Partial<Exchange>);
  const from = (address: string): Request => ({ ...TRUSTED, fields: { "x-forwarded-for": address } });
  const parts = [
    lend({}),
    lend(from("192.0.2.1")),
    lend(from("192.0.2.2")),
    lend({}, token("a")),
    lend({}, token("b")),
    lend({ asker: "console" }),
    lend({ asker: "granted", fields: { origin: "https://a.test" } }),
    lend({ asker: "granted", fields: { origin: "https://b.test" } }),
    lend({}, {}, PREPARED, new Fields([["authorization", "Negotiate of-the-table"]])),
  ];
  expect(new Set(parts).size).toBe(parts.length);
});
