/**
 * The setting that a refusal names: it is set exactly as the message says, and the request is allowed.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Resolver } from "../../src/address/dns-cache.ts";
import type { Target } from "../../src/exchange/exchange.ts";
import { findRemedy } from "../../src/exchange/remedy.ts";
import type { Runtime } from "../../src/exchange/runtime.ts";
import { ProxyError } from "../../src/http/error.ts";
import type { Options } from "../../src/settings/config.ts";
import { checkAccess } from "../../src/steps/access.ts";
import { readAdvice } from "../support/advice.ts";
import { BROWSER } from "../support/browser-fields.ts";
import { exchangeOf } from "../support/exchange.ts";

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

interface Row {
  about: string;
  to?: string;
  /** The target that the caller named, where a redirect led on. */
  from?: string;
  fields?: Record<string, string | undefined>;
  selector?: Target["selector"];
  runtime?: Runtime;
  options?: Options;
  advice: string;
}

const ROWS: Row[] = [
  {
    about: "closed, near",
    options: { privateTargets: false },
    advice: "To allow it, set PRIVATE_TARGETS=auto",
  },
  {
    about: "closed, far",
    runtime: FAR,
    options: { privateTargets: false },
    advice: "To allow it, set ALLOW_TARGETS=10.1.2.3:8080",
  },
  {
    about: "closed to a page with a public name",
    to: PUBLIC_NAME,
    fields: LABEL,
    selector: "label",
    options: { privateTargets: false },
    advice: "To allow it, set PRIVATE_TARGETS=auto,staging.corp.example",
  },
  { about: "another machine", runtime: FAR, advice: "To allow it, set ALLOW_TARGETS=10.1.2.3:8080" },
  {
    about: "an address that ends with colons",
    to: "http://[fd00::]",
    runtime: FAR,
    advice: "To allow it, set ALLOW_TARGETS=[fd00::]",
  },
  { about: "no listener that is known", runtime: {}, advice: "To allow it, set ALLOW_TARGETS=10.1.2.3:8080" },
  {
    about: "a platform that filters",
    to: "http://localhost:3000",
    runtime: { filtersEgress: true },
    advice: "To allow it, set ALLOW_TARGETS=localhost:3000",
  },
  { about: "a front", fields: { via: "1.1 front" }, advice: "To allow it, set ALLOW_TARGETS=10.1.2.3:8080" },
  {
    about: "a front, beside a list",
    fields: { via: "1.1 front" },
    options: { allowTargets: "secret.test,*" },
    advice: "Add 10.1.2.3:8080 to ALLOW_TARGETS",
  },
  {
    about: "a front, behind a redirect",
    from: "http://93.184.216.34",
    fields: { via: "1.1 front" },
    advice: "To allow it, set PRIVATE_TARGETS=true",
  },
  {
    about: "an unknown Host, and auto",
    fields: { host: "proxy.test:8080" },
    advice: "Set ALLOW_TARGETS=10.1.2.3:8080 and set HOSTS=proxy.test",
  },
  {
    about: "an unknown Host",
    fields: { host: "proxy.test:8080" },
    options: { privateTargets: true },
    advice: "To allow it, set HOSTS=proxy.test",
  },
  {
    about: "an unknown Host beside known ones",
    fields: { host: "proxy.test." },
    options: { privateTargets: true, hosts: "secret.test" },
    advice: "Add proxy.test to HOSTS",
  },
  {
    about: "an unknown Host, and a listed target",
    fields: { host: "proxy.test" },
    options: { allowTargets: "10.0.0.0/8" },
    advice: "To allow it, set HOSTS=proxy.test",
  },
  {
    about: "a public name",
    to: PUBLIC_NAME,
    fields: LABEL,
    selector: "label",
    advice: "To allow it, set PRIVATE_TARGETS=auto,staging.corp.example",
  },
  {
    about: "a public name with a port, beside a list",
    to: `${PUBLIC_NAME}:81`,
    fields: LABEL,
    selector: "label",
    options: { privateTargets: "auto,a.test:81,*.b.test,10.0.0.0/16,[fd00::]/8:443,::1" },
    // Any page may read it, so it does not tell what else is listed.
    advice: "Add staging.corp.example:81 to PRIVATE_TARGETS",
  },
  { about: "another host", fields: LABEL, advice: "To allow it, set PRIVATE_TARGETS=auto,10.1.2.3:8080" },
  {
    about: "another host by IPv6",
    to: "http://[fd00::1]:81",
    fields: LABEL,
    advice: "To allow it, set PRIVATE_TARGETS=auto,[fd00::1]:81",
  },
  {
    about: "both kinds",
    to: "http://mixed.test",
    advice: "To allow it, set PRIVATE_TARGETS=auto,mixed.test",
  },
  {
    about: "both kinds, far",
    to: "http://mixed.test",
    runtime: FAR,
    advice: "To allow it, set ALLOW_TARGETS=mixed.test",
  },
  {
    about: "a stranger",
    fields: STRANGER,
    options: { corsOrigins: "*" },
    advice: "Add https://page.test to CORS_ORIGINS",
  },
  {
    about: "a stranger, far",
    fields: STRANGER,
    runtime: FAR,
    options: { corsOrigins: "*" },
    advice: "Set ALLOW_TARGETS=10.1.2.3:8080 and add https://page.test to CORS_ORIGINS",
  },
  {
    about: "a stranger, far, at an unknown Host",
    fields: { ...STRANGER, host: "proxy.test" },
    runtime: FAR,
    options: { corsOrigins: "*" },
    advice:
      "Set ALLOW_TARGETS=10.1.2.3:8080 and set HOSTS=proxy.test and add https://page.test to CORS_ORIGINS",
  },
];

