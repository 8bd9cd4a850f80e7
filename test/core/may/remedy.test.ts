/**
 * The setting that a refusal names: it is set exactly as the message says, and the request is allowed.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Resolver } from "../../../src/core/address/dns-cache.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { findRemedy } from "../../../src/core/may/remedy.ts";
import type { Runtime } from "../../../src/core/runtime.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { checkAccess } from "../../../src/core/steps/access.ts";
import { readAdvice } from "../../support/advice.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { typedRows } from "../../support/rows.ts";

const NAMES: Readonly<Record<string, string[]>> = {
  "staging.corp.example": ["10.1.2.3"],
  "mixed.test": ["93.184.216.34", "10.1.2.3"],
};
const resolve = (name: string) => Promise.resolve(NAMES[name] ?? []);
const NEAR: Runtime = { resolve, listensOnLoopback: true };
const FAR: Runtime = { resolve, listensOnLoopback: false };
const LITERAL = "http://10.1.2.3:8080";
const PUBLIC_NAME = "http://staging.corp.example";
const LABEL = { ...BROWSER.script, host: "h-evil-test.w.localhost:8080" };
const STRANGER = { ...BROWSER.elsewhere, origin: "https://page.test" };

/** What is asked, by whom, of which proxy. */
interface Given {
  to?: string;
  /** The target that the caller named, where a redirect led on. */
  from?: string;
  fields?: Record<string, string | undefined>;
  selector?: Target["selector"];
  runtime?: Runtime;
  options?: Options;
}
interface Row {
  about: string;
  /** A setting that is to be set, or the whole advice. */
  advice: string;
  given: Given;
}

const CLOSED: Options = { privateTargets: false };
const NAMED: Given = { to: PUBLIC_NAME, fields: LABEL, selector: "label" };
const FRONTED: Given = { fields: { via: "1.1 front" } };
const UNKNOWN: Given = { fields: { host: "proxy.test:8080" } };
const STRANGE: Given = { fields: STRANGER, options: { corsOrigins: "*" } };
const LISTED: Options = { privateTargets: "auto,a.test:81,*.b.test,10.0.0.0/16,[fd00::]/8:443,::1" };

