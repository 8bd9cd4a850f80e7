/**
 * Whose page asks, and what it may do: the table that the whole law is read from.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Options } from "../../src/settings/config.ts";
import type { Exchange, Target } from "../../src/exchange/exchange.ts";
import {
  asksToken,
  hasToken,
  isLedTo,
  isPrivateName,
  mayReachPrivate,
  maySeeTraffic,
  type Refusal,
  refusePrivate,
} from "../../src/exchange/rights.ts";
import { BROWSER } from "../support/browser-fields.ts";
import { exchangeOf, TICKET } from "../support/exchange.ts";

const LABEL = "h-evil-test.w.localhost:8080";
const EVIL = "proxy_host=http://evil.test";
const LOCAL = "proxy_host=http://localhost:3000";

type Fields = Record<string, string | undefined>;

/** Asks for one private address. */
function refuse(address: string, selector: Target["selector"], exchange: Exchange, isUnasked = false) {
  const origin = new URL(address);
  const target: Target = { selector, origin, path: "/", basePath: "", isUnasked };
  const port = Number(origin.port) || 80;
  return refusePrivate(exchange, target, { origin, hostname: origin.hostname, port }, "10.1.2.3") ??
    "allowed";
}

interface Row {
  fields: Fields;
  selector: Target["selector"];
  address?: string;
  options?: Options;
  verdict: Refusal | "allowed";
}

const ADDRESS = "http://10.1.2.3";
const PUBLIC_NAME = "http://staging.corp.example";