/** Judges a target under these settings. */
async function judge(row: Row, options: Options, isEmbedded = false) {
  const { to = LITERAL, from = to, fields = {}, selector = "url", runtime = NEAR } = row;
  const exchange = { ...exchangeOf({ fields, options, runtime }), resolver: new Resolver(1000), isEmbedded };
  const target: Target = { selector, origin: new URL(from), path: "/", basePath: "" };
  return await checkAccess({ ...target, origin: new URL(to) }, exchange, target);
}

describe("what a refusal names opens the target", () => {
  it.each(ROWS)("$about: $advice", async (row) => {
    const { options = {}, advice } = row;
    const refusal = await judge(row, options).then(() => undefined, (error: ProxyError) => error);
    expect(refusal).toBeInstanceOf(ProxyError);
    expect(refusal?.code).toBe("address_prohibited");
    expect(refusal?.message.endsWith(`. ${advice}`)).toBe(true);
    // The console offers to copy what stands behind these words.
    const setting = /^To allow it, set (\S+)$/.exec(advice)?.[1];
    expect(refusal?.setting).toBe(setting);
    await judge(row, { ...options, ...readAdvice(refusal!.message, options) });
  });
});

describe("in code", () => {
  it.each([
    { row: { fields: { via: "1.1 front" } }, advice: 'To allow it, set allowTargets: "10.1.2.3:8080"' },
    { row: { options: { privateTargets: false } }, advice: 'To allow it, set privateTargets: "auto"' },
    {
      row: { fields: { host: "proxy.test" } },
      advice: 'Set allowTargets: "10.1.2.3:8080" and set hosts: "proxy.test"',
    },
    {
      row: { fields: STRANGER, options: { corsOrigins: "*" } },
      advice: "Add https://page.test to corsOrigins",
    },
  ])("it names the option: $advice", async ({ row, advice }) => {
    const asked: Row = { about: "", advice, ...row };
    await expect(judge(asked, asked.options ?? {}, true)).rejects.toThrow(advice);
  });
});

describe("a refusal that no setting ends", () => {
  it("names none", () => {
    expect(findRemedy(exchangeOf(), "10.1.2.3", () => false)).toBeUndefined();
  });

  it("advises a page without an origin what would", async () => {
    const row: Row = { about: "", fields: { ...STRANGER, origin: undefined }, advice: "" };
    await expect(judge(row, { corsOrigins: "*" })).rejects.toThrow("List the page's origin in CORS_ORIGINS");
  });
});
