/** Who asks: what a browser says of each request, and what it says nothing of. @module */
import { describe, expect, it } from "vitest";
import type { Grant } from "../../../src/core/address/authority.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";
import { type Asker, readFacts, readGrant } from "../../../src/core/who/asker.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf, TICKET } from "../../support/exchange.ts";
import { alike, typedRows } from "../../support/rows.ts";

const LABEL = "h-evil-test.w.localhost:8080";
const EVIL = "proxy_host=http://evil.test";

type Sent = Record<string, string | undefined>;

describe("who asks", () => {
  const { script, typed, link, blind, elsewhere } = BROWSER;
  const ticket = { "x-fetchvia-ticket": TICKET };
  const evil = { ...elsewhere, origin: "https://evil.test" };
  type Row = { about: string; fields: Sent; options?: Options; asker: Asker };
  const rows = typedRows<Row, readonly ["about", "asker", "fields", "options"]>(
    ["about", "asker", "fields", "options"],
    [
      ["curl", "program", {}],
      ["curl with a cookie and a Referer", "program", { cookie: EVIL, referer: "http://a.test/" }],
      ["curl behind a label", "program", { host: LABEL }],
      ["an address that is typed", "user", typed],
      ["a form of the proxy's own page", "user", { ...link, referer: "http://localhost:8080/__proxy__/" }],
      ["any page behind a label", "page", { ...script, host: LABEL }],
      ["what is typed behind a label", "page", { ...typed, host: LABEL }],
      ["who shows the ticket behind a label", "page", { ...script, host: LABEL, ...ticket }],
      ["a page by the cookie", "page", { ...script, cookie: EVIL }],
      ["a page by a cookie that can't be read", "page", { ...script, cookie: "proxy_host=x" }],
      ["what is typed with the cookie", "page", { ...typed, cookie: EVIL }],
      ["a page that leaves out the cookie", "page", { ...script, referer: "http://localhost:8080/x" }],
      ["a page that leaves out all it can", "page", script],
      ["the same without CORS", "page", blind],
      ["an Origin of its own with the cookie", "page", { origin: "http://localhost:8080", cookie: EVIL }],
      ["the other loopback name of the proxy", "page", {
        ...elsewhere,
        origin: "http://127.0.0.1:8080",
        cookie: EVIL,
      }],
      ["the console", "console", { ...script, ...ticket }],
      ["the console beside a cookie", "console", { ...script, cookie: EVIL, ...ticket }],
      ["a wrong ticket", "page", { ...script, cookie: EVIL, "x-fetchvia-ticket": "x" }],
      ["a page on another port", "granted", { ...elsewhere, origin: "http://localhost:5173" }],
      ["a page that is listed", "granted", evil, { corsOrigins: "https://evil.test" }],
      ["a page of `*`", "stranger", evil, { corsOrigins: "*" }],
      ["a page of `*` behind a label", "stranger", { ...evil, host: LABEL }, { corsOrigins: "*" }],
      ["a link beside `*`", "user", { ...typed, "sec-fetch-site": "cross-site" }, { corsOrigins: "*" }],
      ["a label's page", "user", { ...elsewhere, origin: `http://${LABEL}` }],
      ["a page of the preset target", "page", { ...link, referer: "http://localhost:8080/x" }, {
        target: "http://a.test",
      }],
    ],
  );
  it.each(rows)("$about: $asker", ({ fields, options, asker }) => {
    expect(exchangeOf({ fields, options }).asker).toBe(asker);
  });
});

type Given = Parameters<typeof readFacts>[1];
type FieldList = [name: string, value: string][];

const HOST: FieldList = [["host", "localhost:8080"]];
const GIVEN: Given = {
  runtime: { clientAddress: "127.0.0.1", listensOnLoopback: true },
  config: readOptions({}),
  grant: "none",
};

const configOf = (options: Options): Partial<Given> => ({ config: readOptions(options) });