describe("a private address, by default", () => {
  const rows: Row[] = [
    { fields: {}, selector: "url", verdict: "allowed" },
    { fields: {}, selector: "header", address: PUBLIC_NAME, verdict: "allowed" },
    { fields: { host: "evil.test" }, selector: "url", verdict: "remote" },
    { fields: BROWSER.typed, selector: "url", address: PUBLIC_NAME, verdict: "allowed" },
    {
      fields: { ...BROWSER.script, "x-fetchvia-ticket": TICKET },
      selector: "arg",
      address: PUBLIC_NAME,
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.elsewhere, origin: "http://localhost:5173" },
      selector: "url",
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.elsewhere, origin: "https://a.test" },
      selector: "header",
      options: { corsOrigins: "*" },
      verdict: "stranger",
    },
    // Row 1: a label is an origin of its own, and so only the name counts.
    { fields: { ...BROWSER.script, host: LABEL }, selector: "label", verdict: "allowed" },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: "http://localhost:3000",
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: "http://a.localhost",
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: "http://printer",
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: "http://api.local",
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: "http://a.internal.",
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: "http://nas.home.arpa",
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: "http://evil.test",
      verdict: "public_name",
    },
    {
      fields: { ...BROWSER.typed, host: LABEL },
      selector: "label",
      address: "http://evil.test",
      verdict: "public_name",
    },
    {
      fields: { ...BROWSER.script, cookie: EVIL },
      selector: "cookie",
      address: "http://evil.test",
      verdict: "public_name",
    },
    {
      fields: { ...BROWSER.typed, cookie: EVIL },
      selector: "cookie",
      address: "http://evil.test",
      verdict: "public_name",
    },
    {
      fields: { ...BROWSER.script, cookie: LOCAL },
      selector: "cookie",
      address: "http://localhost:3000",
      verdict: "allowed",
    },
    // Row 2: on the plain origin an answer could be read.
    { fields: { ...BROWSER.script, cookie: EVIL }, selector: "url", verdict: "other_host" },
    { fields: { ...BROWSER.script, cookie: EVIL }, selector: "arg", verdict: "other_host" },
    { fields: { ...BROWSER.script, cookie: EVIL }, selector: "header", verdict: "other_host" },
    { fields: { ...BROWSER.blind, cookie: EVIL }, selector: "url", verdict: "other_host" },
    { fields: { ...BROWSER.image, cookie: EVIL }, selector: "url", verdict: "other_host" },
    { fields: { ...BROWSER.terse, cookie: EVIL }, selector: "url", verdict: "other_host" },
    { fields: BROWSER.script, selector: "url", verdict: "other_host" },
    { fields: { ...BROWSER.script, cookie: LOCAL }, selector: "url", verdict: "other_host" },
    {
      fields: { ...BROWSER.script, cookie: LOCAL },
      selector: "url",
      address: "http://localhost:3000",
      verdict: "allowed",
    },
    // What is embedded is used and not read, as on the open web; a public page embeds nothing private.
    { fields: { ...BROWSER.image, cookie: LOCAL }, selector: "url", verdict: "allowed" },
    {
      fields: { ...BROWSER.image, cookie: LOCAL },
      selector: "url",
      address: PUBLIC_NAME,
      verdict: "public_name",
    },
    { fields: { ...BROWSER.blind, cookie: LOCAL }, selector: "url", verdict: "other_host" },
    { fields: { ...BROWSER.frame, cookie: EVIL }, selector: "url", verdict: "allowed" },
    { fields: { ...BROWSER.link, cookie: EVIL }, selector: "url", verdict: "allowed" },
    { fields: { ...BROWSER.link, cookie: EVIL }, selector: "header", verdict: "other_host" },
    {
      fields: { ...BROWSER.link, cookie: EVIL },
      selector: "url",
      address: PUBLIC_NAME,
      verdict: "public_name",
    },
    // A worker of a label's page sees what comes of navigations, too.
    { fields: { ...BROWSER.frame, host: LABEL }, selector: "url", verdict: "other_host" },
    { fields: { ...BROWSER.script, host: LABEL }, selector: "header", verdict: "other_host" },
    { fields: { ...BROWSER.script, host: "10-1-2-3.w.localhost" }, selector: "url", verdict: "allowed" },
    // What the settings name.
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: PUBLIC_NAME,
      options: { privateTargets: "auto,staging.corp.example" },
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: PUBLIC_NAME,
      options: { privateTargets: "auto,*.corp.example" },
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: PUBLIC_NAME,
      options: { privateTargets: "auto,10.0.0.0/8" },
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: PUBLIC_NAME,
      options: { privateTargets: "auto,staging.corp.example:81" },
      verdict: "public_name",
    },
    {
      fields: { ...BROWSER.script, cookie: EVIL },
      selector: "url",
      address: PUBLIC_NAME,
      options: { privateTargets: "auto,staging.corp.example" },
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: PUBLIC_NAME,
      options: { proxyLabels: `s=${PUBLIC_NAME}` },
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, cookie: EVIL },
      selector: "url",
      address: PUBLIC_NAME,
      options: { proxyLabels: `s=${PUBLIC_NAME}` },
      verdict: "other_host",
    },
    {
      fields: BROWSER.link,
      selector: "preset",
      address: PUBLIC_NAME,
      options: { target: PUBLIC_NAME },
      verdict: "allowed",
    },
    {
      fields: { ...BROWSER.script, host: LABEL },
      selector: "label",
      address: PUBLIC_NAME,
      options: { allowTargets: "staging.corp.example" },
      verdict: "allowed",
    },
  ];
  it.each(rows)("$fields by $selector to $address with $options: $verdict", (row) => {
    const { fields, selector, address = ADDRESS, options, verdict } = row;
    expect(refuse(address, selector, exchangeOf({ fields, options }))).toBe(verdict);
  });

  it.each([
    { field: "forwarded" },
    { field: "via" },
    { field: "x-forwarded-for" },
    { field: "x-forwarded-proto" },
    { field: "x-forwarded-anything" },
    { field: "x-real-ip" },
    { field: "cf-connecting-ip" },
    { field: "true-client-ip" },
  ])("is none for what came through somebody: $field", ({ field }) => {
    expect(refuse(ADDRESS, "header", exchangeOf({ fields: { [field]: "x" } }))).toBe("fronted");
  });

  it("is open to what only looks so", () => {
    const fields = { "x-forwarded": "x", "x-real-ips": "x", "cf-ray": "x", "trailer": "x", "from": "x" };
    expect(refuse(ADDRESS, "header", exchangeOf({ fields }))).toBe("allowed");
  });
});

