/** Ports that browsers open for no page: who reaches them through the proxy. @module */
import { describe, expect, it } from "vitest";
import type { Options } from "../../../src/core/settings/config.ts";
import { refusePort } from "../../../src/core/may/private-targets.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf, TICKET } from "../../support/exchange.ts";

const MAIL = "http://127.0.0.1:25";
const AT_MAIL = { host: "127-0-0-1-25.w.localhost:8080" };
const AT_LABEL = { host: "h-evil-test.w.localhost:8080" };
const BLIND = { ...BROWSER.blind, "sec-fetch-site": "cross-site" };

function reach(address: string, fields: Record<string, string>, options?: Options, named = address): string {
  const origin = new URL(address);
  try {
    refusePort(exchangeOf({ fields, options }), {
      origin,
      hostname: origin.hostname,
      port: Number(origin.port) || 80,
    }, { origin: new URL(named) });
    return "allowed";
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("a port of another protocol", () => {
  it.each([
    { about: "a page of any site, by its label", fields: { ...BLIND, ...AT_MAIL } },
    { about: "a page of another label", fields: { ...BLIND, "sec-fetch-site": "same-site", ...AT_MAIL } },
    {
      about: "a form of another site",
      fields: { ...BROWSER.typed, "sec-fetch-site": "cross-site", ...AT_MAIL },
    },
    { about: "a page without Fetch Metadata", fields: { origin: "http://evil.test", ...AT_MAIL } },
    { about: "a page behind a label", fields: { ...BROWSER.script, ...AT_LABEL } },
    {
      about: "a page on the plain origin",
      fields: { ...BROWSER.image, cookie: "proxy_host=http://localhost:3000" },
    },
    { about: "a link of another site", fields: { ...BROWSER.typed, "sec-fetch-site": "cross-site" } },
    { about: "a stranger", fields: { ...BLIND, origin: "https://a.test" }, options: { corsOrigins: "*" } },
  ])("is not reached by $about", ({ fields, options }) => {
    expect(reach(MAIL, fields, options)).toBe("forbidden");
    expect(reach("http://mail.test:10080", fields, options)).toBe("forbidden");
    expect(reach("http://127.0.0.1:3000", fields, options)).toBe("allowed");
  });

  it.each([
    { about: "a program", fields: {} },
    { about: "its own page", fields: { ...BROWSER.script, ...AT_MAIL } },
    { about: "who types its label", fields: { ...BROWSER.typed, ...AT_MAIL } },
    { about: "who types its address", fields: BROWSER.typed },
    { about: "the page of its cookie", fields: { ...BROWSER.script, cookie: `proxy_host=${MAIL}` } },
    { about: "the console", fields: { ...BROWSER.script, "x-fetchvia-ticket": TICKET } },
    { about: "a page of a listed origin", fields: { ...BLIND, origin: "http://localhost:5173" } },
    {
      about: "a page, where a label is its name",
      fields: { ...BLIND, ...AT_MAIL },
      options: { proxyLabels: `m=${MAIL}` },
    },
    { about: "a page, where it is the target", fields: BLIND, options: { target: MAIL } },
  ])("is reached by $about", ({ fields, options }) => expect(reach(MAIL, fields, options)).toBe("allowed"));

  it("is not reached by a redirect from an address that somebody typed", () =>
    expect(reach(MAIL, BROWSER.typed, undefined, "http://evil.test")).toBe("forbidden"));
});