function read(
  fields: FieldList,
  given: Partial<Given> = {},
  url = "http://localhost:8080/",
  ticket = TICKET,
) {
  const { signal } = new AbortController();
  const incoming = { method: "GET", url, headers: new Fields(fields), body: null, signal };
  return readFacts(incoming, { ...GIVEN, ...given }, ticket);
}

interface Row {
  about: string;
  facts: object;
  fields: FieldList;
  given?: Partial<Given>;
  url?: string;
  ticket?: string;
}

const LABELLED = configOf({ proxyLabels: "api=https://api.test/v1" });
const SECURE = "https://localhost:8080";

describe("who asks", () => {
  const SCRIPT: FieldList = [...HOST, ...Object.entries(BROWSER.script), ["x-fetchvia-ticket", TICKET]];

  it.each(typedRows<Row>(["about", "facts", "fields", "given", "url", "ticket"], [
    ["a program", { asker: "program", caller: { address: "127.0.0.1" } }, HOST],
    ["another caller", { caller: { address: "192.0.2.1" } }, HOST, {
      runtime: { ...GIVEN.runtime, clientAddress: "192.0.2.1" },
    }],
    ["a label", { carried: { label: { path: "/v1" } } }, [["host", "api.w.localhost:8080"]], LABELLED],
    ["a granted page", { asker: "granted" }, [...HOST, ["origin", "http://localhost:5173"]], {
      grant: "listed",
    }],
    ["the console", { asker: "console" }, SCRIPT],
    ["the console of another proxy", { asker: "page" }, SCRIPT, {}, undefined, "another"],
    ["a caller over https", { caller: { isSecure: true, origin: SECURE } }, HOST, {}, `${SECURE}/`],
    ["a caller behind a front proxy that is trusted", { caller: { address: "192.0.2.9", isSecure: true } }, [
      ...HOST,
      ["x-forwarded-proto", "https"],
      ["x-forwarded-for", "192.0.2.9"],
    ], configOf({ trustedProxies: "127.0.0.1" })],
  ]))(
    "is read: $about",
    ({ fields, given, url, ticket, facts }) => expect(read(fields, given, url, ticket)).toMatchObject(facts),
  );

  it.each(["a b", "a.test:99999", "a.test, b.test", "a.test:x"])(
    "is refused with the malformed Host %s",
    (host) => {
      expect(() => read([["host", host]])).toThrow(expect.objectContaining({ code: "bad_request" }));
    },
  );
});

const LISTED = "https://app.test";
const LOCAL = "http://localhost:5173";

const GRANTS: {
  set: string | [] | undefined;
  origin: string | undefined;
  isLocal?: boolean;
  grant: Grant;
}[] = [
  // The rest: conformance/cors.ts.
  { set: undefined, origin: LOCAL, isLocal: undefined, grant: "none" },
  { set: "*", origin: LOCAL, grant: "any" },
  ...alike("origin", { set: LISTED, grant: "none" })`https://app.test:8443 https://app.test.evil.test`,
  // A list that is set says it all.
  { set: [], origin: LOCAL, grant: "none" },
  { set: `${LISTED},*`, origin: undefined, grant: "any" },
];

it.each([
  { url: "https://localhost:8443/", grant: "none" },
  { url: "https://127.0.0.1:8443/", grant: "none" },
  { url: "https://localhost:9443/", grant: "listed" },
])(
  "a page of the proxy's own port has no grant without Host either, as with HTTP/2: $url",
  ({ url, grant }) => {
    const headers = new Fields([["origin", "https://localhost:8443"]]);
    expect(readGrant({ url, headers }, { listensOnLoopback: true }, readOptions({}))).toBe(grant);
  },
);

it.each(GRANTS)(
  "readGrant with $set, for $origin (loopback: $isLocal): $grant",
  ({ set, origin, grant, ...row }) => {
    const listensOnLoopback = "isLocal" in row ? row.isLocal : true;
    const { incoming, config } = exchangeOf({ fields: { origin }, options: { corsOrigins: set } });
    expect(readGrant(incoming, { listensOnLoopback }, config)).toBe(grant);
  },
);