describe("a private address that a setting opens to all", () => {
  const OPEN = { privateTargets: true };
  const rows: Row[] = [
    { fields: { host: "localhost:8080" }, selector: "url", options: OPEN, verdict: "allowed" },
    { fields: { host: "192.0.2.7:8080" }, selector: "url", options: OPEN, verdict: "allowed" },
    { fields: { host: "[2001:db8::1]" }, selector: "url", options: OPEN, verdict: "allowed" },
    {
      fields: { host: "proxy.test" },
      selector: "url",
      options: { ...OPEN, proxyDomain: "proxy.test" },
      verdict: "allowed",
    },
    {
      fields: { host: "a-test.w.proxy.test" },
      selector: "label",
      options: { ...OPEN, proxyDomain: "proxy.test" },
      verdict: "allowed",
    },
    { fields: { host: "rebound.test:8080" }, selector: "url", options: OPEN, verdict: "unknown_host" },
    {
      fields: { host: "rebound.test:8080" },
      selector: "url",
      options: { ...OPEN, hosts: "rebound.test" },
      verdict: "allowed",
    },
    {
      fields: { host: "a.rebound.test" },
      selector: "url",
      options: { ...OPEN, hosts: "*.rebound.test" },
      verdict: "allowed",
    },
    {
      fields: { host: "rebound.test" },
      selector: "url",
      options: { ...OPEN, proxyToken: "t" },
      verdict: "allowed",
    },
    {
      fields: { host: "rebound.test" },
      selector: "url",
      options: { allowTargets: "10.1.2.3" },
      verdict: "unknown_host",
    },
    {
      fields: { host: "localhost", via: "x" },
      selector: "url",
      options: { allowTargets: "10.1.2.3" },
      verdict: "allowed",
    },
    { fields: { ...BROWSER.script, cookie: EVIL }, selector: "url", options: OPEN, verdict: "allowed" },
    {
      fields: { ...BROWSER.elsewhere, origin: "https://a.test" },
      selector: "url",
      options: { ...OPEN, corsOrigins: "*" },
      verdict: "stranger",
    },
    {
      fields: { ...BROWSER.elsewhere, origin: "https://a.test" },
      selector: "url",
      options: { ...OPEN, corsOrigins: "*", proxyToken: "t" },
      verdict: "allowed",
    },
    { fields: {}, selector: "url", options: { privateTargets: false }, verdict: "closed" },
    {
      fields: {},
      selector: "url",
      options: { privateTargets: false, allowTargets: "10.0.0.0/8" },
      verdict: "allowed",
    },
  ];
  it.each(rows)("$fields by $selector with $options: $verdict", ({ fields, selector, options, verdict }) => {
    expect(refuse(ADDRESS, selector, exchangeOf({ fields, options }))).toBe(verdict);
  });
});

describe("a link that does more than look", () => {
  const led = (fields: Fields, options?: Options) =>
    isLedTo(exchangeOf({ fields, options }), { origin: new URL("http://localhost:3000") });

  it.each([
    { about: "a program", fields: {}, is: false },
    { about: "what is typed or mailed", fields: BROWSER.typed, is: true },
    { about: "what is mailed to who has the host", fields: { ...BROWSER.typed, cookie: LOCAL }, is: true },
    { about: "a link of the host itself", fields: { ...BROWSER.link, cookie: LOCAL }, is: false },
    { about: "a link of another host", fields: { ...BROWSER.link, cookie: EVIL }, is: true },
    { about: "a script", fields: { ...BROWSER.script, cookie: EVIL }, is: false },
  ])("asks the user of $about: $is", ({ fields, is }) => {
    expect(led(fields)).toBe(is);
  });

  it.each([
    { fields: BROWSER.typed, options: {}, verdict: "unconfirmed" },
    { fields: BROWSER.typed, options: { privateTargets: true }, verdict: "unconfirmed" },
    { fields: { ...BROWSER.typed, host: LABEL }, options: {}, verdict: "other_host" },
    { fields: { ...BROWSER.typed, via: "x" }, options: {}, verdict: "fronted" },
    { fields: { ...BROWSER.typed, cookie: EVIL }, options: {}, verdict: "unconfirmed" },
    { fields: { ...BROWSER.link, cookie: EVIL }, options: {}, verdict: "other_host" },
    { fields: BROWSER.link, options: {}, verdict: "unconfirmed" },
  ])("is $verdict with $fields and $options", ({ fields, options, verdict }) => {
    expect(refuse(ADDRESS, "arg", exchangeOf({ fields, options }), true)).toBe(verdict);
  });
});

