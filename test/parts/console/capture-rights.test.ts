/** Who may see captures, and who may switch them. @module */
import { describe, expect, it } from "vitest";
import { checkCaptureRights, checkOpening } from "../../../src/parts/console/capture-rights.ts";
import { checkSwitchRights, maySwitchByOpening } from "../../../src/parts/console/capture-rights.ts";
import { exchangeOf, type Request, TICKET } from "../../support/exchange.ts";
import { typedRows } from "../../support/rows.ts";

const SCRIPT = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };
const PROVEN = { ...SCRIPT, "x-fetchvia-ticket": TICKET };

const NEVER = { sees: false, switches: false };
const GRANTED = { origin: "https://app.test", "sec-fetch-site": "cross-site" };
const LISTING: Request["options"] = { corsOrigins: "https://app.test" };
const OPEN: Request["options"] = { privateTargets: true, hosts: "proxy.test" };
const ELSEWHERE = { host: "proxy.test" };
const TOKEN = { proxyToken: "t" };

const ROWS: { about: string; request: Request; can: { sees: boolean; switches: boolean } }[] = typedRows(
  ["about", "can", "request"],
  [
    ["a program here", { sees: true, switches: true }, {}],
    ["the console", { sees: true, switches: true }, { fields: PROVEN }],
    ["a page with the ticket in its link", { sees: true, switches: false }, {
      fields: SCRIPT,
      path: `/__proxy__/capture?ticket=${encodeURIComponent(TICKET)}`,
    }],
    ["a page without the ticket", NEVER, { fields: SCRIPT }],
    ["a page with another ticket", NEVER, { fields: { ...SCRIPT, "x-fetchvia-ticket": "x" } }],
    ["a page on a label", NEVER, { fields: { ...PROVEN, host: "h-a-test.w.localhost:8080" } }],
    ["a granted page", NEVER, { fields: { ...SCRIPT, ...GRANTED }, options: LISTING }],
    ["a granted page that has the ticket", { sees: true, switches: false }, {
      fields: { ...PROVEN, ...GRANTED },
      options: LISTING,
    }],
    ["a page without Fetch Metadata", NEVER, {
      fields: { ...ELSEWHERE, origin: "http://localhost:8080" },
      options: OPEN,
    }],
    ["what has the ticket over plain http, where a page may have fetched it", NEVER, {
      fields: { ...ELSEWHERE, "x-fetchvia-ticket": TICKET },
      options: OPEN,
    }],
    ["a browser's token over plain http, which a page may have spent", NEVER, {
      fields: { ...ELSEWHERE, cookie: "proxy_token=t" },
      options: TOKEN,
    }],
    ["a program with the token over plain http", { sees: true, switches: true }, {
      fields: { ...ELSEWHERE, proxy_token: "t" },
      options: TOKEN,
    }],
    ["a program far away", NEVER, { runtime: { listensOnLoopback: false } }],
  ],
);

const passes = (check: () => void) => {
  try {
    check();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "forbidden" });
    return false;
  }
};

/** An event stream of the console. */
const STREAM: Request = {
  path: `/__proxy__/traffic?ticket=${encodeURIComponent(TICKET)}&capture`,
  fields: { ...SCRIPT, "sec-fetch-dest": "empty" },
};
const LOCAL = { clientAddress: "127.0.0.1", listensOnLoopback: true };

it.each<{ about: string; request: Request; switches: boolean }>([
  { about: "the console's", request: {}, switches: true },
  { about: "one that only asks for it", request: { method: "HEAD" }, switches: false },
  {
    about: "one that does not say so",
    request: { path: `/__proxy__/traffic?ticket=${encodeURIComponent(TICKET)}` },
    switches: false,
  },
  { about: "one without the ticket", request: { path: "/__proxy__/traffic?capture" }, switches: false },
  {
    about: "one with another ticket",
    request: { path: "/__proxy__/traffic?ticket=x&capture" },
    switches: false,
  },
  { about: "a program's", request: { fields: {} }, switches: false },
  ...Object.entries({
    "a page's of another site": { "sec-fetch-site": "cross-site" },
    "a page's of another origin": { "sec-fetch-site": "same-site" },
    "a link's": { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" },
    "a frame's": { "sec-fetch-dest": "iframe", "sec-fetch-mode": "navigate" },
    "one through a front proxy": { "x-forwarded-for": "127.0.0.1" },
    "a label's": { host: "h-a-test.w.localhost:8080" },
    "one for another name": { host: "evil.test" },
  }).map(([about, fields]) => ({
    about,
    request: { fields: { ...STREAM.fields, ...fields } },
    switches: false,
  })),
  {
    about: "one through a trusted front",
    request: { options: { trustedProxies: ["127.0.0.1"] } },
    switches: false,
  },
  { about: "one far away", request: { runtime: { ...LOCAL, listensOnLoopback: false } }, switches: false },
  {
    about: "one of whom nobody knows where it is",
    request: { runtime: { listensOnLoopback: true } },
    switches: false,
  },
])("an event stream that is open switches capture on: $switches for $about", ({ request, switches }) => {
  expect(maySwitchByOpening(exchangeOf({ ...STREAM, ...request }))).toBe(switches);
});

describe("the rights to captures", () => {
  it.each(ROWS)("$about sees them: $can.sees, switches them: $can.switches", ({ request, can }) => {
    const exchange = exchangeOf(request);
    const sees = passes(() => checkCaptureRights(exchange));
    expect({ sees, switches: passes(() => checkSwitchRights(exchange)) }).toEqual(can);
  });

  it.each<{ about: string; request: Request; may: boolean }>(typedRows(["about", "request", "may"], [
    ["the console", { fields: PROVEN, runtime: LOCAL }, true],
    ["the console through a front proxy", {
      fields: { ...PROVEN, "x-forwarded-for": "127.0.0.1" },
      runtime: LOCAL,
    }, false],
    ["the console through a trusted front", {
      fields: PROVEN,
      runtime: LOCAL,
      options: { trustedProxies: ["127.0.0.1"] },
    }, false],
    ["the console where the runtime tells no address", { fields: PROVEN, runtime: {} }, false],
    ["a program through a front proxy", { fields: { "x-forwarded-for": "::1" } }, true],
  ]))("to switch it to this are $may for $about", ({ request, may }) => {
    expect(passes(() => checkOpening(exchangeOf(request)))).toBe(may);
  });
});
