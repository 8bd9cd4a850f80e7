/** Whose page asks, and what it may do: the table that the whole law is read from. @module */
import { describe, expect, it } from "vitest";
import type { Options } from "../../../src/core/settings/config.ts";
import type { Exchange, Target } from "../../../src/core/exchange/exchange.ts";
import { isLedTo, isPrivateName, mayReachPrivate } from "../../../src/core/may/private-targets.ts";
import { maySeeTraffic, type Refusal, refusePrivate } from "../../../src/core/may/private-targets.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf, TICKET } from "../../support/exchange.ts";
import { typedRows, words } from "../../support/rows.ts";
import { tokenOf } from "../../support/token.ts";

const LABEL = "h-evil-test.w.localhost:8080";
const EVIL = "proxy_host=http://evil.test";
const LOCAL = "proxy_host=http://localhost:3000";

const AT_LABEL = { ...BROWSER.script, host: LABEL };
const AT_EVIL = { ...BROWSER.script, cookie: EVIL };
const AT_LOCAL = { ...BROWSER.script, cookie: LOCAL };
const STRANGER = { ...BROWSER.elsewhere, origin: "https://a.test" };

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
  const rows: Row[] = typedRows(["fields", "selector", "verdict", "address", "options"], [
    [{}, "url", "allowed"],
    [{}, "header", "allowed", PUBLIC_NAME],
    [{ host: "evil.test" }, "url", "remote"],
    [BROWSER.typed, "url", "allowed", PUBLIC_NAME],
    [{ ...BROWSER.script, "x-fetchvia-ticket": TICKET }, "arg", "allowed", PUBLIC_NAME],
    [{ ...BROWSER.elsewhere, origin: "http://localhost:5173" }, "url", "allowed"],
    [STRANGER, "header", "stranger", undefined, { corsOrigins: "*" }],
    // Row 1: a label is an origin of its own, and so only the name counts.
    [AT_LABEL, "label", "allowed"],
    [AT_LABEL, "label", "allowed", "http://localhost:3000"],
    [AT_LABEL, "label", "allowed", "http://a.localhost"],
    [AT_LABEL, "label", "allowed", "http://printer"],
    [AT_LABEL, "label", "allowed", "http://api.local"],
    [AT_LABEL, "label", "allowed", "http://a.internal."],
    [AT_LABEL, "label", "allowed", "http://nas.home.arpa"],
    [AT_LABEL, "label", "public_name", "http://evil.test"],
    [{ ...BROWSER.typed, host: LABEL }, "label", "public_name", "http://evil.test"],
    [AT_EVIL, "cookie", "public_name", "http://evil.test"],
    [{ ...BROWSER.typed, cookie: EVIL }, "cookie", "public_name", "http://evil.test"],
    [AT_LOCAL, "cookie", "allowed", "http://localhost:3000"],
    // Row 2: on the plain origin an answer could be read.
    [AT_EVIL, "url", "other_host"],
    [AT_EVIL, "arg", "other_host"],
    [AT_EVIL, "header", "other_host"],
    [{ ...BROWSER.blind, cookie: EVIL }, "url", "other_host"],
    [{ ...BROWSER.image, cookie: EVIL }, "url", "other_host"],
    [{ ...BROWSER.terse, cookie: EVIL }, "url", "other_host"],
    [BROWSER.script, "url", "other_host"],
    [AT_LOCAL, "url", "other_host"],
    [AT_LOCAL, "url", "allowed", "http://localhost:3000"],
    // What is embedded is used and not read, as on the open web; a public page embeds nothing private.
    [{ ...BROWSER.image, cookie: LOCAL }, "url", "allowed"],
    [{ ...BROWSER.image, cookie: LOCAL }, "url", "public_name", PUBLIC_NAME],
    [{ ...BROWSER.blind, cookie: LOCAL }, "url", "other_host"],
    [{ ...BROWSER.frame, cookie: EVIL }, "url", "allowed"],
    [{ ...BROWSER.link, cookie: EVIL }, "url", "allowed"],
    [{ ...BROWSER.link, cookie: EVIL }, "header", "other_host"],
    [{ ...BROWSER.link, cookie: EVIL }, "url", "public_name", PUBLIC_NAME],
    // A worker of a label's page sees what comes of navigations, too.
    [{ ...BROWSER.frame, host: LABEL }, "url", "other_host"],
    [AT_LABEL, "header", "other_host"],
    [{ ...BROWSER.script, host: "10-1-2-3.w.localhost" }, "url", "allowed"],
    // What the settings name.
    [AT_LABEL, "label", "allowed", PUBLIC_NAME, { privateTargets: "auto,staging.corp.example" }],
    [AT_LABEL, "label", "allowed", PUBLIC_NAME, { privateTargets: "auto,*.corp.example" }],
    [AT_LABEL, "label", "allowed", PUBLIC_NAME, { privateTargets: "auto,10.0.0.0/8" }],
    [AT_LABEL, "label", "public_name", PUBLIC_NAME, { privateTargets: "auto,staging.corp.example:81" }],
    [AT_EVIL, "url", "allowed", PUBLIC_NAME, { privateTargets: "auto,staging.corp.example" }],
    [AT_LABEL, "label", "allowed", PUBLIC_NAME, { proxyLabels: `s=${PUBLIC_NAME}` }],
    [AT_EVIL, "url", "other_host", PUBLIC_NAME, { proxyLabels: `s=${PUBLIC_NAME}` }],
    [BROWSER.link, "preset", "allowed", PUBLIC_NAME, { target: PUBLIC_NAME }],
    [AT_LABEL, "label", "allowed", PUBLIC_NAME, { allowTargets: "staging.corp.example" }],
  ]);
  it.each(rows)("$fields by $selector to $address with $options: $verdict", (row) => {
    const { fields, selector, address = ADDRESS, options, verdict } = row;
    expect(refuse(address, selector, exchangeOf({ fields, options }))).toBe(verdict);
  });

  it.each(words`forwarded via x-forwarded-for x-forwarded-proto x-forwarded-anything x-real-ip
    cf-connecting-ip true-client-ip`)("is none for what came through somebody: %s", (field) => {
    expect(refuse(ADDRESS, "header", exchangeOf({ fields: { [field]: "x" } }))).toBe("fronted");
  });

  it("is open to what only looks so", () => {
    const fields = { "x-forwarded": "x", "x-real-ips": "x", "cf-ray": "x", "trailer": "x", "from": "x" };
    expect(refuse(ADDRESS, "header", exchangeOf({ fields }))).toBe("allowed");
  });
});