describe("the sight of live traffic", () => {
  it.each([
    { fields: {}, options: {}, is: true },
    { fields: BROWSER.typed, options: {}, is: true },
    { fields: { ...BROWSER.typed, cookie: EVIL }, options: {}, is: true },
    { fields: { ...BROWSER.typed, host: LABEL }, options: {}, is: false },
    { fields: { ...BROWSER.typed, host: LABEL }, options: { proxyToken: "t" }, is: false },
    { fields: { host: "evil.test" }, options: {}, is: false },
    { fields: { "x-forwarded-for": "192.0.2.1" }, options: {}, is: false },
    { fields: { "x-forwarded-for": "192.0.2.1" }, options: { proxyToken: "t" }, is: true },
    { fields: {}, options: { privateTargets: true }, is: true },
    { fields: { host: "rebound.test" }, options: { privateTargets: true }, is: false },
    { fields: { host: "rebound.test" }, options: { privateTargets: true, hosts: "rebound.test" }, is: true },
    { fields: {}, options: { privateTargets: false }, is: false },
    { fields: { ...BROWSER.elsewhere, origin: "https://a.test" }, options: { corsOrigins: "*" }, is: false },
  ])("$fields with $options: $is", ({ fields, options, is }) => {
    expect(maySeeTraffic(exchangeOf({ fields, options }))).toBe(is);
  });

  it("is not for a caller with a token of its own", () => {
    const token = { text: "fv1", claims: { id: "ci", exp: 1 }, isInAddress: false, fields: [] };
    expect(maySeeTraffic({ ...exchangeOf({}), token })).toBe(false);
    expect(maySeeTraffic({ ...exchangeOf({ options: { proxyToken: "t" } }), token })).toBe(false);
  });

  it("is for a listener on loopback alone", () => {
    expect(maySeeTraffic(exchangeOf({ runtime: { listensOnLoopback: false } }))).toBe(false);
  });
});

describe("a caller who showed a token", () => {
  const token = { text: "fv1", claims: { id: "ci", exp: 1 }, isInAddress: false, fields: [] };

  it.each([
    { options: {}, asks: false },
    { options: { proxyToken: "t" }, asks: true },
    { options: { signingKey: "k" }, asks: false },
    { options: { signingKey: "k", callerTokens: true }, asks: true },
  ])("is every one with $options: $asks", ({ options, asks }) => {
    const exchange = exchangeOf({ options });
    expect(asksToken(exchange.config)).toBe(asks);
    expect(hasToken(exchange)).toBe(asks);
    expect(hasToken({ ...exchange, token })).toBe(true);
  });
});

describe("a name that is private by itself", () => {
  it.each([
    ...[
      "127.0.0.1",
      "[::1]",
      "10.1.2.3",
      "8.8.8.8",
      "localhost",
      "LOCALHOST.",
      "a.localhost",
      "printer",
      "x.y.local",
    ],
    ...["a.internal", "nas.home.arpa", "a.nas.home.arpa."],
  ].map((name) => ({ name })))("$name", ({ name }) => {
    expect(isPrivateName(name)).toBe(true);
  });

  it.each([
    ...[
      "a.test",
      "localhost.evil.test",
      "local.evil.test",
      "evil-local.test",
      "home.arpa.evil.test",
      "x.notlocal",
    ],
    ...["arpa.home", "127.0.0.1.nip.io", "internal.test", "a.arpa"],
  ].map((name) => ({ name })))("$name is none", ({ name }) => {
    expect(isPrivateName(name)).toBe(false);
  });
});

describe("who may reach private targets in general", () => {
  const rows: { fields: Fields; options?: Options; may: boolean }[] = [
    { fields: {}, may: true },
    { fields: BROWSER.typed, may: true },
    { fields: { ...BROWSER.script, cookie: LOCAL }, may: false },
    { fields: { host: "evil.test" }, may: false },
    { fields: { "x-forwarded-for": "192.0.2.1" }, may: false },
    { fields: {}, options: { privateTargets: false }, may: false },
    { fields: { host: "evil.test" }, options: { privateTargets: true }, may: false },
    { fields: { "x-forwarded-for": "192.0.2.1" }, options: { privateTargets: true }, may: true },
    { fields: {}, options: { privateTargets: "auto,a.test" }, may: true },
  ];
  it.each(rows)("$fields with $options: $may", ({ fields, options = {}, may }) => {
    expect(mayReachPrivate(exchangeOf({ fields, options }))).toBe(may);
  });
});
