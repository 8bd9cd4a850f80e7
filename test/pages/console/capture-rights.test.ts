/**
 * Who may see captures, and who may switch them.
 * @module
 */
import { describe, expect, it } from "vitest";
import { checkCaptureRights, checkSwitchRights } from "../../../src/pages/console/capture-rights.ts";
import { exchangeOf, type Request, TICKET } from "../../support/exchange.ts";

const SCRIPT = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
const PROVEN = { ...SCRIPT, "x-fetchvia-ticket": TICKET };

const ROWS: { about: string; request: Request; sees: boolean; switches: boolean }[] = [
  { about: "a program here", request: {}, sees: true, switches: true },
  { about: "the console", request: { fields: PROVEN }, sees: true, switches: true },
  {
    about: "a page with the ticket in its link",
    request: { fields: SCRIPT, path: `/__proxy__/capture?ticket=${encodeURIComponent(TICKET)}` },
    sees: true,
    switches: false,
  },
  { about: "a page without the ticket", request: { fields: SCRIPT }, sees: false, switches: false },
  {
    about: "a page with another ticket",
    request: { fields: { ...SCRIPT, "x-fetchvia-ticket": "x" } },
    sees: false,
    switches: false,
  },
  {
    about: "a page on a label",
    request: { fields: { ...PROVEN, host: "h-a-test.w.localhost:8080" } },
    sees: false,
    switches: false,
  },
  {
    about: "a granted page",
    request: {
      fields: { ...SCRIPT, origin: "https://app.test", "sec-fetch-site": "cross-site" },
      options: { corsOrigins: "https://app.test" },
    },
    sees: false,
    switches: false,
  },
  {
    about: "a granted page that has the ticket",
    request: {
      fields: { ...PROVEN, origin: "https://app.test", "sec-fetch-site": "cross-site" },
      options: { corsOrigins: "https://app.test" },
    },
    sees: true,
    switches: false,
  },
  {
    about: "a page without Fetch Metadata",
    request: {
      fields: { origin: "http://localhost:8080", host: "proxy.test" },
      options: { privateTargets: true, hosts: "proxy.test" },
    },
    sees: false,
    switches: false,
  },
  {
    about: "what has the ticket over plain http, where a page may have fetched it",
    request: {
      fields: { host: "proxy.test", "x-fetchvia-ticket": TICKET },
      options: { privateTargets: true, hosts: "proxy.test" },
    },
    sees: false,
    switches: false,
  },
  {
    about: "a browser's token over plain http, which a page may have spent",
    request: {
      fields: { host: "proxy.test", cookie: "proxy_token=t" },
      options: { proxyToken: "t" },
    },
    sees: false,
    switches: false,
  },
  {
    about: "a program with the token over plain http",
    request: { fields: { host: "proxy.test", "proxy_token": "t" }, options: { proxyToken: "t" } },
    sees: true,
    switches: true,
  },
  {
    about: "a program far away",
    request: { runtime: { listensOnLoopback: false } },
    sees: false,
    switches: false,
  },
];

const passes = (check: () => void) => {
  try {
    check();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "forbidden" });
    return false;
  }
};

describe("the rights to captures", () => {
  it.each(ROWS)("$about sees them: $sees, switches them: $switches", ({ request, sees, switches }) => {
    const exchange = exchangeOf(request);
    expect(passes(() => checkCaptureRights(exchange))).toBe(sees);
    expect(passes(() => checkSwitchRights(exchange))).toBe(switches);
  });

  it("are not for those with a token of their own", () => {
    const exchange = { ...exchangeOf(), token: {} as never };
    expect([passes(() => checkCaptureRights(exchange)), passes(() => checkSwitchRights(exchange))])
      .toEqual([false, false]);
  });
});