describe("a private address that a setting opens to all", () => {
  const OPEN = { privateTargets: true };
  const TLS = { ...OPEN, trustedProxies: "127.0.0.1" };
  const FRONTED = { "x-forwarded-proto": "https" };
  const rows: Row[] = typedRows(["fields", "selector", "options", "verdict"], [
    [{ host: "localhost:8080" }, "url", OPEN, "allowed"],
    [{ host: "192.0.2.7:8080" }, "url", OPEN, "allowed"],
    [{ host: "[2001:db8::1]" }, "url", OPEN, "allowed"],
    [{ host: "proxy.test" }, "url", { ...OPEN, proxyDomain: "proxy.test" }, "allowed"],
    [{ host: "a-test.w.proxy.test" }, "label", { ...OPEN, proxyDomain: "proxy.test" }, "allowed"],
    [{ host: "rebound.test:8080" }, "url", OPEN, "unknown_host"],
    [{ host: "rebound.test:8080" }, "url", { ...OPEN, hosts: "rebound.test" }, "allowed"],
    [{ host: "a.rebound.test" }, "url", { ...OPEN, hosts: "*.rebound.test" }, "allowed"],
    [{ host: "rebound.test" }, "url", { ...OPEN, hosts: "rebound.test:80" }, "allowed"],
    [{ host: "rebound.test", ...FRONTED }, "url", { ...TLS, hosts: "rebound.test:443" }, "allowed"],
    [{ host: "rebound.test", ...FRONTED }, "url", { ...TLS, hosts: "rebound.test:80" }, "unknown_host"],
    [{ host: "rebound.test" }, "url", { ...OPEN, proxyToken: "t" }, "allowed"],
    [{ host: "rebound.test" }, "url", { allowTargets: "10.1.2.3" }, "unknown_host"],
    [{ host: "localhost", via: "x" }, "url", { allowTargets: "10.1.2.3" }, "allowed"],
    [AT_EVIL, "url", OPEN, "allowed"],
    [STRANGER, "url", { ...OPEN, corsOrigins: "*" }, "stranger"],
    [STRANGER, "url", { ...OPEN, corsOrigins: "*", proxyToken: "t" }, "allowed"],
    [{}, "url", { privateTargets: false }, "closed"],
    [{}, "url", { privateTargets: false, allowTargets: "10.0.0.0/8" }, "allowed"],
  ]);
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
    { about: "a script", fields: AT_EVIL, is: false },
  ])("asks the user of $about: $is", ({ fields, is }) => expect(led(fields)).toBe(is));

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
    { fields: STRANGER, options: { corsOrigins: "*" }, is: false },
  ])("$fields with $options: $is", ({ fields, options, is }) => {
    expect(maySeeTraffic(exchangeOf({ fields, options }))).toBe(is);
  });

  it("is not for a caller with a token of its own", () => {
    const token = tokenOf();
    expect(maySeeTraffic({ ...exchangeOf({}), token })).toBe(false);
    expect(maySeeTraffic({ ...exchangeOf({ options: { proxyToken: "t" } }), token })).toBe(false);
  });

  it("is for a listener on loopback alone", () =>
    expect(maySeeTraffic(exchangeOf({ runtime: { listensOnLoopback: false } }))).toBe(false));
});

describe("a name that is private by itself", () => {
  it.each([
    ...words`127.0.0.1 [::1] 10.1.2.3 8.8.8.8 localhost LOCALHOST. a.localhost printer x.y.local`,
    ...["a.internal", "nas.home.arpa", "a.nas.home.arpa."],
  ].map((name) => ({ name })))("$name", ({ name }) => expect(isPrivateName(name)).toBe(true));

  it.each([
    ...words`a.test localhost.evil.test local.evil.test evil-local.test home.arpa.evil.test x.notlocal`,
    ...["arpa.home", "127.0.0.1.nip.io", "internal.test", "a.arpa"],
  ].map((name) => ({ name })))("$name is none", ({ name }) => expect(isPrivateName(name)).toBe(false));
});

describe("who may reach private targets in general", () => {
  const rows: { fields: Fields; options?: Options; may: boolean }[] = [
    { fields: {}, may: true },
    { fields: BROWSER.typed, may: true },
    { fields: AT_LOCAL, may: false },
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