const ROWS = typedRows<Row>(["about", "advice", "given"], [
  ["closed, near", "ALLOW_TARGETS=10.1.2.3:8080", { options: CLOSED }],
  ["closed, far", "ALLOW_TARGETS=10.1.2.3:8080", { runtime: FAR, options: CLOSED }],
  ["closed to a page with a public name", "ALLOW_TARGETS=staging.corp.example:80", {
    ...NAMED,
    options: CLOSED,
  }],
  ["another machine", "ALLOW_TARGETS=10.1.2.3:8080", { runtime: FAR }],
  ["an address that ends with colons", "ALLOW_TARGETS=[fd00::]:80", { to: "http://[fd00::]", runtime: FAR }],
  ["no listener that is known", "ALLOW_TARGETS=10.1.2.3:8080", { runtime: {} }],
  ["a platform that filters", "ALLOW_TARGETS=localhost:3000", {
    to: "http://localhost:3000",
    runtime: { filtersEgress: true },
  }],
  ["a front", "ALLOW_TARGETS=10.1.2.3:8080", FRONTED],
  ["a front, beside a list", "Add 10.1.2.3:8080 to ALLOW_TARGETS", {
    ...FRONTED,
    options: { allowTargets: "secret.test,*" },
  }],
  ["a front, behind a redirect", "ALLOW_TARGETS=*,10.1.2.3:8080", {
    from: "http://93.184.216.34",
    ...FRONTED,
  }],
  ["an unknown Host, and auto", "Set ALLOW_TARGETS=10.1.2.3:8080 and set HOSTS=proxy.test", UNKNOWN],
  ["an unknown Host", "HOSTS=proxy.test", { ...UNKNOWN, options: { privateTargets: true } }],
  ["an unknown Host beside known ones", "Add proxy.test to HOSTS", {
    fields: { host: "proxy.test." },
    options: { privateTargets: true, hosts: "secret.test" },
  }],
  ["an unknown Host, and a listed target", "HOSTS=proxy.test", {
    ...UNKNOWN,
    options: { allowTargets: "10.0.0.0/8" },
  }],
  ["a public name", "PRIVATE_TARGETS=auto,staging.corp.example:80", NAMED],
  // Any page may read it, so it does not tell what else is listed.
  ["a public name with a port, beside a list", "Add staging.corp.example:81 to PRIVATE_TARGETS", {
    ...NAMED,
    to: `${PUBLIC_NAME}:81`,
    options: LISTED,
  }],
  ["another host", "PRIVATE_TARGETS=auto,10.1.2.3:8080", { fields: LABEL }],
  ["another host by IPv6", "PRIVATE_TARGETS=auto,[fd00::1]:81", { to: "http://[fd00::1]:81", fields: LABEL }],
  ["both kinds", "PRIVATE_TARGETS=auto,mixed.test:80", { to: "http://mixed.test" }],
  ["both kinds, far", "ALLOW_TARGETS=mixed.test:80", { to: "http://mixed.test", runtime: FAR }],
  ["a stranger", "Add https://page.test to CORS_ORIGINS", STRANGE],
  ["a stranger, far", "Set ALLOW_TARGETS=10.1.2.3:8080 and add https://page.test to CORS_ORIGINS", {
    ...STRANGE,
    runtime: FAR,
  }],
  [
    "a stranger, far, at an unknown Host",
    "Set ALLOW_TARGETS=10.1.2.3:8080 and set HOSTS=proxy.test and add https://page.test to CORS_ORIGINS",
    { ...STRANGE, fields: { ...STRANGER, host: "proxy.test" }, runtime: FAR },
  ],
]);

/** Judges a target under these settings. */
async function judge(given: Given, options: Options) {
  const { to = LITERAL, from = to, fields = {}, selector = "url", runtime = NEAR } = given;
  const exchange = { ...exchangeOf({ fields, options, runtime }), resolver: new Resolver(1000) };
  const target: Target = { selector, origin: new URL(from), path: "/", basePath: "" };
  return await checkAccess({ ...target, origin: new URL(to) }, exchange, target);
}

it.each(ROWS)("what a refusal names opens the target $about: $advice", async ({ given, advice }) => {
  const { options = {} } = given;
  // The console offers to copy the one setting that is to be set.
  const setting = /^\w+=\S+$/.exec(advice)?.[0];
  const refusal = await judge(given, options).then(() => undefined, (error: ProxyError) => error);
  expect(refusal).toBeInstanceOf(ProxyError);
  expect([refusal?.code, refusal?.setting]).toEqual(["address_prohibited", setting]);
  const note = /\bset ALLOW_TARGETS=(?!\*)/i.test(`set ${advice}`)
    ? " (ALLOW_TARGETS closes all other targets)"
    : "";
  const text = setting ? `To allow it, set ${setting}` : advice;
  expect(refusal?.message.endsWith(`. ${text}${note}`)).toBe(true);
  const changes = Object.entries(readAdvice(refusal!.message, options));
  await judge(given, { ...options, ...Object.fromEntries(changes) });
  // None may be left out.
  for (const [name] of changes) {
    const others = changes.filter((change) => change[0] !== name);
    await expect(judge(given, { ...options, ...Object.fromEntries(others) })).rejects.toThrow("Cannot reach");
  }
});

describe("a refusal that no setting ends", () => {
  it("names none", () => expect(findRemedy(exchangeOf(), "10.1.2.3", () => false)).toBeUndefined());

  it("advises a page without an origin what would", async () => {
    const nameless = judge({ fields: { ...STRANGER, origin: undefined } }, { corsOrigins: "*" });
    await expect(nameless).rejects.toThrow("List the page's origin in CORS_ORIGINS");
  });
});
